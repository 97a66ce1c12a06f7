package look

import (
	"bufio"
	"fmt"
	"io"
	"math"
	"strings"
	"text/tabwriter"

	"github.com/topoi-lda/topoi"
	"github.com/topoi-lda/topoi/cmd/topoi/internal/cli"
	"github.com/topoi-lda/topoi/internal/human"
	"github.com/topoi-lda/topoi/internal/wholefile"
	"github.com/topoi-lda/topoi/prevalence"
)

// tableWriter writes a result in a format; name gives the labels of topics.
type tableWriter func(w io.Writer, format string, name func(topic int) string) error

// writeOut writes to a file, whole or not at all, or to standard output.
func writeOut(a *cli.App, path, format string, name func(int) string, write tableWriter) error {
	if path == "-" {
		b := bufio.NewWriter(a.Stdout)
		if err := write(b, format, name); err != nil {
			return err
		}
		return b.Flush()
	}
	return wholefile.Write(path, func(w io.Writer) error { return write(w, format, name) })
}

// textOf writes a block for each of the largest topics: its words, then a line for each group
// and period.
func (p *prevailer) textOf(m *topoi.Model, r *prevalence.Result) tableWriter {
	return func(w io.Writer, _ string, name func(int) string) error {
		place := map[int]int{}
		for i, k := range r.Topics {
			place[k] = i
		}
		var topics []int
		for _, k := range m.LargestTopics(0) {
			if _, asked := place[k]; asked {
				topics = append(topics, k)
			}
		}
		all := len(topics)
		if p.limit > 0 {
			topics = topics[:min(p.limit, all)]
		}
		for k, words := range m.EachTopWords(topics, 8) {
			fmt.Fprintf(w, "topic %d%s: %s\n", k, inBrackets(name(k)), TermList(words))
			if err := writeShares(w, r, place[k]); err != nil {
				return err
			}
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

// writeShares writes the lines of a topic.
func writeShares(w io.Writer, r *prevalence.Result, slot int) error {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	interval := ""
	if r.Interval > 0 {
		interval = fmt.Sprintf("%g %% interval", 100*r.Interval)
	}
	fmt.Fprintf(t, "  %s\tshare\t%s\ttokens\tdocuments\n", strings.ReplaceAll(string(r.By), ",", ", "), interval)
	blocks := r.Blocks()
	for i := range r.Cells { // the largest groups first
		c := blocks[i*len(blocks)/len(r.Cells)] + i%(len(r.Cells)/len(blocks))
		cell, s := r.Cells[c], r.Shares[c][slot]
		fmt.Fprintf(t, "  %s\t%s\t%s\t%s\t%s\n", cellName(cell.Label, cell.Period), percent(s.Share), between(s.Low, s.High), human.Count(s.Tokens), human.Count(cell.Docs))
	}
	for p, d := range r.Differences {
		c := d.Changes[slot]
		what := human.Line(r.Cells[p].Label) + " less " + human.Line(r.Cells[len(r.Differences)+p].Label)
		if d.Period != nil {
			what += ", " + d.Period.Name
		}
		fmt.Fprintf(t, "  %s\t%s\t%s\t\t\n", what, percent(c.Difference), between(c.Low, c.High))
	}
	if err := t.Flush(); err != nil {
		return err
	}
	_, err := fmt.Fprintln(w)
	return err
}

func cellName(label string, p *prevalence.Period) string {
	switch {
	case p == nil:
		return human.Line(label)
	case label == "":
		return p.Name
	}
	return human.Line(label) + ", " + p.Name
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
