package guide

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"math"
	"path"
	"slices"
	"strings"

	"github.com/topoi-lda/topoi"
	"github.com/topoi-lda/topoi/corpus"
	"github.com/topoi-lda/topoi/internal/counts"
	"github.com/topoi-lda/topoi/internal/human"
	"github.com/topoi-lda/topoi/internal/lists"
	"github.com/topoi-lda/topoi/internal/portable"
	"github.com/topoi-lda/topoi/internal/rng"
	"github.com/topoi-lda/topoi/internal/sampler"
	"github.com/topoi-lda/topoi/topic"
)

// defaultWeight is the weight of seed words that have none. It was chosen on reviews and newsgroups: from 1 on,
// large topics swallow small ones.
const defaultWeight = 0.3

// Seeded holds seeded topics in the words of a corpus. Topic i of the list has id i.
type Seeded struct {
	Topics  []SeedTopic
	Found   [][]uint32 // by topic: the words of the vocabulary that its seeds stand for, rising
	Missing []MissingSeed
	Pseudo  *topic.PseudoCounts
}

// MissingSeed is a seed word that the corpus does not have.
type MissingSeed struct {
	Topic, Pattern string
	Nearest        string // the most similar word that the corpus has; "" if none is similar
}

func (m MissingSeed) String() string {
	if m.Nearest == "" {
		return fmt.Sprintf("%q of topic %q", m.Pattern, m.Topic)
	}
	return fmt.Sprintf("%q of topic %q (did you mean %q?)", m.Pattern, m.Topic, m.Nearest)
}

// mostHints is the number of missing words for which the nearest word is looked up.
const mostHints = 50

// FindSeeds finds seeded topics in a corpus that is to be trained with k topics. Word w of topic i gets
//
//	m_wi = max(1, round(weight · max(n_w, N/(40 K))))
//
// pseudo-counts, where n_w is how often it occurs; weight is that of the word, its topic, or the run, which is 0.3 if
// the argument is 0. A word rarer than a fortieth of an average topic gets the pseudo-counts of such a word, so that it
// too stays among its topic's first words. FindSeeds returns an error if there are more seeded topics than k, or if no
// seed of a topic occurs.
func FindSeeds(c *corpus.Corpus, topics []SeedTopic, k int, weight float64) (*Seeded, error) {
	if len(topics) > k {
		return nil, fmt.Errorf("there are %d seeded topics and only %s: ask for more topics, or seed fewer",
			len(topics), human.Of(k, "topic"))
	}
	find, err := newFinder(c)
	if err != nil {
		return nil, err
	}
	s := &Seeded{Topics: topics}
	frequency := counts.Frequencies(c.Tokens(), c.NumWords())
	least := float64(c.NumTokens()) / float64(40*k)
	rows := make(map[uint32][]topic.Count)
	for i, t := range topics {
		best := map[uint32]float64{} // weight of each word
		for _, word := range t.Words {
			ids := find.match(word.Pattern)
			if len(ids) == 0 {
				nearest := ""
				if len(s.Missing) < mostHints { // each looks at all words
					nearest, _ = human.Nearest(word.Pattern, find.list)
				}
				s.Missing = append(s.Missing, MissingSeed{t.Name, word.Pattern, nearest})
			}
			for _, w := range ids {
				best[w] = max(best[w], cmp.Or(word.Weight, t.Weight, max(weight, 0), defaultWeight))
			}
		}
		if len(best) == 0 {
			return nil, fmt.Errorf("no seed word of topic %q occurs in the corpus: %s", t.Name,
				s.Missing[len(s.Missing)-1])
		}
		found := slices.Sorted(maps.Keys(best))
		for _, w := range found {
			n := max(1, math.Round(best[w]*max(float64(frequency[w]), least)))
			if !(n <= math.MaxInt32/4) { // NaN neither
				return nil, fmt.Errorf("the weight %g of %q in topic %q is too large", best[w], c.Words().At(int(w)),
					t.Name)
			}
			rows[w] = append(rows[w], topic.Count{Topic: uint32(i), Count: uint32(n)})
		}
		s.Found = append(s.Found, found)
	}
	s.Pseudo = topic.NewPseudoCounts(c.NumWords(), k, func(w int) []topic.Count { return rows[uint32(w)] })
	return s, nil
}

