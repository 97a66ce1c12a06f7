package warp

import (
	"context"
	"errors"

	"github.com/topoi-lda/topoi/internal/blob"
	"github.com/topoi-lda/topoi/internal/device"
	"github.com/topoi-lda/topoi/internal/sampler"
	"github.com/topoi-lda/topoi/internal/sampler/warp/ledger"
)

// warpHeld is a part's tokens on the device, for rounds against rows that are there too: topics stay, changes are
// counted and encoded there. Loads for which there is no room pass through, as those of warpStream.
type warpHeld struct {
	arena  *device.Arena
	rows   *ledger.Rows
	tally  *ledger.Tally
	loads  []*warpLoad
	slots  int      // that loads need which do not stay
	most   int      // tokens of the largest load
	lists  int      // numbers of the longest lists of a load that does not stay
	totals []uint32 // K: n_k of the part's tokens
	added  []uint64 // K: what the last round added to n_k
	sent   bool     // the device has the present topics
	ahead  bool     // the host has not

	landing *device.Host[uint16]      // tokens of the largest load: topics on their way here
	docs    *sampler.DeviceHistograms // nil before they are asked for
	offsets []*device.Buffer[uint32]  // of each load: where its documents begin, and their end
}

// heldLoads says what of a held part's loads may stay on the device: for tests.
type heldLoads int

const (
	heldWhole  heldLoads = iota // topics, and proposals from one round to the next
	heldTopics                  // topics
	heldNone                    // nothing: they pass through
)

// heldTokens is the state of a load between rounds, where there is room for it: then doc-proposals need not
// be drawn again.
type heldTokens struct {
	state    *device.Buffer[uint16] // as in warpShared
	byDoc    *device.Buffer[uint32]
	proposed int // iteration whose doc-proposals state has, 0 for none
	alphas   int // partsOn.alphas when they were drawn
}

// Rows is for sampler.PartsOn.
func (s *partsOn) Rows(frequencies []uint64, begins []int) (sampler.RowsOn, error) {
	if err := s.closeRows(); err != nil {
		return nil, err
	}
	whole := make([]uint32, len(frequencies))
	for w, n := range frequencies {
		whole[w] = uint32(n)
	}
	room, err := s.device.Room()
	if err != nil || ledger.Fault(s.p.K, frequencies, s.device.SharedMemory()) != nil {
		return nil, err
	}
	tables := 24*int64(s.p.K) + 4*int64(s.scratches())*int64(s.p.K)
	if ledger.Bytes(s.p.K, frequencies)+ledger.TallyBytes(s.p.K, whole)+tables > room/2 { // the rest is for tokens
		return nil, nil
	}
	if s.rows, err = ledger.New(s.device, s.p.K, frequencies, begins, s.p.Threads); err != nil {
		return nil, err
	}
	return s.rows, nil
}

// closeRows gives back what Rows made.
func (s *partsOn) closeRows() error {
	if s.rows == nil {
		return nil
	}
	rows := s.rows
	s.rows = nil
	return device.FirstError(s.device.Wait(), rows.Close())
}

// Start implements Kernel.
func (s *warpPartOn) Start(z []uint32, priors *sampler.Priors) error {
	s.leaveState()
	return s.warpPart.Start(z, priors)
}

// leaveState says that the host has the present topics.
func (s *warpPartOn) leaveState() {
	if s.held != nil {
		s.held.sent, s.held.ahead, s.held.added = false, false, nil
	}
}

// Fetch is for sampler.KernelCapabilities.
func (s *warpPartOn) Fetch() error {
	h := s.held
	if h == nil || !h.ahead {
		return nil
	}
	if err := scatterLoads(s.warp, h.loads); err != nil {
		return err
	}
	h.ahead = false
	return nil
}

// Close is for sampler.KernelCapabilities.
func (s *warpPartOn) Close() error {
	h := s.held
	if h == nil {
		return nil
	}
	s.held = nil
	return device.FirstError(s.on.device.Wait(), h.arena.Close())
}

