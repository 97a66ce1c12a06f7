package progress

import (
	"fmt"
	"io"
	"log/slog"
	"strings"
	"sync"
	"time"
	"unicode/utf8"

	"github.com/topoi-lda/topoi"
	"github.com/topoi-lda/topoi/internal/human"
)

// heartbeat is the longest time without a line while something happens.
const heartbeat = 10 * time.Second

// Log writes one line for each evaluation, and one for anything that takes long.
type Log struct {
	Verbose bool // also write which sampler was chosen and why, and where it runs

	mu  sync.Mutex
	out io.Writer
	now func() time.Time

	wrote time.Time // when the last line was written
	first int       // the iteration that this process began after
	phase string    // the phase that is under way
	began time.Time // when it began
	told  bool      // whether it has been mentioned
	last  topoi.PhaseInfo
	timer *time.Timer // tells of a phase about which nobody says more; nil: there has been none
}

// NewLog returns a reporter that writes to out.
func NewLog(out io.Writer) *Log { return &Log{out: out, now: time.Now} }

// Events implements Reporter.
func (l *Log) Events() topoi.Events {
	return topoi.Events{
		Start: func(s topoi.StartInfo) {
			l.Say(describeStart(s, l.Verbose))
			l.mu.Lock()
			l.first = s.Iteration
			l.end()
			l.mu.Unlock()
		},
		Phase:      l.Phase,
		Iteration:  l.iteration,
		Checkpoint: l.checkpoint,
		Warning:    func(w topoi.WarningInfo) { l.Say(describeWarning(w)) },
		Done:       func(d topoi.DoneInfo) { l.Say(describeDone(d)) },
	}
}

// Phase implements Reporter. A phase is worth a line once it has lasted a
// second, then every ten seconds and at its end.
func (l *Log) Phase(p topoi.PhaseInfo) {
	l.mu.Lock()
	defer l.mu.Unlock()
	now := l.now()
	if p.Name != l.phase {
		l.phase, l.began, l.told = p.Name, now, false
		l.remind(time.Second)
	}
	l.last = p
	ended := p.Total > 0 && p.Done >= p.Total
	first := !l.told && now.Sub(l.began) >= time.Second
	if first || l.told && (ended || now.Sub(l.wrote) >= heartbeat) {
		l.told = true
		l.write(describePhase(p))
	}
	if ended {
		l.end()
	}
}

// remind calls beat after a while.
func (l *Log) remind(after time.Duration) {
	if l.timer == nil {
		l.timer = time.AfterFunc(after, l.beat)
	}
	l.timer.Reset(after)
}

// beat writes a line about a phase that has not reported for long.
func (l *Log) beat() {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.phase == "" {
		return
	}
	if now := l.now(); !l.told || now.Sub(l.wrote) >= heartbeat {
		l.write(describePhase(l.last))
		l.told = true
	}
	l.remind(heartbeat)
}

// end ends the phase.
func (l *Log) end() {
	if l.phase = ""; l.timer != nil {
		l.timer.Stop()
	}
}

// Say implements Reporter.
func (l *Log) Say(line string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.write(line)
}

// Close implements Reporter.
func (l *Log) Close() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.end()
}

func (l *Log) iteration(i topoi.IterationInfo) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.end() // a sweep ends any phase before it
	if i.Score == nil && l.now().Sub(l.wrote) < heartbeat {
		return
	}
	line := fmt.Sprintf("iteration %d/%d", i.Iteration, i.Iterations)
	if s := describeScore(i.Score); s != "" {
		line += "  " + s
	}
	line += fmt.Sprintf("  %s tokens/s  %s", human.Rate(i.TokensPerSecond), human.Duration(i.Elapsed))
	if left := remaining(i, l.first); left > 0 {
		line += ", at most " + human.Duration(left) + " left"
	}
	l.write(line)
}

func (l *Log) checkpoint(c topoi.CheckpointInfo) {
	l.Say(fmt.Sprintf("checkpoint after iteration %d: %s, %s", c.Iteration, c.Path, human.Bytes(c.Bytes)))
}

func (l *Log) write(line string) {
	fmt.Fprintln(l.out, human.Lines(line))
	l.wrote = l.now()
}

// Structured writes events as records of a logger. It is for those who collect the logs of many processes.
type structured struct{ log *slog.Logger }

// NewStructured returns a reporter that writes to log.
func NewStructured(log *slog.Logger) Reporter { return structured{log} }

