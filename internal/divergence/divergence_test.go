package divergence

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/topoi-lda/topoi/topic"
)

// drawn is a topic over the words for which has is true.
func drawn(r *rand.Rand, has []bool, shared func(uint32) bool) (Topic, []float64) {
	t := Topic{Beta: 0.01 + r.Float64(), Shared: shared}
	n := make([]float64, len(has))
	for w, ok := range has {
		if !ok {
			continue
		}
		t.Words++
		if r.IntN(3) == 0 {
			e := topic.WordCount{Word: uint32(w), Count: uint32(1 + r.IntN(5))}
			t.Column = append(t.Column, e)
			t.Total += uint64(e.Count)
			n[w] = float64(e.Count)
		}
	}
	phi := make([]float64, len(has))
	for w, ok := range has {
		if ok {
			phi[w] = (n[w] + t.Beta) / (float64(t.Total) + float64(t.Words)*t.Beta)
		}
	}
	return t, phi
}

// byDefinition is ½ Σ p log (p/m) + ½ Σ q log (q/m), m = (p + q)/2.
func byDefinition(p, q []float64) float64 {
	sum := 0.0
	for w := range p {
		mean := (p[w] + q[w]) / 2
		if p[w] > 0 {
			sum += 0.5 * p[w] * math.Log(p[w]/mean)
		}
		if q[w] > 0 {
			sum += 0.5 * q[w] * math.Log(q[w]/mean)
		}
	}
	return sum
}

func TestBetweenIsTheDefinition(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for trial := range 200 {
		hasA, hasB := make([]bool, 1+r.IntN(60)), []bool(nil)
		s := Space{}
		for w := range hasA {
			kind := r.IntN(6)
			if trial%2 == 0 {
				kind = 5 // one vocabulary
			}
			hasA[w] = kind != 0
			hasB = append(hasB, kind != 1)
			switch kind {
			case 0:
				s.OnlyB++
			case 1:
				s.OnlyA++
			default:
				s.Common++
			}
		}
		if s.Common+s.OnlyA == 0 || s.Common+s.OnlyB == 0 {
			continue
		}
		a, p := drawn(r, hasA, func(w uint32) bool { return hasB[w] })
		b, q := drawn(r, hasB, func(w uint32) bool { return hasA[w] })
		got := NewMeasurer(s).Between(New(a), New(b))
		if want := byDefinition(p, q); math.Abs(got-want) > 1e-13 {
			t.Fatalf("trial %d: %v, want %v", trial, got, want)
		}
		back := NewMeasurer(Space{s.Common, s.OnlyB, s.OnlyA}).Between(New(b), New(a))
		if back != got {
			t.Fatalf("trial %d: %v one way, %v the other", trial, got, back)
		}
	}
}

func TestBetweenAtItsEnds(t *testing.T) {
	one := Topic{Column: []topic.WordCount{{Word: 0, Count: 4}}, Total: 4, Words: 1, Beta: 0.1, Shared: func(uint32) bool { return false }}
	other := Topic{Column: []topic.WordCount{{Word: 1, Count: 9}}, Total: 9, Words: 1, Beta: 0.1, Shared: func(uint32) bool { return false }}
	if got := NewMeasurer(Space{OnlyA: 1, OnlyB: 1}).Between(New(one), New(other)); math.Abs(got-math.Ln2) > 1e-15 {
		t.Errorf("nothing in common: %v, want log 2", got)
	}
	one.Shared = nil
	if got := NewMeasurer(Space{Common: 1}).Between(New(one), New(one)); got != 0 {
		t.Errorf("the same: %v, want 0", got)
	}
}
