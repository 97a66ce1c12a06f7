package cluster

import (
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/topoi-lda/topoi/internal/blob"
	"github.com/topoi-lda/topoi/internal/cluster/protocol"
	"github.com/topoi-lda/topoi/internal/sampler"
)

// This file is what a worker does for its parts in a plain job, in which tokens travel and not rows (see sampler.DocHalf): it offers
// the tokens of every slice to whoever has that slice, waits until they have been through the first half of the round there (see
// walking), takes them back and does the second half.

// errUnsound says what is wrong with tokens whose checksum is right.
var errUnsound = fmt.Errorf("%w: a topic is too large", blob.ErrDamaged)

// redrawn says whether the round after a given one begins with other tokens than the one before ended with: their proposals are
// of another α.
func redrawn(state *protocol.State, round int) bool { return state.Redraw && round == state.Round }

// offerAll makes the tokens of all parts whose next round it is ready, and offers them where that was not done at the end of the round
// before: nobody comes back before those of all parts are there.
func (s *session) offerAll(state *protocol.State, round int, step sampler.Step) error {
	for _, p := range s.parts {
		if p.round != round-1 {
			continue
		}
		begin := time.Now()
		if err := p.part.Halves().Propose(s.ctx, step.Iteration, s.feed.totals, s.priors(state, step.Iteration)); err != nil {
			p.round = spoiled
			return err
		}
		s.spend(&s.report.Sampling, begin)
		again := redrawn(state, round-1)
		if p.offered >= round-1 && (!again || p.redrawn >= round-1) {
			continue
		}
		if err := s.offer(p, round-1, again); err != nil {
			return err
		}
	}
	return nil
}

// visit moves the tokens of a part in a round. Until all of them are back it can be given up and begun again.
func (s *session) visit(p *held, round int, step sampler.Step) error {
	half := p.part.Halves()
	if err := s.takeBack(p, half, round-1); err != nil {
		return err
	}
	begin := time.Now()
	if err := half.Settle(s.ctx, step.Iteration); err != nil {
		p.round = spoiled
		return err
	}
	s.spend(&s.report.Sampling, begin)
	return nil
}

// offer tells those who have the words about a part's tokens after a round, slice by slice, each on its way while the next
// is copied; and first everybody n_k, without which nobody can begin.
func (s *session) offer(p *held, round int, redrawn bool) error {
	j := s.o.Job
	if round == p.round && p.told < round {
		p.totals = make([]uint64, j.Topics)
		if !p.part.TokenTotals(p.totals) {
			p.totals = p.tokenTotals(j.Topics)
		}
		write := j.TotalsWrite(p.number, round, p.totals)
		if err := s.background(func() error { return j.Put(s.ctx, []protocol.Write{write}) }); err != nil {
			return err
		}
	}
	begin := time.Now()
	written := new(sync.WaitGroup)
	for slice := range j.Slices {
		b := s.encodeTile(p, slice, round)
		written.Add(1)
		err := s.background(func() error {
			defer written.Done()
			defer s.rooms.Put(&b)
			// It belongs to the next round: this one may be over when it is written.
			err := j.Put(s.ctx, []protocol.Write{{Head: j.Key.Slice(slice, "head"), Key: j.Key.Offer(slice, round, p.number, redrawn), Round: round + 1, Blob: b}})
			select {
			case s.wrote <- struct{}{}:
			default:
			}
			return err
		})
		if err != nil {
			return err
		}
	}
	s.spend(&s.report.Coding, begin)
	p.offered, p.told = round, max(p.told, round)
	if redrawn {
		p.redrawn = round
	}
	return s.background(func() error {
		written.Wait()
		if s.ctx.Err() != nil {
			return nil // what was written before may have failed, and has ended the session
		}
		return s.reach("r", p.number, "p", round)
	})
}

// tile is where a part has the tokens of a slice.
func (s *session) tile(p *held, slice int) sampler.Tile {
	if p.tiles == nil {
		bounds := make([][2]int, s.o.Job.Slices)
		for i := range bounds {
			bounds[i][0], bounds[i][1] = p.placesIn(s.cut, i)
		}
		p.tiles = p.part.Halves().Tiles(bounds)
	}
	return p.tiles[slice]
}

