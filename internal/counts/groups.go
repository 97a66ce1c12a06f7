package counts

import (
	"cmp"
	"context"
	"runtime"
	"slices"
	"unsafe"

	"github.com/topoi-lda/topoi/internal/mapfile"
	"github.com/topoi-lda/topoi/internal/parallel"
	"github.com/topoi-lda/topoi/topic"
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

// Bins returns the bins that are not empty, sorted by cell and n.
func (t *Tally) Bins() []Bin {
	var near, far []Bin
	for i, times := range t.cells {
		if times > 0 {
			near = append(near, Bin{uint32(i) / t.near, uint32(i) % t.near, times})
		}
	}
	slices.Sort(t.far)
	for _, x := range t.far {
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

// Gather returns the rows of all words, one after the other, and the end of each. It counts the entries
// first, which takes less memory than a list that grows.
func Gather(rows Rows, words, threads int) (entries []Entry, ends []uint64) {
	const run = 64 // frequent words, which take longest, come first in many vocabularies
	ends = make([]uint64, words)
	place, inPlace := rows.(InPlace)
	each := func(f func(w int, row []Entry)) {
		room := make([][]Entry, parallel.Workers(threads, words))
		_ = parallel.Do(context.Background(), threads, (words+run-1)/run, func(worker, i int) {
			for w := i * run; w < min(words, (i+1)*run); w++ {
				if inPlace {
					f(w, place.Row(w))
					continue
				}
				room[worker] = rows.AppendRow(room[worker][:0], w)
				f(w, room[worker])
			}
		})
	}
	each(func(w int, row []Entry) { ends[w] = uint64(len(row)) })
	for w := 1; w < words; w++ {
		ends[w] += ends[w-1]
	}
	if words == 0 {
		return nil, ends
	}
	entries = make([]Entry, ends[words-1])
	each(func(w int, row []Entry) { copy(entries[ends[w]-uint64(len(row)):], row) })
	return entries, ends
}

// Totals returns the sums of all rows by topic. wrong is the first word whose row is not sorted or contains a
// topic beyond K-1 or a count of 0, or -1. It uses all cores.
func Totals(rows InPlace, words, topics int) (totals []uint64, wrong int) {
	const run = 1 << 10  // words
	const most = 1 << 22 // sums of all workers together, 32 MiB: each worker has one of every topic
	tasks := (words + run - 1) / run
	workers := min(runtime.GOMAXPROCS(0), max(1, most/max(1, topics)))
	sums := make([][]uint64, parallel.Workers(workers, tasks))
	for i := range sums {
		sums[i] = make([]uint64, topics)
	}
	faults := make([]int, tasks) // 1 + the first wrong word of the run, or 0
	_ = parallel.Do(context.Background(), len(sums), tasks, func(worker, i int) {
		for w := i * run; w < min(words, (i+1)*run) && faults[i] == 0; w++ {
			if !addRow(sums[worker], rows.Row(w)) {
				faults[i] = 1 + w
			}
		}
	})
	for _, sum := range sums[1:] {
		Add(sums[0], sum)
	}
	for _, w := range faults {
		if w > 0 {
			return sums[0], w - 1
		}
	}
	return sums[0], -1
}

// addRow adds a row to sums, and reports whether it is valid.
func addRow(sums []uint64, row []Entry) bool {
	next := 0
	for _, e := range row {
		if int(e.Topic) < next || int(e.Topic) >= len(sums) || e.Count == 0 {
			return false
		}
		sums[e.Topic] += uint64(e.Count)
		next = int(e.Topic) + 1
	}
	return true
}

// Occurring returns the words that occur among tokens, in increasing order.
func Occurring(tokens []uint32, vocabulary int) []uint32 {
	occurs := make([]bool, vocabulary)
	for _, w := range tokens {
		occurs[w] = true
	}
	var list []uint32
	for w, yes := range occurs {
		if yes {
			list = append(list, uint32(w))
		}
	}
	return list
}

// ViewEntries returns pairs of little-endian uint32 as the entries of rows. It shares the memory.
func ViewEntries(b []byte) []Entry {
	x := mapfile.View[uint32](b)
	if len(x) < 2 {
		return nil
	}
	return unsafe.Slice((*Entry)(unsafe.Pointer(&x[0])), len(x)/2)
}

// BytesOf is the inverse of ViewEntries.
func BytesOf(entries []Entry) []byte {
	if len(entries) == 0 {
		return nil
	}
	return mapfile.Bytes(unsafe.Slice((*uint32)(unsafe.Pointer(&entries[0])), 2*len(entries)))
}

// Top appends the n highest counts of a column, highest first, equal ones by word. It collects up to 2n
// counts, then drops the lower half: O(log n) for a word that it keeps, and almost nothing for the others.
func Top(dst, column []topic.WordCount, n int) []topic.WordCount {
	if n <= 0 {
		return dst
	}
	first := len(dst)
	least := uint32(0) // counts that do not exceed it are not among the n highest
	for _, e := range column {
		if e.Count <= least {
			continue
		}
		dst = append(dst, e)
		if len(dst) == first+2*n {
			slices.SortFunc(dst[first:], byFallingCount)
			dst = dst[:first+n]
			least = dst[len(dst)-1].Count
		}
	}
	slices.SortFunc(dst[first:], byFallingCount)
	return dst[:min(len(dst), first+n)]
}

// byFallingCount orders by falling count, then by word.
func byFallingCount(a, b topic.WordCount) int {
	return cmp.Or(cmp.Compare(b.Count, a.Count), cmp.Compare(a.Word, b.Word))
}
