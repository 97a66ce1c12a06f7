package blocks

import "slices"

// Without copies a block without some of its documents. Its memory is reused.
type Without struct {
	Block
	Dropped []uint32 // numbers of the documents that are missing
	Lost    []Pair   // their words, each once a document

	words []uint32
	pairs []Pair
}

// Make copies b, whose first document has the number first and whose documents have so many tags.
func (c *Without) Make(b *Block, first uint32, tags int, drop func(doc uint32) bool) {
	c.Docs, c.Pairs, c.Table = 0, b.Pairs, b.Table
	c.Meta, c.Payload, c.Dropped, c.Lost = c.Meta[:0], c.Payload[:0], c.Dropped[:0], c.Lost[:0]
	rest, meta := b.Payload, b.Meta
	for d := range uint32(b.Docs) {
		doc, about := rest, meta
		rest, meta = c.read(b, rest), skipMeta(meta, tags)
		if drop(first + d) {
			c.Dropped, c.Lost = append(c.Dropped, first+d), append(c.Lost, c.pairs...)
			continue
		}
		c.Docs++
		c.Payload = append(c.Payload, doc[:len(doc)-len(rest)]...)
		c.Meta = append(c.Meta, about[:len(about)-len(meta)]...)
	}
}

// read reads the words of a document into c.pairs.
func (c *Without) read(b *Block, payload []byte) (rest []byte) {
	c.pairs = c.pairs[:0]
	if !b.Pairs {
		c.words, rest = b.Words(c.words[:0], payload)
		slices.Sort(c.words)
		for _, w := range c.words {
			c.pairs = append(c.pairs, Pair{w, 1})
		}
		c.pairs = Merge(c.pairs)
		return rest
	}
	n, rest := Uvarint(payload)
	var step, count, word uint64
	for range n {
		step, rest = Uvarint(rest)
		count, rest = Uvarint(rest)
		word += step
		c.pairs = append(c.pairs, Pair{uint32(word), uint32(count)})
	}
	return rest
}

// skipMeta removes what is known about a document from the front of meta: tags, each preceded by its length, then the
// number of columns, and of each its number, its length and its value.
func skipMeta(meta []byte, tags int) []byte {
	var n, size uint64
	for range tags {
		size, meta = Uvarint(meta)
		meta = meta[size:]
	}
	n, meta = Uvarint(meta)
	for range n {
		_, meta = Uvarint(meta)
		size, meta = Uvarint(meta)
		meta = meta[size:]
	}
	return meta
}
