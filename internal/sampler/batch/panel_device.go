package batch

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/topoi-lda/topoi/internal/device"
	"github.com/topoi-lda/topoi/internal/rng"
	"github.com/topoi-lda/topoi/internal/sampler"
	"github.com/topoi-lda/topoi/internal/sampler/draw32"
	"github.com/topoi-lda/topoi/internal/sampler/state"
)

// panelOn is AGA-LDA on a device: kernels/panel.cu is the other half. It is not repeatable, since word and topic
// counts change by atomic additions; counts are always those of the topics. The embedded fresh is the state at the
// last Fetch, and draws nothing.
type panelOn struct {
	*fresh
	device *device.Device
	arena  *device.Arena
	plan   *panelPlan
	pad    int // kpad of panel.cu
	shared int // bytes of a panel's rows, at most

	panels              *device.Buffer[uint32]  // 4 numbers for each panel of each mini-batch
	words, docs, places *device.Buffer[uint32]  // N, panel order
	topics              *device.Buffer[uint32]  // N, panel order
	nwkOn, nkOn         *device.Buffer[uint32]  // V × pad, K
	dnt                 *device.Buffer[uint32]  // documents of the largest mini-batch × pad: n_dk, then DNT
	alpha, inverseOn    *device.Buffer[float32] // pad: zero beyond K
	currentAlpha        []float64               // as alpha has it
}

// newPanelOn implements Info.NewOn.
func newPanelOn(p *sampler.Problem, d *device.Device) (sampler.Remote, error) {
	if p.Tuning.OwnCount == "in" {
		return nil, fmt.Errorf("panel with the own count in %w: train it with Options.Device = cpu",
			sampler.ErrNotOnDevice)
	}
	if err := state.TokensFit(p); err != nil {
		return nil, err
	}
	one := *p
	one.Threads = 1 // nothing is drawn here, so one worker's scratch is enough
	s := &panelOn{fresh: newFresh(&one, panelFreshness), device: d, pad: draw32.PaddedTopics(p.K)}
	s.old = nil
	s.plan = planPanels(p, cmp.Or(p.Tuning.MiniBatches, panelBatches), s.panelWidth())
	if err := s.upload(); err != nil {
		return nil, errors.Join(err, s.Close())
	}
	return s, nil
}

// panelWidth is how many rows a panel has at most: as many as let two blocks of threads
// share a processor, or as one alone has room for, or none.
func (s *panelOn) panelWidth() int {
	const reserved = 2 << 10 // of each block, by the driver
	row := 4 * s.pad
	half, whole := s.device.SharedMemory()/2-reserved, s.device.SharedMemory()-reserved
	width := half / row
	if width == 0 {
		width = whole / row
	}
	s.shared = width * row
	return width
}

// upload allocates everything and copies what never changes.
func (s *panelOn) upload() error {
	words := make([]uint32, s.P.N())
	for i, place := range s.plan.order {
		words[i] = s.P.Words[place]
	}
	numbers := 4*len(s.plan.panels) + 4*s.P.N() + s.P.V*s.pad + s.plan.mostDocs()*s.pad + 3*s.pad
	if err := state.DenseFits(s.device, "panel", s.P, numbers); err != nil {
		return fmt.Errorf("%w; more mini-batches need less", err)
	}
	a := s.device.NewArena()
	s.arena = a
	s.panels = device.Upload(a, s.plan.numbers())
	s.words = device.Upload(a, words)
	s.docs = device.Upload(a, s.plan.docs)
	s.places = device.Upload(a, s.plan.order)
	s.topics = device.Alloc[uint32](a, s.P.N())
	s.nwkOn = device.Alloc[uint32](a, s.P.V*s.pad)
	s.nkOn = device.Alloc[uint32](a, s.P.K)
	s.dnt = device.Alloc[uint32](a, s.plan.mostDocs()*s.pad)
	s.alpha = device.Upload(a, make([]float32, s.pad))
	s.inverseOn = device.Upload(a, make([]float32, s.pad))
	return a.Err()
}

func (s *panelOn) Start(z []uint32, priors *sampler.Priors) error {
	if err := s.fresh.Start(z, priors); err != nil {
		return err
	}
	topics := make([]uint32, s.P.N())
	for i, place := range s.plan.order {
		topics[i] = s.Z[place]
	}
	return errors.Join(s.topics.Upload(topics), state.CountOn(s.device, s.P, s.words, s.topics, s.nwkOn, s.nkOn, s.pad),
		s.device.Wait())
}

func (s *panelOn) Sweep(_ context.Context, iteration int, priors *sampler.Priors) error {
	if !slices.Equal(priors.Alpha, s.currentAlpha) {
		if err := s.alpha.Upload(state.Narrow(priors.Alpha)); err != nil {
			return err
		}
		s.currentAlpha = slices.Clone(priors.Alpha)
	}
	err := s.device.Together(func() error {
		for _, b := range s.plan.batches {
			if err := s.batch(b, iteration, priors.Beta); err != nil {
				return err
			}
		}
		return nil
	})
	return errors.Join(err, s.device.Wait())
}

// batch launches a mini-batch: DNT by Algorithms 3 and 4, then draws by Algorithm 2.
func (s *panelOn) batch(b panelBatch, iteration int, beta float64) error {
	if b.begin == b.end {
		return nil
	}
	k, pad, cells, key := uint32(s.P.K), uint32(s.pad), b.docs*s.pad, rng.NewKey(s.P.Seed)
	return errors.Join(
		s.dnt.Zero(),
		s.launch("inverse", device.Spread(s.device, s.P.K, 256, 0, 1), s.nkOn, s.inverseOn, k,
			math.Float64bits(float64(s.P.V)*beta)),
		s.launch("count", device.Spread(s.device, b.end-b.begin, 256, 0, 8), s.docs, s.topics, uint32(b.begin),
			uint32(b.end), s.dnt, pad),
		s.launch("scale", device.Spread(s.device, cells, 256, 0, 8), s.dnt, uint64(cells), s.alpha, s.inverseOn, pad),
		s.launch("sample", device.Shape{Blocks: b.endPanel - b.firstPanel, Threads: 512, Shared: s.shared},
			s.panels, uint32(b.firstPanel), s.words, s.docs, s.places, s.topics, s.nwkOn, s.nkOn, s.dnt, s.inverseOn, k,
			pad,
			math.Float32bits(float32(beta)), key[0], key[1], uint32(iteration), uint32(sampler.ForDraw)),
	)
}

func (s *panelOn) launch(kernel string, shape device.Shape, args ...any) error {
	return s.device.Launch("panel", "panel_"+kernel, shape, args...)
}

func (s *panelOn) Fetch() error {
	topics := make([]uint32, s.P.N())
	if err := s.topics.Download(topics); err != nil {
		return err
	}
	for i, place := range s.plan.order {
		s.Z[place] = topics[i]
	}
	s.Recount()
	return nil
}

func (s *panelOn) Close() error { return s.arena.Close() }
