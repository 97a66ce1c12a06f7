package exchange

import (
	"context"
	"errors"
	"slices"
	"strconv"
	"sync/atomic"

	"github.com/topoi-lda/topoi/internal/cluster/protocol"
	"github.com/topoi-lda/topoi/internal/cluster/records"
	"github.com/topoi-lda/topoi/internal/guard"
)

// fetch gets the changes that other workers make in a round, while this worker samples.
type fetch struct {
	parts []int         // whose changes
	done  chan struct{} // closed when blobs and err are set
	blobs [][][]byte    // by place in parts, by slice
	err   error

	awaited atomic.Pointer[[]string] // parts whose changes have not come: p7; before done, too
}

// startFetch begins to fetch the changes of some parts in a round. They may not be there yet.
func startFetch(ctx context.Context, j *records.Job, round int, parts []int) *fetch {
	f := &fetch{parts: parts, blobs: make([][][]byte, len(parts)), done: make(chan struct{})}
	guard.Go(func() {
		defer close(f.done)
		f.err = guard.Try(func() error { return f.run(ctx, j, round) })
	})
	return f
}

// run fetches until nothing is missing. A part writes its last slice last, so run asks for that one first.
func (f *fetch) run(ctx context.Context, j *records.Job, round int) error {
	last := func(part int) string { return j.Key.Changes(j.Slices-1, round, part) }
	for pause := protocol.PauseBy(protocol.Wall); ; {
		var names, awaited []string
		for place, part := range f.parts {
			if f.blobs[place] == nil {
				names, awaited = append(names, last(part)), append(awaited, "p"+strconv.Itoa(part))
			}
		}
		if len(names) == 0 {
			return nil
		}
		f.awaited.Store(&awaited)
		absent, err := j.Store.Missing(ctx, names...)
		for place, part := range f.parts {
			if f.blobs[place] != nil || err != nil || slices.Contains(absent, last(part)) {
				continue
			}
			if f.blobs[place], err = j.GetChanges(ctx, round, part); errors.Is(err, protocol.ErrMissing) {
				f.blobs[place], err = nil, nil // not all are there
			}
		}
		if err != nil {
			return err
		}
		if !slices.ContainsFunc(f.blobs, func(b [][]byte) bool { return b == nil }) {
			return nil
		}
		if err := pause.Wait(ctx); err != nil {
			return err
		}
	}
}
