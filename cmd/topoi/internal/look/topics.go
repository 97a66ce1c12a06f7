// Package look has the commands that show a model: a file a command.
package look

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/spf13/pflag"

	"github.com/topoi-lda/topoi"
	"github.com/topoi-lda/topoi/cmd/topoi/internal/cli"
	"github.com/topoi-lda/topoi/internal/human"
	"github.com/topoi-lda/topoi/internal/lists"
	"github.com/topoi-lda/topoi/rank"
)

// lister is one run of topoi topics.
type lister struct {
	*cli.App
	view   topicView
	words  int
	limit  int
	sort   string
	order  string
	lambda float64
	where  string
	asJSON bool
}

// AddTopics adds topoi topics.
func AddTopics(a *cli.App) {
	l := &lister{App: a}
	c := cli.Describe("topics")
	cli.Section(c, "Output", func(fs *pflag.FlagSet) {
		fs.IntVar(&l.words, "words", 10, "words per topic")
		fs.StringVar(&l.order, "order", string(rank.Probability), "order of the words: `probability|relevance|frex|lift`")
		fs.Float64Var(&l.lambda, "lambda", rank.UsualLambda, "`λ` of relevance: 1 orders words by probability, 0 by lift")
		fs.IntVar(&l.view.docs, "docs", 0, "`number` of documents to show per topic, those with the largest share of it (default: none)")
		fs.BoolVar(&l.view.coherence, "coherence", false, "show how well the top words fit together (NPMI, UMass)")
		cli.Where(fs, &l.where)
		fs.IntVar(&l.limit, "limit", 0, "show the first `number` of topics only (default: all)")
		fs.StringVar(&l.sort, "sort", "share", "order of the topics: `share|id`")
		fs.BoolVar(&l.asJSON, "json", false, "write JSON")
	})
	cli.Complete(c, "sort", cli.Fixed(topicOrders...))
	cli.Complete(c, "order", rank.Measures)
	check := func(args []string) error {
		return errors.Join(l.check(args, c.Flags().Changed("lambda")), cli.RefuseNegative(c, "limit", "docs"))
	}
	a.Add(cli.GroupLook, c, check, cli.OnModel(&l.where, l.run))
}

var topicOrders = []string{"share", "id"}

func (l *lister) check(args []string, lambda bool) error {
	faults := []error{
		cli.OneModel(args, "topoi topics news.model"),
		human.FaultIf(l.words < 1, "--words is %d: it must be at least 1", l.words),
		human.FaultIf(!slices.Contains(topicOrders, l.sort), "unknown order %q%s", l.sort, human.Hint(l.sort, topicOrders)),
	}
	order, err := rank.Find(l.order)
	switch {
	case err != nil:
		faults = append(faults, err)
	case order.Measure == rank.Relevance:
		order.Weight = l.lambda
		wrong := order.Validate() != nil
		faults = append(faults, human.FaultIf(wrong, "--lambda is %v: it must be between 0 and 1", l.lambda))
	case lambda:
		faults = append(faults, fmt.Errorf("--lambda needs --order relevance, not %s", l.order))
	}
	l.view.order = order
	return errors.Join(faults...)
}

func (l *lister) run(ctx context.Context, m *topoi.Model, _ []string) error {
	topics := m.LargestTopics(0)
	if l.sort == "id" {
		slices.Sort(topics)
	}
	if l.limit > 0 {
		topics = topics[:min(l.limit, len(topics))]
	}
	if err := l.view.read(ctx, m, topics); err != nil {
		return err
	}
	w := bufio.NewWriter(l.Stdout)
	write := l.view.table
	if l.asJSON {
		write = l.view.list
	}
	if err := write(w, m, topics, l.words); err != nil {
		return err
	}
	return w.Flush()
}

// manyTopics is the number of topics from which shares need more digits.
const manyTopics = 1000

// TopicTable writes one line for each of the given topics with its top words.
func TopicTable(w io.Writer, m *topoi.Model, topics []int, words int) error {
	var v topicView
	return v.table(w, m, topics, words)
}

// labelColumn returns what pads a label to the width of the column, which is there if one of the topics has a label.
func labelColumn(m *topoi.Model, topics []int) (func(string) string, error) {
	labels, err := m.Labels()
	width := 0
	for _, k := range topics {
		width = max(width, utf8.RuneCountInString(labels.Name(k)))
	}
	if width == 0 {
		return func(string) string { return "" }, err
	}
	width = max(width, len("label"))
	return func(s string) string { return fmt.Sprintf("%-*s  ", width, s) }, err
}

func TermList(words []topoi.WordWeight) string { return human.Line(strings.Join(terms(words), " ")) }

func terms(words []topoi.WordWeight) []string {
	return lists.Of(words, func(w topoi.WordWeight) string { return w.Term })
}
