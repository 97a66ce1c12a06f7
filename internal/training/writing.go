package training

import (
	"time"

	"github.com/topoi-lda/topoi/internal/guard"
)

// Writing is a checkpoint on its way to the disk.
type Writing struct {
	Iteration int
	Tell      bool          // that it is there
	Size      int64         // bytes of the file, once it is known
	Took      time.Duration // since the making of the state began
	err       error
	done      chan struct{} // closed when the rest is known
}

// Write begins to write a checkpoint whose making has begun at the given time.
func Write(iteration int, tell bool, begin time.Time, write func() (size int64, err error)) *Writing {
	w := &Writing{Iteration: iteration, Tell: tell, done: make(chan struct{})}
	guard.Go(func() {
		defer close(w.done)
		w.Size, w.err = write()
		w.Took = time.Since(begin)
	})
	return w
}

// Wait waits until the checkpoint is there, or returns why it is not.
func (w *Writing) Wait() error {
	<-w.done
	return w.err
}
