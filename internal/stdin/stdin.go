// Package stdin reads standard input, and stops when the program is interrupted: a pipe or a terminal from which
// nothing comes would hold it up for ever.
package stdin

import (
	"context"
	"io"
	"os"
	"sync/atomic"
)

// interruption is the context that Until has set last.
var interruption atomic.Pointer[context.Context]

// Until makes all reads of standard input end with ctx, until the function that it returns is called. A program calls
// it when it runs a command, because inputs are read deep below functions that take no context.
func Until(ctx context.Context) (restore func()) {
	before := interruption.Swap(&ctx)
	return func() { interruption.Store(before) }
}

// Reader returns a reader of standard input. Its error is that of the context of Until if that ends before something
// comes. What comes later is lost.
func Reader() io.Reader {
	if info, err := os.Stdin.Stat(); err == nil && info.Mode().IsRegular() {
		return os.Stdin // which holds nobody up
	}
	return &reader{from: os.Stdin}
}

type reader struct {
	from *os.File
	room []byte // what p cannot be: the goroutine may write there later
}

type result struct {
	n   int
	err error
}

func (r *reader) Read(p []byte) (int, error) {
	ctx := interruption.Load()
	if ctx == nil {
		return r.from.Read(p)
	}
	if (*ctx).Err() != nil { // a read from before may still be writing
		return 0, context.Cause(*ctx)
	}
	if len(r.room) < len(p) {
		r.room = make([]byte, len(p))
	}
	room, came := r.room[:len(p)], make(chan result, 1)
	go func() {
		n, err := r.from.Read(room)
		came <- result{n, err}
	}()
	select {
	case x := <-came:
		return copy(p, room[:x.n]), x.err
	case <-(*ctx).Done():
		return 0, context.Cause(*ctx)
	}
}
