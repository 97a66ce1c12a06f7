package cvb

import (
	"math"
	"slices"
	"strconv"

	kernels "github.com/topoi-lda/topoi/internal/cuda/kernels/layout"
	"github.com/topoi-lda/topoi/internal/device"
	"github.com/topoi-lda/topoi/internal/sampler"
)

// stateOn is State on a device; topics are drawn there too. The kernels are kernels/cvb.cu, which describes
// the layout of rows, and cvb_state.cu.
type stateOn struct {
	c      *Corpus
	l      *layout
	device *device.Device
	arena  *device.Arena
	pad    int          // topics of a row
	kernel string       // name of the update kernel
	shape  device.Shape // its launch shape

	steps, begins, levels *device.Buffer[uint32]  // see levels; four numbers a step
	tokens, ranks         *device.Buffer[uint32]  // by pair, in the layout's order
	ids                   *device.Buffer[uint32]  // two numbers a word, by row: see drawnWord
	gamma                 *device.Buffer[uint8]   // pairs × pad
	docs, words           *device.Buffer[uint32]  // rows × pad
	totals                *device.Buffer[uint64]  // three times n_k, pad each: see cvb.cu
	turn                  int                     // which of the three is current
	alpha                 *device.Buffer[float32] // K
	currentAlpha          []float32               // content of alpha

	pseudo [3]*sampler.PseudoOn // pseudo-counts of words, nwk and nk

	z       *device.Buffer[uint16] // N topics, corpus order
	nwk, nk *device.Buffer[uint32] // V × K, K: counts of z
	drawn   bool                   // z was drawn from the current responsibilities
	ends    [2]*device.Mark        // after the last sweeps, in turn
	sweeps  int
}

// paddedOn returns how many topics a row on a device has.
func paddedOn(k int) int { return (k + kernels.CvbChunk - 1) / kernels.CvbChunk * kernels.CvbChunk }

// placeOn returns the place of a topic in a row on a device: placeOf of cvb.h.
func placeOn(k uint32) uint32 { return k/kernels.CvbChunk*kernels.CvbChunk + k%lanes*4 + k/lanes%4 }

// threadsAtMost is the largest number of threads for a tile. Benchmarks make it smaller.
var threadsAtMost = kernels.CvbThreads

// tileThreads returns the largest number of threads for a tile, and how many of them update a pair.
func tileThreads(k int) (threads, each int) {
	switch {
	case k <= kernels.CvbFew:
		return threadsAtMost, lanes
	case k <= kernels.CvbMany:
		return threadsAtMost, 2 * lanes
	}
	return min(threadsAtMost, kernels.CvbThreadsMany), 2 * lanes
}

// tileTopics returns the number of topics of the smallest kernel that takes k.
func tileTopics(k int) int {
	topics := kernels.CvbChunk
	for topics < k {
		topics *= 2
	}
	return topics
}

func tileKernel(k int) string { return "cvb_tiles_" + strconv.Itoa(tileTopics(k)) }

// bytesOn returns an upper bound of the memory of newStateOn for the given number of pairs.
func (c *Corpus) bytesOn(pairs int) int64 {
	pad, k, v := int64(paddedOn(c.K)), int64(c.K), int64(c.V)
	perPair := pad + 4*4 + 3*4 // responsibilities, a step, token, rank and a level of its own
	return int64(pairs)*perPair + 4*pad*int64(c.docs()+c.V) + 2*int64(c.tokens()) + 4*v*k + 8*v + 32*pad +
		4*int64(c.Groups*c.Groups+mostGroups*mostGroups) + slack + 2*sampler.PseudoBytes(c.Pseudo)
}

const (
	mostGroups = 64      // most groups that a layout chooses
	slack      = 1 << 16 // bytes by which devices round allocations
)

// newStateOn returns a state on a device.
func newStateOn(c *Corpus, d *device.Device) (*stateOn, error) {
	if err := c.check(); err != nil {
		return nil, err
	}
	l := newLayout(c)
	s := &stateOn{c: c, l: l, device: d, arena: d.NewArena(), pad: paddedOn(c.K), kernel: tileKernel(c.K)}
	threads, each := tileThreads(c.K)
	v := newLevels(l, threads/each, c.Threads)
	warps := max(1, (v.widest*each+2*lanes-1)/(2*lanes)) // enough for the largest level
	s.shape = device.Shape{Blocks: l.p, Threads: warps * 2 * lanes, Shared: 4 * 4 * tileTopics(c.K)}
	s.upload(v)
	if err := s.arena.Err(); err != nil {
		return nil, device.FirstError(err, s.close())
	}
	return s, nil
}

