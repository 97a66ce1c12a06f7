package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/topoi-lda/topoi"
	"github.com/topoi-lda/topoi/cmd/topoi/internal/cli"
	"github.com/topoi-lda/topoi/cmd/topoi/internal/look"
	"github.com/topoi-lda/topoi/corpus"
	"github.com/topoi-lda/topoi/explore"
	"github.com/topoi-lda/topoi/internal/demo"
	"github.com/topoi-lda/topoi/internal/human"
)

func addDemo(a *cli.App) {
	c := &cobra.Command{
		Use:   "demo [flags]",
		Short: "See it work on built-in data",
		Long: `Make documents from a dozen themes written by hand, hide the themes, train a topic
model on the documents, and show the topics it finds beside the themes they
recover. It takes a few seconds and writes nothing unless told to: -o keeps the
model, --explore makes a page of it, with the main themes of the documents as their
labels, and opens it in the browser.`,
		Example: `  topoi demo
  topoi demo --explore
  topoi demo --seed 7
  topoi demo -o demo.model && topoi topics demo.model --words 20`,
	}
	var (
		// The themes are equally frequent and the documents have few of them:
		// a small symmetric α says so.
		// sparse, whose counts are always fresh, separates all themes of so few documents.
		o      = topoi.Options{AlphaSum: 1.2, OptimizeInterval: -1, Sampler: "sparse"}
		output string
		page   bool
	)
	cli.Section(c, "What to do", func(fs *pflag.FlagSet) {
		fs.Uint64Var(&o.Seed, "seed", 1, "another seed makes other documents and another run")
		fs.IntVar(&o.Threads, "threads", 0, "`number` of threads; never changes the result (default: all cores)")
		fs.StringVarP(&output, "output", "o", "", "`directory` to keep the model in")
		fs.BoolVar(&page, "explore", false, "write a page to look into the model and open it: demo.html, or the name of -o with .html")
	})
	check := func(args []string) error {
		o.Topics = len(demo.Themes()) + spareTopics
		return errors.Join(cli.NoArguments(c)(args), o.Validate(), cli.RefuseModel(output, false), refuseDemoPage(page, output))
	}
	run := func(ctx context.Context, _ []string) error {
		m, err := demonstrate(a, ctx, o, output)
		if err != nil {
			return err
		}
		if page {
			err = look.WritePage(a, ctx, m, demoPage(output), explore.Options{Name: "topoi demo", Threads: o.Threads}, true, false)
		}
		return cmp.Or(err, afterDemo(a, output))
	}
	a.Add(cli.GroupStart, c, check, cli.Stoppable(run))
}

// spareTopics is how many more topics than themes the demonstration looks for.
// With none, two themes now and then end in one topic and another in two.
const spareTopics = 4

// demoPage is where the page of the demonstration goes.
func demoPage(output string) string { return look.PageName(cmp.Or(output, "demo")) }

// refuseDemoPage is the fault of a page that would replace another file.
func refuseDemoPage(page bool, output string) error {
	if path := demoPage(output); page && cli.RefuseExisting(path, false) != nil {
		return fmt.Errorf("%s exists already: move it away, or choose another name with -o", path)
	}
	return nil
}

// demoCorpus gives the documents what a page shows of them.
func demoCorpus(docs [][]string, themes []demo.Theme, seed uint64) *corpus.Corpus {
	var b corpus.Builder
	for d, theme := range demo.MainThemes(seed) {
		b.Add(corpus.Document{
			Label: themes[theme].Name, Title: fmt.Sprintf("Document %d, mostly of %s", d, themes[theme].Name),
			Snippet: strings.Join(docs[d], " "), Tokens: docs[d],
		})
	}
	return b.Corpus()
}

func demonstrate(a *cli.App, ctx context.Context, o topoi.Options, output string) (*topoi.Model, error) {
	docs, themes := demo.Corpus(o.Seed)
	fmt.Fprintf(a.Stdout, `Here are %s, each drawn from one to three of %d themes. The first begins:

  %s …

The program sees only such words and is asked for %d topics: a few more than
there are themes, so that no two of them have to share one.

`, human.Of(len(docs), "document"), len(themes), strings.Join(docs[0][:10], " "), o.Topics)

	r := a.Reporter(false, false)
	defer r.Close()
	o.Events, o.Program = r.Events(), cli.ProgramVersion()
	began := time.Now()
	m, err := topoi.Train(ctx, demoCorpus(docs, themes, o.Seed), o)
	if err != nil {
		return nil, err
	}
	took := time.Since(began)
	if output != "" {
		if err := m.Save(output); err != nil {
			return nil, err
		}
	}
	found, err := themeTable(a, m, themes)
	if err != nil {
		return nil, err
	}
	fmt.Fprintf(a.Stdout, "\n%d of %d themes found in %s.\n", found, len(themes), human.Duration(took))
	return m, nil
}

// themeTable writes every topic beside its theme and returns how many themes
// were found: most of the topic's top words belong to them.
func themeTable(a *cli.App, m *topoi.Model, themes []demo.Theme) (found int, err error) {
	const words = 8
	topics := m.Summary(words)
	top := make([][]string, len(topics))
	for k, t := range topics {
		top[k] = strings.Fields(look.TermList(t.Words))
	}
	pairs := demo.Match(top, themes)
	w := tabwriter.NewWriter(a.Stdout, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "\ntopic\tshare\ttheme it found\twords of it\ttop words")
	for _, k := range byTheme(pairs) {
		p := pairs[k]
		name, shared := "–", "–"
		if p.Theme >= 0 {
			name, shared = themes[p.Theme].Name, fmt.Sprintf("%d of %d", p.Shared, len(top[k]))
		}
		switch {
		case p.Again:
			name += " again"
		case p.Shared > words/2:
			found++
		}
		fmt.Fprintf(w, "%5d\t%4.1f %%\t%s\t%s\t%s\n", k, 100*topics[k].Share, name, shared, strings.Join(top[k], " "))
	}
	return found, w.Flush()
}

// byTheme returns the topics in the order of the themes they found, those
// without one last.
func byTheme(pairs []demo.Pair) []int {
	order := make([]int, len(pairs))
	for k := range order {
		order[k] = k
	}
	rank := func(p demo.Pair) int {
		switch {
		case p.Theme < 0:
			return math.MaxInt
		case p.Again:
			return 2*p.Theme + 1
		}
		return 2 * p.Theme
	}
	slices.SortStableFunc(order, func(x, y int) int { return cmp.Compare(rank(pairs[x]), rank(pairs[y])) })
	return order
}

func afterDemo(a *cli.App, output string) error {
	next := [][2]string{
		{"topoi train YOUR.csv -k 50 -o MODEL", "your own text: CSV, JSON lines, a folder of .txt …"},
		{"topoi demo --explore", "look into this model with a browser"},
		{"topoi --help", "everything else"},
	}
	if output != "" {
		next[1] = [2]string{"topoi explore " + cli.ShellWord(output) + " --open", "look into this model with a browser"}
	}
	return cli.NextSteps(a.Stdout, next)
}
