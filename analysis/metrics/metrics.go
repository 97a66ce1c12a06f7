// Package metrics computes the measures by which people choose the number of topics: how well a model
// predicts documents that it has not seen, how well its topics read, how far they are from each other, and
// how they describe the corpus. [All] lists them with unit, formula and source.
//
// With K topics, V words, D documents and N training tokens, n_wk the tokens of word w in
// topic k, n_k = Σ_w n_wk, n_dk those of document d, and the priors α and β,
//
//	φ_wk = (n_wk + β)/(n_k + Vβ),   θ_dk = (n_dk + α_k)/(N_d + Σα).
//
// Logarithms are natural. No measure forms the K × V table: all follow from the non-zero counts, and all
// but one from a single pass over them. Results are the same bits for any number of threads.
//
// None of the measures is the right one. docs/choosing.md relies on held-out prediction and on stability over
// seeds (package stability). The others are there because people know them, and to show where they disagree.
package metrics

import (
	"cmp"
	"context"
	_ "embed"
	"encoding/json"
	"errors"
	"math"
	"slices"

	"github.com/topoi-lda/topoi"
	"github.com/topoi-lda/topoi/analysis/eval"
	"github.com/topoi-lda/topoi/analysis/rank"
	"github.com/topoi-lda/topoi/corpus"
	"github.com/topoi-lda/topoi/internal/lists"
	"github.com/topoi-lda/topoi/internal/portable"
	"github.com/topoi-lda/topoi/internal/rows"
)

// Direction says which values of a metric are better.
type Direction string

// The directions.
const (
	Higher Direction = "higher"
	Lower  Direction = "lower"
)

// The names of the metrics, which are the columns of tables.
const (
	HeldOut     = "heldout"
	NPMI        = "npmi"
	CV          = "c_v"
	UMass       = "umass"
	Exclusivity = "exclusivity"
	Diversity   = "diversity"
	InvertedRBO = "inverted_rbo"
	Stability   = "stability"
	CaoJuan     = "cao_juan_2009"
	Arun        = "arun_2010"
	Deveaud     = "deveaud_2014"
	Griffiths   = "griffiths_2004"
	Seconds     = "seconds"
)

// Metric describes one measure of a model.
type Metric struct {
	Name     string    `json:"name"`  // the column of tables
	Title    string    `json:"title"` // for people
	Unit     string    `json:"unit"`
	Better   Direction `json:"better"`
	PerTopic bool      `json:"per_topic"` // whether every topic has a value; the model's value is their mean
	Formula  string    `json:"formula"`
	Source   string    `json:"source"`
}

// described holds the metrics in the order of tables.
//
//go:embed metrics.json
var described []byte

// All lists the metrics in the order of tables. Stability and Seconds do not describe a single model: the
// first compares several (package stability), the second describes a run.
func All() []Metric {
	var list []Metric
	if err := json.Unmarshal(described, &list); err != nil {
		panic("metrics: " + err.Error())
	}
	return list
}

// Griffiths2004 returns the logarithm of the harmonic mean of exp(ℓ) over states of a chain after burn-in,
// ℓ = log p(w | z, β) in nats. It is an estimate of log p(w | K). With the median med of ℓ it is
//
//	med − log mean exp(med − ℓ),
//
// or NaN without states. The estimator has an infinite variance in general, and the worst state dominates
// it. It is here because people know it.
func Griffiths2004(states []float64) float64 {
	if len(states) == 0 {
		return math.NaN()
	}
	sorted := slices.Sorted(slices.Values(states))
	middle := sorted[len(sorted)/2]
	// The worst state has the largest term: it is taken out, so that nothing overflows.
	worst, sum := middle-sorted[0], 0.0
	for _, l := range sorted {
		sum += portable.Exp(middle - l - worst)
	}
	return middle - worst - portable.Log(sum/float64(len(sorted)))
}

// Model is a topic model as metrics need it. *topoi.Model implements it.
type Model interface {
	rank.Model
	Alpha() []float64                               // K values α_k
	Docs() (*corpus.Corpus, error)                  // the training documents
	AppendTopics(dst []uint32, lo, hi int) []uint32 // topics of the training tokens lo, …, hi-1
}

// Options say what is measured. The zero value is a good default.
type Options struct {
	// Heldout are documents to score by completion, over the vocabulary of the model.
	// Default nil: the model gets no held-out score.
	Heldout *corpus.Corpus

	// States are log p(w | z, β), in nats, of states after burn-in; see [States].
	// Default nil: Griffiths2004 is not measured.
	States []float64

	// Threads is the number of goroutines; it never changes the result. Default 1.
	Threads int
}

// Sizes of the lists of words.
const (
	TopWords     = 10 // for coherence, exclusivity, diversity and inverted RBO
	MatchedWords = 20 // for stability
)

// Result holds the values of metrics. A metric that could not be measured has no value; for example, a
// model of one topic has no pairs of topics.
type Result struct {
	Values  map[string]float64 `json:"values"`   // by name of the metric
	ByTopic map[string]Numbers `json:"by_topic"` // by name, one value for each topic; NaN if a topic has none
	Top     [][]int            `json:"top"`      // K: the ids of the 20 most probable words, most probable first
	Totals  []uint64           `json:"totals"`   // K: n_k
}

// Numbers are encoded as JSON with null for NaN.
type Numbers []float64

// MarshalJSON implements json.Marshaler.
func (n Numbers) MarshalJSON() ([]byte, error) { return json.Marshal(lists.Of(n, rows.Finite)) }

// UnmarshalJSON implements json.Unmarshaler.
func (n *Numbers) UnmarshalJSON(b []byte) error {
	var list []*float64
	if err := json.Unmarshal(b, &list); err != nil {
		return err
	}
	nan := math.NaN()
	*n = lists.Of(list, func(x *float64) float64 { return *cmp.Or(x, &nan) })
	return nil
}

