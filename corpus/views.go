package corpus

import (
	"fmt"

	"github.com/topoi-lda/topoi/corpus/internal/copies"
	"github.com/topoi-lda/topoi/internal/mapfile"
)

// Select returns the documents with the given numbers, in the order given, as a corpus over the same vocabulary. c may
// have up to 2³²-1 documents. The view is valid as long as c is. Documents without an id keep their number in c as ID;
// [Corpus.Number] returns the number of any document.
//
// The view costs 12 bytes a document, and keeps docs. It reads documents where they are in c. Only
// [Corpus.Tokens], which returns them in one piece, copies them once, with 4 bytes of memory a token.
// [Corpus.Gather] makes that copy beforehand, or in a file, and [Corpus.TokensBetween] avoids it.
func (c *Corpus) Select(docs []uint32) *Corpus {
	offsets, chosen := make([]uint64, len(docs)+1), docs
	numbers := docs
	if c.whole != nil || c.numbers != nil {
		numbers = make([]uint32, len(docs))
	}
	for i, d := range docs {
		if int(d) >= c.NumDocs() {
			panic(fmt.Sprintf("corpus: document %d of a corpus of %d", d, c.NumDocs()))
		}
		offsets[i+1] = offsets[i] + c.offsets[d+1] - c.offsets[d]
		if c.whole != nil || c.numbers != nil {
			numbers[i] = uint32(c.Number(int(d)))
		}
	}
	v := viewOf(c, offsets, func(s Strings) Strings { return s.pick(docs) })
	v.numbers = numbers
	if c.whole != nil {
		docs = numbers
	}
	w := v.whole
	v.selected = &selection{docs: docs, offsets: offsets, from: w.offsets, whole: w.tokens, passed: w.Release}
	v.copyList = copies.Among(c.copyList, len(chosen), func(i int) int { return int(chosen[i]) })
	v.selected.read = func(lo, hi int) ([]uint32, error) { return w.ReadTokens(lo, hi) }
	return v
}

// viewOf returns a corpus of other documents of c, which begin at the given offsets. pick makes their lists
// from those of c.
func viewOf(c *Corpus, offsets []uint64, pick func(Strings) Strings) *Corpus {
	return newCorpus(Corpus{
		offsets: offsets, words: c.words, tags: c.tags.each(pick), origin: c.origin, pipeline: c.pipeline,
		whole: c.Whole(),
	})
}

// Docs returns the documents lo, …, hi-1 as a corpus over the same vocabulary. It shares the memory of c and
// is valid as long as c is; closing it does nothing. Documents without an id keep their number in c as ID.
//
// A view that begins with document 0 costs nothing; any other view copies its hi-lo+1 offsets. A view that
// is saved becomes a normal corpus and counts its documents from 0.
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
	v := viewOf(c, offsets, func(s Strings) Strings { return s.slice(lo, hi) })
	v.tokens, v.first = c.tokens[begin:end:end], c.first+lo
	v.copyList = copies.Among(c.copyList, hi-lo, func(i int) int { return lo + i })
	if c.numbers != nil {
		v.numbers = c.numbers[lo:hi]
	}
	return v
}

// Whole returns the corpus that c is a view of, or c itself.
func (c *Corpus) Whole() *Corpus {
	if c.whole != nil {
		return c.whole
	}
	return c
}

// Gather copies the tokens of a selection into one piece. If path is "", the copy is in memory, else in a file
// that is created at path, loses its name at once and is memory-mapped until the selection is closed. Tokens of c
// that were read are released. Gather does nothing for a corpus that is not a selection, nor at a second call.
func (c *Corpus) Gather(path string) error {
	if c.selected == nil {
		return nil
	}
	return c.selected.gather(path)
}

// TokensBetween returns the tokens lo, …, hi-1 of Tokens. It copies only if c is a selection that has not
// been gathered, and then only these tokens.
func (c *Corpus) TokensBetween(lo, hi int) []uint32 {
	if c.selected != nil {
		return c.selected.between(lo, hi)
	}
	return c.tokens[lo:hi:hi]
}

// Release tells the system that the tokens lo, …, hi-1 will not be read soon. If the corpus was opened from
// a file, they then no longer count as memory in use. They can still be read.
func (c *Corpus) Release(lo, hi int) {
	if c.selected != nil {
		c.selected.release(lo, hi)
		return
	}
	if file := c.from; file != nil {
		file.data.Forget(mapfile.Bytes(c.tokens[lo:hi]))
	}
}
