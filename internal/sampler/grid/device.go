package grid

import (
	"context"
	"errors"
	"math"
	"slices"
	"strconv"

	"github.com/topoi-lda/topoi/internal/device"
	"github.com/topoi-lda/topoi/internal/rng"
	"github.com/topoi-lda/topoi/internal/sampler"
	"github.com/topoi-lda/topoi/internal/sampler/draw32"
	"github.com/topoi-lda/topoi/internal/sampler/state"
)

// gridOn is grid with its state on a device: P blocks of threads, one for each tile of an epoch. Its kernels are in
// kernels/grid.cu. The embedded gridSampler has the state of the last Fetch. It implements sampler.Remote.
type gridOn struct {
	*gridSampler
	device *device.Device
	arena  *device.Arena

	firstDoc      *device.Buffer[uint32]  // P²+1: documents of tiles
	docs, begins  *device.Buffer[uint32]  // of runs: document, first item (one more at the end)
	items         *device.Buffer[uint32]  // N: tokens by tile, then by document
	offsets       *device.Buffer[uint32]  // D+1
	words, topics *device.Buffer[uint32]  // N
	nwkOn         *device.Buffer[uint32]  // V × pad
	nkOn, changes *device.Buffer[uint32]  // K: n_k and, inside an epoch, its changes
	alphaOn       *device.Buffer[float32] // pad: zero beyond K
	scratch       *device.Buffer[uint32]  // the tiles' memory if shared memory is too small
	kernel        string                  // suffix of the draw kernel's name
	pad           int                     // kpad of grid.cu
	shared        int                     // bytes of shared memory of a tile; 0 if it is too small
	currentAlpha  []float64               // content of alphaOn
}

// newGridOn implements Info.NewOn.
func newGridOn(p *sampler.Problem, d *device.Device) (sampler.Remote, error) {
	if err := state.TokensFit(p); err != nil {
		return nil, err
	}
	s := &gridOn{gridSampler: makeGrid(p), device: d}
	s.chooseKernel()
	if err := s.upload(); err != nil {
		return nil, errors.Join(err, s.Close())
	}
	return s, nil
}

// chooseKernel takes the smallest kernel that keeps a word's row in registers, or the one for any number of topics.
func (s *gridOn) chooseKernel() {
	s.kernel, s.pad = "any", draw32.PaddedTopics(s.P.K)
	numbers := 5 // kept by a tile for each topic
	for _, topics := range []int{128, 256, 512, 1024} {
		if s.P.K <= topics {
			s.kernel, s.pad, numbers = strconv.Itoa(topics), topics, 4
			break
		}
	}
	if bytes := 4 * numbers * s.pad; bytes <= s.device.SharedMemory() {
		s.shared = bytes
	}
}

// upload allocates all memory and copies what never changes.
func (s *gridOn) upload() error {
	first, docs, begins, items := s.flatTiles()
	scratch := 0
	if s.shared == 0 {
		scratch = s.part.P * 5 * s.pad
	}
	numbers := len(first) + 2*len(docs) + 3*len(items) + s.P.V*s.pad + scratch + len(s.P.Offsets) + 3*s.pad
	if err := state.DenseFits(s.device, "grid", s.P, numbers); err != nil {
		return err
	}
	a := s.device.NewArena()
	s.arena = a
	s.firstDoc = device.Upload(a, first)
	s.docs = device.Upload(a, docs)
	s.begins = device.Upload(a, begins)
	s.items = device.Upload(a, items)
	s.offsets = device.Upload(a, state.NarrowOffsets(s.P))
	s.words = device.Upload(a, s.P.Words)
	s.topics = device.Alloc[uint32](a, s.P.N())
	s.nwkOn = device.Alloc[uint32](a, s.P.V*s.pad)
	s.nkOn = device.Alloc[uint32](a, s.P.K)
	s.changes = device.Upload(a, make([]uint32, s.P.K))
	s.alphaOn = device.Upload(a, make([]float32, s.pad))
	s.scratch = device.Alloc[uint32](a, scratch)
	return a.Err()
}

// flatTiles writes the tiles as grid.cu reads them: shares of documents one after the
// other, and their tokens by their place in the corpus.
func (s *gridOn) flatTiles() (first, docs, begins, items []uint32) {
	first = make([]uint32, len(s.tiles.First))
	for i, doc := range s.tiles.First {
		first[i] = uint32(doc)
	}
	docs = make([]uint32, len(s.tiles.Docs))
	begins = make([]uint32, len(s.tiles.Docs)+1)
	begins[len(s.tiles.Docs)] = uint32(s.P.N())
	items = make([]uint32, s.P.N())
	for i, part := range s.tiles.Docs {
		docs[i], begins[i] = part.Doc, uint32(part.Begin)
		lo := uint32(s.P.Offsets[part.Doc])
		for j := part.Begin; j < part.End; j++ {
			items[j] = lo + s.tiles.Items[j]
		}
	}
	return first, docs, begins, items
}

func (s *gridOn) Start(z []uint32, priors *sampler.Priors) error {
	if err := s.gridSampler.Start(z, priors); err != nil {
		return err
	}
	return errors.Join(s.topics.Upload(s.Z), state.CountOn(s.device, s.P, s.words, s.topics, s.nwkOn, s.nkOn, s.pad),
		s.device.Wait())
}

func (s *gridOn) Sweep(_ context.Context, iteration int, priors *sampler.Priors) error {
	if !slices.Equal(priors.Alpha, s.currentAlpha) {
		if err := s.alphaOn.Upload(state.Narrow(priors.Alpha)); err != nil {
			return err
		}
		s.currentAlpha = slices.Clone(priors.Alpha)
	}
	err := s.device.Together(func() error {
		for epoch := range s.part.P {
			if err := s.epoch(epoch, iteration, priors.Beta); err != nil {
				return err
			}
		}
		return nil
	})
	return errors.Join(err, s.device.Wait())
}

// epoch launches the draws of one diagonal and the update of n_k.
func (s *gridOn) epoch(epoch, iteration int, beta float64) error {
	key, k, p := rng.NewKey(s.P.Seed), uint32(s.P.K), uint32(s.part.P)
	shape := device.Shape{Blocks: s.part.P, Threads: draw32.Lanes, Shared: s.shared}
	return errors.Join(
		s.device.Launch("grid", "grid_tiles_"+s.kernel, shape, s.firstDoc, s.docs, s.begins, s.items, s.offsets,
			s.words, s.topics, s.nwkOn, s.nkOn, s.changes, s.alphaOn, s.scratch, device.Flag(s.shared > 0),
			k, uint32(s.pad), p, uint32(epoch), math.Float32bits(float32(beta)),
			math.Float32bits(float32(float64(s.P.V)*beta)),
			key[0], key[1], uint32(iteration), uint32(sampler.ForDraw)),
		s.device.Launch("grid", "grid_merge", device.Spread(s.device, s.P.K, 256, 0, 1), s.nkOn, s.changes, k),
	)
}

func (s *gridOn) Fetch() error {
	if err := s.topics.Download(s.Z); err != nil {
		return err
	}
	s.Recount()
	return nil
}

func (s *gridOn) Close() error { return s.arena.Close() }
