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
	_ "embed"
	"encoding/json"
	"math"
	"slices"
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
		sum += math.Exp(middle - l - worst)
	}
	return middle - worst - math.Log(sum/float64(len(sorted)))
}
