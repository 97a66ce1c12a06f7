package eval

import (
	"cmp"
	"context"
	_ "embed"
	"encoding/json"
	"math"
	"slices"

	"github.com/topoi-lda/topoi/analysis/rank"
	"github.com/topoi-lda/topoi/corpus"
	"github.com/topoi-lda/topoi/internal/lists"
	"github.com/topoi-lda/topoi/internal/metrics"
	"github.com/topoi-lda/topoi/internal/portable"
	tables "github.com/topoi-lda/topoi/internal/rows"
	"github.com/topoi-lda/topoi/topic"
)

// Metric describes one measure of a model.
type Metric struct {
	Name     string `json:"name"`  // the column of tables
	Title    string `json:"title"` // for people
	Unit     string `json:"unit"`
	Better   string `json:"better"`    // "higher" or "lower"
	PerTopic bool   `json:"per_topic"` // whether every topic has a value; the model's value is their mean
	Formula  string `json:"formula"`
	Source   string `json:"source"`
}

// described holds the metrics in the order of tables.
//
//go:embed metrics.json
var described []byte

// Metrics lists the metrics in the order of tables, with unit, formula and source. "stability" and "seconds" do not
// describe a single model: the first compares several (compare.Runs), the second describes a run.
func Metrics() []Metric {
	var list []Metric
	if err := json.Unmarshal(described, &list); err != nil {
		panic("metrics: " + err.Error())
	}
	return list
}

// griffiths2004 returns the logarithm of the harmonic mean of exp(ℓ) over states of a chain after burn-in,
// ℓ = log p(w | z, β) in nats. It is an estimate of log p(w | K). With the median med of ℓ it is
//
//	med − log mean exp(med − ℓ),
//
// or NaN without states. The estimator has an infinite variance in general, and the worst state dominates
// it. It is here because people know it.
func griffiths2004(states []float64) float64 {
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

// MeasureOptions say what [Measure] computes. The zero value is a good default.
type MeasureOptions struct {
	// Heldout are documents to score by completion, over the vocabulary of the model.
	// Default nil: the model gets no held-out score.
	Heldout *corpus.Corpus

	// States are log p(w | z, β), in nats, of states after burn-in; see [States].
	// Default nil: griffiths2004 is not measured.
	States []float64

	// WithoutCoherence leaves out NPMI, C_V and UMass. For many models of the same documents, computing these
	// together costs little more than for one: see [AddCoherence]. Default false.
	WithoutCoherence bool

	// Threads is the number of goroutines; it never changes the result. Default 1.
	Threads int
}

// Measured holds the values of metrics. A metric that could not be measured has no value; for example, a
// model of one topic has no pairs of topics.
type Measured struct {
	Values  map[string]float64 `json:"values"`   // by name of the metric
	ByTopic map[string]Numbers `json:"by_topic"` // by name, one value for each topic; NaN if a topic has none
	Top     [][]int            `json:"top"`      // K: the ids of the 20 most probable words, most probable first
	Totals  []uint64           `json:"totals"`   // K: n_k
}

// Numbers are encoded as JSON with null for NaN.
type Numbers []float64

// MarshalJSON implements json.Marshaler.
func (n Numbers) MarshalJSON() ([]byte, error) { return json.Marshal(lists.Of(n, tables.Finite)) }

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
func (r *Measured) Set(name string, value float64) {
	if !math.IsNaN(value) && !math.IsInf(value, 0) {
		r.Values[name] = value
	}
}

// SetTopics sets the values of topics, and their mean as the value of the model.
func (r *Measured) SetTopics(name string, values []float64) {
	r.ByTopic[name] = values
	r.Set(name, metrics.Mean(values))
}

// Value returns the value of a metric, or NaN if it has none.
func (r *Measured) Value(name string) float64 {
	if v, ok := r.Values[name]; ok {
		return v
	}
	return math.NaN()
}

// Measure computes all metrics that are defined for a single model. *topoi.Model can be measured.
func Measure(ctx context.Context, m interface {
	topic.Model
	topic.Documents
}, o MeasureOptions,
) (*Measured, error) {
	r, err := measure(ctx, m, o)
	if err != nil || o.WithoutCoherence {
		return r, err
	}
	docs, err := m.Docs()
	if err != nil {
		return nil, err
	}
	return r, AddCoherence(ctx, docs, []*Measured{r})
}

// measure computes what needs no look at which words stand together.
func measure(ctx context.Context, m measured, o MeasureOptions) (*Measured, error) {
	r := &Measured{Values: map[string]float64{}, ByTopic: map[string]Numbers{}, Totals: m.TopicTotals()}
	if err := r.rankWords(ctx, m, cmp.Or(o.Threads, 1)); err != nil {
		return nil, err
	}
	top := firsts(r.Top)
	r.Set(metrics.Diversity, Diversity(top))
	r.Set(metrics.InvertedRBO, 1-meanRBO(top, rboPersistence))
	r.Set(metrics.CaoJuan, caoJuan2009(m))
	r.Set(metrics.Deveaud, deveaud2014(m))
	r.Set(metrics.Griffiths, griffiths2004(o.States))
	arun, err := arun2010(ctx, m, cmp.Or(o.Threads, 1))
	if err != nil {
		return nil, err
	}
	r.Set(metrics.Arun, arun)
	if o.Heldout == nil {
		return r, nil
	}
	score, err := Completion(ctx, m, o.Heldout, Options{Threads: o.Threads})
	if err == nil && score.Scored > 0 {
		r.Set(metrics.HeldOut, score.PerToken)
	}
	return r, err
}

// rankWords finds the top words of every topic, and how exclusive they are.
func (r *Measured) rankWords(ctx context.Context, m measured, threads int) error {
	exclusive := make([]float64, m.NumTopics())
	r.Top = make([][]int, m.NumTopics())
	err := rank.New(m).All(ctx, threads, func(t *rank.Topic) {
		exclusive[t.Topic] = t.Exclusivity
		r.Top[t.Topic] = lists.Of(t.Top(rank.Order{}, metrics.MatchedWords), func(w rank.Word) int { return w.Word })
	})
	r.SetTopics(metrics.Exclusivity, exclusive)
	return err
}

// mostSets limits the memory of document sets, in bytes. Tests make it smaller.
var mostSets = 256 << 20

// AddCoherence adds NPMI, C_V and UMass to the results of models over one vocabulary. It reads the
// documents twice for all of them, or more often if that keeps its memory within some 256 MB.
func AddCoherence(ctx context.Context, docs *corpus.Corpus, results []*Measured) error {
	for len(results) > 0 {
		n := together(docs, results)
		var topics [][]int
		for _, r := range results[:n] {
			topics = append(topics, firsts(r.Top)...)
		}
		c, err := Coherence(ctx, docs, topics)
		if err != nil {
			return err
		}
		at := 0
		for _, r := range results[:n] {
			end := at + len(r.Top)
			r.SetTopics(metrics.NPMI, c.NPMI[at:end:end])
			r.SetTopics(metrics.CV, c.CV[at:end:end])
			r.SetTopics(metrics.UMass, c.UMass[at:end:end])
			at = end
		}
		results = results[n:]
	}
	return nil
}

// together returns how many of the results, at least one, have top words whose documents fit in memory as bits.
func together(docs *corpus.Corpus, results []*Measured) int {
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
	return lists.Of(all, func(list []int) []int { return list[:min(metrics.TopWords, len(list))] })
}
