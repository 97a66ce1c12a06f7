package offices

import (
	"maps"
	"testing"

	"github.com/topoi-lda/topoi/internal/cluster/protocol"
)

// Copies go to other disks than the parts', to other machines where there are any, and to those who have fewest. They stay where they
// are while they can.
func TestAssignCopies(t *testing.T) {
	job := &protocol.Job{Spec: protocol.Spec{Parts: 3, Disks: true}}
	for _, test := range []struct {
		name   string
		disks  map[string]Place
		copies map[string]string // before
		want   map[string]string // after
	}{
		{"alone", map[string]Place{"1": {"a", "x"}}, nil, map[string]string{}},
		{"one disk", map[string]Place{"1": {"a", "x"}, "2": {"b", "x"}}, nil, map[string]string{}},
		{"one machine", map[string]Place{"1": {"a", "x"}, "2": {"a", "y"}}, nil, map[string]string{"c0": "2", "c1": "1", "c2": "2"}},
		{"another machine", map[string]Place{"1": {"a", "x"}, "2": {"a", "y"}, "3": {"b", "z"}}, nil, map[string]string{"c0": "3", "c1": "3", "c2": "1"}},
		{
			"they stay",
			map[string]Place{"1": {"a", "x"}, "2": {"b", "y"}, "3": {"c", "z"}},
			map[string]string{"c0": "3", "c1": "3", "c2": "4"},
			map[string]string{"c0": "3", "c1": "3", "c2": "1"},
		},
		{
			"its part came to it",
			map[string]Place{"1": {"a", "x"}, "2": {"b", "y"}},
			map[string]string{"c0": "1", "c1": "1", "c2": "2"},
			map[string]string{"c0": "2", "c1": "1", "c2": "2"},
		},
	} {
		s := &Survey{Owners: map[string]string{"p0": "1", "p1": "2", "p2": "1"}, Disks: test.disks, Reached: map[string]int{}}
		switch len(test.disks) {
		case 1:
			s.Owners["p1"] = "1"
		case 3:
			s.Owners["p2"] = "3"
		}
		for _, token := range []string{"1", "2", "3"} {
			if _, ok := test.disks[token]; ok {
				s.Alive = append(s.Alive, token)
			}
		}
		maps.Copy(s.Owners, test.copies)
		for office := range test.copies {
			s.Reached[office] = 7
		}
		changes := s.assignCopies(nil, job.Parts)
		got := maps.Clone(s.Owners)
		maps.DeleteFunc(got, func(office, _ string) bool { return office[0] == 'p' })
		if !maps.Equal(got, test.want) {
			t.Errorf("%s: %v, want %v", test.name, got, test.want)
		}
		for i := 0; i < len(changes); i += 2 {
			if _, ok := s.Reached[changes[i]]; ok || s.copied(job, 7) {
				t.Errorf("%s: who was just given a copy has it", test.name)
			}
		}
		if len(test.want) == 0 && !s.copied(job, 7) {
			t.Errorf("%s: copies that cannot be are waited for", test.name)
		}
	}
}
