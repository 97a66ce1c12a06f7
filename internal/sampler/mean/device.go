package mean

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"unsafe"

	"github.com/topoi-lda/topoi/internal/device"
	"github.com/topoi-lda/topoi/internal/discrete"
	"github.com/topoi-lda/topoi/internal/rng"
	"github.com/topoi-lda/topoi/internal/sampler"
	"github.com/topoi-lda/topoi/internal/sampler/draw32"
	"github.com/topoi-lda/topoi/internal/sampler/state"
)

// meanOn is mean with its state on a device; its kernels are in kernels/mean.cu. The embedded mean has the
// state of the last Fetch. It implements sampler.Remote.
type meanOn[F discrete.Float] struct {
	*mean[F]
	device *device.Device
	arena  *device.Arena
	method string // baseline, transposed or butterfly
	bits   string // of F: suffix of kernel names
	blocks int    // of threads that draw

	words, topics, offsets *device.Buffer[uint32]  // N, N, D+1
	nwkOn, nkOn            *device.Buffer[uint32]  // V × K, K
	phiOn                  *device.Buffer[F]       // V × K: n_wk + β, or φ as drawn
	inverseOn              *device.Buffer[F]       // K
	alpha, sums            *device.Buffer[float64] // K: α_k, and Σ_w of phiOn's columns if uncollapsed
	queue                  *device.Buffer[uint32]  // one number: documents taken so far
	counts                 *device.Buffer[uint32]  // K for each warp: n_dk
	rows                   *device.Buffer[F]       // K for each warp: θ_d
	table                  *device.Buffer[F]       // 32 K for each warp: partial sums
	currentAlpha           []float64               // content of alpha
}

// meanMethods are the methods of Tuning.Draw with a form for GPUs. Linear and binary
// search find the same topic, so that the default may be the faster of their forms.
var meanMethods = map[string]string{
	"": "transposed", "linear": "baseline", "binary": "baseline", drawTransposed: "transposed",
	"butterfly": "butterfly",
}

// newMeanOn implements Info.NewOn.
func newMeanOn(p *sampler.Problem, d *device.Device) (sampler.Remote, error) {
	if p.Tuning.Precision == "float32" {
		return makeMeanOn[float32](p, d, "_f32")
	}
	return makeMeanOn[float64](p, d, "_f64")
}

func makeMeanOn[F discrete.Float](p *sampler.Problem, d *device.Device, bits string) (sampler.Remote, error) {
	if err := state.TokensFit(p); err != nil {
		return nil, err
	}
	s := &meanOn[F]{device: d, method: meanMethods[p.Tuning.Draw], bits: bits}
	if s.method == "" {
		return nil, fmt.Errorf("mean with draw %q %w: train it with Options.Device = cpu", p.Tuning.Draw,
			sampler.ErrNotOnDevice)
	}
	one := *p
	one.Threads = 1 // nothing is drawn here, so one worker's scratch is enough
	var err error
	if s.mean, err = makeMean[F](&one); err != nil {
		return nil, err
	}
	s.mean.P, s.mean.phi = p, nil
	if err := s.upload(); err != nil {
		return nil, errors.Join(err, s.Close())
	}
	return s, nil
}

const meanWarps = 4 // in a block of threads that draws

