package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/spf13/pflag"

	"github.com/topoi-lda/topoi"
	"github.com/topoi-lda/topoi/cmd/topoi/internal/cli"
	"github.com/topoi-lda/topoi/cmd/topoi/internal/look"
	"github.com/topoi-lda/topoi/explore"
	"github.com/topoi-lda/topoi/internal/demo"
	"github.com/topoi-lda/topoi/internal/human"
	"github.com/topoi-lda/topoi/internal/wholefile"
	"github.com/topoi-lda/topoi/train"
)

// demonstration is one run of topoi demo.
type demonstration struct {
	*cli.App
	options       topoi.Options
	output, texts string
	page          bool
}

func addDemo(a *cli.App) {
	c := cli.Describe("demo")
	d := &demonstration{App: a, options: demo.Options()}
	cli.Section(c, "What to do", func(fs *pflag.FlagSet) {
		fs.Uint64Var(&d.options.Seed, "seed", d.options.Seed, "random seed; the same `number` gives the same model")
		fs.IntVar(&d.options.Threads, "threads", 0,
			"`number` of threads; does not change the result (default: all cores)")
		fs.StringVarP(&d.output, "output", "o", "", "`directory` to save the model in")
		fs.StringVar(&d.texts, "texts", "", "CSV `file` for the texts, to try other commands with")
		fs.BoolVar(&d.page, "explore", false,
			"write a page that shows the model, and open it: demo.html, or the name of -o with .html")
	})
	check := func(args []string) error {
		page := demoPage(d.output)
		faults := []error{
			cli.NoArguments(c)(args), train.Validate(d.options), cli.RefuseModel(d.output, false),
			human.FaultIf(d.page && cli.RefuseExisting(page, false) != nil,
				"%s already exists: move it, or choose another name with -o", page),
		}
		if d.texts != "" {
			faults = append(faults, cli.RefuseExisting(d.texts, false))
		}
		return errors.Join(faults...)
	}
	a.Add(c, check, cli.Stoppable(d.run))
}

func (d *demonstration) run(ctx context.Context, _ []string) error {
	if d.texts != "" {
		err := wholefile.Write(d.texts, func(w io.Writer) error { _, err := w.Write(demo.CSV); return err })
		if err != nil {
			return err
		}
	}
	m, err := d.train(ctx)
	if err != nil {
		return err
	}
	if d.page {
		err = look.WritePage(d.App, ctx, m, demoPage(d.output),
			explore.Options{Name: "topoi demo", Threads: d.options.Threads}, true, false)
	}
	return cmp.Or(err, d.after())
}

// demoPage is where the page of the demonstration goes.
func demoPage(output string) string { return look.PageName(cmp.Or(output, "demo")) }

// train trains the model, says how it did, and keeps it if asked to.
func (d *demonstration) train(ctx context.Context) (*topoi.Model, error) {
	c, err := demo.Corpus(ctx)
	if err != nil {
		return nil, err
	}
	fmt.Fprintf(d.Stdout, `Here are %s on %d everyday themes. One of them:

  %s
  %s

The program sees the words but not the themes. It is asked for %d topics.

`, human.Of(c.NumDocs(), "short text"), demo.Topics, c.Title(0), c.Text(0), d.options.Topics)
	r := d.Reporter(false, false)
	defer r.Close()
	o := d.options
	o.Events, o.Program = r.Events(), cli.ProgramVersion()
	if _, terminal := cli.Terminal(d.Stderr); !terminal {
		o.Events.Iteration = nil // a bar is worth looking at; thirty lines stand between the texts and their topics
	}
	began := time.Now()
	m, err := train.Run(ctx, c, o)
	if err != nil {
		return nil, err
	}
	took := time.Since(began)
	if d.output != "" {
		if err := m.Save(d.output, topoi.SaveOptions{}); err != nil {
			return nil, err
		}
	}
	found, err := d.themes(m)
	if err != nil {
		return nil, err
	}
	fmt.Fprintf(d.Stdout, "\n%d of %d themes found in %s.\n", found, demo.Topics, human.Duration(took))
	return m, nil
}

// themes writes every topic beside its theme and returns how many themes were found: more
// than half of a topic's words are from them.
func (d *demonstration) themes(m *topoi.Model) (int, error) {
	pairs, err := demo.Match(m)
	if err != nil {
		return 0, err
	}
	found := map[string]bool{}
	w := tabwriter.NewWriter(d.Stdout, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "\ntopic\tshare\ttheme it found\twords from it\ttop words")
	for t := range m.Summary(nil, 8) {
		p := pairs[t.Topic]
		if p.Share > 0.5 {
			found[p.Theme] = true
		}
		fmt.Fprintf(w, "%5d\t%4.1f %%\t%s\t%.0f %%\t%s\n", t.Topic, 100*t.Share, p.Theme, 100*p.Share,
			look.TermList(t.Words))
	}
	return len(found), w.Flush()
}

// after returns what to try next, in commands that work as they stand.
func (d *demonstration) after() error {
	next := [][2]string{
		{"topoi demo --explore", "look at this model in your browser"},
		{"topoi demo --texts texts.csv", "the texts as a file, to try other commands with"},
		{"topoi train --help", "use your own texts: CSV, Excel, JSON lines, a folder of .txt …"},
	}
	if d.texts != "" {
		next[1] = [2]string{"topoi train " + cli.ShellWord(d.texts) + " -k 6 -o " +
			cli.ShellWord(strings.TrimSuffix(d.texts, ".csv")+".model"), "the same from a file"}
	}
	if d.output != "" {
		next[0] = [2]string{
			"topoi explore " + cli.ShellWord(d.output) + " --open",
			"look at this model in your browser",
		}
	}
	return cli.NextSteps(d.Stdout, next)
}
