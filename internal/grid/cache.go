package grid

import (
	"slices"
	"sync"
)

// Cache keeps grids of one corpus from one run to the next: cutting is the same work every
// time, and grids are never changed. It keeps the last few different ones. A nil Cache
// keeps none.
type Cache struct {
	mu    sync.Mutex
	grids []*Grid
	words *uint32 // the first token of the corpus that they are of
	n     int     // its tokens
	once  bool    // a grid that was asked for again is not kept any longer
}

// Once makes a cache for two who ask for the same grid: one begins to cut, the other takes it.
func Once() *Cache { return &Cache{once: true} }

// cached is the number of grids that are kept: runs of other numbers of topics may ask for
// smaller blocks, but for few different sizes.
const cached = 2

// New returns what the function of this name returns, made earlier if it can. Limits
// that differ may give the same grid.
func (s *Cache) New(offsets []uint64, words []uint32, v int, limits Limits) *Grid {
	if s == nil || len(words) == 0 {
		return New(offsets, words, v, limits)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.words != &words[0] || s.n != len(words) {
		s.grids, s.words, s.n = nil, &words[0], len(words)
	}
	blocks := Cut(offsets, limits)
	same := func(g *Grid) bool {
		return slices.EqualFunc(g.Blocks, blocks, func(a, b Block) bool { return a.FirstDoc == b.FirstDoc && a.LastDoc == b.LastDoc })
	}
	if i := slices.IndexFunc(s.grids, same); i >= 0 {
		g := s.grids[i]
		if s.once {
			s.grids = nil
		}
		return g
	}
	if len(s.grids) == cached {
		s.grids = s.grids[1:]
	}
	g := New(offsets, words, v, limits)
	s.grids = append(s.grids, g)
	return g
}
