package sampler

import (
	"context"
	"sort"

	"github.com/topoi-lda/topoi/internal/counts"
	"github.com/topoi-lda/topoi/internal/guard"
	"github.com/topoi-lda/topoi/internal/parallel"
)

// Sliced is a Frozen whose rows lie in slices of the vocabulary that are opened
// one by one, so that not all of them need be in memory at a time. Samplers use
// AppendRow of what Open returns, never its own.
type Sliced interface {
	Frozen

	// Slices returns the words at which slices begin, and V.
	Slices() []int

	// Open returns the rows of slice i, to be closed when they are no longer used.
	Open(i int) (rows counts.Rows, close func(), err error)
}

// EachSlice calls work for runs of words of every slice, slice after slice, from several
// goroutines. With more than one thread the next slice is opened meanwhile, so that at most two are
// open at a time.
func EachSlice(ctx context.Context, threads int, model Sliced, work func(thread, lo, hi int, rows counts.Rows)) error {
	slices := model.Slices()
	open := func(i int) *openSlice {
		for ; i < len(slices)-1; i++ {
			if slices[i] < slices[i+1] {
				o := &openSlice{lo: slices[i], hi: slices[i+1], next: i + 1}
				o.rows, o.close, o.err = model.Open(i)
				return o
			}
		}
		return nil
	}
	for now := open(0); now != nil; {
		if now.err != nil {
			return now.err
		}
		ahead := make(chan *openSlice, 1)
		if threads > 1 {
			guard.Go(func() { ahead <- open(now.next) })
		}
		err := now.share(ctx, threads, work)
		now.close()
		if threads <= 1 && err == nil {
			ahead <- open(now.next)
		} else if threads <= 1 {
			return err
		}
		next := <-ahead
		if err != nil {
			if next != nil && next.err == nil {
				next.close()
			}
			return err
		}
		now = next
	}
	return ctx.Err()
}

// openSlice is a slice that is open, or could not be opened.
type openSlice struct {
	lo, hi int // its words
	next   int // the slice behind it
	rows   counts.Rows
	close  func()
	err    error
}

// share calls work for runs of the slice's words.
func (o *openSlice) share(ctx context.Context, threads int, work func(thread, lo, hi int, rows counts.Rows)) error {
	runs := 1
	if threads > 1 {
		runs = min(8*threads, o.hi-o.lo)
	}
	return parallel.Do(ctx, threads, runs, func(thread, i int) {
		work(thread, o.lo+(o.hi-o.lo)*i/runs, o.lo+(o.hi-o.lo)*(i+1)/runs, o.rows)
	})
}

// localSliced numbers the words of a Sliced as a part does.
type localSliced struct {
	localFrozen
	sliced Sliced
	slices []int
}

func newLocalSliced(model Sliced, words []uint32) *localSliced {
	l := &localSliced{localFrozen: localFrozen{model, words}, sliced: model}
	for _, w := range model.Slices() {
		l.slices = append(l.slices, sort.Search(len(words), func(i int) bool { return int(words[i]) >= w }))
	}
	return l
}

func (l *localSliced) Slices() []int { return l.slices }

func (l *localSliced) Open(i int) (counts.Rows, func(), error) {
	rows, done, err := l.sliced.Open(i)
	if err != nil {
		return nil, nil, err
	}
	return localRows{rows, l.words}, done, nil
}

// localRows numbers the words of rows as a part does.
type localRows struct {
	counts.Rows
	words []uint32
}

func (l localRows) AppendRow(dst []counts.Entry, w int) []counts.Entry {
	return l.Rows.AppendRow(dst, int(l.words[w]))
}
