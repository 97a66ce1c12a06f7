package exchange

import (
	"errors"
	"sync"
	"time"

	"github.com/topoi-lda/topoi/internal/cluster/protocol"
	"github.com/topoi-lda/topoi/internal/guard"
)

// feed fetches the rows of a version from the store, each slice while those before it are sampled. All parts of a
// worker take from one feed, one after the other.
type feed struct {
	x       *apartRows
	version int
	totals  []uint64 // K: n_k of the version, read-only

	mutex   sync.Mutex          // guards fetches: whoever opens slices asks for the next one meanwhile
	fetches map[int]*sliceFetch // by slice: asked for and not taken
}

// sliceFetch fetches the rows of a slice.
type sliceFetch struct {
	done chan struct{} // closed when blob and err are set
	blob []byte
	err  error
}

// ask begins to fetch a slice, unless that has begun.
func (f *feed) ask(slice int) *sliceFetch {
	f.mutex.Lock()
	defer f.mutex.Unlock()
	if x := f.fetches[slice]; x != nil {
		return x
	}
	x := &sliceFetch{done: make(chan struct{})}
	f.fetches[slice] = x
	guard.Go(func() {
		defer close(x.done)
		x.err = guard.Try(func() (err error) {
			x.blob, err = f.x.o.Job.ReadBlob(f.x.ctx, f.x.o.Job.Key.Rows(slice, f.version))
			return err
		})
	})
	return x
}

// take waits for a slice, and fetches the next one meanwhile. Another part of the same worker fetches the slice again.
func (f *feed) take(slice int) ([]byte, error) {
	x := f.ask(slice)
	if slice+1 < f.x.o.Job.Slices {
		f.ask(slice + 1)
	}
	<-x.done
	f.mutex.Lock()
	delete(f.fetches, slice)
	f.mutex.Unlock()
	if !errors.Is(x.err, protocol.ErrMissing) {
		return x.blob, x.err
	}
	return f.awaitRows(slice)
}

// awaitRows waits in the middle of a round for a slice whose rows are not published yet. If this worker or others must
// take something up first, the round is given up, and the part begins again at the last barrier.
func (f *feed) awaitRows(slice int) (b []byte, err error) {
	x, key := f.x, f.x.o.Job.Key.Rows(slice, f.version)
	begin := time.Now()
	defer x.tally.update(func(r *protocol.Report) {
		waited := time.Since(begin)
		r.Waiting += waited
		r.Sampling -= waited // in which it happens
		r.Awaits = nil
	})
	err = x.await(f.version, []string{key}, func(_ int, value []byte) error {
		b = value
		return nil
	})
	return b, err
}
