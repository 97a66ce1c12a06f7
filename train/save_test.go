package train

import (
	"encoding/json"
	"errors"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/topoi-lda/topoi"
	"github.com/topoi-lda/topoi/corpus"
	"github.com/topoi-lda/topoi/internal/engine"
	"github.com/topoi-lda/topoi/internal/guard"
	"github.com/topoi-lda/topoi/internal/topics"
	"github.com/topoi-lda/topoi/internal/training"
)

// savingEngine is an engine that only saves. It records what it may forget.
type savingEngine struct {
	engine.Engine
	extra int64
	files json.RawMessage
	kept  []string
}

func (e *savingEngine) SaveEvery(asked int) int { return asked }
func (e *savingEngine) ExtraBytes() int64       { return e.extra }
func (e *savingEngine) Keep(saved json.RawMessage) error {
	e.kept = append(e.kept, string(saved))
	return nil
}

func (e *savingEngine) Save() (*engine.State, error) {
	state := &engine.State{Files: e.files}
	if e.files == nil {
		state.Topics = topics.List{Wide: []uint32{0, 1, 1}}
	}
	return state, nil
}

// newSaver returns the saver of a run with two topics that writes to a new directory.
func newSaver(t *testing.T) (*saver, *savingEngine) {
	e, at := &savingEngine{}, &position{}
	return &saver{
		opts: &options{topoi.Options{Checkpoint: filepath.Join(t.TempDir(), "state")}}, at: at, engine: e, pace: training.Pace{Kept: time.Now()},
		present: func() *checkpoint {
			return &checkpoint{Iteration: at.iteration, Alpha: []float64{1, 2}, Beta: 0.5, Stopped: at.stopped}
		},
	}, e
}

// Checkpoints are due by iterations, and by time where nobody has set an interval and no files depend on them.
func TestSaverIsDue(t *testing.T) {
	for _, c := range []struct {
		name             string
		iteration, every int
		inFiles, old     bool
		want             bool
	}{
		{"recent", 100, 0, false, false, false},
		{"not recent", 100, 0, false, true, true},
		{"after any iteration", 151, 0, false, true, true},
		{"an interval", 7, 7, false, false, true},
		{"in files", 100, 0, true, false, true},
	} {
		s, _ := newSaver(t)
		s.at.iteration, s.opts.CheckpointEvery, s.inFiles = c.iteration, c.every, c.inFiles
		if c.old {
			s.pace.Kept = time.Now().Add(-2 * training.KeepAfter)
		}
		if got := s.due(); got != c.want {
			t.Errorf("%s: %v", c.name, got)
		}
	}
}

// By default a checkpoint takes at most 2 % of the time. One that failed is not tried after every iteration, and workers
// are asked for one only where they meet.
func TestSaverSparesTime(t *testing.T) {
	s, _ := newSaver(t)
	s.at.iteration, s.pace.Kept = 1, time.Now().Add(-5*time.Minute)
	for _, c := range []struct {
		cost  time.Duration
		tried time.Duration // how long ago
		led   bool
		want  bool
	}{
		{time.Second, time.Hour, false, true},
		{5 * time.Second, time.Hour, false, true},
		{7 * time.Second, time.Hour, false, false},
		{time.Second, time.Second, false, false},
		{time.Second, time.Hour, true, false},
	} {
		s.pace.Cost, s.pace.Tried, s.counted = c.cost, time.Now().Add(-c.tried), c.led
		if got := s.due(); got != c.want {
			t.Errorf("%+v: %v", c, got)
		}
	}
}

// The last checkpoint is written once, held back where that is asked for, and written then if somebody asks.
func TestSaverKeepsTheLast(t *testing.T) {
	s, e := newSaver(t)
	var told []int
	s.opts.Events.Checkpoint = func(i topoi.CheckpointInfo) { told = append(told, i.Iteration) }
	s.at.iteration, s.at.stopped = 8, topoi.StopTarget
	for range 2 {
		if err := s.keepLast(); err != nil || s.saved != 8 || len(told) != 1 || len(e.kept) != 1 {
			t.Fatalf("%v: saved %d, told of %v, kept %q", err, s.saved, told, e.kept)
		}
	}
	s.at.iteration, s.opts.HoldCheckpoint = 9, true
	if err := s.holdLast(); err != nil || !s.held || s.saved != 8 {
		t.Fatalf("%v: held %v, saved %d", err, s.held, s.saved)
	}
	if err := s.writeHeld(); err != nil {
		t.Fatal(err)
	}
	if state, err := readCheckpoint(s.opts.Checkpoint); err != nil || state.Iteration != 9 || state.Stopped != topoi.StopTarget || len(told) != 2 {
		t.Errorf("%v: %+v, told of %v", err, state, told)
	}
	e.extra = heldBytes + 1
	if err := s.holdLast(); err != nil || s.held {
		t.Errorf("%v: a large state was held back: %v", err, s.held)
	}
}

// A checkpoint that cannot be written is a warning. What the one before needs is kept.
func TestSaverWarns(t *testing.T) {
	s, e := newSaver(t)
	e.files, s.inFiles = json.RawMessage(`"first"`), true
	s.at.iteration = 100
	if err := s.keep(); err != nil || s.saved != 100 {
		t.Fatal(err, s.saved)
	}
	e.files, s.at.iteration = json.RawMessage(`"second"`), 200
	path := s.opts.Checkpoint
	s.opts.Checkpoint = filepath.Join(path, "missing")
	var warned error
	s.opts.Events.Warning = func(w topoi.WarningInfo) { warned = w.Err }
	if err := s.keep(); err != nil || s.saved != 100 || s.warning == "" || s.pace.Fresh() {
		t.Errorf("%v: saved %d, warning %q, fresh %v", err, s.saved, s.warning, s.pace.Fresh())
	}
	if warned == nil || !strings.Contains(warned.Error(), "that of iteration 100 is kept; the run continues") {
		t.Errorf("warned of %v", warned)
	}
	s.opts.Checkpoint = path
	if err := s.commitRound(); err != nil {
		t.Fatal(err)
	}
	if state, err := readCheckpoint(path); err != nil || state.Iteration != 199 {
		t.Errorf("%v: between rounds the state is %+v", err, state)
	}
	if got := strings.Join(e.kept, " "); got != `"first" "first" "second"` {
		t.Errorf("kept %s", got)
	}
}

// Errors about files say what is left to resume from.
func TestSaverExplains(t *testing.T) {
	s, _ := newSaver(t)
	other := errors.New("other")
	for _, c := range []struct {
		err   error
		saved int
		want  string
	}{
		{other, 7, "other"},
		{guard.ErrFileLost, 0, guard.ErrFileLost.Error()},
		{guard.ErrFileLost, 7, "iteration 7 is kept in " + s.opts.Checkpoint},
		{corpus.ErrChanged, 7, "restore the corpus file"},
		{engine.Mend{Fault: other}, 7, "other: the run up to iteration 7 is kept: resume"},
	} {
		s.saved = c.saved
		if got := s.explain(c.err); !errors.Is(got, c.err) || !strings.Contains(got.Error(), c.want) {
			t.Errorf("%v, want %q", got, c.want)
		}
	}
}
