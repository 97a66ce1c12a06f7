package progress

import (
	"bytes"
	"encoding/json"
	"errors"
	"log/slog"
	"strings"
	"sync"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/topoi-lda/topoi"
)

// clock is a time that only tests move.
type clock struct{ t time.Time }

func (c *clock) now() time.Time { return c.t }

var _ = []Reporter{(*Bar)(nil), (*Log)(nil), (*JSON)(nil), quiet{}}

// play sends the events of a run of 30 iterations, one a second, evaluated
// every ten, with a checkpoint after twenty.
func play(r Reporter, c *clock) {
	held := -7.5
	e := r.Events()
	for i := range 4 {
		r.Phase(topoi.PhaseInfo{Name: "reading articles.csv", Done: int64(i) * 500, Total: 1500})
		c.t = c.t.Add(600 * time.Millisecond)
	}
	call(e.Start, topoi.StartInfo{
		Sampler: "sparse", Reason: "few topics", Device: "cpu", Threads: 2,
		Docs: 900, HeldOut: 100, Words: 5000, Tokens: 1234567, Topics: 20, Iterations: 1000,
	})
	begin := c.t
	for i := 1; i <= 30; i++ {
		c.t = c.t.Add(time.Second)
		info := topoi.IterationInfo{
			Iteration: i, Iterations: 1000, Elapsed: c.t.Sub(begin),
			Training: c.t.Sub(begin) * 9 / 10, TokensPerSecond: 1234567,
		}
		if i%10 == 0 {
			info.Score = &topoi.Score{Iteration: i, LogLikelihood: -8 - 1/float64(i), Heldout: &held, AlphaSum: 5, Beta: 0.01}
		}
		call(e.Iteration, info)
		if i == 20 {
			call(e.Checkpoint, topoi.CheckpointInfo{Iteration: i, Path: "m.checkpoint", Bytes: 2500000, Took: 30 * time.Millisecond})
		}
	}
	call(e.Done, topoi.DoneInfo{
		Iteration: 30, Reason: topoi.StopPlateau, Elapsed: c.t.Sub(begin), Training: c.t.Sub(begin) * 9 / 10,
		Score: &topoi.Score{Iteration: 30, LogLikelihood: -8.0333, Heldout: &held},
	})
	r.Close()
}

func call[T any](f func(T), info T) {
	if f != nil {
		f(info)
	}
}

func TestLog(t *testing.T) {
	var out bytes.Buffer
	c := &clock{time.Unix(0, 0)}
	l := NewLog(&out)
	l.now, l.Verbose = c.now, true
	play(l, c)
	want := `reading articles.csv  66 %
reading articles.csv 100 %
training 20 topics on 900 documents, 1,234,567 tokens, 5,000 words (100 more documents held out)
sampler sparse (few topics), 2 threads on cpu
iteration 10/1000  log-likelihood -8.1000, held-out -7.5000 nats/token  1.23 M tokens/s  10 s, at most 16 min 30 s left
iteration 20/1000  log-likelihood -8.0500, held-out -7.5000 nats/token  1.23 M tokens/s  20 s, at most 16 min 20 s left
checkpoint after iteration 20: m.checkpoint, 2.50 MB
iteration 30/1000  log-likelihood -8.0333, held-out -7.5000 nats/token  1.23 M tokens/s  30 s, at most 16 min 10 s left
stopped after 30 iterations in 30 s: predictions of held-out documents no longer improve; log-likelihood -8.0333, held-out -7.5000 nats/token
`
	if out.String() != want {
		t.Errorf("got\n%s\nwant\n%s", out.String(), want)
	}
}

func TestLogIsNeverSilentForLong(t *testing.T) {
	var out bytes.Buffer
	c := &clock{time.Unix(0, 0)}
	l := NewLog(&out)
	l.now = c.now
	e := l.Events()
	e.Start(topoi.StartInfo{Topics: 1, Iterations: 100})
	for i := 1; i <= 5; i++ {
		c.t = c.t.Add(4 * time.Second)
		e.Iteration(topoi.IterationInfo{Iteration: i, Iterations: 100, Elapsed: time.Duration(4*i) * time.Second, TokensPerSecond: 5})
	}
	if n := strings.Count(out.String(), "\niteration "); n != 1 {
		t.Errorf("%d lines about iterations in 20 s without evaluation, want 1:\n%s", n, out.String())
	}
}

// What cannot be repeated says so before it begins.
func TestNotRepeatableIsSaid(t *testing.T) {
	start := topoi.StartInfo{Sampler: "panel", NotRepeatable: true}
	if got := describeStart(start, false); !strings.Contains(got, "\nnot repeatable: panel on a GPU") {
		t.Errorf("got %q", got)
	}
	var out bytes.Buffer
	NewJSON(&out).Events().Start(start)
	if !strings.Contains(out.String(), `"not_repeatable":true`) {
		t.Errorf("got %s", out.String())
	}
}