// encodeTile encodes a part's tokens of a slice.
func (s *session) encodeTile(p *held, slice, round int) []byte {
	tile := s.tile(p, slice)
	n, half := tile.Tokens(), p.part.Halves()
	b := blob.BeginTokens(s.room(n*half.RecordBytes()), s.o.Job.BlobID(blob.Tokens, round, p.number)(slice))
	return blob.FinishTokens(half.AppendTile(b, tile), n)
}

// room is where a blob of so many bytes of records may be made. It may be given back to rooms.
func (s *session) room(records int) []byte {
	n := blob.TokensBytes(records)
	if b, ok := s.rooms.Get().(*[]byte); ok && cap(*b) >= n {
		return (*b)[:0]
	}
	return make([]byte, 0, n+n/16)
}

// takeBack waits for a part's tokens after the first half of the round after a given one, and puts them in their places.
func (s *session) takeBack(p *held, half sampler.DocHalf, round int) error {
	j := s.o.Job
	names := make([]string, j.Slices)
	number := map[string]int{}
	for i := range names {
		names[i] = j.Key.Walked(i, round, p.number)
		number[names[i]] = i
	}
	defer s.waitFor("", nil)
	// Pieces come one by one from all workers, and the part goes on when the last is there: it asks when some may have come.
	for pause := protocol.PauseFrom(backAfter); len(names) > 0; {
		absent, err := j.Store.Missing(s.ctx, names...)
		if err != nil {
			return err
		}
		missing := map[string]bool{}
		for _, name := range absent {
			missing[name] = true
		}
		for _, name := range names {
			if missing[name] {
				continue
			}
			if err := s.putBack(p, half, name, number[name], round); err != nil {
				return err
			}
			pause = protocol.PauseFrom(backAfter)
		}
		if len(absent) > 0 {
			if err := s.awaitWalked(pause, absent, number); err != nil {
				return err
			}
		}
		names = absent
	}
	return nil
}

// backAfter is how long a part waits at least before it asks again for tokens that are not back.
const backAfter = 4 * time.Millisecond

// putBack takes a part's tokens of a slice back.
func (s *session) putBack(p *held, half sampler.DocHalf, name string, slice, round int) error {
	j, tile := s.o.Job, s.tile(p, slice)
	begin := time.Now()
	defer s.spend(&s.report.Coding, begin)
	size := tile.Tokens() * half.RecordBytes()
	b, err := j.GetInto(s.ctx, s.room(size), name)
	defer s.rooms.Put(&b)
	if err != nil {
		return err
	}
	records, err := blob.OpenTokens(b, j.BlobID(blob.Walked, round, p.number)(slice), size)
	if err == nil && !half.SetTile(tile, records) {
		err = errUnsound
	}
	if err != nil {
		return protocol.Damaged(name, err)
	}
	return nil
}

// awaitWalked lets some time pass in which others, or this worker, may come to slices that a part waits for. What this worker does
// meanwhile for its own slices is no waiting.
func (s *session) awaitWalked(pause *protocol.Pause, absent []string, number map[string]int) error {
	awaited := make([]int, len(absent))
	for i, name := range absent {
		awaited[i] = number[name]
	}
	s.waitFor("s", awaited)
	if v := s.view(); v.version != s.acting.version || !slices.Equal(v.parts, s.acting.parts) {
		return errBehind
	}
	if err := s.verify(); err != nil {
		return err
	}
	begin, busy := time.Now(), s.walkedFor.Load()
	err := pause.WaitOr(s.ctx, s.walkedOne)
	s.mutex.Lock()
	s.report.Waiting += max(0, time.Since(begin)-time.Duration(s.walkedFor.Load()-busy))
	s.mutex.Unlock()
	return err
}

// offers appends the keys of what a part has told of its tokens since the last barrier.
func (s *session) offers(names []string, p *held, state *protocol.State) []string {
	j := s.o.Job
	if !j.Plain || state.Round < 0 {
		return names
	}
	for round := state.Round; round <= p.offered; round++ {
		if redrawn(state, round) && p.redrawn < round {
			continue // it is to be told anew
		}
		for i := range j.Slices {
			names = append(names, j.Key.Offer(i, round, p.number, redrawn(state, round)))
		}
	}
	return names
}
