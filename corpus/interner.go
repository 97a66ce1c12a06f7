package corpus

import (
	"bytes"
	"hash/maphash"
)

// interner numbers distinct words 0, 1, 2, … in the order in which they are
// first seen. Words lie in one arena, so a vocabulary of millions is a handful
// of allocations and a lookup allocates nothing.
//
// It is an open-addressing table with linear probing, at most half full. The
// hash is the runtime's, seeded per process; ids never depend on it.
type interner struct {
	words  Strings
	hashes []uint64 // of each word, for growing and for interning elsewhere
	slots  []uint32 // id+1, or 0 when free; the length is a power of two
}

// hashSeed is shared by all interners so that a hash computed by one serves in
// another.
var hashSeed = maphash.MakeSeed()

func hashWord(word []byte) uint64 { return maphash.Bytes(hashSeed, word) }

// newInterner returns an interner with room for about n words.
func newInterner(n int) *interner {
	size := 16
	for size < 2*n {
		size *= 2
	}
	return &interner{slots: make([]uint32, size)}
}

// Len returns the number of distinct words.
func (t *interner) Len() int { return len(t.hashes) }

// intern returns the id of word, whose hash is h, adding the word if it is new.
func (t *interner) intern(word []byte, h uint64) uint32 {
	mask := uint64(len(t.slots) - 1)
	for i := h & mask; ; i = (i + 1) & mask {
		s := t.slots[i]
		if s == 0 {
			return t.insert(word, h, i)
		}
		if t.hashes[s-1] == h && bytes.Equal(t.words.Bytes(int(s-1)), word) {
			return s - 1
		}
	}
}

// lookup is intern without adding.
func (t *interner) lookup(word []byte) (id uint32, ok bool) {
	h := hashWord(word)
	mask := uint64(len(t.slots) - 1)
	for i := h & mask; ; i = (i + 1) & mask {
		s := t.slots[i]
		if s == 0 {
			return 0, false
		}
		if t.hashes[s-1] == h && bytes.Equal(t.words.Bytes(int(s-1)), word) {
			return s - 1, true
		}
	}
}

// insert puts a new word into slot i.
func (t *interner) insert(word []byte, h, i uint64) uint32 {
	t.words.bytes = append(t.words.bytes, word...)
	t.words.ends = append(t.words.ends, uint64(len(t.words.bytes)))
	t.hashes = append(t.hashes, h)
	id := uint32(len(t.hashes))
	t.slots[i] = id
	if 2*len(t.hashes) > len(t.slots) {
		t.grow()
	}
	return id - 1
}

func (t *interner) grow() {
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

// reset forgets all words but keeps the memory.
func (t *interner) reset() {
	clear(t.slots)
	t.hashes = t.hashes[:0]
	t.words.ends = t.words.ends[:0]
	t.words.bytes = t.words.bytes[:0]
}
