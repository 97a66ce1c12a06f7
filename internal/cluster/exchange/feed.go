package exchange

import (
	"errors"
	"slices"
	"sync"
	"time"

	"github.com/topoi-lda/topoi/internal/blob"
	"github.com/topoi-lda/topoi/internal/cluster/protocol"
	"github.com/topoi-lda/topoi/internal/cluster/records"
	"github.com/topoi-lda/topoi/internal/cluster/rows"
	"github.com/topoi-lda/topoi/internal/counts"
	"github.com/topoi-lda/topoi/internal/guard"
	"github.com/topoi-lda/topoi/internal/sampler"
)

// apartRows are rows that come slice by slice.
type apartRows struct {
	*core
	feed  *feed         // of the rows that parts see
	wrote chan struct{} // 1: changes of a slice have been written

	kept  []keptSlice // by slice
	rooms sync.Pool   // of *room
}

// keptSlice is a slice at its last version. Its rows stay here as they are in the store: the next version needs no
// fetch.
type keptSlice struct {
	version int
	rows    []byte // nil if they must be fetched
}

// room holds an open slice, and makes its next version, in one goroutine.
type room struct {
	rows    rows.Apart
	merger  rows.Merger
	encoder blob.Encoder
}

// feed fetches the rows of a version from the store, each slice while those before it are sampled.
type feed struct {
	x       *apartRows
	version int
	totals  []uint64 // K: n_k of the version

	mutex   sync.Mutex
	fetches map[int]*sliceFetch // by slice
}

// sliceFetch fetches the rows of a slice.
type sliceFetch struct {
	done chan struct{}
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
	return f.await(slice)
}

// await waits in the middle of a round for a slice whose rows are not published yet. If this worker or others must
// take something up first, the round is given up, and the part begins again at the last barrier.
func (f *feed) await(slice int) (b []byte, err error) {
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

// apartView gives a part its rows in a round where rows are apart.
type apartView struct {
	*feed
	part   *held
	totals []uint64 // K: n_k with the part's own changes
}

// frozen returns the view in the form that parts read.
func (v *apartView) frozen() *sampler.Frozen {
	return &sampler.Frozen{Totals: v.totals, Sliced: &sampler.Sliced{Begins: v.x.o.Cut.Begins, Open: v.open}}
}

// open opens a slice, for sampler.Sliced.
func (v *apartView) open(slice int) (counts.Rows, func(), error) {
	room := v.x.rooms.Get().(*room)
	if err := v.read(room, slice); err != nil {
		return nil, nil, err
	}
	return &room.rows, func() { v.x.rooms.Put(room) }, nil
}

// read reads the rows of a slice, and adds the part's own changes since.
func (v *apartView) read(r *room, slice int) error {
	b, err := v.take(slice)
	if err != nil {
		return err
	}
	sources, err := v.own(slice)
	if err != nil {
		return err
	}
	return r.read(v.x.core, b, slice, v.version, sources)
}

// own opens the part's changes of a slice since the version.
func (v *apartView) own(slice int) ([]rows.Source, error) {
	var sources []rows.Source
	for i, own := range v.part.recent {
		if own.Blobs == nil {
			continue // it was not in that round
		}
		round := v.part.recentTo - len(v.part.recent) + 1 + i
		d, err := v.x.o.Job.OpenChange(own.Blobs[slice], slice, round, v.part.Number)
		if err != nil {
			return nil, err
		}
		sources = append(sources, rows.Source{Decoder: d})
	}
	return sources, nil
}

// whole opens all slices at once.
func (v *apartView) whole() (*sampler.Frozen, error) {
	w := &rows.Whole{Cut: v.x.o.Cut, Slices: make([]*rows.Apart, v.x.o.Job.Slices), Totals: v.totals}
	for i := range w.Slices {
		room := new(room)
		if err := v.read(room, i); err != nil {
			return nil, err
		}
		w.Slices[i] = &room.rows
	}
	return w.Frozen(), nil
}

// await fetches the values of keys of a version when the store has them, and calls take with each. The error says if
// this worker or others must take something up first.
func (x *apartRows) await(version int, names []string, take func(i int, b []byte) error) error {
	left := make([]int, len(names)) // places in names
	for i := range left {
		left[i] = i
	}
	for pause := protocol.PauseBy(protocol.Wall); ; {
		var absent []int
		for some := range slices.Chunk(left, x.o.Job.AtOnce()) {
			keys := records.Each(len(some), func(i int) string { return names[some[i]] })
			values, err := x.o.Job.Store.Get(x.ctx, keys...)
			for i := 0; i < len(some) && err == nil; i++ {
				if values[i] == nil {
					absent = append(absent, some[i])
				} else {
					err = take(some[i], values[i])
				}
			}
			if err != nil {
				return err
			}
		}
		if left = absent; len(left) == 0 {
			return nil
		}
		x.tally.await(records.Each(len(left), func(i int) string { return protocol.OfficeOf(names[left[i]]) })...)
		if err := x.worker.Still(x.ctx, version, names[left[0]]); err != nil {
			return err
		}
		if err := pause.Wait(x.ctx); err != nil {
			return err
		}
	}
}

// read reads the rows of a slice at a version from a blob, and adds changes.
func (r *room) read(x *core, b []byte, slice, version int, sources []rows.Source) error {
	words := x.o.Cut.Words[slice]
	d, err := x.o.Job.OpenRows(b, slice, version)
	if err == nil {
		err = r.rows.Read(words, &d)
	}
	if err != nil {
		return protocol.Damaged(x.o.Job.Key.Rows(slice, version), err)
	}
	return r.rows.Add(&r.merger, words, sources, 1)
}

// encode returns the rows as a blob of a version.
func (r *room) encode(x *core, slice, version int) []byte {
	return r.rows.Encode(&r.encoder, x.o.Job.BlobID(blob.Counts, version, 0)(slice), x.o.Cut.Words[slice])
}
