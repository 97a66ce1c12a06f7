package exchange

import (
	"maps"
	"slices"
	"time"

	"github.com/topoi-lda/topoi/internal/cluster/protocol"
	"github.com/topoi-lda/topoi/internal/cluster/records"
	"github.com/topoi-lda/topoi/internal/cluster/rows"
)

// wholeRows are the rows of all words in this worker's memory. Only the worker's goroutine uses it; see core.
type wholeRows struct {
	*core
	model   *rows.Model              // nil before the first round, and after a move that failed halfway
	own     map[int]map[int][][]byte // by round and part: blobs of this worker's own changes, by slice
	fetches map[int]*fetch           // by round: changes of others
}

// modelAt brings the model to a version: forwards by the changes of the rounds between, backwards from the rows of the
// last barrier. If this worker has one part alone, the model also gets that part's own changes up to the last round
// that it sent (see rows.Model.Solo).
//
// Example: staleness 2, one part, and round 9 is next. The part must see others as of round 6 and itself as of round
// 8. The model then has Round 6 and SoloRound 8.
func (x *wholeRows) modelAt(state *protocol.State, version int) error {
	if !x.reaches(state, version) {
		// Changes that are not sent yet are encoded with the model's help, so they go out before it is replaced.
		if err := x.worker.Settle(x.ctx); err != nil {
			return err
		}
		if err := x.loadModel(state); err != nil {
			return err
		}
	}
	m, solo := x.model, x.soloPart()
	if solo != nil && m.Solo < 0 {
		m.Solo, m.SoloRound = solo.Number, m.Round // up to here the model has the changes of all parts
	}
	for m.Round > version {
		if err := x.back(); err != nil {
			return err
		}
	}
	for {
		next := move{}
		if m.Round < version {
			next.others = m.Round + 1
		}
		if solo != nil && m.SoloRound < solo.Sent {
			next.solo = m.SoloRound + 1
		}
		if next == (move{}) {
			return nil
		}
		if err := x.forward(next); err != nil {
			return err
		}
	}
}

// soloPart returns the part of a worker that has one alone, nil for a worker with several parts or none.
func (x *wholeRows) soloPart() *localPart {
	if len(x.parts) != 1 {
		return nil
	}
	return x.parts[0]
}

