package exchange

import (
	"maps"
	"time"

	"github.com/topoi-lda/topoi/internal/cluster/protocol"
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
