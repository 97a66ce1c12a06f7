package protocol

import (
	"slices"
	"strconv"
)

// Survey is the leader's view of all workers. An office is a part or a slice: p7 or s3.
type Survey struct {
	Alive   []string          // tokens, sorted
	Owners  map[string]string // office → token
	Reached map[string]int    // field → round
}

// ReachedAll reports whether all parts have sampled a round, or whether all parts and slices have reached a barrier.
func (s *Survey) ReachedAll(j *Layout, round int, barrier bool) bool {
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

// Assign gives offices without a living owner to the workers with the fewest. With balance, it also takes offices
// from workers with more than their share. It returns offices and their new owners in turn.
func (s *Survey) Assign(j *Layout, balance bool) []string {
	if len(s.Alive) == 0 {
		return nil
	}
	return s.assignKind(s.assignKind(nil, "p", j.Parts, balance), "s", j.Slices, balance)
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
