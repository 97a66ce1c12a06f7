package sampler

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"unsafe"

	"github.com/topoi-lda/topoi/discrete"
	"github.com/topoi-lda/topoi/internal/device"
	"github.com/topoi-lda/topoi/internal/rng"
)

// meanOn is mean with its state on a device. The embedded mean is the state at the
// last Fetch; kernels/mean.cu is the other half.
type meanOn[F discrete.Float] struct {
	*mean[F]
	device *device.Device
	arena  *device.Arena
	method string // baseline, transposed or butterfly
	bits   string // of F, as names of kernels end
	blocks int    // of threads that draw

	words, topics, offsets *device.Buffer[uint32]  // N, N, D+1
	nwkOn, nkOn            *device.Buffer[uint32]  // V × K, K
	phiOn                  *device.Buffer[F]       // V × K: n_wk + β, or φ as drawn
	inverseOn              *device.Buffer[F]       // K
	alpha, sums            *device.Buffer[float64] // K: α_k, and Σ_w of phiOn's columns if uncollapsed
	queue                  *device.Buffer[uint32]  // one number: documents dealt out so far
	counts                 *device.Buffer[uint32]  // K for each warp: n_dk
	rows                   *device.Buffer[F]       // K for each warp: θ_d
	table                  *device.Buffer[F]       // 32 K for each warp: partial sums
	currentAlpha           []float64               // as alpha has it
}

// meanMethods are the methods of Tuning.Draw with a form for GPUs. Linear and binary
// search find the same topic, so that the default may be the faster of their forms.
var meanMethods = map[string]string{
	"": "transposed", "linear": "baseline", "binary": "baseline", drawTransposed: "transposed", "butterfly": "butterfly",
}

// newMeanOn implements Info.NewOn.
func newMeanOn(p *Problem, d *device.Device) (Remote, error) {
	if p.Tuning.Precision == "float32" {
		return makeMeanOn[float32](p, d, "_f32")
	}
	return makeMeanOn[float64](p, d, "_f64")
}

func makeMeanOn[F discrete.Float](p *Problem, d *device.Device, bits string) (Remote, error) {
	if err := tokensFit(p); err != nil {
		return nil, err
	}
	s := &meanOn[F]{device: d, method: meanMethods[p.Tuning.Draw], bits: bits}
	if s.method == "" {
		return nil, fmt.Errorf("mean with draw %q %w: train it with --device cpu", p.Tuning.Draw, ErrNotOnDevice)
	}
	one := *p
	one.Threads = 1 // nothing is drawn here, so one worker's scratch is enough
	var err error
	if s.mean, err = makeMean[F](&one); err != nil {
		return nil, err
	}
	s.mean.p, s.mean.phi = p, nil
	if err := s.upload(); err != nil {
		return nil, errors.Join(err, s.Close())
	}
	return s, nil
}

const meanWarps = 4 // in a block of threads that draws

// upload allocates everything and copies what never changes. As many blocks of threads
// draw as the device holds, or as tables of 4 GB are enough for.
func (s *meanOn[F]) upload() error {
	const tableBytes = 4 << 30
	k := s.p.K
	s.blocks = max(1, min(2*s.device.Processors(), (s.p.D()+meanWarps-1)/meanWarps, tableBytes/(8*lanes*meanWarps*k)))
	warps, cells := s.blocks*meanWarps, s.p.V*k
	size := int(unsafe.Sizeof(F(0))) / 4
	numbers := 2*s.p.N() + len(s.p.Offsets) + cells + 6*k + warps*k + size*(cells+warps*k+warps*lanes*k)
	if err := denseFits(s.device, "mean", s.p, numbers); err != nil {
		return err
	}
	a := s.device.NewArena()
	s.arena = a
	s.words = device.Upload(a, s.p.Words)
	s.topics = device.Alloc[uint32](a, s.p.N())
	s.offsets = device.Upload(a, narrowOffsets(s.p))
	s.nwkOn = device.Alloc[uint32](a, cells)
	s.nkOn = device.Alloc[uint32](a, k)
	s.phiOn = device.Alloc[F](a, cells)
	s.inverseOn = device.Alloc[F](a, k)
	s.alpha = device.Alloc[float64](a, k)
	s.queue = device.Alloc[uint32](a, 1)
	s.counts = device.Alloc[uint32](a, warps*k)
	s.rows = device.Alloc[F](a, warps*k)
	s.table = device.Alloc[F](a, warps*lanes*k)
	s.sums = device.Alloc[float64](a, k)
	return a.Err()
}

// Start implements Sampler.
func (s *meanOn[F]) Start(z []uint32, priors *Priors) error {
	if err := s.mean.Start(z, priors); err != nil {
		return err
	}
	return errors.Join(s.topics.Upload(s.z), s.count(), s.device.Wait())
}

// count launches the counting of n_wk and n_k.
func (s *meanOn[F]) count() error {
	return countOn(s.device, s.p, s.words, s.topics, s.nwkOn, s.nkOn, s.p.K)
}

// Sweep implements Sampler.
func (s *meanOn[F]) Sweep(_ context.Context, iteration int, priors *Priors) error {
	if !slices.Equal(priors.Alpha, s.currentAlpha) {
		if err := s.alpha.Upload(priors.Alpha); err != nil {
			return err
		}
		s.currentAlpha = slices.Clone(priors.Alpha)
	}
	key := rng.NewKey(s.p.Seed)
	err := s.device.Together(func() error {
		return errors.Join(
			s.fixPhiOn(key, iteration, priors.Beta),
			s.queue.Zero(),
			s.launch("draw_"+s.method, device.Shape{Blocks: s.blocks, Threads: meanWarps * lanes},
				s.words, s.offsets, s.topics, s.phiOn, s.inverseOn, s.alpha, s.queue, s.rows, s.counts, s.table,
				uint32(s.p.D()), uint32(s.p.K), flag(s.uncollapsed), key[0], key[1], uint32(iteration), uint32(forDraw), uint32(forTheta)),
			s.count(),
		)
	})
	return errors.Join(err, s.device.Wait())
}

// fixPhiOn launches what fixes φ.
func (s *meanOn[F]) fixPhiOn(key rng.Key, iteration int, beta float64) error {
	k, cells := uint32(s.p.K), s.p.V*s.p.K
	shape := spread(s.device, cells, 256, 0, 8)
	if !s.uncollapsed {
		return s.launch("fix", shape, s.nwkOn, s.phiOn, uint64(cells), s.nkOn, s.inverseOn, k,
			math.Float64bits(beta), math.Float64bits(float64(s.p.V)*beta))
	}
	return errors.Join(
		s.launch("phi", shape, s.nwkOn, s.phiOn, uint64(cells), math.Float64bits(beta), key[0], key[1], uint32(iteration), uint32(forPhi)),
		s.launch("sum", spread(s.device, s.p.K, 32, 0, 8), s.phiOn, s.sums, uint32(s.p.V), k),
		s.launch("divide", shape, s.phiOn, uint64(cells), s.sums, s.inverseOn, k),
	)
}

func (s *meanOn[F]) launch(kernel string, shape device.Shape, args ...any) error {
	return s.device.Launch("mean", "mean_"+kernel+s.bits, shape, args...)
}

// Fetch implements Remote.
func (s *meanOn[F]) Fetch() error {
	if err := s.topics.Download(s.z); err != nil {
		return err
	}
	s.recount()
	return nil
}

// Close implements Remote.
func (s *meanOn[F]) Close() error { return s.arena.Close() }
