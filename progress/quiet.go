package progress

import (
	"fmt"
	"io"

	"github.com/topoi-lda/topoi"
	"github.com/topoi-lda/topoi/internal/human"
)

// Quiet shows nothing but what is said and what fails.
type Quiet struct{ out io.Writer }

// NewQuiet writes to out.
func NewQuiet(out io.Writer) Quiet { return Quiet{out} }

// Events implements Reporter.
func (q Quiet) Events() topoi.Events {
	return topoi.Events{Warning: func(w topoi.WarningInfo) { q.Say(describeWarning(w)) }}
}

// Phase implements Reporter.
func (Quiet) Phase(topoi.PhaseInfo) {}

// Say implements Reporter.
func (q Quiet) Say(line string) { fmt.Fprintln(q.out, human.Lines(line)) }

// Close implements Reporter.
func (Quiet) Close() {}
