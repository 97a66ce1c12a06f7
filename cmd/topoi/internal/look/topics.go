// Package look has the commands that show a model.
package look

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/spf13/pflag"

	"github.com/topoi-lda/topoi"
	"github.com/topoi-lda/topoi/analysis/eval"
	"github.com/topoi-lda/topoi/analysis/rank"
	"github.com/topoi-lda/topoi/cmd/topoi/internal/cli"
	"github.com/topoi-lda/topoi/corpus"
	"github.com/topoi-lda/topoi/internal/human"
	"github.com/topoi-lda/topoi/internal/lists"
	"github.com/topoi-lda/topoi/internal/rows"
)

// lister is one run of topoi topics.
type lister struct {
	*cli.App
	view         topicView
	words, limit int
	sort, order  string
	topics       []string
	lambda       float64
	where        string
	asJSON       bool
}

// AddTopics adds topoi topics.
func AddTopics(a *cli.App) {
	l := &lister{App: a}
	c := cli.Describe("topics")
	cli.Section(c, "Output", func(fs *pflag.FlagSet) {
		fs.IntVar(&l.words, "words", 10, "words per topic")
		fs.StringVar(&l.order, "order", "probability",
			"order of the words: `probability|relevance|frex|lift`")
		fs.Float64Var(&l.lambda, "lambda", 0.6,
			"`λ` of relevance: 1 orders words by probability, 0 by lift")
		fs.IntVar(&l.view.docs, "docs", 0,
			"`number` of documents to show per topic, those with the largest share of it (default: none)")
		fs.BoolVar(&l.view.coherence, "coherence", false, "show how well the top words fit together (NPMI, UMass)")
		cli.Where(fs, &l.where)
		fs.StringSliceVar(&l.topics, "topics", nil, "`topics` to show, by number or name (default: all)")
		fs.IntVar(&l.limit, "limit", 0, "show the first `number` of topics only (default: all)")
		fs.StringVar(&l.sort, "sort", "share", "order of the topics: `share|id`")
		fs.BoolVar(&l.asJSON, "json", false, "write JSON")
	})
	cli.Complete(c, "sort", cli.Fixed(topicOrders...))
	cli.Complete(c, "order", func() []string { return []string{"relevance", "frex", "lift", "probability"} })
	check := func(args []string) error {
		return errors.Join(l.check(args, c.Flags().Changed("lambda")), cli.RefuseNegative(c, "limit", "docs"))
	}
	a.Add(c, check, cli.OnModel(&l.where, l.run))
}

var topicOrders = []string{"share", "id"}

