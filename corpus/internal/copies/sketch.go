// Package copies finds documents that are copies of others, exact ones and near ones.
//
// Every document is reduced to a [Sketch]: a hash of its words in their order, and the smallest hashes of its
// shingles, which are three words in a row. Equal hashes are exact copies. Documents that share two of the smallest
// hashes may be near copies; whether they are is decided by all their shingles ([Set]). A document is compared with the
// first of a group alone, because chains of similar documents would join what is not alike.
package copies

import (
	"encoding/binary"
	"math"
	"math/bits"
)

// Lows is the number of the smallest shingles in a sketch. Of two documents that share 60 % of their shingles, which is
// a Jaccard similarity of 0.43, 19 of 20 have two of them in common; four could be found in fewer than 14 of 20.
const Lows = 8

// Least numbers of words of a document that may be a copy. Shorter ones, such as "no" in a survey, are equal by chance.
const (
	leastExact = 5
	leastNear  = 10
)

// Odd constants that mix bits: the golden ratio, and those of SplitMix64.
const (
	mix1 = 0x9e3779b97f4a7c15
	mix2 = 0xbf58476d1ce4e5b9
	mix3 = 0x94d049bb133111eb
)

// Shingle returns the hash of three words in a row, from hashes of the words.
func Shingle(a, b, c uint64) uint64 {
	h := (a*mix1+b)*mix2 + c
	h = (h ^ h>>29) * mix3
	return h ^ h>>32
}

// Sketch is what is kept of a document until all are known.
type Sketch struct {
	Hash   uint64       // of its words in their order
	Tokens uint32       // number of its words
	lows   [Lows]uint64 // its smallest shingles, rising; math.MaxUint64 where there are fewer
}

// Sketcher makes the sketch of a document, word by word. Use Reset before the first word.
type Sketcher struct {
	Sketch
	a, b uint64 // the last two words
}

// Reset begins a document.
func (s *Sketcher) Reset() {
	s.Hash, s.Tokens = 0, 0
	for i := range s.lows {
		s.lows[i] = math.MaxUint64
	}
}

// Add adds a word, given by its hash, which must be the same in every run.
func (s *Sketcher) Add(word uint64) {
	s.Hash = bits.RotateLeft64(s.Hash, 23)*mix1 + word
	s.Tokens++
	h := Shingle(s.a, s.b, word)
	s.a, s.b = s.b, word
	if h < s.lows[Lows-1] && s.Tokens > 2 {
		s.insert(h)
	}
}

// AddCount adds a word with its number of occurrences, for documents without an order of words.
func (s *Sketcher) AddCount(word, count uint32) {
	s.Hash = bits.RotateLeft64(s.Hash, 23)*mix1 + uint64(word)<<32 + uint64(count)
	s.Tokens += count
}

// insert adds a shingle that is below the largest of the smallest.
func (s *Sketch) insert(h uint64) {
	i := Lows - 1
	for i > 0 && s.lows[i-1] > h {
		i--
	}
	if i > 0 && s.lows[i-1] == h {
		return
	}
	copy(s.lows[i+1:], s.lows[i:])
	s.lows[i] = h
}

// Append adds what follows a document: the next piece of a long one. No shingle crosses the border.
func (s *Sketch) Append(next *Sketch) {
	s.Hash = bits.RotateLeft64(s.Hash, 23)*mix1 + next.Hash
	s.Tokens += next.Tokens
	for _, h := range next.lows {
		if h < s.lows[Lows-1] {
			s.insert(h)
		}
	}
}

// The form of a sketch in a temporary file: hash, number of words, number of the document, smallest shingles. Of a
// shingle it has the lower half, because the upper halves of the smallest are alike; 0 stands for none.
const sketchBytes = 8 + 4 + 4 + 4*Lows

func (s *Sketch) encode(b *[sketchBytes]byte, doc uint32) []byte {
	le := binary.LittleEndian
	le.PutUint64(b[0:], s.Hash)
	le.PutUint32(b[8:], s.Tokens)
	le.PutUint32(b[12:], doc)
	for i, h := range s.lows {
		low := max(1, uint32(h))
		if h == math.MaxUint64 || s.Tokens < leastNear {
			low = 0
		}
		le.PutUint32(b[16+4*i:], low)
	}
	return b[:]
}

// stored is a sketch as it is read again.
type stored struct {
	hash        uint64
	tokens, doc uint32
	lows        [Lows]uint32
}

func decode(b []byte) (s stored) {
	le := binary.LittleEndian
	s.hash, s.tokens, s.doc = le.Uint64(b), le.Uint32(b[8:]), le.Uint32(b[12:])
	for i := range s.lows {
		s.lows[i] = le.Uint32(b[16+4*i:])
	}
	return s
}
