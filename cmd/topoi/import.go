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
		in                       reading.Flags
		output, part             string
		quiet, asJSON, overwrite bool
	)
	cli.Section(c, "Output", func(fs *pflag.FlagSet) {
		fs.StringVarP(&output, "output", "o", "", "corpus `file` to write (required)")
		fs.BoolVar(&overwrite, "overwrite", false, "replace the file if it exists")
		fs.StringVar(&part, "part", "",
			"import only part `I/N` of the files, such as 2/8, with all words; choose words when you join the parts")
		fs.IntVar(&in.Options.Threads, "threads", 0,
			"`number` of threads; does not change the result (default: all cores)")
		fs.BoolVar(&asJSON, "json", false, "write events and report as JSON lines on standard output")
		fs.BoolVar(&quiet, "quiet", false, "show errors only")
	})
	in.AddReading(c)
	in.AddText(c)
	check := func(args []string) error {
		return errors.Join(
			cli.NeedInputs(args, "the input", "topoi import articles.csv -o articles.topoi"),
			cli.NeedOutput(output, "FILE"),
			in.Check(), choosePart(part, &in.Options),
			cli.RefuseExisting(output, overwrite),
		)
	}
	run := func(ctx context.Context, args []string) error {
		r := a.Reporter(asJSON, quiet)
		defer r.Close()
		if corpus.IsCorpus(args[0]) {
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
	a.Add(c, check, cli.Stoppable(run))
}

// choosePart settles the options of one part of an import.
func choosePart(part string, o *corpus.ImportOptions) error {
	if part == "" {
		return nil
	}
	s := &o.Source
	if n, err := fmt.Sscanf(part+"\n", "%d/%d\n", &s.Part, &s.Parts); n != 2 || err != nil || s.Parts < 1 {
		return fmt.Errorf("--part is %q: write I/N, such as 2/8 for the second of eight parts", part)
	}
	if o.Order == "hash" {
		return errors.New("a part keeps the order of its files: give --order when you join the parts")
	}
	if o.MinDF != 0 || o.MaxDF != 0 || o.MinCF != 0 || o.MaxWords != 0 || o.Phrases != nil || o.DropEmpty || o.Duplicates == "drop" {
		return errors.New("a part keeps all words and documents: give --min-df, --max-df, --min-cf, --max-words, --drop-empty and --duplicates when you join the parts; --phrases needs one machine")
	}
	o.MinDF, o.MaxDF = 1, 1
	return nil
}

// formatList describes the input formats, one per line.
func formatList() string {
	var b strings.Builder
	for _, f := range source.Formats() {
		fmt.Fprintf(&b, "  %-14s %s\n", f.Name, f.Description)
	}
	return b.String()
}
