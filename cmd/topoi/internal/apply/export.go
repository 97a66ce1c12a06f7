package apply

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/spf13/pflag"

	"github.com/topoi-lda/topoi"
	"github.com/topoi-lda/topoi/cmd/topoi/internal/cli"
	"github.com/topoi-lda/topoi/export"
	"github.com/topoi-lda/topoi/internal/human"
	"github.com/topoi-lda/topoi/internal/lists"
	"github.com/topoi-lda/topoi/internal/progress"
)

// AddExport adds topoi export.
func AddExport(a *cli.App) {
	c := cli.Describe("export")
	e := &exporting{app: a}
	cli.Section(c, "What to write", e.flags)
	cli.Complete(c, "format", exportNames)
	cli.Complete(c, "decimal", cli.Fixed("point", "comma"))
	cli.Complete(c, "documents", cli.Fixed("train", "heldout", "all"))
	a.Add(c, e.check, cli.Stoppable(e.run))
}

// exporting holds the flags of topoi export.
type exporting struct {
	app                      *cli.App
	options                  export.Options
	format, where, output    string
	quiet, asJSON, overwrite bool
}

func (e *exporting) flags(fs *pflag.FlagSet) {
	o := &e.options
	fs.StringVarP(&e.format, "format", "f", "", "`name` of the format, such as xlsx, csv-doc-topics or mallet-state; list shows all (required)")
	fs.StringVarP(&e.output, "output", "o", "", "`path` of the file or directory to write (required), or -")
	fs.IntVar(&o.Words, "words", 0,
		"`number` of words per topic, in formats that list the top words; -1 for all (default: depends on the format)")
	fs.IntVar(&o.Top, "top", 0, "`number` of topics per document, in formats that list topics by share (default: all)")
	fs.Float64Var(&o.MinTheta, "min-theta", 0,
		"leave out topics with a smaller `share` of a document; the largest topic is always kept")
	fs.StringVar(&o.Documents, "documents", "train",
		"`documents` to write: train, heldout (their topics are inferred) or all")
	cli.Where(fs, &e.where)
	fs.StringSliceVar(&o.With, "with", nil, "`columns` to add to tables of documents, such as party,date")
	fs.BoolVar(&o.Excel, "excel", false, "write CSV for Excel: marked as UTF-8, and no cell is run as a formula")
	fs.StringVar(&o.Decimal, "decimal", "point", "decimal `mark` in CSV: point, or comma with semicolons between cells")
	fs.IntVar(&o.Threads, "threads", 0, "`number` of threads; does not change the result (default: all cores)")
	fs.BoolVar(&e.overwrite, "overwrite", false, "replace the file if it exists")
	fs.BoolVar(&e.asJSON, "json", false, "write progress as JSON lines on standard output")
	fs.BoolVar(&e.quiet, "quiet", false, "show errors only")
}

func (e *exporting) check(args []string) error {
	if e.format == "list" {
		return nil
	}
	faults := []error{
		cli.OneModel(args, "topoi export news.model --format csv-topics -o topics.csv"),
		cli.NeedOutput(e.output, "PATH"),
		e.options.Validate(),
		cli.RefuseExisting(e.output, e.overwrite),
	}
	if e.format == "" {
		faults = append(faults, errors.New("the format is missing: see topoi export --format list"))
	} else if _, err := export.Find(e.format); err != nil {
		faults = append(faults, err)
	}
	return errors.Join(append(faults, human.FaultIf(e.asJSON && e.output == "-",
		"--json and -o - both write to standard output: choose one"))...)
}

func (e *exporting) run(ctx context.Context, args []string) error {
	if e.format == "list" {
		return listExports(e.app)
	}
	m, err := cli.OpenWhere(ctx, args[0], e.where)
	if err != nil {
		return err
	}
	defer m.Close()
	r := e.app.Reporter(e.asJSON, e.quiet)
	defer r.Close()
	e.options.Progress = cli.Phase(r, "writing "+e.format)
	if err := export.Write(ctx, m, e.format, e.output, e.options); err != nil {
		return err
	}
	if e.quiet {
		return nil
	}
	if e.output != "-" {
		r.Say("wrote " + e.output)
	}
	return tellHeldOut(m, e.format, e.options, r)
}

// tellHeldOut prints how many documents are missing from what was written because they were held out of training.
func tellHeldOut(m *topoi.Model, format string, o export.Options, r progress.Reporter) error {
	f, err := export.Find(format)
	if err != nil || !f.Docs || o.Documents != "train" || m.Manifest().Options.Holdout == 0 {
		return err
	}
	heldOut, err := m.Heldout()
	if err != nil || heldOut == nil {
		return err
	}
	s := fmt.Sprintf("left out: %s held out of training", human.Of(heldOut.Uncut().NumDocs(), "document"))
	if f.HeldOut {
		s += "; --documents all adds them with inferred topics"
	}
	r.Say(s)
	return nil
}

// exportGroups are the headings under which formats are listed, with the beginnings of their names in the order in
// which they stand there. The last has those with no other beginning.
var exportGroups = [][]string{
	{"Tables", "xlsx", "csv-", "parquet"},
	{"For Python and R", "npz-", "npy-", "gensim", "pyldavis", "json"},
	{"For programs that read MALLET's files", "mallet-"},
	{"For other programs", ""},
}

// exportPlace returns the heading of a format and the beginning of its name, by number.
func exportPlace(format string) [2]int {
	for i, group := range exportGroups {
		for j, prefix := range group[1:] {
			if strings.HasPrefix(format, prefix) {
				return [2]int{i, j}
			}
		}
	}
	panic("the last heading has all formats")
}

// listExports describes the formats by what they are for, one per line.
func listExports(a *cli.App) error {
	list := export.Formats()
	slices.SortStableFunc(list, func(x, y export.Format) int {
		from, to := exportPlace(x.Name), exportPlace(y.Name)
		return slices.Compare(from[:], to[:])
	})
	w := tabwriter.NewWriter(a.Stdout, 0, 0, 2, ' ', 0)
	heading := -1
	for _, f := range list {
		if place := exportPlace(f.Name); place[0] != heading {
			if heading >= 0 {
				fmt.Fprintln(w)
			}
			heading = place[0]
			fmt.Fprintf(w, "%s:\n", exportGroups[heading][0])
		}
		kind := "a file"
		if f.Directory {
			kind = "a directory"
		}
		fmt.Fprintf(w, "  %s\t%s\t%s\n", f.Name, kind, f.Description)
	}
	return w.Flush()
}

func exportNames() []string {
	names := lists.Of(export.Formats(), func(f export.Format) string { return f.Name + "\t" + f.Description })
	return append(names, "list\tshow all formats")
}
