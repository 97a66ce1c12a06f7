package exchange

import (
	"maps"
	"slices"
	"time"

	"github.com/topoi-lda/topoi/internal/cluster/protocol"
	"github.com/topoi-lda/topoi/internal/cluster/records"
	"github.com/topoi-lda/topoi/internal/cluster/rows"
)

// wholeRows are the rows of all words in this worker's memory.
type wholeRows struct {
	*core
	model   *rows.Model              // nil before the first round
	own     map[int]map[int][][]byte // by round and part: blobs of this worker's own changes, by slice
	fetches map[int]*fetch           // by round: changes of others
}

// modelAt brings the model to a version: forwards by the changes of the rounds between, backwards from the rows of the
// last barrier. If this worker has one part alone, the model also gets that part's changes up to its last told round.
func (x *wholeRows) modelAt(state *protocol.State, version int) error {
	ahead, aheadTo := -1, 0
	if len(x.parts) == 1 {
		ahead, aheadTo = x.parts[0].Number, x.parts[0].Told
	}
	m := x.model
	kept := state.Round - x.o.Job.Staleness // changes after this round are there
	strays := m != nil && m.Ahead >= 0 && (m.Ahead != ahead || max(m.AheadTo, m.Applied) > aheadTo)
	if m == nil || m.Round > version || m.Round < kept || strays {
		if err := x.worker.Settle(x.ctx); err != nil { // while there is a model that can take it
			return err
		}
		if ahead >= 0 {
			aheadTo = x.parts[0].Told
		}
		if err := x.loadModel(state); err != nil {
			return err
		}
		m = x.model
	}
	if ahead >= 0 && m.Ahead < 0 {
		m.Ahead, m.AheadTo = ahead, m.Round // as rows of a barrier have them
	}
	for m.Round > version {
		if err := x.shift(-1, m.Round, 0); err != nil {
			return err
		}
	}
	for m.Round < version || ahead >= 0 && m.AheadTo < aheadTo {
		others, own := 0, 0
		if m.Round < version {
			others = m.Round + 1
		}
		if ahead >= 0 && m.AheadTo < aheadTo {
			own = m.AheadTo + 1
		}
		if err := x.shift(1, others, own); err != nil {
			return err
		}
	}
	return nil
}

// loadModel reads the rows of the last barrier.
func (x *wholeRows) loadModel(state *protocol.State) error {
	begin := time.Now()
	defer x.tally.spend(&x.tally.report.Waiting, begin)
	if x.model == nil {
		x.model = rows.NewModel(x.o.Cut, x.o.Job.Topics)
	}
	err := x.o.Job.LoadRows(x.ctx, x.model, state.Round)
	if err != nil {
		x.model = nil
	}
	return err
}

// shift adds the changes of a round to the model, or subtracts them: those of all parts but the one with which the
// model is ahead. Of that part it adds the changes of round own. A round of 0 means none.
func (x *wholeRows) shift(sign int32, round, own int) (err error) {
	m := x.model
	var list []change
	if round > 0 {
		if list, err = x.others(round); err != nil {
			return err
		}
	}
	if own > 0 {
		if list, err = x.appendOwn(list, own); err != nil {
			return err
		}
	}
	begin := time.Now()
	err = x.share(x.o.Job.Slices, m.Totals, func(c *coder, slice int) error {
		sources, err := x.open(list, slice)
		if err != nil {
			return err
		}
		return c.merger.Shift(m, slice, sources, sign, c.totals)
	})
	if err != nil {
		x.model = nil // some slices have moved
		return err
	}
	switch {
	case sign < 0:
		m.Round--
	case round > 0:
		m.Round = round
	}
	if own > 0 {
		m.AheadTo = own
	}
	// The model never goes back with what is older: beyond the staleness changes are asked from the store again.
	old := m.Round - x.o.Job.Staleness - 1
	maps.DeleteFunc(x.own, func(round int, _ map[int][][]byte) bool { return round <= old })
	maps.DeleteFunc(x.fetches, func(round int, _ *fetch) bool { return round <= old })
	x.tally.spend(&x.tally.report.Coding, begin)
	return nil
}

// change has the changes of a part in a round.
type change struct {
	round, part int
	blobs       [][]byte // by slice
	applied     bool     // the changes of dense rows are in the model already
}

