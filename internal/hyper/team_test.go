package hyper

import (
	"sync/atomic"
	"testing"
)

// Both kinds of teams make every call once, before do returns, step after step.
func TestTeams(t *testing.T) {
	awake := newCrew(4)
	defer awake.end()
	for name, by := range map[string]team{"goroutines": goroutines(3), "alone": goroutines(1), "crew": awake} {
		for n := range 100 {
			calls, beside := make([]atomic.Int32, n), 0
			by.do(&step{n: n, run: 1 + n%9, f: func(k int) { calls[k].Add(1) }}, func() { beside++ })
			for k := range calls {
				if calls[k].Load() != 1 {
					t.Fatalf("%s: call %d of %d was made %d times", name, k, n, calls[k].Load())
				}
			}
			if beside != 1 {
				t.Fatalf("%s: %d calls beside the step", name, beside)
			}
		}
	}
}
