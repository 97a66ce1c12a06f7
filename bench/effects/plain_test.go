package effects

import (
	"fmt"
	"testing"

	"github.com/topoi-lda/topoi/analysis/effects"
)

// independent generates documents that do not depend on each other, each of one of two parties, of which party b may speak
// more of topic 0. x has no effect.
func independent(seed uint64, docs int, parties []string, effect float64) *study {
	s := newStudy(seed)
	for d := range docs {
		party := parties[d%len(parties)]
		mean := 0.35
		if party == "b" {
			mean += effect
		}
		s.add(mean, map[string]string{"party": party, "x": fmt.Sprintf("%.4f", s.NormFloat64())})
	}
	return s
}

// Documents that do not depend on each other: null rates lie between 4 and 6 %, with 20 documents as with 200.
func TestPlain(t *testing.T) {
	t.Log(line("documents", "column", "null rate", "intervals hold the truth", "power"))
	for _, docs := range []int{20, 60, 200} {
		for _, c := range []struct {
			name, term string
			parties    []string
		}{
			{"party, half of the documents each", "party[b]", []string{"a", "b"}},
			{"party, a fifth of the documents", "party[b]", []string{"a", "a", "a", "a", "b"}},
			{"a number", "x", []string{"a", "b"}},
		} {
			o := effects.Options{Formula: "~ party + x"}
			run := func(effect float64) rate {
				return each(*studies, func(number uint64) (r rate) {
					truth := effect
					if c.term == "x" {
						truth = 0
					}
					r.add(independent(number, docs, c.parties, effect).estimate(t, c.term, o), truth)
					return r
				})
			}
			null, more := run(0), run(0.1)
			power := "–"
			if c.term != "x" {
				power = fmt.Sprintf("%.0f", more.percent())
			}
			t.Log(line(docs, c.name, null.percent(), more.coverage(), power))
			between(t, fmt.Sprintf("%d documents, %s", docs, c.name), &null, 4, 6)
		}
	}
}

// uneven generates documents of which those of party b, a fifth, have a tenth of the words and so scatter more.
func uneven(seed uint64, docs int, effect float64) *study {
	s := independent(seed, docs, []string{"a", "a", "a", "a", "b"}, effect)
	for d := range s.docs {
		if s.columns["party"][d] == "b" {
			s.docs[d] = s.docs[d][:len(s.docs[d])/10]
		}
	}
	return s
}

// Where a small group scatters more than the others, errors that take each document for a cluster of its own allow for it.
func TestUneven(t *testing.T) {
	t.Log(line("documents", "documents taken as alike", "each its own cluster", "intervals hold the truth", "power"))
	for _, docs := range []int{60, 200} {
		run := func(effect float64, cluster string) rate {
			return each(*studies, func(number uint64) (r rate) {
				r.add(uneven(number, docs, effect).estimate(t, "party[b]", effects.Options{Formula: "~ party", Cluster: cluster}), effect)
				return r
			})
		}
		alike, null, more := run(0, ""), run(0, "document"), run(0.1, "document")
		t.Log(line(docs, alike.percent(), null.percent(), more.coverage(), fmt.Sprintf("%.0f", more.percent())))
		between(t, fmt.Sprintf("%d documents, of which a small group scatters more", docs), &null, 4, 7)
	}
}
