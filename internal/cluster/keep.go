package cluster

import (
	"errors"
	"sync"
	"time"

	"github.com/topoi-lda/topoi/internal/blob"
	"github.com/topoi-lda/topoi/internal/cluster/protocol"
	"github.com/topoi-lda/topoi/internal/cluster/rows"
)

// keeping brings the rows of the slices that a worker has from version to version, where rows
// are apart: it adds what all parts changed in a round, and publishes the sum. Then what
// parts told is not needed any more, but for the changes of the last rounds before a barrier, which belong to it.
type keeping struct {
	s      *session
	rounds *protocol.Rounds
	slices map[int]*keptSlice
	rooms  sync.Pool // of *keepRoom
}

// keepRoom is what one goroutine needs to make a version.
type keepRoom struct {
	rows    rows.Apart
	merger  rows.Merger
	encoder blob.Encoder
}

// keptSlice is a slice at its last version. Its rows stay here as they are in the store, so that
// they need not be fetched to make the next.
type keptSlice struct {
	version int
	rows    []byte   // nil if they must be fetched
	absent  []string // changes of the next round that had not come
}

// keeps publishes versions of this worker's slices until the session ends. It is one of the
// session's goroutines.
func (s *session) keeps() {
	k := &keeping{s: s, rounds: &protocol.Rounds{Plan: s.o.Plan}, slices: map[int]*keptSlice{}}
	k.rooms.New = func() any { return new(keepRoom) }
	s.steps(k.step)
}

// steps does what there is to do, time and again, until the session ends.
func (s *session) steps(step func(v *view) (worked bool, err error)) {
	for pause := protocol.NewPause(); ; {
		worked, err := step(s.view())
		if err == nil && !worked {
			err = pause.WaitOr(s.ctx, s.wrote) // others write at about the same time
		} else {
			pause = protocol.NewPause()
		}
		if err != nil {
			if s.ctx.Err() == nil {
				s.cancel(err)
			}
			return
		}
	}
}

// step publishes the versions that can be made, and says whether there were any.
func (k *keeping) step(v *view) (worked bool, err error) {
	if v.state == nil || v.state.Round < 0 {
		return false, nil
	}
	var errs sync.Map
	results := make([]bool, len(v.slices))
	k.forget(v)
	for _, slice := range v.slices {
		if k.slices[slice] == nil {
			if err := k.take(v, slice); err != nil {
				return false, err
			}
		}
	}
	rows.Spread(max(1, k.s.o.Threads), len(v.slices), func(_, i int) {
		done, err := k.advance(v, v.slices[i])
		if err != nil {
			errs.Store(i, err)
		}
		results[i] = done
	})
	errs.Range(func(_, e any) bool { err = e.(error); return false })
	for _, done := range results {
		worked = worked || done
	}
	return worked, err
}

// forget drops slices that are others' now, or behind the last barrier.
func (k *keeping) forget(v *view) {
	has := map[int]bool{}
	for _, slice := range v.slices {
		has[slice] = true
	}
	for slice, kept := range k.slices {
		if !has[slice] || kept.version < v.state.Round {
			delete(k.slices, slice)
		}
	}
}

// take finds the last version of a slice that this worker has from now on.
func (k *keeping) take(v *view, slice int) error {
	j := k.s.o.Job
	kept := &keptSlice{version: v.state.Round}
	for end := k.rounds.End(v.state.Until); kept.version < end; kept.version++ {
		absent, err := j.Store.Missing(k.s.ctx, j.Key.Rows(slice, kept.version+1))
		if err != nil {
			return err
		}
		if len(absent) > 0 {
			break
		}
	}
	k.slices[slice] = kept
	return k.note(slice, kept.version)
}

// note notes how far a slice is.
func (k *keeping) note(slice, version int) error {
	k.s.noteSum(slice, version)
	return k.s.reach("s", slice, "s", version)
}

