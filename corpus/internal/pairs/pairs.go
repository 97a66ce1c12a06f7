// Package pairs counts pairs of word ids in bounded memory.
package pairs

import (
	"iter"
	"math/bits"
)

// maxPairs is the largest number of pairs in a table, about 100 MB.
const maxPairs = 1 << 22

// Counts counts pairs of word ids, given as x<<32 | y, in bounded memory. When it holds more than maxPairs
// after a round of additions, it forgets the rarest until at most half are left ("lossy counting", Manku
// and Motwani, VLDB 2002). What it forgets depends only on the order of rounds.
//
// Pairs are stored in the order in which they came. An open-addressing table with linear probing, at most
// half full, finds them. (If the table itself held them, copying one table into another would fill it in
// the order of hashes, which makes long runs of occupied slots.)
type Counts struct {
	keys   []uint64
	counts []uint64
	slots  []uint32 // index+1 into keys, or 0 when free; the length is a power of two
}

// New returns empty counts.
func New() *Counts { return &Counts{slots: make([]uint32, 1<<10)} }

// slot returns the slot of key, or the free slot where it belongs. Fibonacci hashing spreads the ids.
func (p *Counts) slot(key uint64) int {
	mask := len(p.slots) - 1
	i := int((key * 0x9E3779B97F4A7C15) >> (64 - bits.Len(uint(mask))))
	for p.slots[i] != 0 && p.keys[p.slots[i]-1] != key {
		i = (i + 1) & mask
	}
	return i
}

// Add counts a pair n times.
func (p *Counts) Add(key, n uint64) {
	i := p.slot(key)
	if s := p.slots[i]; s != 0 {
		p.counts[s-1] += n
		return
	}
	p.keys = append(p.keys, key)
	p.counts = append(p.counts, n)
	p.slots[i] = uint32(len(p.keys))
	if 2*len(p.keys) > len(p.slots) {
		p.slots = make([]uint32, 2*len(p.slots))
		p.index()
	}
}

// AddAll performs one round: it adds all counts of q, then forgets rare pairs if there are too many.
func (p *Counts) AddAll(q *Counts) {
	for key, n := range q.All() {
		p.Add(key, n)
	}
	if len(p.keys) > maxPairs {
		p.forget(maxPairs / 2)
	}
}

// forget drops the pairs with the smallest counts until no more than target are left. Pairs with the same
// count are dropped together.
func (p *Counts) forget(target int) {
	for least := uint64(1); len(p.keys) > target; least++ {
		n := 0
		for i, c := range p.counts {
			if c > least {
				p.keys[n], p.counts[n] = p.keys[i], c
				n++
			}
		}
		p.keys, p.counts = p.keys[:n], p.counts[:n]
	}
	clear(p.slots)
	p.index()
}

// index fills the slots, which must be free, with all pairs.
func (p *Counts) index() {
	for i, key := range p.keys {
		p.slots[p.slot(key)] = uint32(i + 1)
	}
}

// Reset removes everything but keeps the memory.
func (p *Counts) Reset() {
	p.keys, p.counts = p.keys[:0], p.counts[:0]
	clear(p.slots)
}

// All yields every pair with its count, in the order in which pairs came.
func (p *Counts) All() iter.Seq2[uint64, uint64] {
	return func(yield func(uint64, uint64) bool) {
		for i, key := range p.keys {
			if !yield(key, p.counts[i]) {
				return
			}
		}
	}
}
