package corpus

import (
	"cmp"
	"encoding/binary"
)

// orderHash is the value of ImportOptions.Order for an order that does not depend on that of the input.
const orderHash = "hash"

// place is a document of one of several corpora, with what decides on its place among all.
type place struct {
	id, content, columns uint64
	part, doc            uint32
}

// before compares two places.
func before(x, y place) int {
	return cmp.Or(cmp.Compare(x.id, y.id), cmp.Compare(x.content, y.content), cmp.Compare(x.columns, y.columns),
		cmp.Compare(x.part, y.part), cmp.Compare(x.doc, y.doc))
}

// appendContent appends the tags, the text and the words of a document, the words by sums that do not depend on how they
// are numbered. words has their hashes.
func appendContent(b []byte, c *Corpus, d int, words []uint64) []byte {
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
func appendColumns(b []byte, c *Corpus, d int) []byte {
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