// Start returns first topics that follow a document's seed words. A token that is a seed word of a topic gets that
// topic. Any other token of document d draws topic k with probability proportional to
//
//	s_dk + S_d/K
//
// where s_dk counts the tokens that are seed words of topic k, and S_d those of all topics. Documents without seed
// words draw any topic. Without such a start, other words take over a topic with rare seeds before documents find it.
func (s *Seeded) Start(c *corpus.Corpus, o topoi.Options) *topoi.Start {
	o = o.WithDefaults()
	start := &topoi.Start{
		Beta: o.Beta, Iteration: 1, Topics: make([]uint32, 0, c.NumTokens()),
		Alpha: slices.Repeat([]float64{o.AlphaSum / float64(o.Topics)}, o.Topics),
	}
	random := sampler.Draws{Key: rng.NewKey(o.Seed), Purpose: sampler.ForStart}
	weights := make([]float64, o.Topics)
	for d := range c.NumDocs() {
		sum := s.weigh(weights, c.Doc(d))
		for _, w := range c.Doc(d) {
			u := float64(random.Word(uint64(len(start.Topics)))) / (1 << 32)
			if row := s.Pseudo.Row(int(w)); len(row) > 0 {
				start.Topics = append(start.Topics, row[int(u*float64(len(row)))].Topic)
				continue
			}
			k, target := 0, u*sum
			for ; k < o.Topics-1 && target >= weights[k]; k++ {
				target -= weights[k]
			}
			start.Topics = append(start.Topics, uint32(k))
		}
	}
	return start
}

// weigh sets the weights of the topics of a document, and returns their sum.
func (s *Seeded) weigh(weights []float64, doc []uint32) (sum float64) {
	clear(weights)
	for _, w := range doc {
		for _, e := range s.Pseudo.Row(int(w)) {
			weights[e.Topic]++
			sum++
		}
	}
	for k := range weights {
		weights[k] += max(sum, 1) / float64(len(weights))
	}
	return sum + max(sum, 1)
}

// Labels names the seeded topics.
func (s *Seeded) Labels() topic.Labels {
	l := topic.Labels{Names: map[int]string{}}
	for i, t := range s.Topics {
		l.Names[i] = t.Name
	}
	return l
}

// Ancestor records the seeds in a model.
func (s *Seeded) Ancestor() topoi.Ancestor {
	var list []string
	for i, t := range s.Topics {
		list = append(list, fmt.Sprintf("%s (%s)", t.Name, human.Of(len(s.Found[i]), "word")))
	}
	return topoi.Ancestor{Kind: "seeds", Detail: "seeded topics: " + strings.Join(list, ", ")}
}

// finder finds patterns in a vocabulary.
type finder struct {
	list    []string
	sorted  []lowered // words in small letters, in order; nil until a pattern needs them
	ids     map[string]uint32
	encoder *corpus.Encoder // nil: words are as they stand
}

// lowered is a word in small letters, with its id.
type lowered struct {
	word string
	id   uint32
}

func newFinder(c *corpus.Corpus) (*finder, error) {
	f := &finder{list: c.Words().List(), ids: map[string]uint32{}}
	for w, word := range f.list {
		if _, twice := f.ids[word]; !twice {
			f.ids[word] = uint32(w)
		}
	}
	options, ok, err := c.TextOptions()
	if err != nil || !ok {
		return f, err
	}
	f.encoder, err = corpus.NewEncoder(corpus.ImportOptions{Vocabulary: c.Words(), Text: options})
	return f, err
}

// match returns the words that a pattern stands for: the word itself, as it stands, in small letters or as
// the corpus writes it (a stem, a phrase that was joined), or all that match a pattern with *, ? or [].
func (f *finder) match(pattern string) (ids []uint32) {
	if strings.ContainsAny(pattern, "*?[") {
		return f.matching(strings.ToLower(pattern))
	}
	joined := strings.Join(strings.Fields(pattern), "_")
	for _, form := range []string{pattern, strings.ToLower(pattern), joined, strings.ToLower(joined)} {
		if w, ok := f.ids[form]; ok {
			return []uint32{w}
		}
	}
	if f.encoder == nil {
		return nil
	}
	if words, unknown := f.encoder.Text([]byte(pattern)); len(words) == 1 && unknown == 0 {
		return words
	}
	return nil
}

