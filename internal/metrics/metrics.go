// Package metrics names the measures of eval.Measure, for the packages that show them. The names are columns of
// tables and keys of JSON: eval.Metrics lists them with their meaning, and they never change.
package metrics

import "math"

// The names of the metrics.
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

// Sizes of the lists of words.
const (
	TopWords     = 10 // for coherence, exclusivity, diversity and inverted RBO
	MatchedWords = 20 // for stability
)

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
