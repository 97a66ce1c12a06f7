package corpus

import (
	"slices"

	"github.com/topoi-lda/topoi/corpus/internal/kept"
)

// Uncut joins the pieces of documents. The documents keep the offsets of their pieces, for inference: their
// word ids rise only within each piece. A corpus without pieces is returned as it is.
func (c *Corpus) Uncut() *Corpus {
	if !c.HasPieces() {
		return c
	}
	v, _ := joinPieces(c)
	v.tokens, v.parts, v.file = c.Tokens(), c.offsets, c.file
	return v
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

// joinPieces returns the documents that the pieces in c belong to, without their tokens, and their offsets.
func joinPieces(c *Corpus) (*Corpus, []uint64) {
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
	v := viewOf(c, offsets, func(s Strings) Strings {
		var list Strings
		for _, d := range firsts {
			list.add(s.At(d))
		}
		return list
	})
	v.whole, v.ids, v.texts = nil, ids, texts
	if c.whole != nil {
		v.numbers = wholeNumbers(c.whole, ids)
	}
	return v, offsets
}

// wholeNumbers returns the numbers of documents, given by their ids, among those that c has pieces of.
func wholeNumbers(c *Corpus, ids Strings) []uint32 {
	known := make(map[string]uint32)
	for i, d := range c.FirstPieces() {
		known[wholeID(c.ID(d))] = uint32(i)
	}
	numbers := make([]uint32, ids.Len())
	for d, id := range ids.All() {
		numbers[d] = known[id]
	}
	return numbers
}

// JoinPieces joins the pieces of documents into a corpus in memory, and returns the topics of its tokens. z
// appends the topics of the tokens lo, …, hi-1 of c.
func (c *Corpus) JoinPieces(z func(dst []uint32, lo, hi int) []uint32) (*Corpus, []uint32) {
	v, offsets := joinPieces(c)
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
	return v, topics
}