// Bodies is for sampler.KernelCapabilities.
func (s *warpPartOn) Bodies() (slices []blob.Body, totals []uint64) {
	if s.held == nil || s.held.added == nil {
		return nil, nil
	}
	return s.held.tally.Bodies(), s.held.added
}

// roundHeld is Round against rows on the device.
func (s *warpPartOn) roundHeld(ctx context.Context, iteration int, rows *ledger.Rows, priors *sampler.Priors) error {
	if s.held == nil || s.held.rows != rows {
		if err := errors.Join(s.Fetch(), s.Close()); err != nil {
			return err
		}
		if err := s.hold(rows); err != nil {
			return errors.Join(err, s.Close())
		}
	}
	h, on := s.held, s.on
	if err := on.makeRoomFor(h); err != nil {
		return err
	}
	frozen, places := on.frozen, on.wordPlaces
	defer func() { on.frozen, on.wordPlaces = frozen, places }()
	on.frozen = &warpModel{rows: rows.Sums, guides: rows.Guides, lists: rows.Lists, hot: rows.Hot}
	on.wordPlaces = rows.Places
	if err := device.FirstError(s.sendTopics(), s.bringPriors(sampler.FrozenOn(rows), priors), on.nk.Zero()); err != nil {
		return err
	}
	h.sent, h.added = false, nil
	err := on.conveyor.Drain(s.sampleHeld(ctx, iteration, priors))
	if err == nil {
		err = h.tally.Encode()
	}
	if err != nil {
		return err
	}
	h.sent, h.ahead = true, true
	return s.addTotals()
}

// sampleHeld lets the loads be sampled, and counts what they change.
func (s *warpPartOn) sampleHeld(ctx context.Context, iteration int, priors *sampler.Priors) error {
	on, h := s.on, s.held
	for _, load := range h.loads {
		if err := ctx.Err(); err != nil {
			return err
		}
		err := on.pass(load, func(room *warpRoom) error {
			defer on.use(load.tokens)()
			return device.FirstError(on.sampleTokens(load, room, iteration, priors), h.tally.Count(ledger.Load{
				State: on.state, Layout: on.layout(), Topics: room.topics, Tokens: load.Tokens(),
				Begins: room.list(load, warpBegins), Before: room.list(load, warpBefore), Segments: room.list(load, warpSegments),
			}))
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// use makes kernels work on the tokens of a load that has its own, until the function that it returns is called.
func (s *partsOn) use(t *heldTokens) func() {
	if t == nil {
		return func() {}
	}
	state, byDoc := s.state, s.byDoc
	s.state, s.byDoc = t.state, t.byDoc
	return func() { s.state, s.byDoc = state, byDoc }
}

// sampleTokens launches an iteration of a load, without drawing doc-proposals that are there.
func (s *partsOn) sampleTokens(load *warpLoad, room *warpRoom, iteration int, priors *sampler.Priors) error {
	t := load.tokens
	if t == nil {
		return s.sample(load, room, iteration, priors)
	}
	drawn := t.proposed == iteration && t.alphas == s.alphas
	t.proposed, t.alphas = iteration+1, s.alphas
	if !drawn {
		return s.sample(load, room, iteration, priors)
	}
	return device.FirstError(s.wordPhase(load, room, iteration, priors), s.docPhase(load, room, iteration, true))
}

// addTotals finds what the round added to n_k.
func (s *warpPartOn) addTotals() error {
	h := s.held
	now := make([]uint32, s.p.K)
	if err := s.on.nk.Download(now); err != nil {
		return err
	}
	h.added = make([]uint64, s.p.K)
	for k, n := range now {
		h.added[k] = uint64(n) - uint64(h.totals[k]) // modulo 2^64
	}
	h.totals = now
	return nil
}
