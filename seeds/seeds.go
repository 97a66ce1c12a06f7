package seeds

import (
	"cmp"
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
	"github.com/topoi-lda/topoi/internal/rng"
	"github.com/topoi-lda/topoi/internal/sampler"
	"github.com/topoi-lda/topoi/topic"
)

// DefaultWeight is the default weight of seed words. It was chosen on reviews and newsgroups: from 1 on,
// large topics swallow small ones.
const DefaultWeight = 0.3

// Seeded holds seeded topics in the words of a corpus. Topic i of the list has id i.
type Seeded struct {
	Topics  []Topic
	Found   [][]uint32 // by topic: the words of the vocabulary that its seeds stand for, rising
	Missing []Missing
	Pseudo  *topoi.PseudoCounts
}

// Missing is a seed word that the corpus does not have.
type Missing struct {
	Topic, Pattern string
	Nearest        string // the most similar word that the corpus has; "" if none is similar
}

func (m Missing) String() string {
	if m.Nearest == "" {
		return fmt.Sprintf("%q of topic %q", m.Pattern, m.Topic)
	}
	return fmt.Sprintf("%q of topic %q (did you mean %q?)", m.Pattern, m.Topic, m.Nearest)
}

// In finds seeded topics in a corpus that is to be trained with k topics. Word w of topic i gets
//
//	m_wi = max(1, round(weight · max(n_w, N/(40 K))))
//
// pseudo-counts, where n_w is how often it occurs; weight is that of the word, its topic, or the run. Words that are rarer than a
// fortieth of an average topic count as if they were not, so that they too stay among the first words of their topic.
// It is an error if there are more seeded topics than topics, or if no seed of a topic occurs.
func In(c *corpus.Corpus, topics []Topic, k int, weight float64) (*Seeded, error) {
	if len(topics) > k {
		return nil, fmt.Errorf("there are %d seeded topics and only %s: ask for more topics, or seed fewer", len(topics), human.Of(k, "topic"))
	}
	find, err := newFinder(c)
	if err != nil {
		return nil, err
	}
	s := &Seeded{Topics: topics}
	frequency := counts.Frequencies(c.Tokens(), c.NumWords())
	least := float64(c.NumTokens()) / float64(40*k)
	rows := make(map[uint32][]topoi.TopicCount)
	for i, t := range topics {
		best := map[uint32]float64{} // weight of each word
		for _, word := range t.Words {
			ids := find.match(word.Pattern)
			if len(ids) == 0 {
				nearest, _ := human.Nearest(word.Pattern, find.list)
				s.Missing = append(s.Missing, Missing{t.Name, word.Pattern, nearest})
			}
			for _, w := range ids {
				best[w] = max(best[w], cmp.Or(word.Weight, t.Weight, max(weight, 0), DefaultWeight))
			}
		}
		if len(best) == 0 {
			return nil, fmt.Errorf("no seed word of topic %q occurs in the corpus: %s", t.Name, s.Missing[len(s.Missing)-1])
		}
		found := slices.Sorted(maps.Keys(best))
		for _, w := range found {
			n := max(1, math.Round(best[w]*max(float64(frequency[w]), least)))
			if n > math.MaxInt32/4 {
				return nil, fmt.Errorf("the weight %g of %q in topic %q is too large", best[w], c.Words().At(int(w)), t.Name)
			}
			rows[w] = append(rows[w], topoi.TopicCount{Topic: uint32(i), Count: uint32(n)})
		}
		s.Found = append(s.Found, found)
	}
	s.Pseudo = topoi.NewPseudoCounts(c.NumWords(), k, func(w int) []topoi.TopicCount { return rows[uint32(w)] })
	return s, nil
}

// Start returns topics to begin with, which put a document's tokens where its seed words are: a token that is a seed word of a
// topic has that topic, any other token of document d draws topic k with probability proportional to
//
//	s_dk + S_d/K
//
// where s_dk counts the tokens that are seed words of topic k, and S_d all of them. Documents without seed words draw any
// topic. Without such a start a topic whose seeds are rare is taken over by other words before documents have found it.
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
	ids     map[string]uint32
	encoder *corpus.Encoder // nil: words are as they stand
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
		for w, word := range f.list {
			if ok, err := path.Match(strings.ToLower(pattern), strings.ToLower(word)); ok && err == nil {
				ids = append(ids, uint32(w))
			}
		}
		return ids
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
