package ledger

import (
	"fmt"
	"math"

	"github.com/topoi-lda/topoi/internal/blob"
	"github.com/topoi-lda/topoi/internal/cuda/kernels/layout"
	"github.com/topoi-lda/topoi/internal/device"
	"github.com/topoi-lda/topoi/internal/sampler"
)

// sent is blobs on their way to the device.
type sent struct {
	bytes   *device.Host[uint8]
	index   *device.Host[uint32] // layers × V × 2: where in bytes the entries of a word are, and their length
	bytesOn *device.Buffer[uint8]
	indexOn *device.Buffer[uint32]
}

// layersMost is how many layers a kernel takes at a time: they have bits of a number.
const layersMost = 32

// addShared is the shared memory of ledger_add.
func addShared(topics int) int { return 4 * (3*rowNumbers(topics) + threads/32) }

// rowNumbers is rowNumbers of ledger.h.
func rowNumbers(topics int) int { return topics + topics/32 + 1 }

// Load takes the rows from blobs of counts, in place of those that are there.
func (r *Rows) Load(blobs []blob.Decoder) error {
	clear(r.totals)
	return r.apply("ledger_load", []sampler.Layer{{Slices: blobs}}, func(n uint32) uint64 { return uint64(n) })
}

// Add adds changes. After a fault the rows are of no use.
func (r *Rows) Add(layers []sampler.Layer) error {
	for len(layers) > 0 {
		n := min(len(layers), layersMost)
		if err := r.apply("ledger_add", layers[:n], func(n uint32) uint64 { return uint64(int64(int32(n))) }); err != nil {
			return err
		}
		layers = layers[n:]
	}
	return nil
}

// apply sends layers to the device and has a kernel add them; change makes a number modulo 2^32 one
// modulo 2^64.
func (r *Rows) apply(kernel string, layers []sampler.Layer, change func(n uint32) uint64) error {
	bytes, err := r.send(layers)
	if err != nil {
		return err
	}
	signs := uint32(0)
	for i, layer := range layers {
		if layer.Taken {
			signs |= 1 << i
		}
	}
	d, v, k := r.device, uint32(r.words()), uint32(r.topics)
	shape := device.Shape{Blocks: min(r.words(), 16*d.Processors()), Threads: threads, Shared: addShared(r.topics)}
	err = device.FirstError(
		r.changed.Zero(), r.fault.Zero(),
		d.Launch("ledger", kernel, shape, r.Places, r.Sums, r.Lists, r.sent.bytesOn.View(0, bytes), r.sent.indexOn, uint32(len(layers)), signs, v, k, r.changed, r.fault))
	if err == nil && r.Hot > 0 {
		err = d.Launch("warp_stream", "warp_stream_guide", device.Shape{Blocks: r.Hot, Threads: 256}, r.Sums, r.Guides, k)
	}
	if err != nil {
		return err
	}
	fault, changed := make([]uint32, 1), make([]uint32, r.topics)
	if err := device.FirstError(r.fault.Download(fault), r.changed.Download(changed)); err != nil {
		return err
	}
	if fault[0] > 0 {
		return fmt.Errorf("changes in the store do not belong to the rows there: word %d would have another number of tokens than it has, or a count below zero", fault[0]-1)
	}
	for i, n := range changed {
		r.totals[i] += change(n)
	}
	return nil
}

// send copies the rows of layers behind each other to the device, says there where each word's are, and returns how many
// bytes they have.
func (r *Rows) send(layers []sampler.Layer) (int, error) {
	slices := len(r.begins) - 1
	at := make([]int, len(layers)*slices+1)
	for i, layer := range layers {
		for s := range layer.Slices {
			at[i*slices+s+1] = at[i*slices+s] + len(layer.Slices[s].Unread())
		}
	}
	total := at[len(at)-1]
	if total > math.MaxInt32 {
		return 0, fmt.Errorf("%d bytes of changes are too many for the device at once: use more parts", total)
	}
	a, numbers := r.arena, len(layers)*2*r.words()
	t := &r.sent
	room := max(1, total)
	if t.bytes != nil && room > len(t.bytes.Slice()) {
		room += room / 8 // the next round may have a little more
	}
	device.GrowHost(a, &t.bytes, room)
	device.GrowHost(a, &t.index, numbers)
	device.Grow(a, &t.bytesOn, room)
	device.Grow(a, &t.indexOn, numbers)
	if err := a.Err(); err != nil {
		return 0, err
	}
	err := r.together(len(layers)*slices, func(i int) error {
		index := t.index.Slice()[2*r.words()*(i/slices):][:2*r.words()]
		return r.board(&layers[i/slices].Slices[i%slices], i%slices, t.bytes.Slice(), at[i], index)
	})
	if err != nil {
		return 0, err
	}
	q := r.device.Main()
	return max(1, total), device.FirstError(t.bytesOn.View(0, total).Send(q, t.bytes.View(0, total)), t.indexOn.View(0, numbers).Send(q, t.index.View(0, numbers)))
}

// board puts the rows of a blob where they are sent from, and notes where the slice's words are.
func (r *Rows) board(d *blob.Decoder, slice int, bytes []uint8, at int, index []uint32) error {
	first, last := r.begins[slice], r.begins[slice+1]
	clear(index[2*first : 2*last])
	copy(bytes[at:], d.Unread())
	for d.Next() {
		w := int(d.Word())
		if w < first || w >= last {
			return fmt.Errorf("a blob of the store has word %d, which is not in its slice", w)
		}
		begin, end, dense := d.Entries()
		length := uint32(end - begin)
		if dense {
			length |= layout.LedgerBits
		}
		index[2*w], index[2*w+1] = uint32(at+begin), length
	}
	return d.Err()
}
