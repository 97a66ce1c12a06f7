package cluster

import (
	"context"
	"errors"
	"strconv"
	"sync"
	"time"

	"github.com/topoi-lda/topoi/internal/cluster/protocol"
	"github.com/topoi-lda/topoi/internal/guard"
)

// keep remembers the blobs of this worker's own changes until the model has them.
func (s *session) keep(round, part int, blobs [][]byte) {
	if s.own[round] == nil {
		s.own[round] = map[int][][]byte{}
	}
	s.own[round][part] = blobs
}

// pushes are blobs on their way to the store.
type pushes struct {
	group sync.WaitGroup
	limit chan struct{}
}

// mostPushes bounds the rounds of changes that wait to be written.
const mostPushes = 4

// push writes the changes of a part in the background, and then notes how far the
// part is. Without changes only that is done.
func (s *session) push(p *held, round int, blobs [][]byte) error {
	j := s.o.Job
	writes := make([]protocol.Write, len(blobs), len(blobs)+1)
	for i, b := range blobs {
		writes[i] = protocol.Write{Head: j.Key.Slice(i, "head"), Key: j.Key.Changes(i, round, p.number), Round: round, Blob: b}
	}
	if j.Apart { // a round without changes
		writes = append(writes, j.TotalsWrite(p.number, round, p.totals))
	}
	return s.background(func() error {
		if err := j.Put(s.ctx, writes); err != nil {
			return err
		}
		return s.reach("r", p.number, "p", round)
	})
}

// background runs a write beside the work. Its error ends the session.
func (s *session) background(write func() error) error {
	if s.pushes.limit == nil {
		s.pushes.limit = make(chan struct{}, mostPushes)
	}
	begin := time.Now()
	select {
	case s.pushes.limit <- struct{}{}:
	case <-s.ctx.Done():
		return context.Cause(s.ctx)
	}
	s.spend(&s.report.Waiting, begin)
	s.pushes.group.Go(func() {
		defer func() { <-s.pushes.limit }()
		if err := guard.Try(write); err != nil {
			s.cancel(err)
		}
	})
	return nil
}

// flush waits until everything that was pushed is written.
func (s *session) flush() error {
	begin := time.Now()
	s.pushes.group.Wait()
	s.spend(&s.report.Waiting, begin)
	if s.ctx.Err() != nil {
		return context.Cause(s.ctx)
	}
	return nil
}

// reach notes that a part or slice has come to a round, under the given field. A
// worker that no longer has it says nothing.
func (s *session) reach(field string, number int, office string, round int) error {
	j := s.o.Job
	_, err := j.Ask(s.ctx, protocol.ScriptReach, []string{j.Key.Owners(), j.Key.Reached()},
		s.tokenText(), field+strconv.Itoa(number), office+strconv.Itoa(number), strconv.Itoa(round))
	if errors.Is(err, protocol.ErrLost) {
		return nil // others have it, and come to the same
	}
	return err
}
