package cvb

import (
	"context"
	"errors"
	"fmt"

	"github.com/topoi-lda/topoi/internal/counts"
	"github.com/topoi-lda/topoi/internal/device"
	"github.com/topoi-lda/topoi/internal/sampler"
	"github.com/topoi-lda/topoi/internal/sampler/batch"
	"github.com/topoi-lda/topoi/internal/sampler/state"
)

// zeroOn is zeroCVB on a device. It implements sampler.Remote and some functions of its Capabilities.
type zeroOn struct {
	p        *sampler.Problem
	given    Corpus
	device   *device.Device
	exact    sampler.Remote       // batch, while it samples; else nil
	back     bool                 // exact samples for the rest of the run
	exactCan sampler.Capabilities // of exact
	shares   *stateOn             // responsibilities; nil while exact samples
	arena    *device.Arena        // of offs and tally
	offs     *device.Buffer[uint32]
	tally    *sampler.DeviceHistograms

	// These fields are the state of the last Fetch; extra is that of the last FetchExtra.
	z     []uint16
	lent  bool // LendTopics has returned z, so the next Fetch must not overwrite it
	nwk   []uint32
	nk    []uint32
	extra []byte
}

// newZeroOn implements Info.NewOn.
func newZeroOn(p *sampler.Problem, d *device.Device) (sampler.Remote, error) {
	if !isZero(p) {
		return nil, fmt.Errorf("cvb of the second order, or with smaller steps, %w: train it with Options.Device = cpu, or with Options.Tuning.CVB = zero", sampler.ErrNotOnDevice)
	}
	if err := state.TokensFit(p); err != nil {
		return nil, err
	}
	s := &zeroOn{p: p, given: zeroCorpus(p), device: d, nk: make([]uint32, p.K)}
	if err := device.FirstError(s.given.check(), s.fits()); err != nil {
		return nil, err
	}
	d.Prepare("cvb", tileKernel(p.K))
	d.Prepare("cvb_state", "cvb_start", "cvb_recount", "cvb_totals", "cvb_draw")
	d.Prepare("statistics", "statistics_rows_16", "statistics_table")
	var err error
	if p.Tuning.ExactSweeps > 0 {
		err = s.makeExact()
	} else {
		err = s.makeShares()
	}
	if err != nil {
		return nil, errors.Join(err, s.Close())
	}
	return s, nil
}

// makeExact makes the sampler of exact draws.
func (s *zeroOn) makeExact() (err error) {
	if s.exact, err = batch.Info.NewOn(s.p, s.device); err == nil {
		s.exactCan = s.exact.Capabilities()
	}
	return err
}

// fits returns an error if the device has too little memory for the problem. It allocates nothing.
func (s *zeroOn) fits() error {
	pairs, _, _ := s.given.pairs()
	bytes := s.given.bytesOn(pairs) + sampler.HistogramBytes(s.p) + 4*int64(len(s.p.Offsets))
	return state.DenseFits(s.device, "cvb", s.p, int(bytes/4))
}

// makeShares allocates the responsibilities and what is counted from them.
func (s *zeroOn) makeShares() (err error) {
	if s.shares, err = newStateOn(&s.given, s.device); err != nil {
		return err
	}
	s.arena = s.device.NewArena()
	s.offs = device.Upload(s.arena, state.NarrowOffsets(s.p))
	s.tally = sampler.NewDeviceHistograms(s.p, s.arena)
	return s.arena.Err()
}

func (s *zeroOn) Start(z []uint32, priors *sampler.Priors) error {
	if s.exact != nil {
		return s.exact.Start(z, priors)
	}
	first := make([]uint16, s.p.N())
	if z == nil {
		sampler.RandomTopics(s.p, 0, first)
	} else {
		for i, k := range z {
			first[i] = uint16(k)
		}
	}
	return s.shares.start(first)
}

// take ends the exact sweeps and makes the responsibilities from their topics.
func (s *zeroOn) take() error {
	if err := s.exact.Fetch(); err != nil {
		return err
	}
	z := make([]uint32, s.p.N())
	s.exact.Topics(z)
	err := s.exact.Close()
	s.exact = nil
	if err = device.FirstError(err, s.makeShares()); err != nil {
		return err
	}
	return s.Start(z, nil)
}

// goBack replaces the responsibilities by exact draws, which begin with topics drawn from them.
func (s *zeroOn) goBack(priors *sampler.Priors) error {
	z := make([]uint32, s.p.N())
	if err := s.Fetch(); err != nil {
		return err
	}
	s.Topics(z)
	err := device.FirstError(s.shares.close(), s.arena.Close())
	s.shares, s.arena, s.z, s.nwk = nil, nil, nil, nil
	if err = device.FirstError(err, s.makeExact()); err != nil {
		return err
	}
	s.back = true
	return s.exact.Start(z, priors)
}

func (s *zeroOn) Sweep(ctx context.Context, iteration int, priors *sampler.Priors) error {
	if s.exact != nil {
		s.back = s.back || iteration == s.p.Tuning.ExactSweeps+1 && s.p.StaysExact(priors)
		if s.back || iteration <= s.p.Tuning.ExactSweeps {
			return s.exact.Sweep(ctx, iteration, priors)
		}
		if err := s.take(); err != nil {
			return err
		}
	}
	if goesBack(s.p, iteration, priors) {
		if err := s.goBack(priors); err != nil {
			return err
		}
		return s.exact.Sweep(ctx, iteration, priors)
	}
	return s.shares.sweep(iteration, priors)
}