// Two short phases of the same name are not one long phase.
func TestLogForgetsPhasesBetweenSweeps(t *testing.T) {
	var out bytes.Buffer
	c := &clock{time.Unix(0, 0)}
	l := NewLog(&out)
	l.now = c.now
	l.Say("begin")
	for i := range 3 {
		l.Phase(topoi.PhaseInfo{Name: "checkpoint"})
		c.t = c.t.Add(2 * time.Second)
		l.Events().Iteration(topoi.IterationInfo{Iteration: i + 1, Iterations: 3})
	}
	if out.String() != "begin\n" {
		t.Errorf("got\n%s", out.String())
	}
}

// screen plays what was written on a terminal of one line and returns the
// lines that stay, the last being the one under the cursor.
func screen(written string) []string {
	lines := []string{""}
	for _, r := range strings.ReplaceAll(written, "\x1b[K", "\x00") {
		last := len(lines) - 1
		switch r {
		case '\r', '\x00':
			lines[last] = ""
		case '\n':
			lines = append(lines, "")
		default:
			lines[last] += string(r)
		}
	}
	return lines
}

func TestBarLeavesOnlyWhatLasts(t *testing.T) {
	var out bytes.Buffer
	c := &clock{time.Unix(0, 0)}
	b := NewBar(&out, func() int { return 100 })
	b.now = c.now
	play(b, c)
	want := []string{
		"training 20 topics on 900 documents, 1,234,567 tokens, 5,000 words (100 more documents held out)",
		"stopped after 30 iterations in 30 s: predictions of held-out documents no longer improve; log-likelihood -8.0333, held-out -7.5000 nats/token",
		"",
	}
	if got := screen(out.String()); strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Errorf("got\n%s", strings.Join(got, "\n"))
	}
	for _, part := range []string{
		"█░░░░░░░░░░░░░░  reading articles.csv  66 %",
		"░░  25/1000  1.23 M tokens/s  LL -8.0500  held-out -7.5000  at most 16 min 15 s left",
	} {
		if !strings.Contains(out.String(), part) {
			t.Errorf("never showed %q", part)
		}
	}
}

func TestBarFitsTheTerminal(t *testing.T) {
	for _, columns := range []int{1, 10, 40, 79, 120} {
		var out bytes.Buffer
		c := &clock{time.Unix(0, 0)}
		b := NewBar(&out, func() int { return columns })
		b.now = c.now
		play(b, c)
		for _, picture := range strings.Split(out.String(), "\r\x1b[K") {
			line, _, whole := strings.Cut(picture, "\n")
			if !whole && columns > 1 && utf8.RuneCountInString(line) >= columns {
				t.Errorf("%d columns: %q", columns, line)
			}
		}
	}
}

func TestBarIsDrawnTenTimesASecondAtMost(t *testing.T) {
	var out bytes.Buffer
	c := &clock{time.Unix(0, 0)}
	b := NewBar(&out, func() int { return 80 })
	b.now = c.now
	for i := range int64(1000) {
		b.Phase(topoi.PhaseInfo{Name: "evaluate", Done: i, Total: 1000})
		c.t = c.t.Add(time.Millisecond)
	}
	if n := strings.Count(out.String(), "\r"); n != 10 {
		t.Errorf("drawn %d times in a second, want 10", n)
	}
}

func TestJSON(t *testing.T) {
	var out bytes.Buffer
	j := NewJSON(&out)
	play(j, &clock{time.Unix(0, 0)})
	j.Say("bye")
	lines := strings.Split(strings.TrimSpace(out.String()), "\n")
	counts := map[string]int{}
	for _, line := range lines {
		var event struct {
			Event string `json:"event"`
		}
		if err := json.Unmarshal([]byte(line), &event); err != nil {
			t.Fatalf("%q: %v", line, err)
		}
		counts[event.Event]++
	}
	for event, want := range map[string]int{"phase": 4, "start": 1, "iteration": 30, "checkpoint": 1, "done": 1, "note": 1} {
		if counts[event] != want {
			t.Errorf("%d events %q, want %d", counts[event], event, want)
		}
	}
	for _, want := range []string{
		`{"event":"phase","phase":"reading articles.csv","done":500,"total":1500}`,
		`{"event":"start","sampler":"sparse","reason":"few topics","device":"cpu","threads":2,"docs":900,"heldout_docs":100,"words":5000,"tokens":1234567,"topics":20,"iteration":0,"iterations":1000}`,
		`{"event":"iteration","iteration":10,"seconds":9,"wall_seconds":10,"tokens_per_second":1234567,"log_likelihood_per_token":-8.1,"heldout_per_token":-7.5,"alpha_sum":5,"beta":0.01}`,
		`{"event":"iteration","iteration":11,"seconds":9.9,"wall_seconds":11,"tokens_per_second":1234567}`,
		`{"event":"checkpoint","iteration":20,"path":"m.checkpoint","bytes":2500000,"took_seconds":0.03}`,
		`{"event":"note","text":"bye"}`,
	} {
		if !strings.Contains(out.String(), want+"\n") {
			t.Errorf("no line\n%s in\n%s", want, out.String())
		}
	}
	if err := j.Err(); err != nil {
		t.Error(err)
	}
}

