package sweep

import (
	"math"
	"os"
	"path/filepath"

	"github.com/topoi-lda/topoi/corpus"
	"github.com/topoi-lda/topoi/metrics"
	"github.com/topoi-lda/topoi/stability"
)

// Result is a sweep that is done.
type Result struct {
	Name           string
	Dir            string
	Corpus         *corpus.Corpus // what was swept, with the words of Record.Top
	Sample         Sampled
	HeldOut        int     // documents left out of training
	Groups         []Group // by number of topics
	Recommendation Recommendation
}

// Group is all runs with one number of topics.
type Group struct {
	Topics  int
	Records []*Record // by seed

	// Stability says how the runs agree; nil if there is but one.
	Stability *stability.Result

	Best *Record // the run that predicts best

	mean, spread map[string]float64 // of every metric over seeds
}

// Mean returns the mean of a metric over seeds, NaN if no run has it.
func (g *Group) Mean(metric string) float64 { return orNaN(g.mean, metric) }

// Spread returns the standard deviation of a metric over seeds, NaN for fewer than two.
func (g *Group) Spread(metric string) float64 { return orNaN(g.spread, metric) }

func orNaN(values map[string]float64, name string) float64 {
	if v, ok := values[name]; ok {
		return v
	}
	return math.NaN()
}

// Typical returns the run that agrees best with the others; the only one if there is but one.
func (g *Group) Typical() *Record {
	if g.Stability == nil {
		return g.Records[0]
	}
	return g.Records[g.Stability.Typical]
}

// metric returns the value of a metric, the seconds included.
func (r *Record) metric(name string) float64 {
	if name == metrics.Seconds {
		if r.Seconds == 0 {
			return math.NaN()
		}
		return r.Seconds
	}
	return r.Value(name)
}

// Model returns the directory of a run's model, relative to that of the sweep; "" if it was not kept.
func (r *Result) Model(run Run) string { return r.there("models/" + run.Name()) }

// Page returns the page of a run's model, likewise.
func (r *Result) Page(run Run) string { return r.there("pages/" + run.Name() + ".html") }

func (r *Result) there(path string) string {
	if _, err := os.Stat(filepath.Join(r.Dir, filepath.FromSlash(path))); err != nil {
		return ""
	}
	return path
}

// Recommendation says which number of topics a sweep speaks for, and why.
//
// Numbers of topics predict as well as the best one if their mean held-out score is within the tolerance of its:
// twice the standard error of a difference of two means over seeds, or a fiftieth of the range of all means if that
// is more. Of those the most stable one is recommended, the smallest of equals. Where the largest number that was
// swept predicts better than all others there is no best one yet, and the knee of the curve is recommended. Without
// held-out documents stability alone decides.
type Recommendation struct {
	Topics    int      `json:"topics"` // 0: there is nothing to go by
	Reasons   []string `json:"reasons"`
	Cautions  []string `json:"cautions"`          // what speaks against trusting it
	Others    []Other  `json:"others"`            // numbers that also have something for them
	Knee      int      `json:"knee,omitempty"`    // of the held-out curve; 0: it has none
	Tolerance float64  `json:"tolerance"`         // of held-out scores, nats per token
	AsGood    []int    `json:"as_good,omitempty"` // numbers that predict as well as the best one
	Rising    bool     `json:"rising,omitempty"`  // predictions still get better at the largest number
}

// Other is a number of topics and what speaks for it.
type Other struct {
	Topics int    `json:"topics"`
	Why    string `json:"why"`
}
