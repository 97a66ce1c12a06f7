package cluster

import (
	"context"
	"slices"
	"strconv"

	"github.com/topoi-lda/topoi/internal/cluster/protocol"
)

// survey is what the leader knows of everybody.
type survey struct {
	alive   []string          // tokens
	owners  map[string]string // office → token
	reached map[string]int    // field → round
	disks   map[string]place  // token → where it keeps topics, in a job that has them on workers' disks
}

func (l *Leader) survey(ctx context.Context) (*survey, error) {
	j := l.job
	answer, err := j.Ask(ctx, protocol.ScriptSurvey, []string{j.Key.Leader(), j.Key.Members(), j.Key.Owners(), j.Key.Reached()},
		l.token, j.Key.Control("lease:"))
	if err != nil {
		return nil, err
	}
	s := &survey{reached: map[string]int{}}
	if s.alive, err = answer[1].AsStrSlice(); err != nil {
		return nil, err
	}
	slices.Sort(s.alive) // in any order, but always the same
	if s.owners, err = protocol.Pairs(answer[2]); err != nil {
		return nil, err
	}
	reached, err := protocol.Pairs(answer[3])
	if err != nil {
		return nil, err
	}
	for field, text := range reached {
		if s.reached[field], err = strconv.Atoi(text); err != nil {
			return nil, err
		}
	}
	if j.Disks {
		s.disks, err = places(answer)
	}
	return s, err
}

// reachedAll says whether all parts have sampled a round, or all parts and slices
// have reached the barrier there.
func (s *survey) reachedAll(j *protocol.Job, round int, barrier bool) bool {
	all := func(field string, n int) bool {
		for i := range n {
			if got, ok := s.reached[field+strconv.Itoa(i)]; !ok || got < round {
				return false
			}
		}
		return true
	}
	if barrier {
		return all("p", j.Parts) && all("s", j.Slices) && s.copied(j, round)
	}
	return all("r", j.Parts)
}

// assign gives offices without a living owner to those who have fewest, and with
// balance takes from those who have more than their share. It returns offices
// and their new owners in turn.
func (s *survey) assign(j *protocol.Job, balance bool) []string {
	if len(s.alive) == 0 {
		return nil
	}
	var changes []string
	for _, kind := range []struct {
		letter string
		n      int
	}{{"p", j.Parts}, {"s", j.Slices}} {
		changes = s.assignKind(changes, kind.letter, kind.n, balance)
	}
	if j.Disks {
		changes = s.assignCopies(changes, j.Parts)
	}
	return changes
}

func (s *survey) assignKind(changes []string, letter string, n int, balance bool) []string {
	load := map[string]int{}
	for _, token := range s.alive {
		load[token] = 0
	}
	fewest := func() string {
		return slices.MinFunc(s.alive, func(a, b string) int { return load[a] - load[b] })
	}
	share := (n + len(s.alive) - 1) / len(s.alive)
	var free []string
	for i := range n {
		office := letter + strconv.Itoa(i)
		owner := s.owners[office]
		if has, ok := load[owner]; !ok || balance && has >= share {
			free = append(free, office)
			continue
		}
		load[owner]++
	}
	for _, office := range free {
		owner := fewest()
		load[owner]++
		if s.owners[office] != owner {
			changes = append(changes, office, owner)
			s.owners[office] = owner
		}
	}
	return changes
}