// upload allocates all memory and copies what never changes.
func (s *stateOn) upload(v *levels) {
	a, n, k := s.arena, len(s.l.pairs), s.c.K
	s.steps = device.Upload(a, kernels.Numbers(v.steps))
	s.begins = device.Upload(a, v.begins)
	s.levels = device.Upload(a, v.first)
	tokens, ranks := make([]uint32, n), make([]uint32, n)
	for i, p := range s.l.pairs {
		tokens[i], ranks[i] = p.token, p.rank
	}
	s.tokens, s.ranks = device.Upload(a, tokens), device.Upload(a, ranks)
	s.ids = device.Upload(a, s.wordNumbers())
	s.gamma = device.Alloc[uint8](a, n*s.pad)
	s.docs = device.Alloc[uint32](a, s.c.docs()*s.pad)
	s.words = device.Alloc[uint32](a, s.c.V*s.pad)
	s.totals = device.Alloc[uint64](a, 3*s.pad)
	s.alpha = device.Alloc[float32](a, k)
	s.z = device.Alloc[uint16](a, s.c.tokens())
	s.nwk = device.Alloc[uint32](a, s.c.V*k)
	s.nk = device.Alloc[uint32](a, k)
	s.pseudo = [3]*sampler.PseudoOn{
		sampler.PseudoRowsOn(a, s.c.Pseudo, One, func(w int, topic uint32) (uint64, bool) {
			return uint64(s.l.words.row[w])*uint64(s.pad) + uint64(placeOn(topic)), true
		}),
		sampler.PseudoRowsOn(a, s.c.Pseudo, 1, func(w int, topic uint32) (uint64, bool) {
			return uint64(w)*uint64(k) + uint64(topic), true
		}),
		sampler.PseudoTotalsOn(a, s.c.Pseudo),
	}
	s.ends = [2]*device.Mark{a.Mark(), a.Mark()}
}

// wordNumbers returns drawnWords in the form that cvb_draw reads.
func (s *stateOn) wordNumbers() []uint32 {
	numbers := make([]uint32, 0, 2*s.c.V)
	for _, w := range drawnWords(s.c, s.l) {
		numbers = append(numbers, w.id, w.random)
	}
	return numbers
}

func (s *stateOn) close() error { return s.arena.Close() }

// halves returns the shape of a launch in which each half-warp takes a pair.
func (s *stateOn) halves(shared int) device.Shape {
	return device.Spread(s.device, lanes*len(s.l.pairs), 256, shared, 8)
}

// start sets the responsibilities from topics.
func (s *stateOn) start(z []uint16) error {
	err := device.FirstError(s.z.Upload(z),
		s.device.Launch("cvb_state", "cvb_start", s.halves(0), s.steps, uint32(len(s.l.pairs)), s.tokens, s.z, s.gamma,
			uint32(s.pad)),
		s.recount(), s.count(true))
	return device.FirstError(err, s.device.Wait())
}

// recount computes all counts from the responsibilities.
func (s *stateOn) recount() error {
	s.turn = 0
	return device.FirstError(s.docs.Zero(), s.words.Zero(), s.totals.Zero(), s.pseudo[0].Add(s.device, s.words),
		s.device.Launch("cvb_state", "cvb_recount", s.halves(0), s.steps, uint32(len(s.l.pairs)), s.gamma, s.docs,
			s.words, uint32(s.pad)),
		s.device.Launch("cvb_state", "cvb_totals", device.Shape{
			Blocks:  min(s.c.V, 4*s.device.Processors()),
			Threads: 64,
		},
			s.words, uint32(s.c.V), uint32(s.pad), s.totals))
}

// draw draws z and its counts from the current responsibilities unless it has done so.
func (s *stateOn) draw() error {
	if s.drawn {
		return nil
	}
	return s.count(false)
}

