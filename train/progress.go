package train

import (
	"io"
	"os"

	"github.com/topoi-lda/topoi"
	"github.com/topoi-lda/topoi/internal/progress"
)

// Progress returns events for Options.Events that tell on w how a run goes on:
//
//   - "bar" keeps one line at the bottom of a terminal up to date. If the run fails, the line stays there.
//   - "json" writes a line with a JSON object for each event; docs/cli.md describes them.
//   - Any other style, such as "lines", writes a line of text for each score and for what takes long.
//
// Only the events of one run at a time may go to them.
func Progress(w io.Writer, style string) topoi.Events {
	switch style {
	case "bar":
		terminal, _ := w.(*os.File)
		return progress.NewBar(w, progress.Columns(terminal)).Events()
	case "json":
		return progress.NewJSON(w).Events()
	}
	return progress.NewLog(w).Events()
}
