package chaos

import (
	"errors"
	"fmt"
	"io"
	"maps"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"sync"
	"time"
)

// schedule is one disturbed run.
type schedule struct {
	*fixture
	seed   uint64
	kind   string
	random *rand.Rand
	dir    string // its own
	faults []string
	log    []string
	refuse bool // a sentence was said

	mutexed sync.Mutex // faults come from several goroutines
}

// kinds are the kinds of work that can be disturbed.
var kinds = map[string]func(s *schedule) error{
	"import":  (*schedule).disturbImport,
	"train":   func(s *schedule) error { return s.disturbTraining(false) },
	"files":   func(s *schedule) error { return s.disturbTraining(true) },
	"cluster": func(s *schedule) error { return s.disturbCluster(2, false) },
	"proxy":   func(s *schedule) error { return s.disturbCluster(2, true) },
	"rest":    (*schedule).disturbRest,
	"pair":    (*schedule).disturbPair,
	"records": (*schedule).disturbRecords,
	"tombs":   (*schedule).disturbTombs,
	"twins":   (*schedule).disturbTwins,
	"lies":    (*schedule).disturbLies,
	"folders": (*schedule).disturbFolders,
	"answers": (*schedule).disturbAnswers,
}

// draw draws a schedule.
func draw(f *fixture, seed uint64, among []string, dir string) *schedule {
	r := rand.New(rand.NewPCG(seed, 1))
	return &schedule{fixture: f, seed: seed, kind: among[r.IntN(len(among))], random: r, dir: dir}
}

func (s *schedule) run() error {
	disturb := kinds[s.kind]
	if disturb == nil {
		return fmt.Errorf("there is nothing called %q to disturb", s.kind)
	}
	if err := os.MkdirAll(s.dir, 0o755); err != nil {
		return err
	}
	err := disturb(s)
	if err == nil {
		err = os.RemoveAll(s.dir)
	}
	return err
}

// say notes what is done, and what is expected.
func (s *schedule) say(format string, args ...any) {
	s.mutexed.Lock()
	defer s.mutexed.Unlock()
	s.log = append(s.log, fmt.Sprintf(format, args...))
}

// fault notes that something happens, of a kind that the table counts.
func (s *schedule) fault(kind, format string, args ...any) {
	s.mutexed.Lock()
	s.faults = append(s.faults, kind)
	s.mutexed.Unlock()
	s.say(kind+": "+format, args...)
}

// chance is true once in n times.
func (s *schedule) chance(n int) bool { return s.random.IntN(n) == 0 }

// within returns a time up to the given one.
func (s *schedule) within(most time.Duration) time.Duration {
	return time.Duration(s.random.Int64N(int64(most)))
}

// outcome is the end of a schedule that did not fail.
func (s *schedule) outcome() string {
	if s.refuse {
		return refused
	}
	return same
}

const (
	same    = "same bytes"
	refused = "one sentence, nothing lost"
)

// report is the schedule's part of the log.
func (s *schedule) report(err error, took time.Duration) string {
	var b strings.Builder
	end := s.outcome()
	if err != nil {
		end = "FAILED: " + err.Error()
	}
	fmt.Fprintf(&b, "schedule %d, %s, %.1f s: %s\n", s.seed, s.kind, took.Seconds(), end)
	for _, line := range s.log {
		fmt.Fprintf(&b, "\t%s\n", strings.ReplaceAll(strings.TrimSpace(line), "\n", "\n\t\t"))
	}
	return b.String()
}

// errDifferent is wrapped by errors about a silent difference.
var errDifferent = errors.New("a silent difference")

// table counts outcomes.
type table struct {
	rows   map[string]map[string]int // by kind of work, by outcome
	faults map[string]map[string]int // by kind of work, by kind of fault
	failed int
}

func newTable() *table {
	return &table{rows: map[string]map[string]int{}, faults: map[string]map[string]int{}}
}

func (t *table) add(s *schedule, err error) {
	if t.rows[s.kind] == nil {
		t.rows[s.kind], t.faults[s.kind] = map[string]int{}, map[string]int{}
	}
	if err != nil {
		t.failed++
		t.rows[s.kind]["failed"]++
	} else {
		t.rows[s.kind][s.outcome()]++
	}
	for _, f := range s.faults {
		t.faults[s.kind][f]++
	}
}

// print writes the table as docs/reliability.md has it.
func (t *table) print(w io.Writer) {
	fmt.Fprintf(w, "| disturbed | %s | %s | failed | faults |\n|---|---|---|---|---|\n", same, refused)
	for _, kind := range slices.Sorted(maps.Keys(t.rows)) {
		var list []string
		for _, f := range slices.Sorted(maps.Keys(t.faults[kind])) {
			list = append(list, fmt.Sprintf("%s %d", f, t.faults[kind][f]))
		}
		r := t.rows[kind]
		fmt.Fprintf(w, "| %s | %d | %d | %d | %s |\n", kind, r[same], r[refused], r["failed"], strings.Join(list, ", "))
	}
}
