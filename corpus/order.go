package corpus

import (
	"cmp"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"slices"

	"github.com/zeebo/xxh3"

	"github.com/topoi-lda/topoi/corpus/source"
)

// orderHash is the value of ImportOptions.Order for an order that does not depend on that of the input.
const orderHash = "hash"

// checkOrder returns the faults of ImportOptions.Order.
func (o *ImportOptions) checkOrder() error {
	switch {
	case o.Order == "" || o.Order == "input":
		return nil
	case o.Order != orderHash:
		return fmt.Errorf("the order of documents is %q; it must be input or hash", o.Order)
	case o.Phrases != nil:
		return errors.New("phrases are found in the order of the input: leave out Options.Phrases or Options.Order")
	case o.Source.Pieces > 0:
		return errors.New("pieces of long documents keep the order of the input: leave out Options.Pieces or Options.Order")
	case o.Vocabulary.Len() > 0:
		return errors.New("documents in a given vocabulary keep the order of the input: leave out Options.Order")
	}
	return nil
}

// inOrder returns a source with the documents of src in the order that the options ask for. If that is by hash, it
// reads src to its end and closes it, keeps the documents with all words in a corpus without a name, and reports on
// that; the report is nil if there was nothing to read. If it fails, it closes src.
func (o *ImportOptions) inOrder(ctx context.Context, src source.Source) (source.Source, *Report, error) {
	if o.Order != orderHash || o.Validate() != nil {
		return src, nil, nil
	}
	if files, ok := src.(*corpusSource); ok {
		files.byHash()
		return files, nil, nil
	}
	whole := *o
	whole.Order, whole.MinDF, whole.MaxDF, whole.MinCF, whole.MaxWords = "", 1, 1, 0, 0
	whole.DropEmpty, whole.AllowEmpty = false, true
	c, report, err := loadSource(ctx, src, whole)
	if err != nil {
		return nil, nil, err
	}
	files := newCorpusSource([]*Corpus{c})
	files.byHash()
	return files, report, nil
}

// follow adds what a report says about the input to that of the import that read its documents in another order.
func (r *Report) follow(first *Report) {
	r.Format, r.Guessed, r.Bytes, r.Input = first.Format, first.Guessed, first.Bytes, first.Input
	r.RepeatedIDs, r.Wholes = first.RepeatedIDs, first.Wholes
	r.LongColumns = append(first.LongColumns, r.LongColumns...)
	t, f := &r.Text, &first.Text
	t.Languages, t.Detected, t.Detection, t.SampleDocs = f.Languages, f.Detected, f.Detection, f.SampleDocs
}

// place is a document of one of several corpora, with what decides on its place among all.
type place struct {
	id, content, columns uint64
	part, doc            uint32
}

// byHash lets the source hand over its documents by the hash of their ids, and those that have the same id, or none, by
// that of all that is known of them. Documents that are alike in everything have the same hash, and it does not matter
// which of them is first. So the order does not depend on the parts in which the documents came, or on their order.
func (s *corpusSource) byHash() {
	s.join()
	var b []byte
	for p, c := range s.all {
		words := make([]uint64, c.NumWords())
		for w := range words {
			words[w] = xxh3.Hash(c.words.Bytes(w))
		}
		for d := range c.NumDocs() {
			x := place{part: uint32(p), doc: uint32(d)}
			if id := c.tags.lists()[0]; id.Len() > 0 && len(id.Bytes(d)) > 0 {
				x.id = xxh3.Hash(id.Bytes(d))
			}
			b = c.appendContent(b[:0], d, words)
			x.content = xxh3.Hash(b)
			b = c.appendColumns(b[:0], d)
			x.columns = xxh3.Hash(b)
			s.order = append(s.order, x)
		}
	}
	slices.SortFunc(s.order, func(x, y place) int {
		return cmp.Or(cmp.Compare(x.id, y.id), cmp.Compare(x.content, y.content), cmp.Compare(x.columns, y.columns),
			cmp.Compare(x.part, y.part), cmp.Compare(x.doc, y.doc))
	})
}

// appendContent appends the tags, the text and the words of a document, the words by sums that do not depend on how they
// are numbered. words has their hashes.
func (c *Corpus) appendContent(b []byte, d int, words []uint64) []byte {
	for _, list := range c.tags.lists() {
		if list.Len() > 0 {
			b = appendText(b, list.Bytes(d))
		}
		b = append(b, 0)
	}
	if c.HasTexts() {
		b = appendText(b, []byte(c.Text(d)))
	}
	var sum, other uint64
	for _, w := range c.Doc(d) {
		sum += words[w]
		other += words[w] * (words[w] | 1) // independent of the other sum
	}
	return binary.LittleEndian.AppendUint64(binary.LittleEndian.AppendUint64(b, sum), other)
}

// appendColumns appends the other columns of a document. Which of them are kept may depend on the part, so that they
// decide last.
func (c *Corpus) appendColumns(b []byte, d int) []byte {
	for _, x := range c.columns {
		if x.Role == "" {
			b = appendText(appendText(b, []byte(x.Name)), x.list.Bytes(d))
		}
	}
	return b
}

// appendText appends a text with its length, so that neighbours do not run together.
func appendText(b, text []byte) []byte {
	return append(binary.AppendUvarint(b, uint64(len(text))), text...)
}
