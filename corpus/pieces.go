package corpus

import (
	"slices"
	"strings"

	"github.com/topoi-lda/topoi/corpus/source"
)

// HasPieces reports whether the documents are pieces of longer ones; see source.Options.Pieces.
func (c *Corpus) HasPieces() bool {
	return c.NumDocs() > 0 && c.HasIDs() && strings.Contains(c.ID(0), source.PieceMark)
}

// JoinPieces returns the documents that a corpus has pieces of, as a corpus in memory, with the topics of their tokens: z
// appends those of the tokens lo, …, hi-1 of c.
func (c *Corpus) JoinPieces(z func(dst []uint32, lo, hi int) []uint32) (*Corpus, []uint32) {
	var firsts []int // the first piece of each document
	var ids Strings
	last := ""
	for d := range c.NumDocs() {
		id, _, _ := strings.Cut(c.ID(d), source.PieceMark)
		if d == 0 || id != last {
			firsts = append(firsts, d)
			ids.add(id)
			last = id
		}
	}
	offsets := make([]uint64, 0, len(firsts)+1)
	for _, d := range firsts {
		offsets = append(offsets, c.offsets[d])
	}
	offsets = append(offsets, c.offsets[c.NumDocs()])
	v := c.view(offsets, func(s Strings) Strings {
		var list Strings
		for _, d := range firsts {
			list.add(s.At(d))
		}
		return list
	})
	v.whole, v.ids, v.tokens = nil, ids, slices.Clone(c.Tokens())
	topics := z(nil, 0, len(v.tokens))
	var pairs []uint64
	for d := range firsts { // words are sorted inside documents, and topics go with them
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
