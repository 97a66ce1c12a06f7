package protocol

import (
	"maps"
	"slices"
	"strconv"
	"testing"

	"pgregory.net/rapid"
)

// Offices go to the living, evenly, and stay where they are if they can.
func TestAssign(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		l := NewLayout("job", Spec{Parts: rapid.IntRange(1, 20).Draw(t, "parts"), Slices: rapid.IntRange(1, 20).Draw(t, "slices")})
		j := &l
		s := &Survey{Owners: map[string]string{}}
		for i := range rapid.IntRange(1, 6).Draw(t, "alive") {
			s.Alive = append(s.Alive, strconv.Itoa(10+i))
		}
		for i := range j.Parts {
			s.Owners["p"+strconv.Itoa(i)] = strconv.Itoa(rapid.IntRange(8, 16).Draw(t, "owner"))
		}
		before := maps.Clone(s.Owners)
		balance := rapid.Bool().Draw(t, "balance")
		changes := s.Assign(j, balance)
		for i := 0; i < len(changes); i += 2 {
			s.Owners[changes[i]] = changes[i+1]
		}
		load := map[string]int{}
		for i := range j.Parts {
			office := "p" + strconv.Itoa(i)
			owner := s.Owners[office]
			if !slices.Contains(s.Alive, owner) {
				t.Fatalf("%s belongs to %s, who is dead", office, owner)
			}
			if !balance && slices.Contains(s.Alive, before[office]) && owner != before[office] {
				t.Fatalf("%s went from %s, who is alive, to %s", office, before[office], owner)
			}
			load[owner]++
		}
		for i := range j.Slices {
			if !slices.Contains(s.Alive, s.Owners["s"+strconv.Itoa(i)]) {
				t.Fatalf("slice %d belongs to nobody alive", i)
			}
		}
		if most := (j.Parts + len(s.Alive) - 1) / len(s.Alive); balance {
			for owner, n := range load {
				if n > most {
					t.Fatalf("%s has %d of %d parts among %d", owner, n, j.Parts, len(s.Alive))
				}
			}
		}
		if again := s.Assign(j, false); len(again) > 0 {
			t.Fatalf("assigned again: %v", again)
		}
	})
}
