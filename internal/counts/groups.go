package counts

import (
	"context"
	"slices"

	"github.com/topoi-lda/topoi/internal/parallel"
)

// Tally counts documents by group. Small n have a counter each, other n are listed.
type Tally struct {
	near  uint32 // n below it have a counter
	cells []uint32
	far   []uint64 // cell << 32 | n
}

// nearCells is the number of counters: they take four megabytes.
const nearCells = 1 << 20

// NewTally returns an empty tally of documents in the given groups, for k topics.
func NewTally(groups []uint32, k int) *Tally {
	cells := (uint64(slices.Max(groups)) + 1) * uint64(k+1)
	t := &Tally{near: uint32(min(256, nearCells/cells))}
	t.cells = make([]uint32, cells*uint64(t.near))
	return t
}

// TallyOf returns a tally of what was counted elsewhere: counters by cell, near for each, and listed pairs of cell and
// n.
func TallyOf(cells []uint32, near int, listed []uint32) *Tally {
	t := &Tally{near: uint32(near), cells: cells}
	for ; len(listed) > 0; listed = listed[2:] {
		t.Count(listed[0], listed[1])
	}
	return t
}

// Count counts a document with n tokens in a cell.
func (t *Tally) Count(cell, n uint32) {
	if n < t.near {
		t.cells[cell*t.near+n]++
	} else {
		t.far = append(t.far, uint64(cell)<<32|uint64(n))
	}
}

// Add adds the counts of o, a tally of the same groups.
func (t *Tally) Add(o *Tally) {
	Add(t.cells, o.cells)
	t.far = append(t.far, o.far...)
}

// Bins returns the bins that are not empty, sorted by cell and n. It uses the given number of goroutines.
func (t *Tally) Bins(threads int) []Bin {
	const run = 1 << 12 // cells taken at a time
	last := len(t.cells) / int(max(1, t.near))
	for _, x := range t.far {
		last = max(last, int(x>>32)+1)
	}
	runs := (last + run - 1) / run
	far, lists := make([][]uint64, runs), make([][]Bin, runs)
	for _, x := range t.far {
		far[x>>32/run] = append(far[x>>32/run], x)
	}
	_ = parallel.Do(context.Background(), threads, runs, func(_, i int) {
		from, to := min(i*run*int(t.near), len(t.cells)), min((i+1)*run*int(t.near), len(t.cells))
		lists[i] = t.binsOf(uint32(from), t.cells[from:to], far[i])
	})
	return slices.Concat(lists...)
}

// binsOf returns the bins of some cells: their counters, the first of which has a number, and what is listed.
func (t *Tally) binsOf(first uint32, cells []uint32, listed []uint64) []Bin {
	var near, far []Bin
	for i, times := range cells {
		if times > 0 {
			at := first + uint32(i)
			near = append(near, Bin{at / t.near, at % t.near, times})
		}
	}
	slices.Sort(listed)
	for _, x := range listed {
		far = append(far, Bin{uint32(x >> 32), uint32(x), 1})
	}
	return addBins(near, far)
}

// ByGroup cuts sorted bins of k topics into those of each group.
func ByGroup(bins []Bin, groups, k int) [][]Bin {
	list := make([][]Bin, groups)
	for g := range list {
		n := 0
		for n < len(bins) && bins[n].Cell < Cell(uint32(g)+1, 0, k) {
			n++
		}
		list[g], bins = bins[:n], bins[n:]
	}
	return list
}
