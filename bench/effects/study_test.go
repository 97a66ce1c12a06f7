// Package effects measures by simulation what effects of columns are worth: how often a test finds an effect where there
// is none (null rate, at p < 0.05), how often intervals of 95 % hold the true effect, and how often a true effect is
// found (power). docs/analysis.md has the tables.
//
//	go -C bench test ./effects -v -run Clusters -studies 2000
package effects

import (
	"flag"
	"fmt"
	"math"
	"math/rand/v2"
	"runtime"
	"sync"
	"testing"

	"github.com/topoi-lda/topoi/analysis/effects"
	"github.com/topoi-lda/topoi/corpus"
	"github.com/topoi-lda/topoi/corpus/column"
	"github.com/topoi-lda/topoi/topic"
)

var studies = flag.Int("studies", 200, "studies of each kind")

// given is a model of two topics whose tokens have known topics: each of the two words is a topic.
type given struct{ docs *corpus.Corpus }

func (g given) NumTopics() int                { return 2 }
func (g given) Alpha() []float64              { return []float64{0.5, 0.5} }
func (g given) Docs() (*corpus.Corpus, error) { return g.docs, nil }
func (g given) AppendTopics(dst []uint32, lo, hi int) []uint32 {
	return append(dst, g.docs.TokensBetween(lo, hi)...)
}

// values are those of a column.
type values []string

func (v values) Len() int        { return len(v) }
func (v values) At(i int) string { return v[i] }

// study is a generated corpus while it is made.
type study struct {
	*rand.Rand
	docs    [][]uint32
	columns map[string]values
}

func newStudy(seed uint64) *study {
	return &study{Rand: rand.New(rand.NewPCG(seed, 54)), columns: map[string]values{}}
}

// add adds a document whose share of topic 0 is drawn around a mean.
func (s *study) add(mean float64, cells map[string]string) {
	share := min(max(mean+0.15*s.NormFloat64(), 0.02), 0.98)
	doc := make([]uint32, 40+s.IntN(120))
	for i := range doc {
		if s.Float64() >= share {
			doc[i] = 1
		}
	}
	s.docs = append(s.docs, doc)
	for name, value := range cells {
		s.columns[name] = append(s.columns[name], value)
	}
}

// estimate returns the effect of a term on topic 0.
func (s *study) estimate(t *testing.T, term string, o effects.Options) effects.Effect {
	for name, list := range s.columns {
		kind := column.Category
		if name == "x" {
			kind = column.Number
		}
		o.Columns = append(o.Columns, column.Column{Name: name, Kind: kind, Values: list})
	}
	o.Topics, o.Interval, o.Threads = []int{0}, 0.95, 1
	return estimate(t, given{corpus.FromIDs([]string{"u", "v"}, s.docs)}, term, o)
}

// estimate returns the effect of a term on the first chosen topic.
func estimate(t *testing.T, m topic.Documents, term string, o effects.Options) effects.Effect {
	r, err := effects.Compute(t.Context(), m, o)
	if err != nil {
		t.Error(err)
		return effects.Effect{Estimate: math.NaN()}
	}
	for i, name := range r.Names {
		if name == term {
			return r.Effects[0][i]
		}
	}
	t.Errorf("no term %s among %q", term, r.Names)
	return effects.Effect{Estimate: math.NaN()}
}

// rate counts the outcomes of many tests.
type rate struct {
	tests, found, held int
	none               int // estimates without an interval
}

func (r *rate) add(e effects.Effect, truth float64) {
	if math.IsNaN(e.Error) {
		r.none++
		return
	}
	r.tests++
	if e.P() < 0.05 {
		r.found++
	}
	if e.Low <= truth && truth <= e.High {
		r.held++
	}
}

func (r *rate) merge(o rate) {
	r.tests, r.found, r.held, r.none = r.tests+o.tests, r.found+o.found, r.held+o.held, r.none+o.none
}

// percent returns the part of tests that found something.
func (r *rate) percent() float64 { return 100 * float64(r.found) / float64(max(1, r.tests)) }

func (r *rate) coverage() float64 { return 100 * float64(r.held) / float64(max(1, r.tests)) }

// each runs a number of studies on all cores and adds up their rates.
func each(n int, run func(number uint64) rate) (sum rate) {
	var lock sync.Mutex
	var wait sync.WaitGroup
	numbers := make(chan uint64)
	for range runtime.GOMAXPROCS(0) {
		wait.Go(func() {
			for number := range numbers {
				one := run(number)
				lock.Lock()
				sum.merge(one)
				lock.Unlock()
			}
		})
	}
	for i := range n {
		numbers <- uint64(i)
	}
	close(numbers)
	wait.Wait()
	return sum
}

// between fails the test if a rate lies outside bounds, in per cent. The bounds are those of all studies, widened by
// three standard errors of so many.
func between(t *testing.T, what string, r *rate, low, high float64) {
	t.Helper()
	wide := 300 * math.Sqrt(0.05*0.95/float64(max(1, r.tests)))
	if p := r.percent(); p < low-wide || p > high+wide {
		t.Errorf("%s: %.1f %% of %d tests, want %v to %v %%", what, p, r.tests, low, high)
	}
}

// line returns a row of a Markdown table.
func line(cells ...any) string {
	text := "|"
	for _, c := range cells {
		if x, ok := c.(float64); ok {
			c = fmt.Sprintf("%.1f", x)
		}
		text += fmt.Sprintf(" %v |", c)
	}
	return text
}