// matching returns the words that match a pattern in small letters, rising. It looks at those that begin as it does.
func (f *finder) matching(pattern string) (ids []uint32) {
	if f.sorted == nil {
		for w, word := range f.list {
			f.sorted = append(f.sorted, lowered{strings.ToLower(word), uint32(w)})
		}
		slices.SortFunc(f.sorted, func(a, b lowered) int {
			return cmp.Or(strings.Compare(a.word, b.word), cmp.Compare(a.id, b.id))
		})
	}
	prefix := pattern[:strings.IndexAny(pattern, `*?[\`)]
	first, _ := slices.BinarySearchFunc(f.sorted, prefix, func(l lowered,
		s string,
	) int {
		return strings.Compare(l.word, s)
	})
	for _, l := range f.sorted[first:] {
		if !strings.HasPrefix(l.word, prefix) {
			break
		}
		if ok, err := path.Match(pattern, l.word); ok && err == nil {
			ids = append(ids, l.id)
		}
	}
	slices.Sort(ids)
	return ids
}

// SeedOutcome describes a seeded topic after training.
type SeedOutcome struct {
	Topic int
	Name  string
	Share float64 // share of the topic's tokens that are seed words
	Seeds int     // number of seed words in the corpus
	Top   int     // number of them among the 20 most frequent words of the topic
}

// seedTopWords is the number of a topic's words that SeedOutcome.Top considers.
const seedTopWords = 20

// RanAway reports whether the topic is about other words than its seeds: less than half of the seeds, or of
// 20 if there are more, are among its most frequent words.
func (o SeedOutcome) RanAway() bool { return 2*o.Top < min(o.Seeds, seedTopWords) }

// String tells how many of the topic's seeds are among its most frequent words.
func (o SeedOutcome) String() string {
	return fmt.Sprintf("%s (%d of its %d seed words are among its top %d)", o.Name, o.Top, o.Seeds, seedTopWords)
}

// Outcomes describes the seeded topics of a model after training.
func (s *Seeded) Outcomes(m *topoi.Model) []SeedOutcome {
	topics := lists.Upto(len(s.Topics))
	var list []SeedOutcome
	for k, column := range m.Columns(topics) {
		o := SeedOutcome{Topic: k, Name: s.Topics[k].Name, Seeds: len(s.Found[k])}
		slices.SortStableFunc(column, func(a, b topic.WordCount) int { return cmp.Compare(b.Count, a.Count) })
		tokens, of := uint64(0), uint64(0)
		for i, e := range column {
			n := uint64(e.Count - counts.CountIn(m.PseudoCounts().Row(int(e.Word)), uint32(k)))
			tokens += n
			if _, seed := slices.BinarySearch(s.Found[k], e.Word); seed {
				of += n
				if i < seedTopWords {
					o.Top++
				}
			}
		}
		if tokens > 0 {
			o.Share = float64(of) / float64(tokens)
		}
		list = append(list, o)
	}
	return list
}

// SuggestSeeds proposes n seed words for every label of a labelled corpus, with labels in alphabetical order.
// They are the words w with the largest
//
//	tf-idf = log(1 + n_lw) · log(L / l_w)
//
// where n_lw is how often w occurs in documents with label l, and l_w in how many of the L labels it
// occurs. A word that occurs with every label is never proposed. The error is that of ctx if it ends before.
func SuggestSeeds(ctx context.Context, c *corpus.Corpus, n int) ([]SeedTopic, error) {
	used := map[string]map[uint32]int{} // how often words occur, by label
	for d := range c.NumDocs() {
		label := c.Label(d)
		if label == "" {
			continue
		}
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if used[label] == nil {
			used[label] = map[uint32]int{}
		}
		for _, w := range c.Doc(d) {
			used[label][w]++
		}
	}
	in := map[uint32]int{} // in how many labels a word occurs
	for _, words := range used {
		for w := range words {
			in[w]++
		}
	}
	labels := slices.Sorted(maps.Keys(used))
	var list []SeedTopic
	for _, label := range labels {
		if words := best(used[label], in, len(labels), n); len(words) > 0 {
			t := SeedTopic{Name: label}
			for _, w := range words {
				t.Words = append(t.Words, SeedWord{Pattern: c.Words().At(int(w))})
			}
			list = append(list, t)
		}
	}
	return list, nil
}

// best returns the n words of a label with the largest tf-idf.
func best(counts map[uint32]int, in map[uint32]int, labels, n int) []uint32 {
	score := map[uint32]float64{}
	var words []uint32
	for w, count := range counts {
		if score[w] = portable.Log1p(float64(count)) * portable.Log(float64(labels)/float64(in[w])); score[w] > 0 {
			words = append(words, w)
		}
	}
	slices.SortFunc(words, func(a, b uint32) int { return cmp.Or(cmp.Compare(score[b], score[a]), cmp.Compare(a, b)) })
	return words[:min(n, len(words))]
}
