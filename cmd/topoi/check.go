package main

import (
	"context"
	"fmt"
	"text/tabwriter"

	"github.com/spf13/pflag"

	"github.com/topoi-lda/topoi/cmd/topoi/internal/checkup"
	"github.com/topoi-lda/topoi/cmd/topoi/internal/cli"
	"github.com/topoi-lda/topoi/cmd/topoi/internal/reading"
	"github.com/topoi-lda/topoi/corpus"
	"github.com/topoi-lda/topoi/internal/human"
)

func addCheck(a *cli.App) {
	c := cli.Describe("check")
	var in reading.Flags
	var asJSON, quiet bool
	cli.Section(c, "Output", func(fs *pflag.FlagSet) {
		fs.BoolVar(&asJSON, "json", false, "write JSON, with the largest groups of copies")
		fs.BoolVar(&quiet, "quiet", false, "show errors and the result only")
		fs.IntVar(&in.Options.Threads, "threads", 0,
			"`number` of threads; does not change the result (default: all cores)")
	})
	in.AddReading(c)
	in.AddText(c)
	check := func(args []string) error {
		if err := cli.NeedInputs(args, "the input", "topoi check articles.csv"); err != nil {
			return err
		}
		return in.Check()
	}
	run := func(ctx context.Context, args []string) error {
		r := a.Reporter(false, quiet || asJSON)
		defer r.Close()
		in.Options.Progress = reading.Progress(r)
		if in.Options.Duplicates == "" && corpus.IsCorpus(args[0]) {
			in.Options.Duplicates = "group"
		}
		docs, report, err := corpus.Load(ctx, args, in.Options)
		if err != nil {
			return reading.WithFlags(err)
		}
		defer docs.Close()
		found := checkup.Of(docs, report)
		if asJSON {
			return a.WriteJSON(found)
		}
		return writeFindings(a, found)
	}
	a.Add(c, check, cli.Stoppable(run))
}

// writeFindings writes a report as a table.
func writeFindings(a *cli.App, r *checkup.Report) error {
	fmt.Fprintf(a.Stdout, "%s, %s, %s\n", human.Of(r.Documents, "document"), human.Of(r.Words, "word"),
		human.Of(r.Tokens, "token"))
	if len(r.Findings) == 0 {
		_, err := fmt.Fprintln(a.Stdout, "nothing was found that spoils topics")
		return err
	}
	w := tabwriter.NewWriter(a.Stdout, 0, 0, 2, ' ', tabwriter.StripEscape)
	fmt.Fprintln(w, "\nfound\tdocuments\tshare\tsuch as\twhat to do")
	for _, f := range r.Findings {
		fmt.Fprintf(w, "%s\t%s\t%.1f %%\t%s\t%s\n", f.Name, human.Count(f.Documents), 100*f.Share, human.Line(f.Example),
			a.Speak(f.Advice))
	}
	return w.Flush()
}
