package look

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/spf13/pflag"

	"github.com/topoi-lda/topoi"
	"github.com/topoi-lda/topoi/analysis/compare"
	"github.com/topoi-lda/topoi/cmd/topoi/internal/cli"
	"github.com/topoi-lda/topoi/explore"
	"github.com/topoi-lda/topoi/internal/human"
	"github.com/topoi-lda/topoi/internal/lists"
	"github.com/topoi-lda/topoi/internal/wholefile"
)

// comparer is one run of topoi compare.
type comparer struct {
	*cli.App
	options   compare.Options
	by, where string
	shown     int
	asJSON    bool
	page      string // file for the page; empty: none
	replace   bool
	stability bool // find what models share, as for more than two
}

// AddCompare adds topoi compare.
func AddCompare(a *cli.App) {
	p := &comparer{App: a}
	c := cli.Describe("compare")
	cli.Section(c, "Comparing", func(fs *pflag.FlagSet) {
		fs.BoolVar(&p.stability, "stability", false,
			"show the topics that models share, and how well they agree, as for more than two models")
		fs.StringVar(&p.by, "by", "",
			"`similarity`: jensen-shannon or words (default jensen-shannon; words for more than two models)")
		cli.Where(fs, &p.where)
		fs.IntVar(&p.options.Words, "words", 20, "`number` of top words per topic, for --by words and for shared words")
		fs.Float64Var(&p.options.Threshold, "threshold", 0,
			"smallest `similarity` of linked topics (default: 0.4; 0.2 by words)")
		fs.IntVar(&p.options.Threads, "threads", 0,
			"`number` of threads; does not change the result (default: all cores)")
	})
	cli.Section(c, "Output", func(fs *pflag.FlagSet) {
		fs.IntVar(&p.shown, "show", 6, "`number` of words to show per topic")
		fs.BoolVar(&p.asJSON, "json", false, "write JSON")
		fs.StringVarP(&p.page, "output", "o", "", "`file` to write the comparison of two models to as a page (HTML)")
		fs.BoolVar(&p.replace, "overwrite", false, "replace the file if it exists")
	})
	cli.Complete(c, "by", cli.Fixed("jensen-shannon", "words"))
	check := func(args []string) error {
		p.settle(args)
		return errors.Join(twoModels(args), p.options.Validate(), cli.RefuseZero(c, "words", "threshold"),
			cli.RefuseNegative(c, "show"), cli.RefuseExisting(p.page, p.replace),
			human.FaultIf(p.stability && p.page != "",
				"-o writes a page of two models: leave it out, or give two models without --stability"))
	}
	a.Add(c, check, cli.Stoppable(p.run))
}

// settle decides what is shown of so many models, and by which similarity topics are matched for it.
func (p *comparer) settle(args []string) {
	p.stability = p.stability || len(args) > 2
	usual := "jensen-shannon"
	if p.stability {
		usual = "words"
	}
	p.options.Measure = cmp.Or(p.by, usual)
}

// twoModels is the fault of a command that was not given two models or more.
func twoModels(args []string) error {
	switch len(args) {
	case 0:
		return errors.New("the models are missing: try topoi compare old.model new.model")
	case 1:
		return fmt.Errorf("the second model is missing: try topoi compare %s new.model", cli.ShellWord(args[0]))
	}
	return nil
}

// openNamed opens models whose topics' names can be read, with the documents that satisfy a condition. What it returns to
// close them is never nil.
func openNamed(ctx context.Context, paths []string, where string) (models []*topoi.Model, closeAll func(),
	err error,
) {
	closeAll = func() {
		for _, m := range models {
			m.Close()
		}
	}
	for _, path := range paths {
		m, err := cli.OpenWhere(ctx, path, where)
		if err != nil {
			return models, closeAll, err
		}
		models = append(models, m)
		if _, err := m.Labels(); err != nil {
			return models, closeAll, err
		}
	}
	return models, closeAll, nil
}

func (p *comparer) run(ctx context.Context, args []string) error {
	if p.stability {
		o := p.options
		s := &stabilizer{App: p.App, where: p.where, shown: p.shown, asJSON: p.asJSON}
		s.options = compare.Options{Measure: o.Measure, Words: o.Words, Threshold: o.Threshold, Threads: o.Threads}
		return s.run(ctx, args)
	}
	models, closeAll, err := openNamed(ctx, args, p.where)
	defer closeAll()
	if err != nil {
		return err
	}
	r, err := compare.Models(ctx, models[0], models[1], p.options)
	if err != nil {
		return err
	}
	if p.page != "" {
		sides := [2]explore.Side{
			{Name: cli.ModelName(args[0]), Model: models[0]},
			{Name: cli.ModelName(args[1]), Model: models[1]},
		}
		err := wholefile.Write(p.page, func(w io.Writer) error {
			return explore.WriteComparison(sides[0], sides[1], r, w)
		})
		if err != nil {
			return err
		}
	}
	v := r.Vocabulary
	d := &comparison{
		Measure: r.Measure, Threshold: r.Threshold, Words: r.Words, Exact: r.Exact, Mean: r.Mean,
		WordsA: v.A, WordsB: v.B, Common: v.Common,
		Matches: append([]compare.Pair{}, r.Matches...), Links: append([]compare.Pair{}, r.Links...),
		A: p.topics(models[0], r.A), B: p.topics(models[1], r.B),
	}
	if p.asJSON {
		return p.WriteJSON(d)
	}
	return d.write(p.Stdout, args[0], args[1])
}

