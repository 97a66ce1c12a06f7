package state

import (
	"errors"
	"fmt"
	"math"

	"github.com/topoi-lda/topoi/internal/cuda"
	"github.com/topoi-lda/topoi/internal/device"
	"github.com/topoi-lda/topoi/internal/human"
	"github.com/topoi-lda/topoi/internal/sampler"
)

// What the device forms of samplers share, those with a Dense above all.

// TokensFit refuses a corpus whose tokens 32 bits cannot number.
func TokensFit(p *sampler.Problem) error {
	const most = math.MaxUint32 - 1<<16
	if p.N() > most {
		return fmt.Errorf("training on %d tokens %w, because a GPU takes at most %d: use Options.Device = cpu", p.N(), sampler.ErrNotOnDevice, most)
	}
	return nil
}

// DenseFits refuses a sampler whose memory on the device, so many numbers of 32 bits, is
// more than may be used. Its tables grow with the words by topics.
func DenseFits(d *device.Device, name string, p *sampler.Problem, numbers int) error {
	room, err := d.Room()
	if err != nil {
		return err
	}
	if 4*int64(numbers) <= room {
		return d.Reserve(4 * int64(numbers))
	}
	return fmt.Errorf("the device's memory is too small for %s: %d tokens and %d words by %d topics need %s, and %s may be used: allow more with Options.DeviceMemory, ask for fewer topics, or train on the CPU (%w)",
		name, p.N(), p.V, p.K, human.Bytes(4*int64(numbers)), human.Bytes(room), cuda.ErrOutOfMemory)
}

// NarrowOffsets are the offsets of documents in 32 bits.
func NarrowOffsets(p *sampler.Problem) []uint32 {
	offsets := make([]uint32, len(p.Offsets))
	for d, o := range p.Offsets {
		offsets[d] = uint32(o)
	}
	return offsets
}

// Narrow rounds numbers to 32 bits.
func Narrow(wide []float64) []float32 {
	list := make([]float32, len(wide))
	for i, x := range wide {
		list[i] = float32(x)
	}
	return list
}

// CountOn launches the counting of n_wk (V × stride) and n_k of all topics.
func CountOn(d *device.Device, p *sampler.Problem, words, topics, nwk, nk *device.Buffer[uint32], stride int) error {
	shared := 4 * p.K
	if shared > 32<<10 {
		shared = 0
	}
	return errors.Join(nwk.Zero(), nk.Zero(),
		d.Launch("count", "count_topics", device.Spread(d, p.N(), 256, shared, 8),
			words, topics, uint32(p.N()), nwk, nk, uint32(p.K), uint32(stride), device.Flag(shared > 0)))
}
