package blob

import "math/bits"

// topicSet is a set of topics that is emptied in increasing order, in time
// proportional to what it holds plus K/4096: a bitmap, and a bitmap of which of
// its words are not 0.
type topicSet struct {
	low  []uint64 // [K/64] bit k
	high []uint64 // [K/4096] bit i: low[i] is not 0
}

func (s *topicSet) resize(topics int) {
	low := (topics + 63) / 64
	if len(s.low) != low {
		s.low, s.high = make([]uint64, low), make([]uint64, (low+63)/64)
	}
}

func (s *topicSet) add(k uint32) {
	s.low[k/64] |= 1 << (k % 64)
	s.high[k/4096] |= 1 << (k / 64 % 64)
}

// drain calls f with every topic in increasing order and leaves the set empty.
func (s *topicSet) drain(f func(k uint32)) {
	for h, word := range s.high {
		for ; word != 0; word &= word - 1 {
			i := h*64 + bits.TrailingZeros64(word)
			for b := s.low[i]; b != 0; b &= b - 1 {
				f(uint32(i*64 + bits.TrailingZeros64(b)))
			}
			s.low[i] = 0
		}
		s.high[h] = 0
	}
}
