package effects

import (
	"cmp"
	"math"
	"slices"
)

// adjusted holds probabilities that are corrected for the number of tests: those of all topics and terms but the
// intercept.
type adjusted struct {
	holm, hochberg [][]float64 // of each topic and term; NaN where there is no test
	tests          int
}

// Tests returns the number of tests in the table: of each topic and term but the intercept.
func (r *Result) Tests() int { return r.adjust().tests }

// Holm returns the probabilities of each topic and term by the method of Holm (1979), whose chance of any finding
// without an effect is what it says. The number of tests is Tests; NaN stands where there is none.
func (r *Result) Holm() [][]float64 { return r.adjust().holm }

// adjust corrects the probabilities. Those of Benjamini and Hochberg (1995) say which share of findings is none.
func (r *Result) adjust() *adjusted {
	type test struct {
		slot, term int
		p          float64
	}
	var all []test
	a := &adjusted{}
	for slot, list := range r.Effects {
		none := slices.Repeat([]float64{math.NaN()}, len(list))
		a.holm, a.hochberg = append(a.holm, none), append(a.hochberg, slices.Clone(none))
		for term, e := range list {
			if p := e.P(); r.Names[term] != intercept && !math.IsNaN(p) {
				all = append(all, test{slot, term, p})
			}
		}
	}
	a.tests = len(all)
	slices.SortStableFunc(all, func(x, y test) int { return cmp.Compare(x.p, y.p) })
	n, largest, smallest := float64(len(all)), 0.0, 1.0
	for i, t := range all {
		largest = max(largest, min(1, float64(t.p*(n-float64(i)))))
		a.holm[t.slot][t.term] = largest
	}
	for i, t := range slices.Backward(all) {
		smallest = min(smallest, float64(t.p*n)/float64(i+1))
		a.hochberg[t.slot][t.term] = smallest
	}
	return a
}
