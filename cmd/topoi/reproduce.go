package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/topoi-lda/topoi/cmd/topoi/internal/cli"
	"github.com/topoi-lda/topoi/cmd/topoi/internal/reproduce"
	"github.com/topoi-lda/topoi/corpus"
	"github.com/topoi-lda/topoi/internal/human"
	"github.com/topoi-lda/topoi/internal/wholefile"
)

func addReproduce(a *cli.App) {
	c := &cobra.Command{
		Use:   "reproduce FIGURE [flags]",
		Short: "Draw a figure of a paper again",
		Long: `Run the samplers as one of the papers did, and write its figure as FIGURE.svg and
the points in it as FIGURE.csv. Without --data the corpus is generated; with it,
it is any input that 'topoi import' reads, or a directory that holds docword.*
and vocab.* files of the UCI collection.

Figures:
` + figureList(),
		Example: `  topoi reproduce yan-2
  topoi reproduce light-11 --data kos/ --topics 100 -o figures`,
	}
	var (
		opts      reproduce.Options
		data, dir string
		quiet     bool
	)
	cli.Section(c, "Data and size", func(fs *pflag.FlagSet) {
		fs.StringVar(&data, "data", "", "`input` to use instead of a generated corpus")
		fs.IntVarP(&opts.Topics, "topics", "k", 0, "`number` of topics (default: the figure's own)")
		fs.IntVar(&opts.Iterations, "iterations", 0, "`number` of sweeps (default: the figure's own)")
		fs.Uint64Var(&opts.Seed, "seed", 0, "`number` that chooses the random numbers")
		fs.IntVar(&opts.Threads, "threads", runtime.GOMAXPROCS(0), "`number` of threads; changes times, never scores")
	})
	cli.Section(c, "Output", func(fs *pflag.FlagSet) {
		fs.StringVarP(&dir, "output", "o", ".", "`directory` to write to")
		fs.BoolVar(&quiet, "quiet", false, "show errors only")
	})
	c.ValidArgs = figureNames()
	check := func(args []string) error { return checkReproduce(args, opts) }
	run := func(ctx context.Context, args []string) error {
		r := a.Reporter(false, quiet)
		defer r.Close()
		if data != "" {
			docs, err := openData(ctx, data)
			if err != nil {
				return err
			}
			defer docs.Close()
			opts.Corpus, opts.Name = docs, dataName(data)
		}
		if !quiet {
			opts.Progress = func(run string) { r.Say("running " + run) }
		}
		result, err := reproduce.Draw(ctx, args[0], opts)
		if err != nil {
			return err
		}
		return writeFigure(result, dir, func(path string) {
			if !quiet {
				r.Say("saved " + path)
			}
		})
	}
	a.Add(cli.GroupTrain, c, check, cli.Stoppable(run))
}

func checkReproduce(args []string, opts reproduce.Options) error {
	var faults []error
	switch {
	case len(args) != 1:
		faults = append(faults, fmt.Errorf("give one figure, one of %s", strings.Join(figureNames(), ", ")))
	case !slices.Contains(figureNames(), args[0]):
		faults = append(faults, fmt.Errorf("unknown figure %q%s", args[0], human.Hint(args[0], figureNames())))
	}
	if opts.Topics < 0 || opts.Iterations < 0 || opts.Threads < 1 {
		faults = append(faults, errors.New("--topics, --iterations and --threads must be positive"))
	}
	return errors.Join(faults...)
}

func figureList() string {
	var b strings.Builder
	for _, f := range reproduce.Figures() {
		fmt.Fprintf(&b, "  %-14s %s (%s)\n", f.Name, f.Title, f.Source)
	}
	return b.String()
}

func figureNames() []string {
	var names []string
	for _, f := range reproduce.Figures() {
		names = append(names, f.Name)
	}
	return names
}

// openData opens any input, or the UCI files of a directory.
func openData(ctx context.Context, path string) (*corpus.Corpus, error) {
	inputs, opts := []string{path}, corpus.ImportOptions{}
	docs, _ := filepath.Glob(filepath.Join(path, "docword.*")) // the pattern is a valid one
	vocab, _ := filepath.Glob(filepath.Join(path, "vocab.*"))
	switch {
	case len(docs) > 1:
		return nil, fmt.Errorf("%s holds %d docword files: give one of them with topoi import, and its corpus file here", path, len(docs))
	case len(docs) == 1 && len(vocab) == 1:
		inputs, opts.Source.Format, opts.Source.VocabPath = docs, "uci", vocab[0]
	}
	c, _, err := corpus.Load(ctx, inputs, opts)
	return c, err
}

// dataName is what titles call the data: the last part of its path without suffix.
func dataName(path string) string {
	name, _, _ := strings.Cut(filepath.Base(filepath.Clean(path)), ".")
	return name
}

// writeFigure writes the picture and the table, telling said about each.
func writeFigure(result *reproduce.Result, dir string, said func(path string)) error {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	base := filepath.Join(dir, result.Figure.Name)
	if err := wholefile.Write(base+".svg", result.WriteSVG); err != nil {
		return err
	}
	said(base + ".svg")
	if err := wholefile.Write(base+".csv", result.WriteCSV); err != nil {
		return err
	}
	said(base + ".csv")
	return nil
}
