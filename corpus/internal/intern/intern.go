// Package intern numbers words.
package intern

import (
	"bytes"
	"hash/maphash"
)

// Table numbers distinct words 0, 1, 2, … in the order in which they are first seen. Words are stored in
// one arena, so that a vocabulary of millions needs a handful of allocations and a lookup needs none.
//
// It is an open-addressing table with linear probing, at most half full. The
// hash is the runtime's, seeded per process; ids never depend on it.
type Table struct {
	ends   []uint64 // where word i ends in bytes; it begins where word i-1 ends
	bytes  []byte
	hashes []uint64 // hashes of the words, for growing and for other tables
	slots  []uint32 // id+1, or 0 when free; the length is a power of two
}

// hashSeed is shared by all tables, so that a hash from one is valid in another.
var hashSeed = maphash.MakeSeed()

// Hash returns the hash of a word.
func Hash(word []byte) uint64 { return maphash.Bytes(hashSeed, word) }

// New returns a table with room for about n words.
func New(n int) *Table {
	size := 16
	for size < 2*n {
		size *= 2
	}
	return &Table{slots: make([]uint32, size)}
}

// Len returns the number of distinct words.
func (t *Table) Len() int { return len(t.hashes) }

// At returns word i.
func (t *Table) At(i int) []byte {
	begin := uint64(0)
	if i > 0 {
		begin = t.ends[i-1]
	}
	return t.bytes[begin:t.ends[i]:t.ends[i]]
}

// HashAt returns the hash of word i.
func (t *Table) HashAt(i int) uint64 { return t.hashes[i] }

// Words returns all words: where each ends, and their bytes. They belong to the table.
func (t *Table) Words() (ends []uint64, bytes []byte) { return t.ends, t.bytes }

// Intern returns the id of word, whose hash is h, adding the word if it is new.
func (t *Table) Intern(word []byte, h uint64) uint32 {
	mask := uint64(len(t.slots) - 1)
	for i := h & mask; ; i = (i + 1) & mask {
		s := t.slots[i]
		if s == 0 {
			return t.insert(word, h, i)
		}
		if t.hashes[s-1] == h && bytes.Equal(t.At(int(s-1)), word) {
			return s - 1
		}
	}
}

// Lookup does what Intern does, without adding the word.
func (t *Table) Lookup(word []byte) (id uint32, ok bool) {
	h := Hash(word)
	mask := uint64(len(t.slots) - 1)
	for i := h & mask; ; i = (i + 1) & mask {
		s := t.slots[i]
		if s == 0 {
			return 0, false
		}
		if t.hashes[s-1] == h && bytes.Equal(t.At(int(s-1)), word) {
			return s - 1, true
		}
	}
}

// insert puts a new word into slot i.
func (t *Table) insert(word []byte, h, i uint64) uint32 {
	t.bytes = append(t.bytes, word...)
	t.ends = append(t.ends, uint64(len(t.bytes)))
	t.hashes = append(t.hashes, h)
	id := uint32(len(t.hashes))
	t.slots[i] = id
	if 2*len(t.hashes) > len(t.slots) {
		t.grow()
	}
	return id - 1
}

func (t *Table) grow() {
	t.slots = make([]uint32, 2*len(t.slots))
	mask := uint64(len(t.slots) - 1)
	for id, h := range t.hashes {
		i := h & mask
		for t.slots[i] != 0 {
			i = (i + 1) & mask
		}
		t.slots[i] = uint32(id + 1)
	}
}

// Reset forgets all words but keeps the memory.
func (t *Table) Reset() {
	clear(t.slots)
	t.hashes = t.hashes[:0]
	t.ends = t.ends[:0]
	t.bytes = t.bytes[:0]
}
