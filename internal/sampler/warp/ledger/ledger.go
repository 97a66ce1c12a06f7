// Package ledger keeps n_wk of all words of a corpus on a device, where parts of warp read it. Blobs bring it from
// version to version, and blobs of what a part changed are made there: the host only moves them.
// kernels/ledger.cu is the other half; portable Go are packages blob and internal/cluster/rows.
package ledger

import (
	"context"
	"errors"
	"fmt"
	"math"

	"github.com/topoi-lda/topoi/internal/counts"
	"github.com/topoi-lda/topoi/internal/cuda/kernels/layout"
	"github.com/topoi-lda/topoi/internal/device"
	"github.com/topoi-lda/topoi/internal/parallel"
)

// Rows is n_wk of all words on a device, and n_k on the host. Not safe for concurrent use.
type Rows struct {
	device  *device.Device
	arena   *device.Arena
	topics  int   // K
	begins  []int // slices + 1: the first word of each slice, and V
	threads int   // goroutines of the host
	places  []uint32
	totals  []uint64 // K: n_k

	Hot    int                    // words with sums
	Places *device.Buffer[uint32] // V × 2: places of Model in warp_stream.cu
	Sums   *device.Buffer[uint32] // words with sums × (K+1)
	Guides *device.Buffer[uint16] // words with sums × (kGuide+1)
	Lists  *device.Buffer[uint16] // topics of all other words' tokens

	sent    sent
	changed *device.Buffer[uint32] // K: what was added to n_k, modulo 2^32
	fault   *device.Buffer[uint32] // one number: see ledger_add
	counts  *coder                 // of blobs of counts
}

const (
	threads   = layout.LedgerThreads
	guide     = layout.WarpStreamGuide + 1
	listMost  = 1 << 16           // tokens of a word with a list, at most
	tokenMost = math.MaxInt32     // tokens of a word, or of the corpus, at most
	sums      = layout.LedgerSums // marks a row of sums
)

// Fault says why rows of words of these frequencies cannot be kept on a device, if they cannot.
func Fault(topics int, frequencies []uint64, shared int) error {
	n, listed := uint64(0), uint64(0)
	for _, f := range frequencies {
		n += f
		if !isHot(f, topics) {
			listed += f
		}
	}
	switch {
	case topics > 1<<16, addShared(topics) > shared:
		return fmt.Errorf("rows of %d topics are too long to be added up on the device", topics)
	case n > tokenMost || listed >= sums:
		return fmt.Errorf("%d tokens are too many for rows on the device", n)
	}
	return nil
}

// isHot says whether a word that occurs n times has sums.
func isHot(n uint64, topics int) bool { return n > uint64(topics) || n > listMost }

// Bytes is the memory on the device of rows of words of these frequencies, without what blobs take on their way.
func Bytes(topics int, frequencies []uint64) int64 {
	bytes := int64(0)
	for _, f := range frequencies {
		bytes += 8 + 20 + int64(roomUnits(min(f, uint64(topics)), f))*layout.LedgerUnit
		if isHot(f, topics) {
			bytes += 4*int64(topics+1) + 2*guide
		} else {
			bytes += 2 * int64(f)
		}
	}
	return bytes
}

// New makes rows of nothing for words of these frequencies. begins has the first word of each slice, and V.
func New(d *device.Device, topics int, frequencies []uint64, begins []int, threads int) (*Rows, error) {
	if err := Fault(topics, frequencies, d.SharedMemory()); err != nil {
		return nil, err
	}
	r := &Rows{device: d, arena: d.NewArena(), topics: topics, begins: begins, threads: max(1, threads), totals: make([]uint64, topics)}
	listed := r.place(frequencies)
	a := r.arena
	r.Places = device.Upload(a, r.places)
	r.Sums = device.Alloc[uint32](a, r.Hot*(topics+1))
	r.Guides = device.Alloc[uint16](a, r.Hot*guide)
	r.Lists = device.Alloc[uint16](a, listed)
	r.changed = device.Alloc[uint32](a, topics)
	r.fault = device.Alloc[uint32](a, 1)
	r.counts = newCoder(r, a, func(w int) (entries, sum uint64) { return min(frequencies[w], uint64(topics)), frequencies[w] })
	if err := a.Err(); err != nil {
		return nil, errors.Join(err, r.Close())
	}
	return r, nil
}

// place gives every word a row of sums or a list, and returns how long the lists are together.
func (r *Rows) place(frequencies []uint64) (listed int) {
	r.places = make([]uint32, 2*len(frequencies))
	for w, n := range frequencies {
		r.places[2*w+1] = uint32(n)
		if isHot(n, r.topics) {
			r.places[2*w] = sums | uint32(r.Hot)
			r.Hot++
		} else {
			r.places[2*w] = uint32(listed)
			listed += int(n)
		}
	}
	return listed
}

// words is V.
func (r *Rows) words() int { return len(r.places) / 2 }

// Close gives the device's memory back.
func (r *Rows) Close() error { return r.arena.Close() }

// TopicTotals implements sampler.RowsOn.
func (r *Rows) TopicTotals() []uint64 { return r.totals }

// Row fetches the row of a word.
func (r *Rows) Row(w int) ([]counts.Entry, error) {
	place, n := r.places[2*w], int(r.places[2*w+1])
	row := make([]uint32, r.topics)
	if place&sums != 0 {
		at := int(place^sums) * (r.topics + 1)
		running := make([]uint32, r.topics+1)
		if err := r.Sums.View(at, at+r.topics+1).Download(running); err != nil {
			return nil, err
		}
		for k := range row {
			row[k] = running[k+1] - running[k]
		}
	} else if n > 0 {
		list := make([]uint16, n)
		if err := r.Lists.View(int(place), int(place)+n).Download(list); err != nil {
			return nil, err
		}
		for _, k := range list {
			row[k]++
		}
	}
	var entries []counts.Entry
	for k, c := range row {
		if c > 0 {
			entries = append(entries, counts.Entry{Topic: uint32(k), Count: c})
		}
	}
	return entries, nil
}

// together calls f for the numbers below n from the host's goroutines, and returns the first fault.
func (r *Rows) together(n int, f func(i int) error) error {
	faults := make([]error, n)
	err := parallel.Do(context.Background(), r.threads, n, func(_, i int) { faults[i] = f(i) })
	return device.FirstError(append(faults, err)...)
}
