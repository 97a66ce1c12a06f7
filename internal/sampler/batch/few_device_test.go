package batch

import (
	"slices"
	"testing"
)

func TestByLength(t *testing.T) {
	offsets := []uint64{10, 13, 13, 20, 21, 24} // 3, 0, 7, 1 and 3 tokens
	for most, long := range map[int]int{0: 4, 1: 3, 2: 3, 3: 1, 6: 1, 7: 0, 100: 0} {
		list, n := byLength(offsets, 5, most)
		if want := []uint32{7, 5, 9, 8}; !slices.Equal(list, want) || n != long {
			t.Errorf("documents %v, want %v; %d are longer than %d, want %d", list, want, n, most, long)
		}
	}
	if list, n := byLength([]uint64{4, 4}, 0, 3); len(list) != 0 || n != 0 {
		t.Errorf("an empty document is listed: %v, %d", list, n)
	}
}