// reaches reports whether the model can be brought to a version without reading it anew. It goes forwards alone: there
// may be no changes left of which it could go back. And it cannot lose changes of a part that it has further than
// those of others, when the part went to another worker, came back at the last barrier, or is not alone any more.
func (x *wholeRows) reaches(state *protocol.State, version int) bool {
	m := x.model
	oldest := state.Round - x.o.Job.Staleness // the store has the changes of the rounds after this one
	if m == nil || m.Round > version || m.Round < oldest {
		return false
	}
	if m.Solo < 0 {
		return true
	}
	solo := x.soloPart()
	return solo != nil && solo.Number == m.Solo && max(m.SoloRound, m.SoloDense) <= solo.Sent
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

// move says whose changes a model gets next: those of a round of all parts but the solo one, and those of a round of
// the solo part. A round of 0 means none.
type move struct{ others, solo int }

// forward adds changes to the model.
func (x *wholeRows) forward(next move) error {
	m := x.model
	var list []change
	if next.others > 0 {
		others, err := x.changesOfOthers(next.others)
		if err != nil {
			return err
		}
		list = others
	}
	if next.solo > 0 {
		own, err := x.soloChange(next.solo)
		if err != nil {
			return err
		}
		list = append(list, own...)
	}
	if err := x.merge(list, 1); err != nil {
		return err
	}
	m.Round = max(m.Round, next.others)
	m.SoloRound = max(m.SoloRound, next.solo)
	x.forget()
	return nil
}

// back takes the changes of the model's last round out of it, except those of the solo part.
func (x *wholeRows) back() error {
	list, err := x.changesOfOthers(x.model.Round)
	if err != nil {
		return err
	}
	if err := x.merge(list, -1); err != nil {
		return err
	}
	x.model.Round--
	x.forget()
	return nil
}

// merge adds changes to all slices of the model (sign 1), or takes them out (sign -1).
func (x *wholeRows) merge(list []change, sign int32) error {
	begin := time.Now()
	err := x.share(x.o.Job.Slices, x.model.Totals, func(c *coder, slice int) error {
		sources, err := x.open(list, slice)
		if err != nil {
			return err
		}
		return c.merger.Shift(x.model, slice, sources, sign, c.totals)
	})
	if err != nil {
		x.model = nil // some slices have moved, others have not
		return err
	}
	x.tally.spend(&x.tally.report.Coding, begin)
	return nil
}

// forget drops changes with which the model never goes back. Those of the last rounds, as many as the staleness, stay.
func (x *wholeRows) forget() {
	old := x.model.Round - x.o.Job.Staleness - 1
	maps.DeleteFunc(x.own, func(round int, _ map[int][][]byte) bool { return round <= old })
	maps.DeleteFunc(x.fetches, func(round int, _ *fetch) bool { return round <= old })
}

// send sends the changes of a part's last round to others. The worker keeps them until its own model has them.
func (x *wholeRows) send(p *localPart) error {
	j, round := x.o.Job, p.Round
	blobs, err := x.collect(p, round)
	if err != nil {
		return err
	}
	if x.own[round] == nil {
		x.own[round] = map[int][][]byte{}
	}
	x.own[round][p.Number] = blobs
	p.Sent, p.size = round, 0
	var writes []records.Write
	for slice, b := range blobs {
		p.size = max(p.size, len(b))
		writes = append(writes, records.Write{Key: j.Key.Changes(slice, round, p.Number), Round: round, Blob: b})
	}
	return x.put(writes, x.reached(p, round))
}

// collect encodes the changes of a part's last round, one blob per slice, and adds them to what the part sees next: to
// the model's dense rows if the part is the solo one, otherwise to the part's recent changes, if it sees others late.
func (x *wholeRows) collect(p *localPart, round int) ([][]byte, error) {
	begin, j := time.Now(), x.o.Job
	defer x.tally.spend(&x.tally.report.Coding, begin)
	e := encoding{part: p, round: round}
	totals := x.model.Totals
	if x.model.Solo == p.Number {
		e.model, x.model.SoloDense = x.model, round
	} else if j.Staleness > 0 {
		e.changes = p.next(j.Staleness, round, len(p.part.Words()), j.Topics)
		e.count, totals = true, e.changes.Totals
	}
	blobs := make([][]byte, j.Slices)
	err := x.share(j.Slices, totals, func(c *coder, slice int) error {
		blobs[slice] = x.encodeSlice(c, e, slice)
		return nil
	})
	if e.changes != nil {
		e.changes.Blobs = blobs
	}
	return blobs, err
}

// change has the changes of a part in a round.
type change struct {
	round, part int
	blobs       [][]byte // by slice
	skipDense   bool     // dense rows of the model have them already
}

// open opens the blobs of a slice.
func (x *wholeRows) open(list []change, slice int) (sources []rows.Source, err error) {
	for _, c := range list {
		d, err := x.o.Job.OpenChange(c.blobs[slice], slice, c.round, c.part)
		if err != nil {
			return nil, err
		}
		sources = append(sources, rows.Source{Decoder: d, SkipDense: c.skipDense})
	}
	return sources, nil
}

// soloChange returns the changes of the solo part in a round: one, or none if it had nothing to do. They come from
// memory, or from the store if this worker did not make them itself.
func (x *wholeRows) soloChange(round int) ([]change, error) {
	part := x.model.Solo
	if !x.o.Takes(part, round) {
		return nil, nil
	}
	if b := x.own[round][part]; b != nil {
		return []change{{round: round, part: part, blobs: b, skipDense: round <= x.model.SoloDense}}, nil
	}
	b, err := x.o.Job.GetChanges(x.ctx, round, part)
	if err != nil {
		return nil, err
	}
	return []change{{round: round, part: part, blobs: b}}, nil
}

// changesOfOthers returns the changes of a round of all parts but the solo one. It waits for those of other workers.
func (x *wholeRows) changesOfOthers(round int) (list []change, err error) {
	x.prefetch(round)
	f := x.fetches[round]
	begin := time.Now()
	defer x.tally.spend(&x.tally.report.Waiting, begin)
	if err := x.await(f); err != nil {
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
		if b != nil && part != x.model.Solo {
			list = append(list, change{round: round, part: part, blobs: b})
		}
	}
	return list, nil
}

// await waits for a fetch, unless there is something else to do: all may be waiting for a part or slice that this
// worker is given meanwhile.
func (x *wholeRows) await(f *fetch) error {
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
				x.tally.awaits(*awaited...)
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
