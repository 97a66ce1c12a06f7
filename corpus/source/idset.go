package source

import "github.com/zeebo/xxh3"

// idSet remembers the ids of documents to find repeated ones. It keeps 8-byte
// hashes in an open-addressing table, so it may take two ids for one with a
// chance of about D²/2⁶⁵. It stops growing at maxIDs documents (64 MiB):
// later ids are only compared with those.
type idSet struct {
	slots []uint64 // hashes, 0 = free; the length is a power of two
	n     int
}

const maxIDs = 1 << 22

func newIDSet() *idSet { return &idSet{slots: make([]uint64, 1<<10)} }

// add reports whether id is new, and remembers it. The empty id, which stands
// for "none", is always new.
func (s *idSet) add(id []byte) bool {
	if len(id) == 0 {
		return true
	}
	h := max(xxh3.Hash(id), 1)
	i := s.find(h)
	if s.slots[i] == h {
		return false
	}
	if s.n == maxIDs {
		return true
	}
	s.slots[i] = h
	s.n++
	if 2*s.n > len(s.slots) {
		s.grow()
	}
	return true
}

// find returns the slot that holds h or would take it.
func (s *idSet) find(h uint64) int {
	mask := len(s.slots) - 1
	i := int(h) & mask
	for s.slots[i] != 0 && s.slots[i] != h {
		i = (i + 1) & mask
	}
	return i
}

func (s *idSet) grow() {
	old := s.slots
	s.slots = make([]uint64, 2*len(old))
	for _, h := range old {
		if h != 0 {
			s.slots[s.find(h)] = h
		}
	}
}
