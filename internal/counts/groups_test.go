package counts

import (
	"cmp"
	"maps"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"
)

// Tallies of two halves, added in either way, have the bins of all documents. With many groups no n has a counter.
func TestTally(t *testing.T) {
	const k = 3
	for _, groups := range []int{1, 5, nearCells / 10, nearCells} {
		r := rand.New(rand.NewPCG(1, uint64(groups)))
		list := []uint32{0, uint32(groups - 1)}
		whole, halves, counted := NewTally(list, k), []*Tally{NewTally(list, k), NewTally(list, k)}, map[Bin]uint32{}
		for i := range 3000 {
			cell := Cell(list[r.IntN(2)], r.IntN(k+1), k)
			n := uint32(r.IntN(20))
			if i%10 == 0 {
				n *= 1000
			}
			whole.Count(cell, n)
			halves[i%2].Count(cell, n)
			counted[Bin{Cell: cell, N: n}]++
		}
		want := slices.SortedFunc(maps.Keys(counted), func(a, b Bin) int { return cmp.Or(cmp.Compare(a.Cell, b.Cell), cmp.Compare(a.N, b.N)) })
		for i := range want {
			want[i].Times = counted[want[i]]
		}
		if got := whole.Bins(); !reflect.DeepEqual(got, want) {
			t.Fatalf("%d groups: bins %v, want %v", groups, got, want)
		}
		var sum Histograms
		for _, half := range halves {
			sum.Add(&Histograms{Groups: half.Bins()})
		}
		if halves[0].Add(halves[1]); !reflect.DeepEqual(halves[0].Bins(), want) || !reflect.DeepEqual(sum.Groups, want) {
			t.Errorf("%d groups: the sum of two tallies has other bins", groups)
		}
		by := ByGroup(want, groups, k)
		if n := len(by[0]); groups > 1 && !reflect.DeepEqual(append(by[0][:n:n], by[groups-1]...), want) {
			t.Errorf("%d groups: other bins by group", groups)
		}
	}
}
