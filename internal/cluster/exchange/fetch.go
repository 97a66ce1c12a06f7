package exchange

import (
	"context"
	"slices"
	"sync/atomic"

	"github.com/topoi-lda/topoi/internal/cluster/protocol"
	"github.com/topoi-lda/topoi/internal/cluster/records"
	"github.com/topoi-lda/topoi/internal/guard"
)

// fetch is the changes of one round that other workers make, on their way from
// the store while this worker samples.
type fetch struct {
	parts []int      // whose changes
	sum   bool       // they are of all parts at once
	blobs [][][]byte // by place in parts, by slice
	stop  context.CancelFunc
	done  chan struct{}
	err   error // after done

	awaited atomic.Pointer[[]int] // parts whose changes have not come
}

// pending says whether something has not come yet.
func (f *fetch) pending() bool {
	select {
	case <-f.done:
		return false
	default:
		return true
	}
}

// waitsFor returns the parts whose changes have not come; for a sum, none.
func (f *fetch) waitsFor() (parts []int) {
	places := f.awaited.Load()
	if places == nil || f.sum {
		return nil
	}
	for _, place := range *places {
		parts = append(parts, f.parts[place])
	}
	return parts
}

// startFetch begins to fetch the changes that parts make in a round. They may not
// be there yet.
func startFetch(ctx context.Context, j *records.Job, round int, parts []int) *fetch {
	ctx, stop := context.WithCancel(ctx)
	f := &fetch{parts: parts, sum: slices.Contains(parts, j.AllParts()), blobs: make([][][]byte, len(parts)), stop: stop, done: make(chan struct{})}
	for i := range f.blobs {
		f.blobs[i] = make([][]byte, j.Slices)
	}
	guard.Go(func() {
		defer stop()
		defer close(f.done)
		f.err = guard.Try(func() error { return f.run(ctx, j, round) })
	})
	return f
}

// run asks for what is missing until nothing is. A part's last slice is written
// last, so it is asked for first and alone.
func (f *fetch) run(ctx context.Context, j *records.Job, round int) error {
	missing := make([]int, len(f.parts))
	for i := range missing {
		missing[i] = i
	}
	for pause := protocol.NewPause(); len(missing) > 0; {
		awaited := missing // a variable of its own, which others may read while missing is set anew
		f.awaited.Store(&awaited)
		last := make([]string, len(missing))
		for i, p := range missing {
			last[i] = j.ChangesKey(j.Slices-1, round, f.parts[p])
		}
		found, err := j.Store.Get(ctx, last...)
		if err != nil {
			return err
		}
		rest := []int{}
		for i, p := range missing {
			if found[i] == nil {
				rest = append(rest, p)
				continue
			}
			f.blobs[p][j.Slices-1] = found[i]
			whole, err := f.others(ctx, j, round, p)
			if err != nil {
				return err
			}
			if !whole {
				rest = append(rest, p)
			}
		}
		if len(rest) == len(missing) {
			if err := pause.Wait(ctx); err != nil {
				return err
			}
		}
		missing = rest
	}
	return nil
}

// others fetches the slices of a part but the last.
func (f *fetch) others(ctx context.Context, j *records.Job, round, p int) (whole bool, err error) {
	names := make([]string, j.Slices-1)
	for i := range names {
		names[i] = j.ChangesKey(i, round, f.parts[p])
	}
	values, err := j.Store.Get(ctx, names...)
	if err != nil {
		return false, err
	}
	for i, v := range values {
		if v == nil {
			return false, nil
		}
		f.blobs[p][i] = v
	}
	return true, nil
}
