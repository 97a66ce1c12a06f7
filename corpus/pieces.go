package corpus

import (
	"slices"

	"github.com/topoi-lda/topoi/corpus/internal/copies"
	"github.com/topoi-lda/topoi/corpus/internal/kept"
)

// Uncut joins the pieces of documents. The documents keep the offsets of their pieces, for inference: their
// word ids rise only within each piece. A corpus without pieces is returned as it is.
func (c *Corpus) Uncut() *Corpus {
	if !c.HasPieces() {
		return c
	}
	v, _ := joinPieces(c)
	v.tokens, v.parts, v.file, v.origin = c.Tokens(), c.offsets, c.file, origin{c.file}
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
	v.copyList = copies.Among(c.copyList, len(firsts), func(i int) int { return firsts[i] })
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

// Concat returns the documents of c, followed by those of more, as a corpus in memory. Words of c keep
// their ids. Words that only more has follow in its order, if they occur in at least minDocs of its
// documents; if it has 20 documents or more, also in at most half of them. Other words are left out. The
// text options are those of c. The result has the tags and columns of both.
func (c *Corpus) Concat(more *Corpus, minDocs int) *Corpus {
	final, words := grownWords(c, more, minDocs)
	joined := Corpus{
		offsets: make([]uint64, 1, c.NumDocs()+more.NumDocs()+1), tokens: slices.Clone(c.Tokens()),
		words: words, pipeline: c.pipeline,
	}
	for d := range c.NumDocs() {
		joined.offsets = append(joined.offsets, c.offsets[d+1]-c.offsets[0])
	}
	for d := range more.NumDocs() {
		begin := len(joined.tokens)
		for _, w := range more.Doc(d) {
			if final[w] != none {
				joined.tokens = append(joined.tokens, final[w])
			}
		}
		slices.Sort(joined.tokens[begin:])
		joined.offsets = append(joined.offsets, uint64(len(joined.tokens)))
	}
	added, lists := more.tags.lists(), joined.tags.lists()
	for i, list := range c.tags.lists() {
		*lists[i] = both(c, more, *list, *added[i])
	}
	for _, d := range append(slices.Clone(c.columns), more.columns...) {
		same := func(x columnData) bool { return x.Name == d.Name }
		d.list = both(c, more, columnNamed(c, d.Name), columnNamed(more, d.Name))
		if !slices.ContainsFunc(joined.columns, same) && (d.Role != "" || d.list.Len() > 0) {
			joined.columns = append(joined.columns, d)
		}
	}
	joined.copyList = append(slices.Clone(c.copyList), copies.After(more.copyList, c.NumDocs())...)
	return newCorpus(joined)
}

// grownWords returns the vocabulary of c extended by words of more, and the ids in it of the words of more.
func grownWords(c, more *Corpus, minDocs int) (final []uint32, words Strings) {
	words = Strings{ends: slices.Clone(c.words.ends), bytes: slices.Clone(c.words.bytes)}
	ids := make(map[string]uint32, c.NumWords())
	for w, word := range c.words.All() {
		if _, twice := ids[word]; !twice {
			ids[word] = uint32(w)
		}
	}
	docs := make([]int, more.NumWords())
	for d := range more.NumDocs() {
		last := none
		for _, w := range more.Doc(d) {
			if w != last {
				docs[w]++
			}
			last = w
		}
	}
	final = make([]uint32, more.NumWords())
	for w, word := range more.words.All() {
		id, known := ids[word]
		switch {
		case known:
			final[w] = id
		case docs[w] < max(1, minDocs) || more.NumDocs() >= 20 && 2*docs[w] > more.NumDocs():
			final[w] = none
		default:
			final[w] = uint32(words.Len())
			words.add(word)
		}
	}
	return final, words
}

// both joins two lists into one with a string for each document of c and of more. An empty list stands for
// empty strings.
func both(c, more *Corpus, a, b Strings) (list Strings) {
	if a.Len() == 0 && b.Len() == 0 {
		return list
	}
	for _, part := range []struct {
		list Strings
		docs int
	}{{a, c.NumDocs()}, {b, more.NumDocs()}} {
		for d := range part.docs {
			if part.list.Len() == 0 {
				list.add("")
			} else {
				list.add(part.list.At(d))
			}
		}
	}
	return list
}

// columnNamed returns the values of a column without a role, or none if there is no such column.
func columnNamed(c *Corpus, name string) Strings {
	for _, d := range c.columns {
		if d.Name == name {
			return d.list
		}
	}
	return Strings{}
}
