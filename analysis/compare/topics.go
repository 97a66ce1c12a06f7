package compare

import (
	"cmp"
	"context"
	"errors"
	"maps"
	"math"
	"runtime"
	"slices"

	"github.com/topoi-lda/topoi/internal/counts"
	"github.com/topoi-lda/topoi/internal/divergence"
	"github.com/topoi-lda/topoi/internal/human"
	"github.com/topoi-lda/topoi/internal/lists"
	"github.com/topoi-lda/topoi/internal/parallel"
	"github.com/topoi-lda/topoi/topic"
)

// The similarities.
const (
	jensenShannon = "jensen-shannon"
	topWords      = "words"
)

// measureNames lists the names of all similarities.
func measureNames() []string { return []string{jensenShannon, topWords} }

// Options say how models are compared. The zero value is a good default.
type Options struct {
	Measure   string  // "words" or, by default, "jensen-shannon"
	Words     int     // n: top words per topic, for "words" and for Pair.Shared. Default 20
	Threshold float64 // the similarity from which topics are linked. Default 0.4, for "words" 0.2
	Threads   int     // goroutines; never changes the result. Default: all cores
}

// allPairs is the largest number of topics for which all pairs are compared and matched by the Hungarian
// method. In a larger model, topics are compared only if they share some of their 50 top words, at most 10
// for each topic, and the most similar are matched first. Tests make it smaller.
var allPairs = 2000

// Validate returns all faults of the options at once, or nil.
func (o Options) Validate() error {
	name := o.Measure
	return errors.Join(
		human.FaultIf(name != "" && !slices.Contains(measureNames(), name),
			"unknown similarity %q%s", name, human.Hint(name, measureNames())),
		human.FaultIf(o.Words < 0, "the number of top words is %d: it must not be negative", o.Words),
		human.FaultIf(!(o.Threshold >= 0 && o.Threshold <= 1),
			"the threshold is %v: it must be between 0 and 1", o.Threshold),
	)
}

func (o Options) withDefaults() Options {
	o.Measure = cmp.Or(o.Measure, jensenShannon)
	o.Words = cmp.Or(o.Words, 20)
	o.Threshold = cmp.Or(o.Threshold, map[string]float64{jensenShannon: 0.4, topWords: 0.2}[o.Measure])
	o.Threads = cmp.Or(max(0, o.Threads), runtime.GOMAXPROCS(0))
	return o
}

// Pair is one topic of each model.
type Pair struct {
	A          int     `json:"a"`
	B          int     `json:"b"`
	Similarity float64 `json:"similarity"`
	Shared     int     `json:"shared_words"` // number of top words that both have
}

// Fate describes what happened to a topic.
type Fate string

// Possible fates of a topic.
const (
	Kept   Fate = "kept"
	Split  Fate = "split"
	Merged Fate = "merged"
	Lost   Fate = "lost"
	New    Fate = "new"
)

// Vocabulary compares the vocabularies of two models.
type Vocabulary struct {
	A, B    int     // words of each model
	Common  int     // words of both
	TokensA float64 // share of the tokens of A that are common words
	TokensB float64 // share of the tokens of B that are common words
}

// Result is the comparison of two models.
type Result struct {
	Measure    string
	Threshold  float64
	Words      int // top words per topic that Pair.Shared counts
	Vocabulary Vocabulary
	Exact      bool    // all pairs were compared and matched by the Hungarian method
	Matches    []Pair  // one for each topic of the smaller model with a partner, by A
	Mean       float64 // mean similarity of the matches; 0 if there are none
	Links      []Pair  // matches and most similar topics that reach the threshold, by A, then B
	A          []Fate  // fate of every topic of the first model: kept, split, merged or lost
	B          []Fate  // fate of every topic of the second model: kept, split, merged or new
}

// Limits for candidates, if there are too many topics to compare all pairs.
const (
	candidateWords  = 50
	candidatesEach  = 10
	candidateTopics = 1 << 12 // a top word of more topics than this is ignored
)

// job is one comparison. Words are numbered across both vocabularies: first those of a, then those that only b has.
type job struct {
	options Options
	a, b    side
	space   divergence.Space
}

// side is one of the models.
type side struct {
	model    topic.Model
	number   []uint32 // V: number of each word in both vocabularies
	common   []bool   // V: whether the other model contains it
	profiles []*divergence.Profile
	top      [][]uint32 // K: the top words, most probable first, at least Options.Words
}

func newJob(ctx context.Context, a, b topic.Model, o Options) (*job, error) {
	j := &job{options: o}
	j.a = side{model: a, number: make([]uint32, a.NumWords()), common: make([]bool, a.NumWords())}
	j.b = side{model: b, number: make([]uint32, b.NumWords()), common: make([]bool, b.NumWords())}
	known := make(map[string]uint32, a.NumWords())
	words := a.Words()
	for w := range j.a.number {
		j.a.number[w] = uint32(w)
		known[words.At(w)] = uint32(w)
	}
	j.space.OnlyA = a.NumWords()
	words = b.Words()
	for w := range j.b.number {
		n, ok := known[words.At(w)]
		if ok {
			j.space.Common++
			j.space.OnlyA--
			j.a.common[n], j.b.common[w] = true, true
		} else {
			n = uint32(a.NumWords() + j.space.OnlyB)
			j.space.OnlyB++
		}
		j.b.number[w] = n
	}
	if err := j.a.read(ctx, o); err != nil {
		return nil, err
	}
	return j, j.b.read(ctx, o)
}

