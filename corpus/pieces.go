package corpus

import (
	"slices"
	"strings"

	"github.com/topoi-lda/topoi/corpus/internal/kept"
	"github.com/topoi-lda/topoi/corpus/source"
)

// HasPieces reports whether the documents are pieces of longer ones; see source.Options.Pieces.
func (c *Corpus) HasPieces() bool {
	return c.NumDocs() > 0 && c.HasIDs() && strings.Contains(c.ID(0), source.PieceMark)
}

// FirstPieces returns the first piece of each document that c has pieces of.
func (c *Corpus) FirstPieces() []int {
	var firsts []int
	last := ""
	for d := range c.NumDocs() {
		if id := wholeID(c.ID(d)); d == 0 || id != last {
			firsts = append(firsts, d)
			last = id
		}
	}
	return firsts
}

// wholeID returns the id of the document that a piece belongs to.
func wholeID(id string) string {
	id, _, _ = strings.Cut(id, source.PieceMark)
	return id
}

// Uncut joins the pieces of documents. The documents keep the offsets of their pieces, for inference: their
// word ids rise only within each piece. A corpus without pieces is returned as it is.
func (c *Corpus) Uncut() *Corpus {
	if !c.HasPieces() {
		return c
	}
	v, _ := c.join()
	v.tokens, v.parts, v.file, v.path = c.Tokens(), c.offsets, c.file, c.path
	return v.numbered(c)
}

// uncut joins the pieces of new documents for a model and corrects the report.
func (o *ImportOptions) uncut(c *Corpus, report *Report, err error) (*Corpus, *Report, error) {
	if err == nil && o.Vocabulary.Len() > 0 && c.HasPieces() {
		c = c.Uncut()
		report.Docs = int64(c.NumDocs())
	}
	return c, report, err
}

// Pieces is the inverse of Uncut: it returns the pieces of documents as documents of their own, without ids.
func (c *Corpus) Pieces() *Corpus {
	if c.parts == nil {
		return c
	}
	return newCorpus(Corpus{offsets: c.parts, tokens: c.Tokens(), words: c.words, pipeline: c.pipeline})
}

// PieceOffsets returns where the pieces of documents begin in Tokens, and where the last one ends. A
// document that was not cut is one piece.
func (c *Corpus) PieceOffsets() []uint64 {
	if c.parts != nil {
		return c.parts
	}
	return c.offsets
}

// join returns the documents that the pieces in c belong to, without their tokens, and their offsets.
func (c *Corpus) join() (*Corpus, []uint64) {
	firsts := c.FirstPieces()
	var ids, texts Strings
	offsets := make([]uint64, 0, len(firsts)+1)
	for i, d := range firsts {
		end := c.NumDocs()
		if i+1 < len(firsts) {
			end = firsts[i+1]
		}
		offsets = append(offsets, c.offsets[d])
		ids.add(wholeID(c.ID(d)))
		if c.HasTexts() {
			texts.add(kept.Join(end-d, func(i int) []byte { return c.texts.Bytes(d + i) }))
		}
	}
	offsets = append(offsets, c.offsets[c.NumDocs()])
	v := c.view(offsets, func(s Strings) Strings {
		var list Strings
		for _, d := range firsts {
			list.add(s.At(d))
		}
		return list
	})
	v.whole, v.ids, v.texts = nil, ids, texts
	return v, offsets
}

// numbered gives the documents of v, joined from those of c, their numbers in the whole corpus if c is a view.
func (v *Corpus) numbered(c *Corpus) *Corpus {
	if c.whole == nil {
		return v
	}
	numbers := make(map[string]uint32)
	for i, d := range c.whole.FirstPieces() {
		numbers[wholeID(c.whole.ID(d))] = uint32(i)
	}
	v.selected = &selection{docs: make([]uint32, v.NumDocs())}
	for d := range v.NumDocs() {
		v.selected.docs[d] = numbers[v.ids.At(d)]
	}
	v.selected.tokens.Store(&v.tokens)
	return v
}

// JoinPieces joins the pieces of documents into a corpus in memory, and returns the topics of its tokens. z
// appends the topics of the tokens lo, …, hi-1 of c.
func (c *Corpus) JoinPieces(z func(dst []uint32, lo, hi int) []uint32) (*Corpus, []uint32) {
	v, offsets := c.join()
	v.tokens = slices.Clone(c.Tokens())
	topics := z(nil, 0, len(v.tokens))
	var pairs []uint64
	for d := range v.NumDocs() { // sort words within documents, and topics with them
		lo, hi := offsets[d], offsets[d+1]
		pairs = pairs[:0]
		for i := lo; i < hi; i++ {
			pairs = append(pairs, uint64(v.tokens[i])<<32|uint64(topics[i]))
		}
		slices.Sort(pairs)
		for i, p := range pairs {
			v.tokens[lo+uint64(i)], topics[lo+uint64(i)] = uint32(p>>32), uint32(p)
		}
	}
	return v.numbered(c), topics
}