// advance publishes the next version of a slice if it can be made.
func (k *keeping) advance(v *view, slice int) (done bool, err error) {
	j, kept := k.s.o.Job, k.slices[slice]
	end := (&protocol.Rounds{Plan: k.s.o.Plan}).End(v.state.Until)
	next := kept.version + 1
	if next > end {
		return false, nil
	}
	if whole, err := k.gathered(slice, kept); err != nil || !whole {
		return false, err
	}
	begin := time.Now()
	if kept.rows == nil {
		if kept.rows, err = j.GetRows(k.s.ctx, slice, kept.version); err != nil {
			return false, k.gone(v, slice, err)
		}
	}
	sources, err := k.s.changesOf(slice, next)
	if err != nil {
		return false, k.gone(v, slice, err)
	}
	made, err := k.add(slice, kept, sources)
	if err != nil {
		return false, err
	}
	k.s.spend(&k.s.report.Coding, begin)
	kept.version, kept.rows = next, made
	if err := j.Put(k.s.ctx, []protocol.Write{{Head: j.Key.Slice(slice, "head"), Key: j.Key.Rows(slice, next), Round: next, Blob: made}}); err != nil {
		return false, err
	}
	if err := k.note(slice, next); err != nil {
		return false, err
	}
	return true, k.discard(slice, next, end)
}

// gathered says whether all changes that lead to a slice's next version are there. One who had the slice before, and
// does not know yet that it has it no more, may publish that version and delete the changes: then they
// never come, and the slice is to be taken up anew.
func (k *keeping) gathered(slice int, kept *keptSlice) (whole bool, err error) {
	j, next := k.s.o.Job, kept.version+1
	if kept.absent == nil {
		for _, part := range k.s.takers(next) {
			kept.absent = append(kept.absent, j.Key.Changes(slice, next, part))
		}
	}
	if kept.absent, err = j.Store.Missing(k.s.ctx, kept.absent...); err != nil || len(kept.absent) == 0 {
		return err == nil, err
	}
	absent, err := j.Store.Missing(k.s.ctx, j.Key.Rows(slice, next))
	if err == nil && len(absent) == 0 {
		kept.version = -1
	}
	return false, err
}

// gone is the error about something that was not to be found, unless it has been deleted because there is
// a newer barrier, or another worker who had the slice has published the next version: then the slice is
// to be taken up anew.
func (k *keeping) gone(v *view, slice int, err error) error {
	if !errors.Is(err, protocol.ErrMissing) {
		return err
	}
	j, kept := k.s.o.Job, k.slices[slice]
	absent, fault := j.Store.Missing(k.s.ctx, j.Key.Rows(slice, kept.version+1))
	if fault != nil {
		return fault
	}
	state, fault := j.State(k.s.ctx)
	if len(absent) == 0 || fault == nil && state != nil && state.Version() != v.state.Version() {
		kept.version = -1
		return nil
	}
	return err
}

// add makes the next version of a slice's rows of what parts told, and returns it as a blob.
func (k *keeping) add(slice int, kept *keptSlice, sources []rows.Source) ([]byte, error) {
	j := k.s.o.Job
	room := k.rooms.Get().(*keepRoom)
	defer k.rooms.Put(room)
	words, id := k.s.cut.Words[slice], j.BlobID(blob.Counts, kept.version+1, 0)(slice)
	base, err := blob.Open(kept.rows, j.BlobID(blob.Counts, kept.version, 0)(slice))
	if err != nil {
		return nil, protocol.Damaged(j.Key.Rows(slice, kept.version), err)
	}
	if err := room.rows.Read(words, &base); err != nil {
		return nil, protocol.Damaged(j.Key.Rows(slice, kept.version), err)
	}
	if err := room.rows.Add(&room.merger, words, sources, 1); err != nil {
		return nil, err
	}
	return room.rows.Encode(&room.encoder, id, words), nil
}

// discard deletes changes that are in the rows now. Those of the rounds up to the next barrier that others
// do not see there yet stay.
func (k *keeping) discard(slice, round, barrier int) error {
	j := k.s.o.Job
	if round > barrier-j.Staleness {
		return nil
	}
	var names []string
	for part := range j.Parts {
		names = append(names, j.Key.Changes(slice, round, part))
	}
	return j.Store.Delete(k.s.ctx, names...)
}