// upload allocates all memory and copies what never changes. The number of blocks of threads is that which
// the device holds, or for which tables of 4 GB suffice.
func (s *meanOn[F]) upload() error {
	const tableBytes = 4 << 30
	k := s.P.K
	s.blocks = max(1, min(2*s.device.Processors(), (s.P.D()+meanWarps-1)/meanWarps,
		tableBytes/(8*draw32.Lanes*meanWarps*k)))
	warps, cells := s.blocks*meanWarps, s.P.V*k
	size := int(unsafe.Sizeof(F(0))) / 4
	numbers := 2*s.P.N() + len(s.P.Offsets) + cells + 6*k + warps*k + size*(cells+warps*k+warps*draw32.Lanes*k)
	if err := state.DenseFits(s.device, "mean", s.P, numbers); err != nil {
		return err
	}
	a := s.device.NewArena()
	s.arena = a
	s.words = device.Upload(a, s.P.Words)
	s.topics = device.Alloc[uint32](a, s.P.N())
	s.offsets = device.Upload(a, state.NarrowOffsets(s.P))
	s.nwkOn = device.Alloc[uint32](a, cells)
	s.nkOn = device.Alloc[uint32](a, k)
	s.phiOn = device.Alloc[F](a, cells)
	s.inverseOn = device.Alloc[F](a, k)
	s.alpha = device.Alloc[float64](a, k)
	s.queue = device.Alloc[uint32](a, 1)
	s.counts = device.Alloc[uint32](a, warps*k)
	s.rows = device.Alloc[F](a, warps*k)
	s.table = device.Alloc[F](a, warps*draw32.Lanes*k)
	s.sums = device.Alloc[float64](a, k)
	return a.Err()
}

func (s *meanOn[F]) Start(z []uint32, priors *sampler.Priors) error {
	if err := s.mean.Start(z, priors); err != nil {
		return err
	}
	return errors.Join(s.topics.Upload(s.Z), s.Count(), s.device.Wait())
}

// Count queues the kernel that counts n_wk and n_k.
func (s *meanOn[F]) Count() error {
	return state.CountOn(s.device, s.P, s.words, s.topics, s.nwkOn, s.nkOn, s.P.K)
}

func (s *meanOn[F]) Sweep(_ context.Context, iteration int, priors *sampler.Priors) error {
	if !slices.Equal(priors.Alpha, s.currentAlpha) {
		if err := s.alpha.Upload(priors.Alpha); err != nil {
			return err
		}
		s.currentAlpha = slices.Clone(priors.Alpha)
	}
	key := rng.NewKey(s.P.Seed)
	err := s.device.Together(func() error {
		return errors.Join(
			s.fixPhiOn(key, iteration, priors.Beta),
			s.queue.Zero(),
			s.launch("draw_"+s.method, device.Shape{Blocks: s.blocks, Threads: meanWarps * draw32.Lanes},
				s.words, s.offsets, s.topics, s.phiOn, s.inverseOn, s.alpha, s.queue, s.rows, s.counts, s.table,
				uint32(s.P.D()), uint32(s.P.K), device.Flag(s.uncollapsed), key[0], key[1], uint32(iteration),
				uint32(sampler.ForDraw), uint32(sampler.ForTheta)),
			s.Count(),
		)
	})
	return errors.Join(err, s.device.Wait())
}

// fixPhiOn queues the kernels that compute φ.
func (s *meanOn[F]) fixPhiOn(key rng.Key, iteration int, beta float64) error {
	k, cells := uint32(s.P.K), s.P.V*s.P.K
	shape := device.Spread(s.device, cells, 256, 0, 8)
	if !s.uncollapsed {
		return s.launch("fix", shape, s.nwkOn, s.phiOn, uint64(cells), s.nkOn, s.inverseOn, k,
			math.Float64bits(beta), math.Float64bits(float64(s.P.V)*beta))
	}
	return errors.Join(
		s.launch("phi", shape, s.nwkOn, s.phiOn, uint64(cells), math.Float64bits(beta), key[0], key[1],
			uint32(iteration), uint32(sampler.ForPhi)),
		s.launch("sum", device.Spread(s.device, s.P.K, 32, 0, 8), s.phiOn, s.sums, uint32(s.P.V), k),
		s.launch("divide", shape, s.phiOn, uint64(cells), s.sums, s.inverseOn, k),
	)
}

func (s *meanOn[F]) launch(kernel string, shape device.Shape, args ...any) error {
	return s.device.Launch("mean", "mean_"+kernel+s.bits, shape, args...)
}

func (s *meanOn[F]) Fetch() error {
	if err := s.topics.Download(s.Z); err != nil {
		return err
	}
	s.Recount()
	return nil
}

func (s *meanOn[F]) Close() error { return s.arena.Close() }
