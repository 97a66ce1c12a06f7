// Package offices says which living worker has which part and slice: p7 or s3.
package offices

import (
	"context"
	"slices"
	"strconv"

	"github.com/topoi-lda/topoi/internal/cluster/protocol"
)

// Survey is what the leader knows of everybody.
type Survey struct {
	Alive   []string          // tokens
	Owners  map[string]string // office → token
	Reached map[string]int    // field → round
}

// Look asks the store, for the leader with the given token.
func Look(ctx context.Context, j *protocol.Job, leader string) (*Survey, error) {
	answer, err := j.Ask(ctx, protocol.ScriptSurvey, []string{j.Key.Leader(), j.Key.Members(), j.Key.Owners(), j.Key.Reached()},
		leader, j.Key.Control("lease:"))
	if err != nil {
		return nil, err
	}
	s := &Survey{Reached: map[string]int{}}
	if s.Alive, err = answer[1].AsStrSlice(); err != nil {
		return nil, err
	}
	slices.Sort(s.Alive) // in any order, but always the same
	if s.Owners, err = protocol.Pairs(answer[2]); err != nil {
		return nil, err
	}
	reached, err := protocol.Pairs(answer[3])
	if err != nil {
		return nil, err
	}
	for field, text := range reached {
		if s.Reached[field], err = strconv.Atoi(text); err != nil {
			return nil, err
		}
	}
	return s, nil
}

// ReachedAll says whether all parts have sampled a round, or all parts and slices
// have reached the barrier there.
func (s *Survey) ReachedAll(j *protocol.Job, round int, barrier bool) bool {
	all := func(field string, n int) bool {
		for i := range n {
			if got, ok := s.Reached[field+strconv.Itoa(i)]; !ok || got < round {
				return false
			}
		}
		return true
	}
	if barrier {
		return all("p", j.Parts) && all("s", j.Slices)
	}
	return all("r", j.Parts)
}

// Assign gives offices without a living owner to those who have fewest, and with
// balance takes from those who have more than their share. It returns offices
// and their new owners in turn.
func (s *Survey) Assign(j *protocol.Job, balance bool) []string {
	if len(s.Alive) == 0 {
		return nil
	}
	var changes []string
	for _, kind := range []struct {
		letter string
		n      int
	}{{"p", j.Parts}, {"s", j.Slices}} {
		changes = s.assignKind(changes, kind.letter, kind.n, balance)
	}
	return changes
}

func (s *Survey) assignKind(changes []string, letter string, n int, balance bool) []string {
	load := map[string]int{}
	for _, token := range s.Alive {
		load[token] = 0
	}
	fewest := func() string {
		return slices.MinFunc(s.Alive, func(a, b string) int { return load[a] - load[b] })
	}
	share := (n + len(s.Alive) - 1) / len(s.Alive)
	var free []string
	for i := range n {
		office := letter + strconv.Itoa(i)
		owner := s.Owners[office]
		if has, ok := load[owner]; !ok || balance && has >= share {
			free = append(free, office)
			continue
		}
		load[owner]++
	}
	for _, office := range free {
		owner := fewest()
		load[owner]++
		if s.Owners[office] != owner {
			changes = append(changes, office, owner)
			s.Owners[office] = owner
		}
	}
	return changes
}
