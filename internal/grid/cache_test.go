package grid

import "testing"

func TestCache(t *testing.T) {
	offsets, words := []uint64{0}, []uint32{}
	for d := range 100 {
		for w := range 1 + d%7 {
			words = append(words, uint32(w))
		}
		offsets = append(offsets, uint64(len(words)))
	}
	s := &Cache{}
	first := s.New(offsets, words, 7, Limits{Tokens: 50, Docs: 100})
	if s.New(offsets, words, 7, Limits{Tokens: 50, Docs: 90}) != first {
		t.Error("limits that cut alike give another grid")
	}
	other := s.New(offsets, words, 7, Limits{Tokens: 50, Docs: 3})
	if other == first || len(other.Blocks) == len(first.Blocks) {
		t.Error("other limits give the same grid")
	}
	if s.New(offsets, words, 7, Limits{Tokens: 50, Docs: 100}) != first {
		t.Error("the first grid is gone")
	}
	s.New(offsets, words, 7, Limits{Tokens: 50, Docs: 2})
	if len(s.grids) != cached {
		t.Errorf("%d grids are kept", len(s.grids))
	}
	copied := append([]uint32(nil), words...)
	if s.New(offsets, copied, 7, Limits{Tokens: 50, Docs: 2}); len(s.grids) != 1 {
		t.Error("grids of another corpus are kept")
	}
	if (*Cache)(nil).New(offsets, words, 7, Limits{Tokens: 50, Docs: 2}) == nil {
		t.Error("without a cache there is no grid")
	}
}

// A grid that was cut ahead is handed out once.
func TestOnce(t *testing.T) {
	offsets, words, limits := []uint64{0, 2, 3}, []uint32{0, 1, 1}, Limits{Tokens: 2, Docs: 2}
	s := Once()
	first := s.New(offsets, words, 2, limits)
	if s.New(offsets, words, 2, limits) != first {
		t.Error("the grid was cut again")
	}
	if len(s.grids) > 0 {
		t.Error("it is still kept")
	}
}
