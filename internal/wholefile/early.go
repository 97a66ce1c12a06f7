package wholefile

import (
	"io"
	"os"
)

// earlyBytes is how much is written before the disk is told of it.
const earlyBytes = 8 << 20

// Early returns a writer to the end of f that has the disk begin with what is written, where the system
// knows how, so that Sync has less to wait for.
func Early(f *os.File) io.Writer { return &early{file: f} }

type early struct {
	file          *os.File
	written, told int64
}

func (e *early) Write(b []byte) (int, error) {
	n, err := e.file.Write(b)
	if e.written += int64(n); e.written-e.told >= earlyBytes {
		beginWriting(e.file, e.told, e.written-e.told)
		e.told = e.written
	}
	return n, err
}
