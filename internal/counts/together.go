package counts

import (
	"context"
	"unsafe"

	"github.com/topoi-lda/topoi/internal/mapfile"
	"github.com/topoi-lda/topoi/internal/parallel"
)

// listed are rows by word, each somewhere.
type listed [][]Entry

func (l listed) Row(w int) []Entry { return l[w] }

const (
	// wordsAtOnce is how many words a goroutine of copyTogether takes at a time. Frequent
	// words have longer rows and often lie together.
	wordsAtOnce = 16

	// slabEntries is how many entries are allocated at a time: 512 kB.
	slabEntries = 1 << 16
)

// copyTogether copies the rows of the words marked by several goroutines.
func copyTogether(rows Rows, words []bool, threads int) listed {
	var list []int
	for w, marked := range words {
		if marked {
			list = append(list, w)
		}
	}
	l := make(listed, len(words))
	tasks := (len(list) + wordsAtOnce - 1) / wordsAtOnce
	slabs := make([][]Entry, parallel.Workers(threads, tasks))
	_ = parallel.Do(context.Background(), threads, tasks, func(worker, task int) {
		for _, w := range list[task*wordsAtOnce : min(len(list), (task+1)*wordsAtOnce)] {
			l[w], slabs[worker] = appendToSlab(rows, w, slabs[worker])
		}
	})
	return l
}

// appendToSlab appends the row of a word to a slab, and returns both. A new slab is begun
// well before the old one is full, so that hardly any row has to be moved.
func appendToSlab(rows Rows, w int, slab []Entry) (row, grown []Entry) {
	if cap(slab)-len(slab) < slabEntries/8 {
		slab = make([]Entry, 0, slabEntries)
	}
	before := len(slab)
	slab = rows.AppendRow(slab, w)
	return slab[before:len(slab):len(slab)], slab
}

// ViewEntries sees pairs of little-endian uint32 as the entries of rows.
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
