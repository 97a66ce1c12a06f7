package ledger

import (
	"fmt"
	"math"

	"github.com/topoi-lda/topoi/internal/blob"
	"github.com/topoi-lda/topoi/internal/cuda/kernels/layout"
	"github.com/topoi-lda/topoi/internal/device"
)

// coder makes the rows of blobs on the device: a kernel writes each row to a room that is large enough, and when their
// lengths are known another puts them behind each other.
type coder struct {
	rows    *Rows
	arena   *device.Arena
	roomOf  *device.Buffer[uint32] // V: where the room of a word begins, in units
	rooms   *device.Buffer[uint8]
	lengths *device.Buffer[uint32] // V: of the entries of a row, marked if they are bits and bytes
	entries *device.Buffer[uint32] // V: how many
	gaps    *device.Buffer[uint32] // V: words skipped before a row
	places  *device.Buffer[uint32] // V: where a row is to begin
	out     *device.Buffer[uint8]
	heads   *device.Host[uint32] // V × 4: lengths and entries on their way here, gaps and places on their way there
	bytes   *device.Host[uint8]
	units   int

	bodies []blob.Body // by slice; their bytes are in bytes
}

// roomUnits is how many units the room of a row has.
func roomUnits(entries, sum uint64) int {
	return (blob.MostBytes(int(entries), int(sum)) + layout.LedgerUnit - 1) / layout.LedgerUnit
}

// codeShared is the shared memory of kernels that write rows.
func codeShared(topics int) int { return 4 * (rowNumbers(topics) + threads/32) }

// newCoder makes a coder for rows of at most so many entries that add up to at most so much.
func newCoder(r *Rows, a *device.Arena, most func(w int) (entries, sum uint64)) *coder {
	v := r.words()
	c := &coder{rows: r, arena: a, bodies: make([]blob.Body, len(r.begins)-1)}
	roomOf := make([]uint32, v)
	for w := range roomOf {
		roomOf[w] = uint32(c.units)
		if entries, sum := most(w); entries > 0 {
			c.units += roomUnits(entries, sum)
		}
	}
	c.roomOf, c.rooms = device.Upload(a, roomOf), device.Alloc[uint8](a, c.units*layout.LedgerUnit)
	c.lengths, c.entries = device.Alloc[uint32](a, v), device.Alloc[uint32](a, v)
	c.gaps, c.places = device.Alloc[uint32](a, v), device.Alloc[uint32](a, v)
	c.heads = device.Pin[uint32](a, 4*v)
	return c
}

// shape is that of kernels that write the rows of n words.
func (c *coder) shape(n int) device.Shape {
	return device.Shape{Blocks: min(n, 16*c.rows.device.Processors()), Threads: threads, Shared: codeShared(c.rows.topics)}
}

// gather puts the rows of the words of slices first … last-1, which have been written, behind each other and fetches them.
func (c *coder) gather(first, last int) error {
	r, q := c.rows, c.rows.device.Main()
	from, to := r.begins[first], r.begins[last]
	v := to - from
	if v == 0 {
		clear(c.bodies[first:last])
		return nil
	}
	list := func(i int) *device.Host[uint32] { return c.heads.View(i*r.words()+from, i*r.words()+to) }
	err := device.FirstError(c.lengths.View(from, to).Receive(q, list(0)), c.entries.View(from, to).Receive(q, list(1)), q.Wait())
	if err != nil {
		return err
	}
	cuts, err := c.arrange(first, last)
	total := cuts[last-first]
	if err != nil || total == 0 {
		return err
	}
	if c.bytes == nil || len(c.bytes.Slice()) < total {
		room := total + total/8
		device.Grow(c.arena, &c.out, room)
		device.GrowHost(c.arena, &c.bytes, room)
		if err := c.arena.Err(); err != nil {
			return err
		}
	}
	err = device.FirstError(
		c.gaps.View(from, to).Send(q, list(2)), c.places.View(from, to).Send(q, list(3)),
		r.device.Launch("ledger", "ledger_gather", device.Spread(r.device, 32*v, 256, 0, 16), c.rooms, c.roomOf, c.lengths, uint32(from), uint32(to), c.gaps, c.places, c.out),
		c.out.View(0, total).Receive(q, c.bytes.View(0, total)), q.Wait())
	for i := range last - first {
		c.bodies[first+i].Bytes = c.bytes.Slice()[cuts[i]:cuts[i+1]]
	}
	return err
}

// arrange says where the rows of slices first … last-1 are to be, and returns where each slice begins and the last one ends.
func (c *coder) arrange(first, last int) ([]int, error) {
	v, numbers := c.rows.words(), c.heads.Slice()
	lengths, entries, gaps, places := numbers[:v], numbers[v:2*v], numbers[2*v:3*v], numbers[3*v:]
	cuts := make([]int, 1, last-first+1)
	at := 0
	for slice := first; slice < last; slice++ {
		var b blob.Body
		next := 0 // the smallest word that may follow
		for w := c.rows.begins[slice]; w < c.rows.begins[slice+1]; w++ {
			length := lengths[w] &^ layout.LedgerBits
			if length == 0 {
				continue
			}
			gaps[w], places[w] = uint32(w-next), uint32(at)
			at += blob.HeadBytes(gaps[w], length, lengths[w] != length) + int(length)
			next = w + 1
			b.Rows++
			b.Entries += uint64(entries[w])
		}
		c.bodies[slice] = b
		cuts = append(cuts, at)
	}
	if at > math.MaxInt32 {
		return cuts, fmt.Errorf("%d bytes of changes are too many for the device at once: use more parts", at)
	}
	return cuts, nil
}

// Encode returns the rows of a slice as a blob of counts.
func (r *Rows) Encode(slice int, id blob.ID) ([]byte, error) {
	from, to, c := r.begins[slice], r.begins[slice+1], r.counts
	if from < to {
		err := r.device.Launch("ledger", "ledger_counts", c.shape(to-from), r.Places, r.Sums, r.Lists, uint32(from), uint32(to), uint32(r.topics), c.roomOf, c.rooms, c.lengths, c.entries)
		if err != nil {
			return nil, err
		}
	}
	if err := c.gather(slice, slice+1); err != nil {
		return nil, err
	}
	return c.bodies[slice].Encode(id), nil
}