func (l *lister) check(args []string, lambda bool) error {
	faults := []error{
		cli.OneModel(args, "topoi topics news.model"),
		human.FaultIf(l.words < 1, "--words is %d: it must be at least 1", l.words),
		human.FaultIf(!slices.Contains(topicOrders, l.sort), "unknown order %q%s", l.sort,
			human.Hint(l.sort, topicOrders)),
	}
	order, err := rank.Find(l.order)
	switch {
	case err != nil:
		faults = append(faults, err)
	case order.Measure == "relevance":
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
	chosen, err := cli.EachTopic(m, l.topics)
	if err != nil {
		return err
	}
	topics := m.LargestTopics(0)
	if chosen != nil {
		topics = slices.DeleteFunc(topics, func(k int) bool { return !slices.Contains(chosen, k) })
	}
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

// nameColumn returns what pads a name to the width of the column, which is there if one of the topics has a name.
func nameColumn(m *topoi.Model, topics []int) (func(string) string, error) {
	labels, err := m.Labels()
	width := 0
	for _, k := range topics {
		width = max(width, utf8.RuneCountInString(labels.Name(k)))
	}
	if width == 0 {
		return func(string) string { return "" }, err
	}
	width = max(width, len("name"))
	return func(s string) string { return fmt.Sprintf("%-*s  ", width, s) }, err
}

func TermList(words []topoi.WordWeight) string { return human.Line(strings.Join(terms(words), " ")) }

func terms(words []topoi.WordWeight) []string {
	return lists.Of(words, func(w topoi.WordWeight) string { return w.Term })
}

// topicView holds the options with which topics are shown. The zero value shows words by probability.
type topicView struct {
	order     rank.Order
	docs      int
	coherence bool

	// What read has found, by the place of a topic among those that are shown.
	ranker  *rank.Ranker
	corpus  *corpus.Corpus
	topDocs [][]rank.Doc
	scores  eval.CoherenceResult
}

// shownTopic is a topic with what was asked for.
type shownTopic struct {
	topoi.TopicSummary
	NPMI  *float64   `json:"npmi,omitempty"`  // of its ten most probable words, on the training documents
	UMass *float64   `json:"umass,omitempty"` // likewise
	Docs  []shownDoc `json:"docs,omitempty"`
}

// shownDoc is a document of a topic.
type shownDoc struct {
	rank.Doc
	ID      string `json:"id"`
	Label   string `json:"label,omitempty"`
	Time    string `json:"time,omitempty"`
	Title   string `json:"title,omitempty"`
	Snippet string `json:"snippet,omitempty"` // the beginning of its text
}

// read prepares what the view needs of the given topics.
func (v *topicView) read(ctx context.Context, m *topoi.Model, topics []int) (err error) {
	if v.order.Measure != "" && v.order.Measure != "probability" {
		v.ranker = rank.New(m)
	}
	if v.docs == 0 && !v.coherence {
		return nil
	}
	if v.corpus, err = m.Docs(); err != nil {
		return err
	}
	if v.docs > 0 {
		if v.topDocs, err = rank.TopDocs(ctx, m, topics, v.docs); err != nil {
			return err
		}
	}
	if v.coherence {
		v.scores, err = eval.Coherence(ctx, v.corpus, TopWordIDs(m, topics, coherenceWords))
	}
	return err
}

// coherenceWords is the number of top words that coherence looks at.
const coherenceWords = 10

// TopWordIDs returns the ids of the top words of the given topics, nil for all.
func TopWordIDs(m *topoi.Model, topics []int, n int) [][]int {
	var top [][]int
	for t := range m.Summary(topics, n) {
		top = append(top, lists.Of(t.Words, func(w topoi.WordWeight) int { return w.Word }))
	}
	return top
}

// each yields the topics with all that is shown of them.
func (v *topicView) each(m *topoi.Model, topics []int, words int) iter.Seq[*shownTopic] {
	return func(yield func(*shownTopic) bool) {
		i := 0
		for s := range v.summaries(m, topics, words) {
			s.Words = m.Manifest().MeanCounts(s.Words)
			t := &shownTopic{TopicSummary: s}
			if v.coherence {
				t.NPMI, t.UMass = rows.Finite(v.scores.NPMI[i]), rows.Finite(v.scores.UMass[i])
			}
			if v.docs > 0 {
				for _, d := range v.topDocs[i] {
					t.Docs = append(t.Docs, v.doc(d))
				}
			}
			if i++; !yield(t) {
				return
			}
		}
	}
}

// summaries yields the topics with their words in the order of the view.
func (v *topicView) summaries(m *topoi.Model, topics []int, words int) iter.Seq[topoi.TopicSummary] {
	if v.ranker == nil {
		return m.Summary(topics, words)
	}
	return func(yield func(topoi.TopicSummary) bool) {
		next, stop := iter.Pull(v.ranker.Each(topics))
		defer stop()
		for s := range m.Summary(topics, 0) {
			t, _ := next()
			for _, w := range t.Top(v.order, words) {
				s.Words = append(s.Words, topoi.WordWeight{
					Word: w.Word, Term: m.Words().At(w.Word), Count: w.Count, Phi: w.Phi,
				})
			}
			if !yield(s) {
				return
			}
		}
	}
}

// doc adds to a document what people know it by.
func (v *topicView) doc(d rank.Doc) shownDoc {
	c := v.corpus
	return shownDoc{
		Doc: d, ID: c.ID(d.Doc), Label: c.Label(d.Doc), Time: c.Time(d.Doc), Title: c.Title(d.Doc),
		Snippet: c.Snippet(d.Doc),
	}
}

// docWidth is the number of characters that a line shows of a title or a text.
const docWidth = 80

// line returns the document in a line: its id, and its title or else how it begins.
func (d shownDoc) line() string {
	about := []rune(cmp.Or(d.Title, d.Snippet))
	if len(about) > docWidth {
		about = append(about[:docWidth-1], '…')
	}
	line := strings.TrimSpace(d.ID + "  " + string(about))
	if d.Copies > 0 {
		line += " (and " + human.Count(d.Copies) + " like it)"
	}
	return human.Line(line)
}

// table writes one line for each of the topics with its words, and one for each of their documents.
func (v *topicView) table(w io.Writer, m *topoi.Model, topics []int, words int) error {
	digits := 1
	if m.NumTopics() >= manyTopics {
		digits = 5
	}
	name, err := nameColumn(m, topics)
	if err != nil {
		return err
	}
	header := map[bool]string{true: "   npmi  "}[v.coherence]
	if _, err := fmt.Fprintf(w, "%5s  %*s  %8s  %s%s%s\n", "topic", digits+5, "share", "α", header, name("name"),
		v.heading()); err != nil {
		return err
	}
	for t := range v.each(m, topics, words) {
		measure := ""
		if v.coherence {
			measure = fmt.Sprintf("%7s  ", orDash(t.NPMI))
		}
		_, err := fmt.Fprintf(w, "%5d  %*.*f %%  %8.4f  %s%s%s\n", t.Topic, digits+3, digits, 100*t.Share, t.Alpha,
			measure, name(t.Label), TermList(t.Words))
		if err != nil {
			return err
		}
		for _, d := range t.Docs {
			if _, err := fmt.Fprintf(w, "       %*.1f %%  %s\n", digits+3, 100*d.Theta, d.line()); err != nil {
				return err
			}
		}
	}
	return nil
}

func (v *topicView) heading() string {
	switch v.order.Measure {
	case "", "probability":
		return "top words"
	case "relevance":
		return fmt.Sprintf("words by relevance, λ = %g", v.order.Weight)
	}
	return "words by " + string(v.order.Measure)
}

func orDash(x *float64) string {
	if x == nil {
		return "–"
	}
	return fmt.Sprintf("%.3f", *x)
}

// list writes the topics as a JSON list, one after the other, with the bytes that writeJSON would give the whole list.
func (v *topicView) list(w io.Writer, m *topoi.Model, topics []int, words int) error {
	if _, err := m.Labels(); err != nil {
		return err
	}
	var b bytes.Buffer
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("  ", "  ")
	before := "[\n  "
	for t := range v.each(m, topics, words) {
		b.Reset()
		if err := encoder.Encode(t); err != nil {
			return err
		}
		if _, err := fmt.Fprintf(w, "%s%s", before, bytes.TrimSuffix(b.Bytes(), []byte("\n"))); err != nil {
			return err
		}
		before = ",\n  "
	}
	_, err := io.WriteString(w, "\n]\n")
	return err
}
