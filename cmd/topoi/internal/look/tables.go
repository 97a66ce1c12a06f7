package look

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"math"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/topoi-lda/topoi"
	"github.com/topoi-lda/topoi/cmd/topoi/internal/cli"
	"github.com/topoi-lda/topoi/internal/human"
	"github.com/topoi-lda/topoi/internal/progress"
	"github.com/topoi-lda/topoi/internal/wholefile"
)

// tables is the output of a command whose result is a table by topics, a picture, or text for people.
type tables struct {
	*cli.App
	formats          []string // of the result
	output, format   string
	limit            int
	overwrite, quiet bool
}

func (t *tables) flags(fs *pflag.FlagSet) {
	fs.StringVarP(&t.output, "output", "o", "-", "`file` to write: .csv, .json, .parquet or .svg; - is standard output")
	fs.StringVarP(&t.format, "format", "f", "",
		"`format`: csv, json, parquet, svg, or text for people (default: by the file's name)")
	fs.IntVar(&t.limit, "limit", 20, "show this `number` of topics, the largest; 0 for all")
	fs.BoolVar(&t.overwrite, "overwrite", false, "replace the file if it exists")
	fs.BoolVar(&t.quiet, "quiet", false, "show errors only")
}

// known lists the values of --format.
func (t *tables) known() []string { return append(slices.Clone(t.formats), "text") }

// check returns all faults of the flags and finds the format from the name of the file.
func (t *tables) check(c *cobra.Command) error {
	faults := []error{cli.RefuseNegative(c, "limit"), cli.RefuseExisting(t.output, t.overwrite)}
	switch extension := strings.TrimPrefix(strings.ToLower(filepath.Ext(t.output)), "."); {
	case t.format != "" && !slices.Contains(t.known(), t.format):
		faults = append(faults, fmt.Errorf("unknown format %q%s", t.format, human.Hint(t.format, t.known())))
	case t.format != "":
	case t.output == "-" || extension == "txt":
		t.format = "text"
	case slices.Contains(t.formats, extension):
		t.format = extension
	default:
		faults = append(faults, fmt.Errorf("cannot tell the format of %s from its name: end it in .csv, .json, .parquet or .svg, or add --format", t.output))
	}
	return errors.Join(faults...)
}

// tableWriter writes a result in a format; name gives the names of topics.
type tableWriter func(w io.Writer, format string, name func(topic int) string) error

// write writes to a file, whole or not at all, or to standard output.
func (t *tables) write(r progress.Reporter, name func(int) string, write tableWriter) error {
	if t.output == "-" {
		b := bufio.NewWriter(t.Stdout)
		if err := write(b, t.format, name); err != nil {
			return err
		}
		return b.Flush()
	}
	err := wholefile.Write(t.output, func(w io.Writer) error { return write(w, t.format, name) })
	if err == nil && !t.quiet {
		r.Say("wrote " + t.output)
	}
	return err
}

// blocks writes the largest of the given topics, each with its words and, below them, the block for its place in
// the list.
func (t *tables) blocks(m *topoi.Model, given []int, block func(w io.Writer, slot int) error) tableWriter {
	return func(w io.Writer, _ string, name func(int) string) error {
		place := map[int]int{}
		for i, k := range given {
			place[k] = i
		}
		topics := slices.DeleteFunc(m.LargestTopics(0), func(k int) bool { _, ok := place[k]; return !ok })
		all := len(topics)
		if t.limit > 0 {
			topics = topics[:min(t.limit, all)]
		}
		for t := range m.Summary(topics, 8) {
			fmt.Fprintf(w, "topic %d%s: %s\n", t.Topic, inBrackets(name(t.Topic)), TermList(t.Words))
			if err := block(w, place[t.Topic]); err != nil {
				return err
			}
			fmt.Fprintln(w)
		}
		if len(topics) < all {
			fmt.Fprintf(w, "(%s more: --limit 0 shows all)\n", human.Of(all-len(topics), "topic"))
		}
		return nil
	}
}

func inBrackets(name string) string {
	if name == "" {
		return ""
	}
	return " (" + human.Line(name) + ")"
}

func percent(x float64) string {
	if math.IsNaN(x) {
		return "–"
	}
	return fmt.Sprintf("%.2f %%", 100*x)
}

func between(low, high float64) string {
	if math.IsNaN(low) || math.IsNaN(high) {
		return ""
	}
	return fmt.Sprintf("%.2f to %.2f %%", 100*low, 100*high)
}
