// Package divergence computes the Jensen-Shannon divergence of topics from their
// non-zero counts, of one model or of two models over different vocabularies.
//
//	JS(p, q) = H((p + q)/2) − (H(p) + H(q))/2,  H(p) = −Σ_w p_w log p_w
//
// in nats, from 0 to log 2 (Lin, "Divergence measures based on the Shannon entropy", 1991). A topic has the
// probability φ_wk = (n_wk + β)/(n_k + Vβ) for the words of its own vocabulary and 0 for all others.
//
// The words of a topic take few different counts, so all words that occur in one of two topics alone cost one
// logarithm for each different count; only the words that both have cost one each.
package divergence

import (
	"math"
	"slices"

	"github.com/topoi-lda/topoi/internal/portable"
	"github.com/topoi-lda/topoi/topic"
)

// Space describes how many words two vocabularies have.
type Space struct {
	Common, OnlyA, OnlyB int
}

// Profile is a topic prepared for comparisons.
type Profile struct {
	words   []uint32 // that occur, rising
	class   []uint32 // of each word
	classes []class  // different probabilities
	base    float64  // φ of the words of its vocabulary that do not occur
	shared  int      // words that occur and are in the other vocabulary too
	entropy float64  // H
}

// class is the words with the same count, all of them in the other vocabulary or none.
type class struct {
	p      float64 // φ_wk
	times  float64 // number of words
	shared float64 // 1 for words that the other vocabulary has too, 0 for others
}

// Topic describes a topic to New.
type Topic struct {
	Column []topic.WordCount // non-zero n_wk by rising word
	Total  uint64            // n_k
	Words  int               // V
	Beta   float64           // β

	// Shared reports whether a word is in the other vocabulary; nil: all are.
	Shared func(word uint32) bool
}

// New prepares a topic. It takes 8 bytes for a word that occurs in it.
func New(t Topic) *Profile {
	scale := float64(t.Total) + float64(float64(t.Words)*t.Beta)
	p := &Profile{words: make([]uint32, len(t.Column)), class: make([]uint32, len(t.Column)), base: t.Beta / scale}
	type kind struct {
		count  uint32
		shared bool
	}
	kinds := make([]kind, len(t.Column))
	for i, e := range t.Column {
		p.words[i] = e.Word
		kinds[i] = kind{e.Count, t.Shared == nil || t.Shared(e.Word)}
		if kinds[i].shared {
			p.shared++
		}
	}
	compare := func(a, b kind) int {
		if a.shared != b.shared {
			return btoi(a.shared) - btoi(b.shared)
		}
		return int(int64(a.count) - int64(b.count))
	}
	distinct := slices.Clone(kinds)
	slices.SortFunc(distinct, compare)
	distinct = slices.Compact(distinct)
	for _, k := range distinct {
		p.classes = append(p.classes, class{p: (float64(k.count) + t.Beta) / scale, shared: float64(btoi(k.shared))})
	}
	for i, k := range kinds {
		c, _ := slices.BinarySearchFunc(distinct, k, compare)
		p.class[i] = uint32(c)
		p.classes[c].times++
	}
	p.entropy = float64(t.Words-len(t.Column)) * term(p.base)
	for _, c := range p.classes {
		p.entropy += float64(c.times * term(c.p))
	}
	return p
}

func btoi(b bool) int {
	if b {
		return 1
	}
	return 0
}

// term returns −x log x.
func term(x float64) float64 {
	if x == 0 {
		return 0
	}
	return float64(-x * portable.Log(x))
}

// Measurer computes divergences. It belongs to one goroutine.
type Measurer struct {
	space Space
	a, b  []float64 // the terms of classes, as if their words occurred in one topic alone
}

// NewMeasurer returns a measurer for topics of two vocabularies, or of one with V words for Space{Common: V}.
func NewMeasurer(s Space) *Measurer { return &Measurer{space: s} }

// Between returns JS(a, b). It gives the same bits as Between(b, a) with the vocabularies exchanged.
func (m *Measurer) Between(a, b *Profile) float64 {
	var sumA, sumB float64
	m.a, sumA = alone(m.a[:0], a, b.base)
	m.b, sumB = alone(m.b[:0], b, a.base)
	both, common := m.together(a, b)
	mixed := sumA + sumB + both
	mixed += float64(float64(m.space.Common-a.shared-b.shared+common) * term((a.base+b.base)/2))
	mixed += float64(float64(m.space.OnlyA-(len(a.words)-a.shared))*term(a.base/2)) +
		float64(float64(m.space.OnlyB-(len(b.words)-b.shared))*term(b.base/2))
	return min(max(mixed-float64((a.entropy+b.entropy)/2), 0), math.Ln2)
}

// alone appends the terms of the classes of p as if no word occurred in the other
// topic, and returns the sum over all words.
func alone(dst []float64, p *Profile, base float64) ([]float64, float64) {
	sum := 0.0
	for _, c := range p.classes {
		t := term((c.p + float64(c.shared*base)) / 2)
		dst = append(dst, t)
		sum += float64(c.times * t)
	}
	return dst, sum
}

// together returns what the words that occur in both topics add to those sums, and their number.
func (m *Measurer) together(a, b *Profile) (sum float64, common int) {
	for i, j := 0, 0; i < len(a.words) && j < len(b.words); {
		switch x, y := a.words[i], b.words[j]; {
		case x < y:
			i++
		case y < x:
			j++
		default:
			ca, cb := a.class[i], b.class[j]
			sum += term((a.classes[ca].p+b.classes[cb].p)/2) - (m.a[ca] + m.b[cb])
			common++
			i++
			j++
		}
	}
	return sum, common
}
