package progress

import (
	"fmt"
	"io"
	"strings"
	"sync"
	"time"
	"unicode/utf8"

	"github.com/topoi-lda/topoi"
	"github.com/topoi-lda/topoi/internal/human"
)

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
func NewBar(out io.Writer, width func() int) *Bar {
	return &Bar{out: out, width: width, now: time.Now}
}

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
