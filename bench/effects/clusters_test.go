package effects

import (
	"fmt"
	"math"
	"testing"

	"github.com/topoi-lda/topoi/analysis/effects"
)

// spoken generates speeches by so many speakers, each of one of two parties, or of one of three of which the first is
// twice as common. Speakers give 2 to 20 speeches and differ from each other. Members of party b speak more of topic 0.
// The column x differs between speeches of one speaker and has no effect.
func spoken(seed uint64, speakers int, parties []string, effect float64) *study {
	s := newStudy(seed)
	of := make([]string, speakers)
	for i := range of {
		of[i] = parties[i%len(parties)]
	}
	s.Shuffle(len(of), func(i, j int) { of[i], of[j] = of[j], of[i] })
	for g, party := range of {
		mean := 0.35 + 0.08*s.NormFloat64()
		if party == "b" {
			mean += effect
		}
		habit := s.NormFloat64()
		for range 2 + s.IntN(19) {
			s.add(mean, map[string]string{
				"party": party, "speaker": fmt.Sprint("s", g), "x": fmt.Sprintf("%.4f", habit+s.NormFloat64()),
			})
		}
	}
	return s
}

// Errors by cluster: null rates at 6, 12 and 40 clusters lie between 4 and 7 %.
func TestClusters(t *testing.T) {
	t.Log(line("clusters", "column", "documents taken as independent", "by cluster", "intervals hold the truth", "power"))
	for _, speakers := range []int{6, 12, 40} {
		for _, c := range []struct {
			name, term string
			parties    []string
		}{
			{"party, half of the speakers each", "party[b]", []string{"a", "b"}},
			{"party, a third of the speakers", "party[b]", []string{"a", "a", "b"}},
			{"a number for each speech", "x", []string{"a", "b"}},
		} {
			o := effects.Options{Formula: "~ party"}
			if c.term == "x" {
				o.Formula = "~ x"
			}
			study := func(effect float64, cluster string) rate {
				o := o
				o.Cluster = cluster
				return each(*studies, func(number uint64) (r rate) {
					r.add(spoken(number, speakers, c.parties, effect).estimate(t, c.term, o), effect)
					return r
				})
			}
			plain, null := study(0, ""), study(0, "speaker")
			power := math.NaN()
			if c.term != "x" {
				more := study(0.15, "speaker")
				power = more.percent()
			}
			t.Log(line(speakers, c.name, plain.percent(), null.percent(), null.coverage(), power))
			between(t, fmt.Sprintf("%d clusters, %s", speakers, c.name), &null, 4, 7)
		}
	}
}
