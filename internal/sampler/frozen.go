package sampler

import (
	"context"
	"slices"
	"sort"

	"github.com/topoi-lda/topoi/internal/counts"
	"github.com/topoi-lda/topoi/internal/guard"
	"github.com/topoi-lda/topoi/internal/parallel"
)

// Frozen is a fixed version of the counts that a part is sampled against: n_k of the whole corpus,
// and rows n_wk in one of two forms, Rows or Sliced. Several goroutines may use it at once.
type Frozen struct {
	Totals []uint64 // K: n_k of the whole corpus, read-only

	// Rows holds all rows; it is nil if Sliced holds them.
	Rows counts.Rows

	// DenseRow returns n_wk of a word by topic (K numbers, read-only), or nil if the caller must
	// ask Rows. A row that is not stored in this form is computed in room (K numbers) and is valid
	// until the caller reuses room. If DenseRow is nil, Rows stores no dense rows.
	DenseRow func(w int, room []int32) []int32

	Sliced *Sliced // rows that are opened slice by slice, or nil
}

// Sliced gives access to rows that are stored in slices of the vocabulary. Slices are opened one by
// one, so that not all of them need be in memory.
type Sliced struct {
	Begins []int // the first word of every slice, then V

	// Open returns the rows of slice i. The caller calls close when it no longer uses them.
	Open func(i int) (rows counts.Rows, close func(), err error)
}

// local returns f with words numbered as in a part. words lists the words of the part.
func (f *Frozen) local(words []uint32) *Frozen {
	own := *f
	if f.Rows != nil {
		own.Rows = localRows{f.Rows, words}
	}
	if dense := f.DenseRow; dense != nil {
		own.DenseRow = func(w int, room []int32) []int32 { return dense(int(words[w]), room) }
	}
	if f.Sliced != nil {
		own.Sliced = f.Sliced.local(words)
	}
	return &own
}

func (s *Sliced) local(words []uint32) *Sliced {
	own := &Sliced{Open: func(i int) (counts.Rows, func(), error) {
		rows, done, err := s.Open(i)
		if err != nil {
			return nil, nil, err
		}
		return localRows{rows, words}, done, nil
	}}
	for _, w := range s.Begins {
		own.Begins = append(own.Begins, sort.Search(len(words), func(i int) bool { return int(words[i]) >= w }))
	}
	return own
}

// localRows takes words by their number in a part.
type localRows struct {
	counts.Rows
	words []uint32
}

func (l localRows) AppendRow(dst []counts.Entry, w int) []counts.Entry {
	return l.Rows.AppendRow(dst, int(l.words[w]))
}

// localWords returns the distinct words in increasing order, and every element of words as a position in that list.
func localWords(words []uint32, v int) (distinct, local []uint32) {
	place := make([]uint32, v) // first a mark of words that occur, then their position in distinct
	for _, w := range words {
		if place[w] == 0 {
			place[w] = 1
			distinct = append(distinct, w)
		}
	}
	slices.Sort(distinct)
	for i, w := range distinct {
		place[w] = uint32(i)
	}
	local = make([]uint32, len(words))
	for i, w := range words {
		local[i] = place[w]
	}
	return distinct, local
}

// EachSlice goes through the slices in order and calls work for ranges of each slice's words, from several
// goroutines. With more than one thread it opens the next slice meanwhile, so that at most two slices are open.
func EachSlice(ctx context.Context, threads int, model *Sliced, work func(thread, lo, hi int, rows counts.Rows)) error {
	slices := model.Begins
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

// openSlice is an open slice, or the error of opening it.
type openSlice struct {
	lo, hi int // its words
	next   int // the slice after it
	rows   counts.Rows
	close  func()
	err    error
}

// share calls work for ranges of the slice's words, in parallel.
func (o *openSlice) share(ctx context.Context, threads int, work func(thread, lo, hi int, rows counts.Rows)) error {
	runs := 1
	if threads > 1 {
		runs = min(8*threads, o.hi-o.lo)
	}
	return parallel.Do(ctx, threads, runs, func(thread, i int) {
		work(thread, o.lo+(o.hi-o.lo)*i/runs, o.lo+(o.hi-o.lo)*(i+1)/runs, o.rows)
	})
}