// comparedTopic is a topic of one of the models.
type comparedTopic struct {
	Topic int          `json:"topic"`
	Label string       `json:"topic_label,omitempty"`
	Share float64      `json:"share"` // of its model's tokens
	Fate  compare.Fate `json:"fate"`
	Words []string     `json:"words"`
}

// comparison is the form of JSON.
type comparison struct {
	Measure   string          `json:"measure"`
	Threshold float64         `json:"threshold"`
	Words     int             `json:"top_words"`
	Exact     bool            `json:"exact"` // all pairs were compared
	Mean      float64         `json:"mean_similarity"`
	WordsA    int             `json:"words_a"`
	WordsB    int             `json:"words_b"`
	Common    int             `json:"words_common"`
	Matches   []compare.Pair  `json:"matches"`
	Links     []compare.Pair  `json:"links"`
	A         []comparedTopic `json:"topics_a"`
	B         []comparedTopic `json:"topics_b"`
}

func (p *comparer) topics(m *topoi.Model, fates []compare.Fate) []comparedTopic {
	var list []comparedTopic
	for s := range m.Summary(nil, p.shown) {
		list = append(list, comparedTopic{s.Topic, s.Label, s.Share, fates[s.Topic], terms(s.Words)})
	}
	return list
}

// write writes the comparison as a table: a line for every link, then the lost and the new topics.
func (d *comparison) write(w io.Writer, a, b string) error {
	fmt.Fprintf(w, "A is %s: %s, %s. B is %s: %s, %s. %s in common.\n", human.Line(a), human.Of(len(d.A), "topic"),
		human.Of(d.WordsA, "word"),
		human.Line(b), human.Of(len(d.B), "topic"), human.Of(d.WordsB, "word"), human.Of(d.Common, "word"))
	fmt.Fprintf(w, "Of A: %s. Of B: %s. Mean similarity of %s: %.3f.\n\n",
		count(d.A, compare.Kept, compare.Split, compare.Merged, compare.Lost),
		count(d.B, compare.Kept, compare.Split, compare.Merged, compare.New), human.Of(len(d.Matches), "pair"), d.Mean)
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(t, "A\tB\tsimilarity\tfate\twords of A\twords of B")
	links := slices.Clone(d.Links)
	slices.SortStableFunc(links, func(x, y compare.Pair) int { return cmp.Compare(d.A[y.A].Share, d.A[x.A].Share) })
	for _, l := range links {
		x, y := d.A[l.A], d.B[l.B]
		fmt.Fprintf(t, "%d\t%d\t%.3f\t%s\t%s\t%s\n", l.A, l.B, l.Similarity, linkFate(x.Fate, y.Fate), x.line(),
			y.line())
	}
	for _, x := range d.A {
		if x.Fate == compare.Lost {
			fmt.Fprintf(t, "%d\t\t\t%s\t%s\t\n", x.Topic, x.Fate, x.line())
		}
	}
	for _, y := range d.B {
		if y.Fate == compare.New {
			fmt.Fprintf(t, "\t%d\t\t%s\t\t%s\n", y.Topic, y.Fate, y.line())
		}
	}
	return t.Flush()
}

// linkFate returns what a link is: a part of a split or of a merger, both, or a topic that was kept.
func linkFate(a, b compare.Fate) string {
	switch {
	case a == compare.Split && b == compare.Merged:
		return "split, merged"
	case a == compare.Split:
		return string(a)
	}
	return string(b) // merged or kept
}

// count returns how many topics there are of each fate.
func count(topics []comparedTopic, fates ...compare.Fate) string {
	numbers := map[compare.Fate]int{}
	for _, t := range topics {
		numbers[t.Fate]++
	}
	parts := lists.Of(fates, func(f compare.Fate) string { return fmt.Sprintf("%d %s", numbers[f], f) })
	return strings.Join(parts, ", ")
}

// line returns name and words.
func (t comparedTopic) line() string {
	s := ""
	if t.Label != "" {
		s = human.Line(t.Label) + ": "
	}
	return s + human.Line(strings.Join(t.Words, " "))
}
