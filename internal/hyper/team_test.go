package hyper

import (
	"sync/atomic"
	"testing"
)

// Teams make every call once, asleep or awake, before do returns, step after step.
func TestTeams(t *testing.T) {
	awake := &team{threads: 4}
	awake.wake()
	defer awake.rest()
	for name, by := range map[string]*team{"three": {threads: 3}, "one": {threads: 1}, "awake": awake} {
		for n := range 100 {
			calls, beside := make([]atomic.Int32, n), 0
			by.do(&step{n: n, run: 1 + n%9, f: func(k int) { calls[k].Add(1) }, beside: func() { beside++ }})
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
