package eval

import (
	"github.com/topoi-lda/topoi/corpus"
	"github.com/topoi-lda/topoi/internal/counts"
)

// denseTopics is the largest number of topics for which estimators look at every
// topic of every document. The two ways to the same numbers differ in rounding, so
// that the choice must not depend on the machine.
const denseTopics = 1 << 16

// moments let EM run over the topics of a document's words only, whatever K. A
// topic that none of the words has ("silent") has φ = b_k for all of them, with
// b_k = β/(n_k + Vβ), and step t of EM changes its weight from x_k to
//
//	x_k ← α_k + x_k b_k G_t,     G_t = Σ_u count_u / Σ_j θ_j φ_uj
//
// So after t steps from x_k = 1 it is a polynomial in r_k = b_k/max b,
//
//	x_k = α_k Σ_{m<t} c_m r_k^m + c_t r_k^t
//
// whose coefficients are the same for all silent topics, and what EM and the score
// need of them, sums of x_k and of x_k b_k, follows from the sums
//
//	A_m = Σ_k α_k r_k^m,     R_m = Σ_k r_k^m
//
// over silent topics: those over all topics, computed once, less those over the
// document's.
type moments struct {
	alpha   []float64 // K: α_k
	inverse []float64 // K: 1/(n_k + Vβ)
	beta    float64
	largest float64 // the largest 1/(n_k + Vβ)
	rows    counts.InPlace
	all     powerSums
}

// powerSums are A_m and R_m for all m that EM needs.
type powerSums struct{ a, r [foldSteps + 2]float64 }

// add adds a topic, or takes it away with sign -1.
func (p *powerSums) add(sign, alpha, r float64) {
	power := sign
	for m := range p.a {
		p.a[m] += float64(alpha * power)
		p.r[m] += power
		power *= r
	}
}

// newMoments takes what it needs out of the model to score docs.
func newMoments(m Model, docs *corpus.Corpus, threads int) *moments {
	s := &moments{alpha: m.Alpha(), beta: m.Beta(), inverse: make([]float64, m.NumTopics())}
	vbeta := float64(float64(m.NumWords()) * m.Beta())
	for k, n := range m.TopicTotals() {
		s.inverse[k] = 1 / (float64(n) + vbeta)
		s.largest = max(s.largest, s.inverse[k])
	}
	for k, a := range s.alpha {
		s.all.add(1, a, s.inverse[k]/s.largest)
	}
	s.rows = inPlace(m, occurring(m, docs), threads)
	return s
}

// silent follows the silent topics of one document through EM.
type silent struct {
	powerSums                        // over the silent topics
	c         [foldSteps + 1]float64 // coefficients
	t         int                    // steps done
	largest   float64                // max b
}

// begin starts a document from x_k = 1.
func (s *silent) begin(largest float64) {
	s.c, s.t, s.largest = [foldSteps + 1]float64{1}, 0, largest
	for m := range s.a { // rounding may have left less than nothing
		s.a[m], s.r[m] = max(0, s.a[m]), max(0, s.r[m])
	}
}

// step takes G of the next step.
func (s *silent) step(g float64) {
	h := g * s.largest
	s.t++
	for m := s.t; m > 0; m-- {
		s.c[m] = h * s.c[m-1]
	}
	s.c[0] = 1
}

// sum returns Σ x_k b_k^e over silent topics for e = 0 or 1.
func (s *silent) sum(e int) float64 {
	sum := float64(s.c[s.t] * s.r[s.t+e])
	for m := range s.t {
		sum += float64(s.c[m] * s.a[m+e])
	}
	if e == 1 {
		sum *= s.largest
	}
	return sum
}