// Set sets the value of a metric if it is a finite number.
func (r *Result) Set(name string, value float64) {
	if !math.IsNaN(value) && !math.IsInf(value, 0) {
		r.Values[name] = value
	}
}

// SetTopics sets the values of topics, and their mean as the value of the model.
func (r *Result) SetTopics(name string, values []float64) {
	r.ByTopic[name] = values
	r.Set(name, Mean(values))
}

// Value returns the value of a metric, or NaN if it has none.
func (r *Result) Value(name string) float64 {
	if v, ok := r.Values[name]; ok {
		return v
	}
	return math.NaN()
}

// Mean returns the mean of the numbers that are not NaN, or NaN if there are none.
func Mean(values []float64) float64 {
	sum, n := 0.0, 0
	for _, v := range values {
		if !math.IsNaN(v) {
			sum += v
			n++
		}
	}
	return sum / float64(n)
}

// Measure computes all metrics that are defined for a single model.
func Measure(ctx context.Context, m Model, o Options) (*Result, error) {
	docs, err := m.Docs()
	if err != nil {
		return nil, err
	}
	r, err := WithoutCoherence(ctx, m, o)
	if err != nil {
		return nil, err
	}
	return r, AddCoherence(ctx, docs, []*Result{r})
}

// WithoutCoherence is Measure without NPMI, C_V and UMass. For many models of the same documents, computing
// these together costs little more than for one: see [AddCoherence].
func WithoutCoherence(ctx context.Context, m Model, o Options) (*Result, error) {
	r := &Result{Values: map[string]float64{}, ByTopic: map[string]Numbers{}, Totals: m.TopicTotals()}
	if err := r.rankWords(ctx, m, cmp.Or(o.Threads, 1)); err != nil {
		return nil, err
	}
	top := firsts(r.Top)
	r.Set(Diversity, eval.Diversity(top))
	r.Set(InvertedRBO, 1-MeanRBO(top, rboPersistence))
	r.Set(CaoJuan, CaoJuan2009(m))
	r.Set(Deveaud, Deveaud2014(m))
	r.Set(Griffiths, Griffiths2004(o.States))
	arun, err := Arun2010(ctx, m, cmp.Or(o.Threads, 1))
	if err != nil {
		return nil, err
	}
	r.Set(Arun, arun)
	if o.Heldout == nil {
		return r, nil
	}
	score, err := eval.Completion(ctx, m, o.Heldout, cmp.Or(o.Threads, 1))
	if err == nil && score.Scored > 0 {
		r.Set(HeldOut, score.PerToken)
	}
	return r, err
}

// rankWords finds the top words of every topic, and how exclusive they are.
func (r *Result) rankWords(ctx context.Context, m Model, threads int) error {
	exclusive := make([]float64, m.NumTopics())
	r.Top = make([][]int, m.NumTopics())
	rank.New(m).All(threads, func(t *rank.Topic) {
		if ctx.Err() == nil {
			exclusive[t.Topic] = t.Exclusivity
			r.Top[t.Topic] = lists.Of(t.Top(rank.Order{}, MatchedWords), func(w rank.Word) int { return w.Word })
		}
	})
	r.SetTopics(Exclusivity, exclusive)
	return ctx.Err()
}

// mostSets limits the memory of document sets, in bytes. Tests make it smaller.
var mostSets = 256 << 20

// AddCoherence adds NPMI, C_V and UMass to the results of models over one vocabulary. It reads the
// documents twice for all of them, or more often if that keeps its memory within some 256 MB.
func AddCoherence(ctx context.Context, docs *corpus.Corpus, results []*Result) error {
	for len(results) > 0 {
		n := together(docs, results)
		var topics [][]int
		for _, r := range results[:n] {
			topics = append(topics, firsts(r.Top)...)
		}
		c, err := eval.Coherence(ctx, docs, topics)
		if err != nil {
			return err
		}
		at := 0
		for _, r := range results[:n] {
			end := at + len(r.Top)
			r.SetTopics(NPMI, c.NPMI[at:end:end])
			r.SetTopics(CV, c.CV[at:end:end])
			r.SetTopics(UMass, c.UMass[at:end:end])
			at = end
		}
		results = results[n:]
	}
	return nil
}

// together returns how many of the results, at least one, have top words whose documents fit in memory as bits.
func together(docs *corpus.Corpus, results []*Result) int {
	words := map[int]bool{}
	for n, r := range results {
		for _, list := range firsts(r.Top) {
			for _, w := range list {
				words[w] = true
			}
		}
		if n > 0 && len(words)*(docs.NumDocs()/8+64) > mostSets {
			return n
		}
	}
	return len(results)
}

// firsts returns the beginnings of lists, with the length that most metrics need.
func firsts(all [][]int) [][]int {
	return lists.Of(all, func(list []int) []int { return list[:min(TopWords, len(list))] })
}

// ErrNoStates means that a model lacks the likelihoods of its training.
var ErrNoStates = errors.New("the model does not say how probable its words were during training")

// States returns log p(w | z, β), in nats, of the evaluations in the second half of a
// model's sweeps, for Griffiths2004.
func States(m topoi.Manifest) ([]float64, error) {
	var states []float64
	for _, s := range m.History {
		if 2*s.Iteration <= m.Iterations {
			continue
		}
		if s.WordsGiven == 0 {
			return nil, ErrNoStates
		}
		states = append(states, s.WordsGiven*float64(m.Tokens))
	}
	if len(states) == 0 {
		return nil, ErrNoStates
	}
	return states, nil
}
