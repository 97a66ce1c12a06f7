package topoi

import (
	"maps"
	"slices"
	"testing"
)

func TestLargestTopics(t *testing.T) {
	m := handModel(5)
	all := m.LargestTopics(0)
	if !slices.IsSortedFunc(all, func(a, b int) int { return int(m.has.Totals[b]) - int(m.has.Totals[a]) }) || len(maps.Collect(slices.All(all))) != 5 {
		t.Errorf("%v with %v tokens", all, m.has.Totals)
	}
	if two := m.LargestTopics(2); !slices.Equal(two, all[:2]) {
		t.Errorf("%v, want %v", two, all[:2])
	}
}