// count draws topics unless they are given, and counts them.
func (s *stateOn) count(given bool) error {
	err := device.FirstError(s.nwk.Zero(), s.nk.Zero(), s.pseudo[1].Add(s.device, s.nwk),
		s.pseudo[2].Add(s.device, s.nk),
		s.device.Launch("cvb_state", "cvb_draw", s.halves(4*s.c.K), s.steps, uint32(len(s.l.pairs)), s.tokens, s.ranks,
			s.ids, s.gamma,
			s.z, s.nwk, s.nk, uint32(s.c.K), uint32(s.pad), device.Flag(given)))
	s.drawn = err == nil
	return err
}

// sweep queues a sweep, and waits for the one before it.
func (s *stateOn) sweep(iteration int, priors *sampler.Priors) error {
	if err := s.setAlpha(iteration, priors.Alpha); err != nil {
		return err
	}
	s.drawn = false
	err := s.device.Together(func() error {
		for epoch := range s.l.p {
			if err := s.epoch(epoch, priors.Beta); err != nil {
				return err
			}
		}
		return nil
	})
	s.sweeps++
	return device.FirstError(err, s.ends[s.sweeps%2].Set(s.device.Main()), s.ends[(s.sweeps+1)%2].Wait())
}

// setAlpha copies α to the device if it has changed.
func (s *stateOn) setAlpha(iteration int, alpha []float64) error {
	scale := eased(alpha, iteration)
	units := make([]float32, len(alpha))
	for k, a := range alpha {
		units[k] = prior(float64(a * scale))
	}
	if slices.Equal(units, s.currentAlpha) {
		return nil
	}
	s.currentAlpha = units
	return s.alpha.Upload(units)
}

// epoch launches the updates of one diagonal.
func (s *stateOn) epoch(epoch int, beta float64) error {
	vbeta := float64(One * float64(s.c.V) * beta)
	turn := s.turn
	s.turn = (turn + 1) % 3
	return s.device.Launch("cvb", s.kernel, s.shape, s.steps, s.begins, s.levels, s.gamma, s.docs, s.words, s.alpha,
		s.totals,
		uint32(turn), uint32(epoch), uint32(s.l.p), uint32(s.c.K), uint32(s.pad), math.Float32bits(prior(beta)),
		math.Float64bits(vbeta))
}

// savedAtOnce is the number of bytes of responsibilities that are copied at a time. Tests make it smaller.
var savedAtOnce = 64 << 20

// eachRun calls f for runs of pairs, with memory for their responsibilities on the device and on the host.
func (s *stateOn) eachRun(f func(first, n int, there *device.Buffer[uint8], here []uint8) error) error {
	kpad, all := padded(s.c.K), len(s.l.pairs)
	run := min(all, max(1, savedAtOnce/kpad))
	a := s.device.NewArena()
	defer a.Close()
	there, here := device.Alloc[uint8](a, run*kpad), make([]uint8, run*kpad)
	if err := a.Err(); err != nil {
		return err
	}
	for first := 0; first < all; first += run {
		n := min(run, all-first)
		if err := f(first, n, there, here[:n*kpad]); err != nil {
			return err
		}
	}
	return nil
}

func (s *stateOn) save() ([]byte, error) {
	var packed []byte
	err := s.eachRun(func(first, n int, there *device.Buffer[uint8], here []uint8) error {
		err := device.FirstError(s.device.Launch("cvb_state", "cvb_save", device.Spread(s.device, len(here), 256, 0, 8),
			s.gamma, uint64(first), uint32(n), uint32(s.pad), uint32(padded(s.c.K)), there), there.Download(here))
		packed = s.c.pack(packed, here)
		return err
	})
	return packed, err
}

// load implements State.Load. It does not change topics.
func (s *stateOn) load(saved []byte) error {
	all := len(s.l.pairs)
	err := s.eachRun(func(first, n int, there *device.Buffer[uint8], here []uint8) (err error) {
		if saved, err = s.c.unpackPairs(here, first, all, saved); err != nil {
			return err
		}
		return device.FirstError(there.Upload(here), s.device.Launch("cvb_state", "cvb_load",
			device.Spread(s.device, n*s.pad, 256, 0, 8),
			s.gamma, uint64(first), uint32(n), uint32(s.pad), uint32(padded(s.c.K)), there), s.device.Wait())
	})
	return device.FirstError(err, nothingLeft(saved, all), s.recount(), s.device.Wait())
}
