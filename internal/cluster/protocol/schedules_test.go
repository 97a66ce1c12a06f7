package protocol_test

import (
	"flag"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

var (
	schedules = flag.Int("schedules", 5000, "`number` of simulated schedules")
	firstSeed = flag.Uint64("seed", 1, "seed of the first one")
)

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

// record runs a schedule, and returns the trace of what happened.
func record(s *schedule, p planted) (*trace, error) {
	x := newSimulation(s, p)
	x.chance.record = &recorder{w: x.world}
	err := x.run()
	return x.chance.record.trace(s.jobForm), err
}

// patience is how long a trace is shortened at most. It usually takes less than a second.
const patience = 20 * time.Second

// shortest returns what fails of a schedule, as a trace that can be kept.
func shortest(s *schedule, p planted) *keptTrace {
	tr, _ := record(s, p)
	for _, settled := range []time.Duration{settledSoon, settled} {
		if short := shorten(tr, patience, func(c *trace) bool { return p.fails(c, settled) }); p.fails(short, settled) {
			tr = short
		}
	}
	took, outcome, _ := replay(tr, p, func(string) {})
	return &keptTrace{trace: took, outcome: outcome}
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
		t.Fatalf("seed %d: %v\nKept in testdata, this shows it:\n\n%s", s.seed, newSimulation(s, planted{}).run(),
			shortest(s, planted{}))
	}
	t.Logf("%d schedules in %v", n, time.Since(begin))
}

// Traces that found a fault once, and others that are worth reading, are kept as text.
func TestKeptTraces(t *testing.T) {
	files, err := filepath.Glob("testdata/*.txt")
	if err != nil || len(files) == 0 {
		t.Fatal("no traces", err)
	}
	for _, path := range files {
		t.Run(strings.TrimSuffix(filepath.Base(path), ".txt"), func(t *testing.T) {
			if err := checkKept(t, path, planted{}); err != nil {
				t.Error(err)
			}
		})
	}
}

// A schedule that is recorded, written as text, read and replayed goes as it went by chance, to the last request.
func TestRecordedScheduleReplays(t *testing.T) {
	for seed := range uint64(30) {
		s := drawSchedule(seed)
		var chance, told strings.Builder
		x := newSimulation(s, planted{})
		x.log = func(line string) { chance.WriteString(line + "\n") }
		x.chance.record = &recorder{w: x.world}
		if err := x.run(); err != nil {
			t.Fatal(err)
		}
		text := x.chance.record.trace(s.jobForm).String()
		tr, err := parseTrace(text)
		if err != nil {
			t.Fatal(err)
		}
		took, _, err := replay(tr, planted{}, func(line string) { told.WriteString(line + "\n") })
		if err != nil || took.String() != text {
			t.Errorf("seed %d: %v, or other events took place than were recorded", seed, err)
		}
		if chance.String() != told.String() {
			t.Errorf("seed %d: it goes otherwise than it went", seed)
		}
	}
}
