// Package blocks has the form in which documents lie in the temporary file of an import.
package blocks

import (
	"cmp"
	"encoding/binary"
	"fmt"
	"io"
	"slices"

	"github.com/topoi-lda/topoi/internal/mapfile"
)

// Pair is a word id with its number of occurrences in a document.
type Pair struct{ Word, Count uint32 }

// Merge sorts pairs by word and adds up the counts of equal words, in place. A sum beyond 32 bits becomes the largest
// count, which no document may have.
func Merge(pairs []Pair) []Pair {
	byWord := func(x, y Pair) int { return cmp.Compare(x.Word, y.Word) }
	if !slices.IsSortedFunc(pairs, byWord) {
		slices.SortFunc(pairs, byWord)
	}
	merged := pairs[:0]
	for _, p := range pairs {
		if n := len(merged); n > 0 && merged[n-1].Word == p.Word {
			sum := uint64(merged[n-1].Count) + uint64(p.Count)
			merged[n-1].Count = uint32(min(sum, 1<<32-1))
			continue
		}
		merged = append(merged, p)
	}
	return merged
}

// Block is a run of documents: a header of five 64-bit numbers, then Table, Meta and Payload one after the other.
type Block struct {
	Docs    int
	Pairs   bool     // Payload holds pairs, not tokens
	Table   []uint32 // the id of the corpus for each word id in Payload; empty if Payload holds these already
	Meta    []byte   // tags and columns of the documents, see SkipMeta
	Payload []byte   // of every document a number of tokens or pairs, then these
	raw     []byte   // memory that Table, Meta and Payload share
}

// Write appends the block.
func (b *Block) Write(w io.Writer) error {
	pairs := uint64(0)
	if b.Pairs {
		pairs = 1
	}
	head := []uint64{uint64(b.Docs), pairs, uint64(len(b.Table)), uint64(len(b.Meta)), uint64(len(b.Payload))}
	for _, part := range [][]byte{mapfile.Bytes(head), mapfile.Bytes(b.Table), b.Meta, b.Payload} {
		if _, err := w.Write(part); err != nil {
			return err
		}
	}
	return nil
}

// Read fills the block with the next one. It returns io.EOF if there is none.
func (b *Block) Read(r io.Reader) error {
	head := mapfile.Aligned(5 * 8)
	if _, err := io.ReadFull(r, head); err != nil {
		return err
	}
	n := mapfile.View[uint64](head)
	b.Docs, b.Pairs = int(n[0]), n[1] == 1
	size := 4*n[2] + n[3] + n[4]
	if uint64(cap(b.raw)) < size {
		b.raw = mapfile.Aligned(int(size + size/4))
	}
	b.raw = b.raw[:size]
	if _, err := io.ReadFull(r, b.raw); err != nil {
		return fmt.Errorf("temporary file: %w", err)
	}
	b.Table = mapfile.View[uint32](b.raw[:4*n[2]])
	b.Meta, b.Payload = b.raw[4*n[2]:4*n[2]+n[3]], b.raw[4*n[2]+n[3]:]
	return nil
}

// Uvarint removes a number from the front of b. It trusts b, which this process wrote.
func Uvarint(b []byte) (uint64, []byte) {
	if b[0] < 0x80 {
		return uint64(b[0]), b[1:]
	}
	x, n := binary.Uvarint(b)
	return x, b[n:]
}

// Skip returns what follows the document of tokens at the front of a payload.
func Skip(payload []byte) (rest []byte) {
	n, rest := Uvarint(payload)
	i := 0
	for ; n > 0; i++ {
		if rest[i] < 0x80 { // the last byte of a number
			n--
		}
	}
	return rest[i:]
}

// Words appends to dst the tokens of the document at the front of a payload, as ids of the corpus, and returns the rest
// of the payload.
func (b *Block) Words(dst []uint32, payload []byte) (words []uint32, rest []byte) {
	n, rest := Uvarint(payload)
	var id uint64
	for range n {
		id, rest = Uvarint(rest)
		if len(b.Table) > 0 {
			id = uint64(b.Table[id])
		}
		dst = append(dst, uint32(id))
	}
	return dst, rest
}