// Events implements Reporter.
func (s structured) Events() topoi.Events {
	return topoi.Events{
		Start: func(i topoi.StartInfo) {
			s.log.Info("training", "sampler", i.Sampler, "topics", i.Topics, "docs", i.Docs, "words",
				i.Words, "tokens", i.Tokens, "iteration", i.Iteration, "iterations", i.Iterations)
			for _, warning := range i.Warnings() {
				s.log.Warn(warning)
			}
		},
		Phase: s.Phase,
		Iteration: func(i topoi.IterationInfo) {
			values := []any{"iteration", i.Iteration, "tokens_per_second", i.TokensPerSecond}
			s.log.Info("iteration", append(values, scores(i.Score)...)...)
		},
		Checkpoint: func(i topoi.CheckpointInfo) {
			s.log.Info("checkpoint", "iteration", i.Iteration, "path", i.Path, "bytes", i.Bytes, "took_seconds",
				i.Took.Seconds())
		},
		Warning: func(i topoi.WarningInfo) { s.log.Warn(i.Err.Error(), "iteration", i.Iteration) },
		Done: func(i topoi.DoneInfo) {
			values := []any{"iteration", i.Iteration, "reason", string(i.Reason), "wall_seconds", i.Elapsed.Seconds()}
			s.log.Info("done", append(values, scores(i.Score)...)...)
		},
	}
}

// scores are the attributes of an evaluation, none for nil.
func scores(s *topoi.Score) []any {
	if s == nil {
		return nil
	}
	values := []any{"log_likelihood_per_token", s.LogLikelihood}
	for i, score := range []*float64{s.Heldout, s.HeldoutSample, s.Sample} {
		if score != nil {
			values = append(values, []string{"heldout_per_token", "heldout_sample_per_token", "sample_per_token"}[i],
				*score)
		}
	}
	return values
}

// Phase implements Reporter. It logs at level debug.
func (s structured) Phase(p topoi.PhaseInfo) {
	s.log.Debug("phase", "phase", p.Name, "done", p.Done, "total", p.Total)
}

// Say implements Reporter.
func (s structured) Say(line string) { s.log.Info(line) }

// Close implements Reporter.
func (structured) Close() {}

// redraw is the shortest time between two updates of the bar.
const redraw = 100 * time.Millisecond

// Bar keeps one line at the bottom of a terminal up to date.
type Bar struct {
	Verbose bool // also show which sampler was chosen and why, and where it runs

	mu    sync.Mutex
	out   io.Writer
	width func() int // columns of the terminal
	now   func() time.Time

	drawn time.Time // when the line was last drawn; zero when there is none on the screen
	first int       // the iteration that this process began after
	score *topoi.Score
}

// NewBar returns a bar on out, a terminal whose current width in columns is width().
func NewBar(out io.Writer, width func() int) *Bar { return &Bar{out: out, width: width, now: time.Now} }

// Events implements Reporter.
func (b *Bar) Events() topoi.Events {
	return topoi.Events{
		Start: func(s topoi.StartInfo) {
			b.Say(describeStart(s, b.Verbose))
			b.mu.Lock()
			b.first = s.Iteration
			b.mu.Unlock()
		},
		Phase:     b.Phase,
		Iteration: b.iteration,
		Warning:   func(w topoi.WarningInfo) { b.Say(describeWarning(w)) },
		Done:      func(d topoi.DoneInfo) { b.Say(describeDone(d)) },
	}
}

// Phase implements Reporter.
func (b *Bar) Phase(p topoi.PhaseInfo) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if !b.due() {
		return
	}
	b.draw(p.Done, p.Total, describePhase(p))
}

// Say implements Reporter.
func (b *Bar) Say(line string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.erase()
	fmt.Fprintln(b.out, human.Lines(line))
}

// Close implements Reporter.
func (b *Bar) Close() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.erase()
}

func (b *Bar) iteration(i topoi.IterationInfo) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if i.Score != nil {
		b.score = i.Score
	}
	if !b.due() {
		return
	}
	text := fmt.Sprintf("%d/%d  %s tokens/s", i.Iteration, i.Iterations, human.Rate(i.TokensPerSecond))
	if b.score != nil {
		text += fmt.Sprintf("  LL %.4f", b.score.LogLikelihood)
		if name, value := predictive(b.score); name != "" {
			text += fmt.Sprintf("  %s %.4f", name, value)
		}
	}
	if left := remaining(i, b.first); left > 0 {
		text += "  at most " + human.Duration(left) + " left"
	}
	b.draw(int64(i.Iteration), int64(i.Iterations), text)
}

func (b *Bar) due() bool { return b.drawn.IsZero() || b.now().Sub(b.drawn) >= redraw }

// draw replaces the line by a bar and text, or by as much of the text as fits.
func (b *Bar) draw(done, total int64, text string) {
	columns := b.width() - 1 // a character in the last column would wrap on some terminals
	line := text
	if room := min(40, columns-utf8.RuneCountInString(text)-2); total > 0 && room >= 8 {
		filled := int(int64(room) * min(done, total) / total)
		line = strings.Repeat("█", filled) + strings.Repeat("░", room-filled) + "  " + text
	}
	if runes := []rune(line); len(runes) > columns && columns > 0 {
		line = string(runes[:columns])
	}
	fmt.Fprintf(b.out, "\r\x1b[K%s", line)
	b.drawn = b.now()
}

func (b *Bar) erase() {
	if !b.drawn.IsZero() {
		fmt.Fprint(b.out, "\r\x1b[K")
		b.drawn = time.Time{}
	}
}
