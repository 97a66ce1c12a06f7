package protocol_test

import (
	"flag"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

var (
	schedules = flag.Int("schedules", 5000, "`number` of simulated schedules")
	search    = flag.Bool("search", false, "look for schedules that find planted faults")
	firstSeed = flag.Uint64("seed", 1, "seed of the first one")
)

func fails(p planted) func(s *schedule) bool {
	return func(s *schedule) bool { return newSimulation(s, p).run() != nil }
}

// firstFailure runs n schedules on all processors, and returns one that fails.
func firstFailure(seed uint64, n int, p planted) *schedule {
	defer debug.SetGCPercent(debug.SetGCPercent(400)) // schedules are small, and there are many
	var next atomic.Uint64
	var failed atomic.Pointer[schedule]
	var group sync.WaitGroup
	for range runtime.GOMAXPROCS(0) {
		group.Go(func() {
			for failed.Load() == nil {
				i := next.Add(1) - 1
				if i >= uint64(n) {
					return
				}
				if s := drawSchedule(seed + i); newSimulation(s, p).run() != nil {
					failed.CompareAndSwap(nil, s)
				}
			}
		})
	}
	group.Wait()
	return failed.Load()
}

// Whatever happens to a job, it ends with the model of one process, or with one sentence.
//
//	go test ./internal/cluster/protocol -run TestSchedules -schedules 1000000
func TestSchedules(t *testing.T) {
	n := *schedules
	if testing.Short() {
		n = min(n, 1000)
	}
	begin := time.Now()
	if s := firstFailure(*firstSeed, n, planted{}); s != nil {
		small := shrink(s, fails(planted{}))
		t.Fatalf("seed %d: %v\n%s\nthe same fault in a smaller schedule: %v\n%s",
			s.seed, newSimulation(s, planted{}).run(), s, newSimulation(small, planted{}).run(), small)
	}
	t.Logf("%d schedules in %v", n, time.Since(begin))
}

// Schedules that found a fault once, and others that are worth reading, are kept as text.
func TestKeptSchedules(t *testing.T) {
	files, err := filepath.Glob("testdata/*.txt")
	if err != nil || len(files) == 0 {
		t.Fatal("no schedules", err)
	}
	for _, path := range files {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		s, err := parseSchedule(string(text))
		if err != nil {
			t.Fatalf("%s: %v", path, err)
		}
		if again, err := parseSchedule(s.String()); err != nil || again.String() != s.String() {
			t.Errorf("%s: it is written as %s", path, s)
		}
		if err := newSimulation(s, planted{}).run(); err != nil {
			t.Errorf("%s: %v", path, err)
		}
	}
}
