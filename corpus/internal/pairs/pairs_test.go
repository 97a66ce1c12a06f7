package pairs

import (
	"testing"

	"pgregory.net/rapid"
)

// TestCounts compares with a map, and checks what forgetting keeps.
func TestCounts(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		keys := rapid.SliceOfN(rapid.Uint64Range(0, 3000), 0, 4000).Draw(t, "keys")
		p, want := New(), make(map[uint64]uint64)
		for i, key := range keys {
			p.Add(key*key, uint64(1+i%3))
			want[key*key] += uint64(1 + i%3)
		}
		target := rapid.IntRange(0, 3000).Draw(t, "target")
		for range 2 {
			got := make(map[uint64]uint64)
			for key, n := range p.All() {
				got[key] = n
			}
			if len(got) != len(want) || len(p.keys) != len(want) {
				t.Fatalf("%d pairs, want %d", len(got), len(want))
			}
			for key, n := range want {
				if got[key] != n {
					t.Fatalf("pair %d counted %d times, want %d", key, got[key], n)
				}
			}
			p.forget(target)
			for least := uint64(1); len(want) > target; least++ {
				for key, n := range want {
					if n <= least {
						delete(want, key)
					}
				}
			}
		}
	})
}