type full struct{}

func (full) Write([]byte) (int, error) { return 0, errors.New("no space left on device") }

func TestJSONRemembersAFailedWrite(t *testing.T) {
	j := NewJSON(full{})
	j.Say("lost")
	if j.Err() == nil {
		t.Error("a failed write went unnoticed")
	}
}

func TestQuietOnlySpeaks(t *testing.T) {
	var out bytes.Buffer
	q := NewQuiet(&out)
	play(q, &clock{time.Unix(0, 0)})
	q.Say("interrupted")
	if out.String() != "interrupted\n" {
		t.Errorf("%q", out.String())
	}
}

// What fails without ending the run is shown by every reporter, and what is most likely
// a mistake by all but the quiet one.
func TestWarningsAreShown(t *testing.T) {
	start := topoi.StartInfo{Sampler: "warp", Topics: 9, Docs: 5, Words: 20}
	fault := topoi.WarningInfo{Iteration: 7, Err: errors.New("the disk is full")}
	for name, make := range map[string]func(*bytes.Buffer) Reporter{
		"bar":        func(b *bytes.Buffer) Reporter { return NewBar(b, func() int { return 80 }) },
		"log":        func(b *bytes.Buffer) Reporter { return NewLog(b) },
		"json":       func(b *bytes.Buffer) Reporter { return NewJSON(b) },
		"quiet":      func(b *bytes.Buffer) Reporter { return NewQuiet(b) },
		"structured": func(b *bytes.Buffer) Reporter { return NewStructured(slog.New(slog.NewTextHandler(b, nil))) },
	} {
		var out bytes.Buffer
		e := make(&out).Events()
		call(e.Start, start)
		if got := strings.Contains(out.String(), "there are more topics (9) than training documents (5)"); got == (name == "quiet") {
			t.Errorf("%s: at the start it says %q", name, out.String())
		}
		call(e.Warning, fault)
		if !strings.Contains(out.String(), "the disk is full") {
			t.Errorf("%s: it says %q", name, out.String())
		}
	}
}

// Where much of the time was not sweeps, the last line says what it was.
func TestTimesOfARun(t *testing.T) {
	for _, test := range []struct {
		times topoi.DoneInfo
		want  string
	}{
		{topoi.DoneInfo{Elapsed: 30 * time.Second, Training: 29 * time.Second}, ""},
		{topoi.DoneInfo{Elapsed: time.Second, Starting: time.Second}, ""},
		{topoi.DoneInfo{Elapsed: 30 * time.Second, Training: 10 * time.Second, Starting: 15 * time.Second, Scoring: time.Second, Saving: 3 * time.Second}, " (sweeps 10 s, starting 15 s, checkpoints 3.0 s)"},
	} {
		if got := describeTimes(test.times); got != test.want {
			t.Errorf("%+v: %q, want %q", test.times, got, test.want)
		}
	}
}

// A phase about which nobody says more is told all the same.
func TestLogTellsOfSilentPhases(t *testing.T) {
	var out lockedBuffer
	l := NewLog(&out)
	l.Phase(topoi.PhaseInfo{Name: "place topics"})
	for range 6000 {
		if time.Sleep(10 * time.Millisecond); strings.Contains(out.String(), "place topics") {
			break
		}
	}
	if got := out.String(); !strings.HasPrefix(got, "place topics") {
		t.Errorf("%q was said of it", got)
	}
	l.Close()
	l.beat()
	if got := out.String(); strings.Count(got, "\n") != 1 {
		t.Errorf("%q was said after its end", got)
	}
}

// lockedBuffer is a buffer for several goroutines.
type lockedBuffer struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (l *lockedBuffer) Write(b []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.Write(b)
}

func (l *lockedBuffer) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.String()
}

// What ended a run is said of the score that it had: documents of one word cannot be predicted.
func TestReasonWithoutPredictions(t *testing.T) {
	joint := &topoi.Score{LogLikelihood: -3}
	for want, d := range map[string]topoi.DoneInfo{
		"all iterations are done while the log-likelihood still improved": {Reason: topoi.StopIterations, Rising: true, Score: joint},
		"the log-likelihood no longer improves":                           {Reason: topoi.StopPlateau, Score: joint},
		"all iterations are done":                                         {Reason: topoi.StopIterations, Score: joint},
	} {
		if got := reason(d); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}
