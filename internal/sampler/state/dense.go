// Package state holds the state that samplers in memory embed: topics in corpus order with n_wk as a dense
// table, or as a sparse one for many topics.
package state

import (
	"context"
	"errors"
	"fmt"
	"math"
	"sync/atomic"

	"github.com/topoi-lda/topoi/internal/alloc"
	"github.com/topoi-lda/topoi/internal/counts"
	"github.com/topoi-lda/topoi/internal/cuda"
	"github.com/topoi-lda/topoi/internal/device"
	"github.com/topoi-lda/topoi/internal/human"
	"github.com/topoi-lda/topoi/internal/parallel"
	"github.com/topoi-lda/topoi/internal/sampler"
)

// Dense is the state of samplers that store z in corpus order and n_wk as a dense table. Samplers embed it for
// the methods of Sampler other than Sweep.
type Dense struct {
	Tokens
	Nwk []int32 // V × K, row-major: nwk[w*K+k]
}

func NewDense(p *sampler.Problem) Dense {
	s := Dense{newTokens(p), make([]int32, p.V*p.K)}
	alloc.HugePages(s.Nwk)
	alloc.HugePages(s.Z)
	return s
}

// Start implements Sampler. Topics are uniform random unless z is given.
func (s *Dense) Start(z []uint32, _ *sampler.Priors) error {
	s.set(z)
	s.Recount()
	return nil
}

// Recount computes n_wk and n_k from z.
func (s *Dense) Recount() {
	clear(s.Nwk)
	clear(s.Nk)
	const chunk = 1 << 16 // tokens
	n := len(s.P.Words)
	defer func() {
		s.P.Pseudo.AddRows(s.Nwk, s.P.K, 0)
		counts.AddTotals(s.Nk, s.P.Pseudo)
	}()
	if s.P.Threads < 2 || n <= chunk {
		s.countTokens(0, n, s.Nk, func(n *int32) { *n++ })
		return
	}
	totals := make([][]int32, s.P.Threads)
	_ = parallel.Do(context.Background(), s.P.Threads, (n+chunk-1)/chunk, func(thread, i int) {
		if totals[thread] == nil {
			totals[thread] = make([]int32, s.P.K)
		}
		s.countTokens(i*chunk, min(n, (i+1)*chunk), totals[thread], func(n *int32) { atomic.AddInt32(n, 1) })
	})
	for _, nk := range totals {
		counts.Add(s.Nk, nk)
	}
}

// countTokens adds some tokens to n_wk by increment, and to nk.
func (s *Dense) countTokens(begin, end int, nk []int32, increment func(n *int32)) {
	z := s.Z[begin:end]
	for i, w := range s.P.Words[begin:end] {
		k := z[i]
		increment(&s.Nwk[int(w)*s.P.K+int(k)])
		nk[k]++
	}
}

func (s *Dense) AppendRow(dst []counts.Entry, w int) []counts.Entry {
	return counts.AppendDense(dst, s.Nwk[w*s.P.K:(w+1)*s.P.K])
}

func (s *Dense) Histograms() *counts.Histograms { return s.histograms(s) }

// DocChunk is the number of documents that a worker takes at once.
const DocChunk = 64

// What the device forms of samplers share, those with a Dense above all.

// TokensFit returns an error if the corpus has more tokens than 32 bits can number.
func TokensFit(p *sampler.Problem) error {
	const most = math.MaxUint32 - 1<<16
	if p.N() > most {
		return fmt.Errorf("training on %d tokens %w, because a GPU takes at most %d: use Options.Device = cpu", p.N(),
			sampler.ErrNotOnDevice, most)
	}
	return nil
}

// DenseFits returns an error if a sampler's tables, the given number of 32-bit numbers, do not fit the device's memory.
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

// NarrowOffsets returns the offsets of documents in 32 bits.
func NarrowOffsets(p *sampler.Problem) []uint32 {
	offsets := make([]uint32, len(p.Offsets))
	for d, o := range p.Offsets {
		offsets[d] = uint32(o)
	}
	return offsets
}

// Narrow rounds numbers to float32.
func Narrow(wide []float64) []float32 {
	list := make([]float32, len(wide))
	for i, x := range wide {
		list[i] = float32(x)
	}
	return list
}

// CountOn queues the kernel that counts n_wk (V × stride) and n_k.
func CountOn(d *device.Device, p *sampler.Problem, words, topics, nwk, nk *device.Buffer[uint32], stride int) error {
	shared := 4 * p.K
	if shared > 32<<10 {
		shared = 0
	}
	return errors.Join(nwk.Zero(), nk.Zero(),
		d.Launch("count", "count_topics", device.Spread(d, p.N(), 256, shared, 8),
			words, topics, uint32(p.N()), nwk, nk, uint32(p.K), uint32(stride), device.Flag(shared > 0)))
}
