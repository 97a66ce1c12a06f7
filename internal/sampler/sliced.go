package sampler

import (
	"context"
	"sort"

	"github.com/topoi-lda/topoi/internal/counts"
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

// EachSlice calls work for every slice with words in it, from several goroutines.
func EachSlice(ctx context.Context, threads int, model Sliced, work func(thread, lo, hi int, rows counts.Rows)) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	slices := model.Slices()
	_ = parallel.Do(ctx, threads, len(slices)-1, func(thread, i int) {
		if slices[i] == slices[i+1] {
			return
		}
		rows, done, err := model.Open(i)
		if err != nil {
			cancel(err)
			return
		}
		defer done()
		work(thread, slices[i], slices[i+1], rows)
	})
	return context.Cause(ctx)
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
