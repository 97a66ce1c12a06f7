package cli

import (
	"io"
	"os"

	"golang.org/x/term"

	"github.com/topoi-lda/topoi/internal/human"
	"github.com/topoi-lda/topoi/progress"
)

// Reporter chooses how progress is shown: JSON on standard output if asked for,
// else on standard error, as a bar on a terminal and as lines elsewhere.
func (a *App) Reporter(asJSON, quiet bool) progress.Reporter {
	switch {
	case asJSON:
		return progress.NewJSON(a.Stdout)
	case quiet:
		return progress.NewQuiet(a.Stderr)
	}
	if f, ok := Terminal(a.Stderr); ok {
		bar := progress.NewBar(f, func() int {
			if width, _, err := term.GetSize(int(f.Fd())); err == nil && width > 0 {
				return width
			}
			return 80
		})
		bar.Verbose = a.Verbose
		return bar
	}
	log := progress.NewLog(a.Stderr)
	log.Verbose = a.Verbose
	return log
}

// Terminal returns w as a file if a person is looking at it.
func Terminal(w io.Writer) (*os.File, bool) {
	if p, ok := w.(*human.Writer); ok {
		w = p.Unwrap()
	}
	f, ok := w.(*os.File)
	return f, ok && term.IsTerminal(int(f.Fd())) && os.Getenv("TERM") != "dumb"
}
