package compare

import (
	"cmp"
	"errors"
	"iter"
	"runtime"
	"slices"

	"github.com/topoi-lda/topoi/corpus"
	"github.com/topoi-lda/topoi/internal/human"
	"github.com/topoi-lda/topoi/topic"
)

// Model is a topic model as comparisons need it. *topoi.Model implements it.
type Model interface {
	NumTopics() int        // K
	NumWords() int         // V
	Beta() float64         // β
	TopicTotals() []uint64 // K values n_k
	Words() corpus.Strings // the vocabulary

	// Columns yields topics with their non-zero n_wk in increasing word order.
	Columns(topics []int) iter.Seq2[int, []topic.WordCount]
}

// Measure names a similarity.
type Measure string

// The similarities.
const (
	JensenShannon Measure = "jensen-shannon"
	TopWords      Measure = "words"
)

// Measures lists the names of all similarities.
func Measures() []string { return []string{string(JensenShannon), string(TopWords)} }

// Options say how models are compared. The zero value is a good default.
type Options struct {
	Measure   Measure // default JensenShannon
	Words     int     // n: top words per topic, for TopWords and for Pair.Shared. Default 20
	Threshold float64 // the similarity from which topics are linked. Default 0.4, for TopWords 0.2
	Threads   int     // goroutines; never changes the result. Default: all cores
}

// AllPairs is the largest number of topics for which all pairs are compared and matched by the Hungarian
// method. In a larger model, topics are compared only if they share some of their 50 top words, at most 10
// for each topic, and the most similar are matched first.
const AllPairs = 2000

// Validate returns all faults of the options at once, or nil.
func (o Options) Validate() error {
	name := string(o.Measure)
	return errors.Join(
		human.FaultIf(name != "" && !slices.Contains(Measures(), name),
			"unknown similarity %q%s", name, human.Hint(name, Measures())),
		human.FaultIf(o.Words < 0, "the number of top words is %d: it must not be negative", o.Words),
		human.FaultIf(!(o.Threshold >= 0 && o.Threshold <= 1),
			"the threshold is %v: it must be between 0 and 1", o.Threshold),
	)
}

func (o Options) withDefaults() Options {
	o.Measure = cmp.Or(o.Measure, JensenShannon)
	o.Words = cmp.Or(o.Words, 20)
	o.Threshold = cmp.Or(o.Threshold, map[Measure]float64{JensenShannon: 0.4, TopWords: 0.2}[o.Measure])
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

// Fate says what happened to a topic.
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
	Measure    Measure
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