// read prepares the topics of a model.
func (s *side) read(ctx context.Context, o Options) error {
	m := s.model
	s.profiles, s.top = make([]*divergence.Profile, m.NumTopics()), make([][]uint32, m.NumTopics())
	shared := make(map[uint32]bool, len(s.number)) // by number, for words of this side
	for w, n := range s.number {
		if s.common[w] {
			shared[n] = true
		}
	}
	for k, column := range m.Columns(nil) {
		if err := ctx.Err(); err != nil {
			return err
		}
		numbered := make([]topic.WordCount, len(column))
		for i, e := range column {
			numbered[i] = topic.WordCount{Word: s.number[e.Word], Count: e.Count}
		}
		top := counts.Top(nil, column, max(o.Words, candidateWords)) // most probable first
		s.top[k] = lists.Of(top, func(e topic.WordCount) uint32 { return s.number[e.Word] })
		if o.Measure == topWords {
			continue
		}
		slices.SortFunc(numbered, func(a, b topic.WordCount) int { return cmp.Compare(a.Word, b.Word) })
		s.profiles[k] = divergence.New(divergence.Topic{
			Column: numbered, Total: m.TopicTotals()[k], Words: m.NumWords(), Beta: m.Beta(),
			Shared: func(n uint32) bool { return shared[n] },
		})
	}
	return nil
}

func (j *job) vocabulary() Vocabulary {
	return Vocabulary{
		A: j.a.model.NumWords(), B: j.b.model.NumWords(), Common: j.space.Common,
		TokensA: j.a.commonTokens(), TokensB: j.b.commonTokens(),
	}
}

// commonTokens returns the share of tokens that are common words, or 0 if there are no tokens.
func (s *side) commonTokens() float64 {
	all, common := uint64(0), uint64(0)
	for _, column := range s.model.Columns(nil) {
		for _, e := range column {
			all += uint64(e.Count)
			if s.common[e.Word] {
				common += uint64(e.Count)
			}
		}
	}
	return float64(common) / float64(max(all, 1))
}

// shared counts the top words that two topics have in common.
func (j *job) shared(a, b int) int {
	x, y := j.a.first(a, j.options.Words), j.b.first(b, j.options.Words)
	n := 0
	for _, w := range x {
		if slices.Contains(y, w) {
			n++
		}
	}
	return n
}

func (s *side) first(k, n int) []uint32 { return s.top[k][:min(n, len(s.top[k]))] }

// similarity returns the similarity of two topics.
func (j *job) similarity(m *divergence.Measurer, a, b int) float64 {
	if j.options.Measure == jensenShannon {
		return 1 - m.Between(j.a.profiles[a], j.b.profiles[b])/math.Ln2
	}
	n := j.shared(a, b)
	all := len(j.a.first(a, j.options.Words)) + len(j.b.first(b, j.options.Words)) - n
	return float64(n) / float64(max(all, 1))
}

// all compares all pairs.
func (j *job) all(ctx context.Context) (*similarities, error) {
	every := lists.Upto(j.b.model.NumTopics())
	return j.pairs(ctx, func(int) []int { return every })
}

// pairs compares every topic of a with the topics of b that with returns.
func (j *job) pairs(ctx context.Context, with func(a int) []int) (*similarities, error) {
	t := &similarities{j.a.model.NumTopics(), j.b.model.NumTopics(), make([][]entry, j.a.model.NumTopics())}
	err := parallel.Do(ctx, j.options.Threads, t.a, func(_, a int) {
		m := divergence.NewMeasurer(j.space)
		for _, b := range with(a) {
			t.rows[a] = append(t.rows[a], entry{b, j.similarity(m, a, b)})
		}
	})
	return t, err
}

// candidates compares the pairs that share top words.
func (j *job) candidates(ctx context.Context) (*similarities, error) {
	topics := map[uint32][]int{} // topics of b by top word
	for k := range j.b.top {
		for _, w := range j.b.first(k, candidateWords) {
			topics[w] = append(topics[w], k)
		}
	}
	return j.pairs(ctx, func(a int) []int { return mostShared(j.a.first(a, candidateWords), topics) })
}

// mostShared returns the topics that share most of the given words, in order of number.
func mostShared(words []uint32, topics map[uint32][]int) []int {
	shared := map[int]int{}
	for _, w := range words {
		if list := topics[w]; len(list) <= candidateTopics {
			for _, b := range list {
				shared[b]++
			}
		}
	}
	list := slices.SortedFunc(maps.Keys(shared), func(x, y int) int {
		return cmp.Or(cmp.Compare(shared[y], shared[x]),
			cmp.Compare(x, y))
	})
	list = list[:min(candidatesEach, len(list))]
	slices.Sort(list)
	return list
}