func (s *zeroOn) Capabilities() sampler.Capabilities {
	return sampler.Capabilities{
		NarrowTopics: s.NarrowTopics, LendTopics: s.LendTopics, Statistics: s.Statistics, Excerpt: s.Excerpt,
		Settle:    s.device.Wait,
		SaveExtra: s.SaveExtra, LoadExtra: s.LoadExtra, ExtraBytes: s.ExtraBytes, FetchExtra: s.FetchExtra,
	}
}

func (s *zeroOn) Statistics() (*counts.Histograms, error) {
	if s.exact != nil {
		return s.exactCan.Statistics()
	}
	d, k := s.device, s.p.K
	nk := make([]uint32, k)
	rows := sampler.StatisticsRows{
		Kernel: "16", Tokens: s.shares.z, Stride: 1, Positions: s.offs, Direct: true, First: s.offs, Members: s.p.D(),
		Limit: s.p.N(),
	}
	err := d.Together(func() error {
		return device.FirstError(s.shares.draw(), s.tally.Zero(),
			s.tally.Words.CountTable(d.Main(), d.Processors(), s.shares.nwk, s.p.V, k, 0, k),
			s.tally.Docs.Count(d.Main(), d.Processors(), k, rows))
	})
	if err := device.FirstError(err, s.shares.nk.Download(nk)); err != nil {
		return nil, err
	}
	return s.tally.Read(nk)
}

func (s *zeroOn) Excerpt(words []uint32) (*sampler.Excerpt, error) {
	if s.exact != nil {
		return s.exactCan.Excerpt(words)
	}
	if err := s.shares.draw(); err != nil {
		return nil, err
	}
	return sampler.ExcerptOf(s.p, s.shares.nk, words, s.p.K, func(words []uint32) ([]uint32, error) {
		return sampler.PickRows(s.device, s.tally, s.shares.nwk, s.p.K, words, s.p.K)
	})
}

// Fetch implements Remote. It copies topics and their counts; FetchExtra copies the responsibilities.
func (s *zeroOn) Fetch() error {
	if s.exact != nil {
		return s.exact.Fetch()
	}
	if s.z == nil || s.lent {
		s.z, s.lent = make([]uint16, s.p.N()), false
	}
	if s.nwk == nil {
		s.nwk = make([]uint32, s.p.V*s.p.K)
	}
	on := s.shares
	return device.FirstError(on.draw(), on.z.Download(s.z), on.nwk.Download(s.nwk), on.nk.Download(s.nk))
}

func (s *zeroOn) LendTopics() []uint16 {
	if s.exact != nil {
		return s.exactCan.LendTopics()
	}
	s.lent = true
	return s.z
}

func (s *zeroOn) Topics(z []uint32) {
	if s.exact != nil {
		s.exact.Topics(z)
		return
	}
	for i, k := range s.z {
		z[i] = uint32(k)
	}
}

func (s *zeroOn) NarrowTopics(z []uint16) {
	if s.exact != nil {
		s.exactCan.NarrowTopics(z)
		return
	}
	copy(z, s.z)
}

func (s *zeroOn) AppendRow(dst []counts.Entry, w int) []counts.Entry {
	if s.exact != nil {
		return s.exact.AppendRow(dst, w)
	}
	return counts.AppendDense(dst, s.nwk[w*s.p.K:(w+1)*s.p.K])
}

func (s *zeroOn) TopicTotals() []uint64 {
	if s.exact != nil {
		return s.exact.TopicTotals()
	}
	totals := make([]uint64, s.p.K)
	counts.Copy(totals, s.nk)
	return totals
}

// Histograms implements Sampler; Statistics counts on the device.
func (s *zeroOn) Histograms() *counts.Histograms {
	if s.exact != nil {
		return s.exact.Histograms()
	}
	here, z := state.NewDense(s.p), make([]uint32, s.p.N())
	s.Topics(z)
	_ = here.Start(z, nil) // never fails
	return here.Histograms()
}

// FetchExtra implements sampler.Capabilities.FetchExtra. It copies the responsibilities, if there are any.
func (s *zeroOn) FetchExtra() (err error) {
	switch s.extra = nil; {
	case s.back:
		s.extra = []byte(lastDraws)
	case s.exact == nil:
		s.extra, err = s.shares.save()
	}
	return err
}

func (s *zeroOn) SaveExtra() []byte { return s.extra }

func (s *zeroOn) ExtraBytes() int64 {
	if s.exact != nil {
		return 0
	}
	return s.shares.l.bytes(s.p.K)
}

func (s *zeroOn) LoadExtra(extra []byte) error {
	switch last := s.p.Tuning.Adapt && string(extra) == lastDraws; {
	case last && s.exact == nil:
		return s.goBack(nil)
	case last:
		s.back = true
		return nil
	case s.exact != nil && len(extra) == 0:
		return nil
	case s.exact != nil:
		if err := s.take(); err != nil {
			return err
		}
	}
	return s.shares.load(extra)
}

func (s *zeroOn) Close() error {
	var faults []error
	if s.exact != nil {
		faults = append(faults, s.exact.Close())
	}
	if s.shares != nil {
		faults = append(faults, s.shares.close())
	}
	return device.FirstError(append(faults, s.arena.Close())...)
}
