// Package apply has the commands that apply a model, serve, measure and export it: a file a command.
package apply

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/pflag"

	"github.com/topoi-lda/topoi"
	"github.com/topoi-lda/topoi/cmd/topoi/internal/cli"
	"github.com/topoi-lda/topoi/export"
	"github.com/topoi-lda/topoi/internal/engine"
	"github.com/topoi-lda/topoi/internal/human"
)

// AddInfer adds topoi infer.
func AddInfer(a *cli.App) {
	i := &inferrer{App: a}
	c := cli.Describe("infer")
	cli.Section(c, "Output", func(fs *pflag.FlagSet) {
		fs.StringVarP(&i.output, "output", "o", "-",
			"`file` to write: .csv, .jsonl (also .gz, .zst), .parquet or .npy; a folder if it ends in /; - is standard output")
		fs.BoolVar(&i.incremental, "incremental", false,
			"with a folder as output: skip files whose topics this model has written there, if neither has changed since")
		fs.BoolVar(&i.verify, "verify", false,
			"with --incremental: also compare the checksums of what is there, not only size and time")
		fs.StringVar(&i.as, "as", "",
			"`format` of the output: csv, csv-wide, jsonl, parquet, parquet-wide, npy, mallet or mallet-threshold (default: by the file's name)")
		fs.IntVar(&i.options.Top, "top", 0, "`number` of topics per document, not for the wide tables (default: all)")
		fs.Float64Var(&i.options.MinTheta, "min-theta", 0,
			"leave out topics with a smaller `share` of the document; the largest topic is always kept")
		fs.BoolVar(&i.options.Excel, "excel", false,
			"write CSV for Excel: marked as UTF-8, and no cell is run as a formula")
		fs.StringVar(&i.options.Decimal, "decimal", "point",
			"decimal `mark` in CSV: point, or comma with semicolons between cells")
		fs.BoolVar(&i.overwrite, "overwrite", false, "replace the file if it exists")
		fs.BoolVar(&i.quiet, "quiet", false, "show errors only")
	})
	cli.Section(c, "Inference", func(fs *pflag.FlagSet) {
		fs.IntVar(&i.how.Iterations, "iterations", 0,
			"`number` of sweeps that draw the topics, such as 100 (default: none; the expected topics)")
		fs.IntVar(&i.how.BurnIn, "burn-in", 0, "`number` of first sweeps that are discarded (default: a fifth of them)")
		fs.Uint64Var(&i.how.Seed, "seed", 0, "random seed; the same `number` gives the same result")
		fs.IntVar(&i.how.Threads, "threads", 0, "`number` of threads; does not change the result (default: all cores)")
		fs.StringVar(&i.how.Device, "device", "auto",
			"`device` to use: auto, cpu, or cuda or cuda:N for a GPU; does not change the result")
		fs.Var(cli.SizeFlag{Bytes: &i.how.DeviceMemory}, "device-memory",
			"`size` of GPU memory to use, such as 8GB (default: what is free)")
	})
	i.inputs.AddReading(c)
	cli.Complete(c, "as", export.InferFormats)
	cli.Complete(c, "device", cli.Fixed("auto", "cpu", "cuda"))
	check := func(args []string) error {
		if c.Flags().Changed("burn-in") && i.how.BurnIn == 0 {
			i.how.BurnIn = -1
		}
		return errors.Join(i.arguments(args), i.how.Validate(), i.options.Validate(), i.format(),
			i.inputs.Check(), cli.RefuseExisting(i.output, i.overwrite))
	}
	a.Add(c, check, cli.OnModel(new(string), i.run))
}

func (i *inferrer) arguments(args []string) error {
	switch len(args) {
	case 0:
		return errors.New("the model and the input are missing: try topoi infer news.model today.csv")
	case 1:
		if !looksLikeModel(args[0]) {
			return fmt.Errorf("the model is missing: try topoi infer news.model %s", cli.ShellWord(args[0]))
		}
		return fmt.Errorf("the input is missing: try topoi infer %s today.csv", cli.ShellWord(args[0]))
	}
	return nil
}

// looksLikeModel reports whether a path may be a model: a directory, or a name without the extension of some file.
func looksLikeModel(path string) bool {
	info, err := os.Stat(path)
	if err == nil {
		return info.IsDir()
	}
	extension := filepath.Ext(path)
	return extension == "" || extension == ".model"
}

// format settles the format of the output.
func (i *inferrer) format() (err error) {
	i.askedAs = i.as
	switch {
	case i.incremental && !strings.HasSuffix(i.output, "/"):
		err = errors.New("--incremental needs a folder as output: add -o topics/")
	case i.verify && !i.incremental:
		err = errors.New("--verify compares what --incremental would skip: add --incremental, or leave --verify out")
	case i.as == "" && strings.HasSuffix(i.output, "/"):
		i.as = "parquet"
	case i.as == "":
		i.as, err = formatOf(i.output)
	case !slices.Contains(export.InferFormats(), i.as):
		err = fmt.Errorf("unknown output format %q%s", i.as, human.Hint(i.as, export.InferFormats()))
	}
	return err
}

// formatOf returns the format for a path's extension, ignoring .gz and .zst. It is csv for "-".
func formatOf(path string) (string, error) {
	if path == "-" {
		return "csv", nil
	}
	name := strings.ToLower(filepath.Base(path))
	name = strings.TrimSuffix(strings.TrimSuffix(name, ".gz"), ".zst")
	if format := strings.TrimPrefix(filepath.Ext(name), "."); slices.Contains(export.InferFormats(), format) {
		return format, nil
	}
	return "", fmt.Errorf("the name %s does not say the format: end it in .csv, .jsonl, .parquet or .npy", path)
}

func (i *inferrer) run(ctx context.Context, m *topoi.Model, args []string) error {
	r := i.Reporter(false, i.quiet)
	defer r.Close()
	if strings.HasSuffix(i.output, "/") {
		return i.files(ctx, m, args[1:], r)
	}
	if in, format := i.stream(args[1:]); in != nil {
		return i.answer(ctx, m, in, format, r)
	}
	engine.Where{Device: i.how.Device}.Ahead()
	docs, report, err := i.inputs.OpenFor(ctx, m, args[1:], r, i.quiet)
	if err != nil {
		return err
	}
	defer docs.Close()
	i.options.Progress = cli.Phase(r, "inferring topics")
	if err := export.Infer(ctx, m, docs, i.as, i.output, i.how, i.options); err != nil {
		return err
	}
	i.tell(report, r)
	return nil
}
