package corpus

import (
	"errors"
	"iter"
	"slices"

	"github.com/topoi-lda/topoi/corpus/internal/intern"
	"github.com/topoi-lda/topoi/corpus/source"
	"github.com/topoi-lda/topoi/corpus/text"
	"github.com/topoi-lda/topoi/internal/piece"
)

// Encoder turns single documents into word ids of a fixed vocabulary, as [Load] does with many. It is for documents
// that come over a pipe or a connection. Several goroutines must not share one: give each its own [Encoder.Clone].
type Encoder struct {
	vocabulary Strings
	words      *intern.Table // the vocabulary's words
	firsts     []uint32      // ids of the words in words; a word that occurs twice has its first id
	cut        *text.Pipeline
	pieces     [][]byte
	piece      int // number of words in the pieces that texts are cut into; 0 if they are not cut
}

// Encoded is a document in word ids.
type Encoded struct {
	ID, Label, Time string
	Words           []uint32 // rising; if the document is cut into pieces, rising within each piece
	Cuts            []int    // where each piece ends in Words; nil for a document in one piece
	Unknown         int      // number of tokens that are not in the vocabulary and were left out
}

// NewEncoder returns an encoder for opts.Text and opts.Vocabulary, which is required. Other options are ignored.
func NewEncoder(opts ImportOptions) (*Encoder, error) {
	if opts.Vocabulary.Len() == 0 {
		return nil, errors.New("an encoder needs the vocabulary whose ids it is to give")
	}
	cut, err := text.New(opts.Text)
	if err != nil {
		return nil, err
	}
	e := &Encoder{vocabulary: opts.Vocabulary, cut: cut, piece: opts.Text.Pieces}
	e.words, e.firsts = tableOf(opts.Vocabulary)
	return e, nil
}

// Clone returns an encoder with the same options for another goroutine. It shares the vocabulary, so it costs little.
func (e *Encoder) Clone() *Encoder {
	return &Encoder{vocabulary: e.vocabulary, words: e.words, firsts: e.firsts, cut: e.cut.Clone(), piece: e.piece}
}

// Encode returns a document of src in word ids.
func (e *Encoder) Encode(doc *source.Document, src source.Source) (Encoded, error) {
	out := Encoded{ID: string(doc.ID), Label: string(doc.Label), Time: string(doc.Time)}
	switch src.Content() {
	case source.ContentText:
		cut := e.Cut(doc.Text)
		out.Words, out.Unknown, out.Cuts = cut.Words, cut.Unknown, cut.Cuts
	case source.ContentTokens:
		out.Words, out.Unknown = e.Tokens(doc.Tokens)
	case source.ContentIDs:
		words, err := src.Vocabulary()
		if err != nil {
			return out, err
		}
		out.Words, out.Unknown = e.Counts(func(yield func(word []byte, n int) bool) {
			for i, w := range doc.Words {
				if !yield([]byte(words[w]), int(doc.Counts[i])) {
					return
				}
			}
		})
	}
	return out, nil
}

// Text cuts a text into words as the training documents were cut. It returns the rising ids of the words in
// the vocabulary, and the number of other words.
func (e *Encoder) Text(text []byte) (words []uint32, unknown int) {
	e.pieces = e.cut.Tokens(e.pieces[:0], text)
	return e.ids()
}

// Cut does what Text does. If the training documents were cut into pieces, it also cuts the document into pieces.
func (e *Encoder) Cut(text []byte) Encoded {
	var out Encoded
	if e.piece == 0 {
		out.Words, out.Unknown = e.Text(text)
		return out
	}
	for len(text) > 0 {
		n := piece.Cut(text, e.piece)
		words, unknown := e.Text(text[:n])
		out.Words, out.Unknown, text = append(out.Words, words...), out.Unknown+unknown, text[n:]
		out.Cuts = append(out.Cuts, len(out.Words))
	}
	return out
}

// Tokens does what Text does for a document that is already cut into words.
func (e *Encoder) Tokens(tokens [][]byte) (words []uint32, unknown int) {
	e.pieces = e.cut.Join(slices.DeleteFunc(slices.Clone(tokens), func(t []byte) bool { return len(t) == 0 }))
	return e.ids()
}

// Counts does what Text does for a document given as words with counts.
func (e *Encoder) Counts(counts iter.Seq2[[]byte, int]) (words []uint32, unknown int) {
	var out Encoded
	for word, n := range counts {
		e.add(&out, word, n)
	}
	slices.Sort(out.Words)
	return out.Words, out.Unknown
}

// ids returns the ids of e.pieces.
func (e *Encoder) ids() (words []uint32, unknown int) {
	var out Encoded
	for _, token := range e.pieces {
		e.add(&out, token, 1)
	}
	slices.Sort(out.Words)
	return out.Words, out.Unknown
}

// add adds a word n times.
func (e *Encoder) add(out *Encoded, word []byte, n int) {
	id, known := e.words.Lookup(word)
	if !known {
		out.Unknown += n
		return
	}
	for range n {
		out.Words = append(out.Words, e.firsts[id])
	}
}

// Corpus returns documents as a corpus in memory over the vocabulary. first is the number of the first document.
func (e *Encoder) Corpus(first int, docs []Encoded) *Corpus {
	c := Corpus{offsets: []uint64{0}, words: e.vocabulary, tags: tags{first: first}}
	if e.piece > 0 {
		c.parts = []uint64{0}
	}
	for _, d := range docs {
		for _, end := range d.Cuts {
			c.parts = append(c.parts, uint64(len(c.tokens)+end))
		}
		c.tokens = append(c.tokens, d.Words...)
		if e.piece > 0 && d.Cuts == nil {
			c.parts = append(c.parts, uint64(len(c.tokens)))
		}
		c.offsets = append(c.offsets, uint64(len(c.tokens)))
	}
	c.tags.set(len(docs), func(i int) []string { return []string{docs[i].ID, docs[i].Label, docs[i].Time} })
	return newCorpus(c)
}
