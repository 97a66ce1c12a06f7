package main

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/pflag"

	"github.com/topoi-lda/topoi/cmd/topoi/internal/cli"
	"github.com/topoi-lda/topoi/cmd/topoi/internal/reading"
	"github.com/topoi-lda/topoi/corpus"
	"github.com/topoi-lda/topoi/corpus/source"
)

func addImport(a *cli.App) {
	c := cli.Describe("import")
	c.Long += "\n" + formatList()
	var (
		in            reading.Flags
		output        string
		quiet, asJSON bool
		overwrite     bool
	)
	cli.Section(c, "Output", func(fs *pflag.FlagSet) {
		fs.StringVarP(&output, "output", "o", "", "corpus `file` to write (required)")
		fs.BoolVar(&overwrite, "overwrite", false, "replace the file if it exists")
		fs.IntVar(&in.Options.Threads, "threads", 0, "`number` of threads; does not change the result (default: all cores)")
		fs.BoolVar(&asJSON, "json", false, "write events and report as JSON lines on standard output")
		fs.BoolVar(&quiet, "quiet", false, "show errors only")
	})
	in.AddReading(c)
	in.AddText(c)
	check := func(args []string) error {
		return errors.Join(
			cli.NeedInputs(args, "the input", "topoi import articles.csv -o articles.topoi"),
			cli.NeedOutput(output, "FILE"),
			in.Check(),
			cli.RefuseExisting(output, overwrite),
		)
	}
	run := func(ctx context.Context, args []string) error {
		r := a.Reporter(asJSON, quiet)
		defer r.Close()
		if len(args) == 1 && corpus.IsCorpus(args[0]) {
			if err := in.RefuseFlags(args[0]); err != nil {
				return err
			}
		}
		report, err := in.Import(ctx, args, output, r, quiet)
		if err != nil {
			return reading.WithFlags(err)
		}
		if quiet {
			return nil
		}
		reading.Tell(report, output, r)
		if asJSON {
			return nil
		}
		r.Say("saved " + output)
		return cli.NextSteps(a.Stdout, [][2]string{
			{"topoi train " + cli.ShellWord(output) + " -k 50 -o MODEL", "find 50 topics"},
			{"topoi info " + cli.ShellWord(output), "show what the file contains"},
		})
	}
	a.Add(cli.GroupData, c, check, cli.Stoppable(run))
}

// formatList describes the input formats, one per line.
func formatList() string {
	var b strings.Builder
	for _, f := range source.Formats() {
		fmt.Fprintf(&b, "  %-14s %s\n", f.Name, f.Description)
	}
	return b.String()
}
