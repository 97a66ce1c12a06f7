package look

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"

	"github.com/spf13/pflag"

	"github.com/topoi-lda/topoi"
	"github.com/topoi-lda/topoi/cmd/topoi/internal/cli"
	"github.com/topoi-lda/topoi/explore"
	"github.com/topoi-lda/topoi/internal/human"
	"github.com/topoi-lda/topoi/internal/wholefile"
)

// AddExplore adds topoi explore.
func AddExplore(a *cli.App) {
	c := cli.Describe("explore")
	var (
		o                      explore.Options
		output, where          string
		show, overwrite, quiet bool
	)
	cli.Section(c, "What to write", func(fs *pflag.FlagSet) {
		fs.StringVarP(&output, "output", "o", "", "`file` to write, or - (default: the model's name with .html)")
		fs.BoolVar(&show, "open", false, "open the page in the browser")
		fs.StringVar(&o.Name, "name", "", "`name` of the model in the page (default: the model's)")
		fs.IntVar(&o.Docs, "docs", 20_000,
			"largest `number` of documents in the page; those with the largest shares of topics are taken")
		cli.Where(fs, &where)
		fs.StringVar(&o.Effects, "effects", "",
			"`formula` such as \"~ party + s(date)\": show how topics depend on columns")
		fs.Float64Var(&o.Interval, "interval", 0.95, "`probability` of the intervals, such as 0.9")
		fs.BoolVar(&overwrite, "overwrite", false, "replace the file if it exists")
		fs.IntVar(&o.Threads, "threads", 0, "`number` of threads; does not change the result (default: all cores)")
		fs.BoolVar(&quiet, "quiet", false, "show errors only")
	})
	check := func(args []string) error {
		faults := []error{
			cli.OneModel(args, "topoi explore news.model"), o.Validate(),
			cli.RefuseZero(c, "docs", "interval"),
		}
		if len(args) == 1 {
			output = cmp.Or(output, PageName(args[0]))
			faults = append(faults, cli.RefuseExisting(output, overwrite))
		}
		return errors.Join(append(faults, human.FaultIf(show && output == "-",
			"--open needs a file: -o - writes to standard output"))...)
	}
	run := func(ctx context.Context, m *topoi.Model, args []string) error {
		o.Name = cmp.Or(o.Name, strings.TrimSuffix(cli.ModelName(args[0])+" where "+where, " where "))
		return WritePage(a, ctx, m, output, o, show, quiet)
	}
	a.Add(c, check, cli.OnModel(&where, run))
}

// PageName is where the page of a model goes unless told otherwise.
func PageName(model string) string {
	return strings.TrimSuffix(filepath.Clean(model), ".model") + ".html"
}

// WritePage writes the page of a model and says where it is.
func WritePage(a *cli.App, ctx context.Context, m *topoi.Model, output string, o explore.Options, show,
	quiet bool,
) error {
	r := a.Reporter(false, quiet)
	defer r.Close()
	o.Progress = func(step string, done, total int64) {
		r.Phase(topoi.PhaseInfo{Name: step, Done: done, Total: total})
	}
	if output == "-" {
		return explore.Write(ctx, m, a.Stdout, o)
	}
	err := wholefile.Write(output, func(w io.Writer) error { return explore.Write(ctx, m, w, o) })
	if err != nil {
		return err
	}
	info, err := os.Stat(output)
	if err != nil {
		return err
	}
	if !quiet {
		r.Say(fmt.Sprintf("wrote %s, %s", output, human.Bytes(info.Size())))
	}
	if show {
		if err := openPage(output); err != nil {
			r.Say(fmt.Sprintf("the browser could not be started (%v): open %s yourself", err, output))
		}
	}
	return nil
}

// openPage opens a file with the program that the desktop has for it.
func openPage(path string) error {
	path, err := filepath.Abs(path)
	if err != nil {
		return err
	}
	var opener *exec.Cmd
	switch runtime.GOOS {
	case "darwin":
		opener = exec.Command("open", path)
	case "windows":
		opener = exec.Command("rundll32", "url.dll,FileProtocolHandler", path)
	default:
		if os.Getenv("DISPLAY") == "" && os.Getenv("WAYLAND_DISPLAY") == "" {
			return errors.New("there is no desktop")
		}
		opener = exec.Command("xdg-open", path)
	}
	return opener.Run()
}