// open opens the blobs of a slice.
func (x *wholeRows) open(list []change, slice int) (sources []rows.Source, err error) {
	for _, c := range list {
		d, err := x.o.Job.OpenChange(c.blobs[slice], slice, c.round, c.part)
		if err != nil {
			return nil, err
		}
		sources = append(sources, rows.Source{Decoder: d, Applied: c.applied})
	}
	return sources, nil
}

// appendOwn appends the changes in a round of the part with which the model is ahead, from memory or from the store.
func (x *wholeRows) appendOwn(list []change, round int) ([]change, error) {
	part := x.model.Ahead
	if !x.o.Takes(part, round) {
		return list, nil
	}
	c := change{round: round, part: part, blobs: x.own[round][part], applied: round <= x.model.Applied}
	if c.blobs == nil {
		b, err := x.o.Job.GetChanges(x.ctx, round, part)
		if err != nil {
			return nil, err
		}
		c.blobs, c.applied = b, false
	}
	return append(list, c), nil
}

// others returns the changes of a round, without those of the part with which the model is ahead. It waits for the
// changes of other workers.
func (x *wholeRows) others(round int) (list []change, err error) {
	x.prefetch(round)
	f := x.fetches[round]
	begin := time.Now()
	defer x.tally.spend(&x.tally.report.Waiting, begin)
	if err := x.until(f); err != nil {
		return nil, err
	}
	if f.err != nil {
		delete(x.fetches, round)
		return nil, f.err
	}
	for part := range x.o.Job.Parts { // in order, though no sum depends on it
		b := x.own[round][part]
		if place := slices.Index(f.parts, part); place >= 0 {
			b = f.blobs[place]
		}
		if b != nil && part != x.model.Ahead {
			list = append(list, change{round: round, part: part, blobs: b})
		}
	}
	return list, nil
}

// until waits for a fetch, unless there is something else to do: all may be waiting for a part or slice that this
// worker is given meanwhile.
func (x *wholeRows) until(f *fetch) error {
	select {
	case <-f.done: // the usual case
		return nil
	default:
	}
	ticker := time.NewTicker(x.o.Job.Lease / 8)
	defer ticker.Stop()
	for {
		select {
		case <-f.done:
			return nil
		case <-x.ctx.Done():
			return x.ctx.Err()
		case <-ticker.C:
			if awaited := f.awaited.Load(); awaited != nil {
				x.tally.await(*awaited...)
			}
			if err := x.worker.Look(x.ctx); err != nil {
				return err
			}
		}
	}
}

// prefetch begins to fetch the changes that others make in a round.
func (x *wholeRows) prefetch(round int) {
	if x.fetches[round] != nil {
		return
	}
	parts := slices.DeleteFunc(x.takers(round), func(part int) bool { return x.own[round][part] != nil })
	x.fetches[round] = startFetch(x.ctx, x.o.Job, round, parts)
}

// tell sends the changes of a part's last round to others. The worker keeps them until its own model has them.
func (x *wholeRows) tell(p *held) error {
	j, round := x.o.Job, p.Round
	blobs, err := x.collect(p, round)
	if err != nil {
		return err
	}
	if x.own[round] == nil {
		x.own[round] = map[int][][]byte{}
	}
	x.own[round][p.Number] = blobs
	p.Told, p.size = round, 0
	var writes []records.Write
	for slice, b := range blobs {
		p.size = max(p.size, len(b))
		writes = append(writes, records.Write{Key: j.Key.Changes(slice, round, p.Number), Round: round, Blob: b})
	}
	return x.put(writes, x.reached(p, round))
}

// collect encodes the changes of a part's last round, one blob per slice, and adds them to what the part sees next.
func (x *wholeRows) collect(p *held, round int) ([][]byte, error) {
	begin, j := time.Now(), x.o.Job
	defer x.tally.spend(&x.tally.report.Coding, begin)
	var ahead *rows.Model
	var own *rows.Own // takes the changes beside the model; nil: the model takes them
	totals := x.model.Totals
	if x.model.Ahead == p.Number {
		ahead, x.model.Applied = x.model, round
	} else if j.Staleness > 0 {
		own = p.next(j.Staleness, round, len(p.part.Words()), j.Topics)
		totals = own.Totals
	}
	blobs := make([][]byte, j.Slices)
	err := x.share(j.Slices, totals, func(c *coder, slice int) error {
		blobs[slice] = x.encodeSlice(c, p, round, slice, ahead, own != nil, own)
		return nil
	})
	if own != nil {
		own.Blobs = blobs
	}
	return blobs, err
}
