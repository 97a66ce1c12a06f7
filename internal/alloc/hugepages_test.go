package alloc

import "testing"

// Large pages change no value, of tables of any size that begin anywhere.
func TestHugePagesKeepValues(t *testing.T) {
	for _, n := range []int{0, 1, 1 << 10, 1 << 20, 3<<20 + 17} {
		table := make([]uint32, n+5)[5:]
		for i := range table {
			table[i] = uint32(i) * 2654435761
		}
		HugePages(table)
		for i, x := range table {
			if x != uint32(i)*2654435761 {
				t.Fatalf("value %d of %d is %d", i, n, x)
			}
		}
	}
}
