package corpus

import (
	"fmt"

	"github.com/topoi-lda/topoi/internal/mapfile"
)

// perDoc returns the lists that hold a string for every document, absent ones
// included. Views are made of all of them.
func (c *Corpus) perDoc() []*Strings {
	return []*Strings{&c.ids, &c.labels, &c.times, &c.titles, &c.snippets, &c.texts}
}

// view returns other documents of c, which begin at the given offsets; pick makes
// their lists from those of c.
func (c *Corpus) view(offsets []uint64, pick func(Strings) Strings) *Corpus {
	v := newCorpus(Corpus{offsets: offsets, words: c.words, pipeline: c.pipeline, whole: c.Whole()})
	lists := v.perDoc()
	for i, list := range c.perDoc() {
		if list.Len() > 0 {
			*lists[i] = pick(*list)
		}
	}
	for _, d := range c.columns {
		if d.list.Len() > 0 {
			d.list = pick(d.list)
		}
		v.columns = append(v.columns, d)
	}
	return v
}

// Docs returns the documents lo, …, hi-1 as a corpus over the same vocabulary.
// It shares the memory of c and is valid as long as c is; closing it does
// nothing. Documents without a name of their own keep their number in c as ID.
//
// A view that begins with document 0 costs nothing; any other copies its
// hi-lo+1 offsets. A view that is saved is a corpus like any other and counts
// its documents from 0.
func (c *Corpus) Docs(lo, hi int) *Corpus {
	if lo < 0 || hi < lo || hi > c.NumDocs() {
		panic(fmt.Sprintf("corpus: documents %d to %d of a corpus of %d", lo, hi, c.NumDocs()))
	}
	if c.selected != nil {
		return c.Whole().Select(c.selected.docs[lo:hi:hi])
	}
	offsets := c.offsets[lo : hi+1]
	begin, end := offsets[0], offsets[hi-lo]
	if begin > 0 {
		offsets = append([]uint64(nil), offsets...)
		for i := range offsets {
			offsets[i] -= begin
		}
	}
	v := c.view(offsets, func(s Strings) Strings { return s.slice(lo, hi) })
	v.tokens, v.first = c.tokens[begin:end:end], c.first+lo
	return v
}

// Whole returns the corpus that c is a view of, or c itself.
func (c *Corpus) Whole() *Corpus {
	if c.whole != nil {
		return c.whole
	}
	return c
}

// Release tells the system that the tokens lo, …, hi-1 will not be read soon, so
// that those of a corpus opened from a file no longer count as memory in use.
// They can still be read.
func (c *Corpus) Release(lo, hi int) {
	if c.selected != nil {
		c.selected.release(lo, hi)
		return
	}
	if file := c.Whole().file; file != nil {
		file.Forget(mapfile.Bytes(c.tokens[lo:hi]))
	}
}
