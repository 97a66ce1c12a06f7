package metrics

import (
	"math"

	"github.com/topoi-lda/topoi"
	"github.com/topoi-lda/topoi/rank"
)

// CaoJuan2009 returns the mean over pairs of topics of cos(φ_i, φ_j), NaN for one topic.
// With u_i = φ_i/|φ_i| the sum over i < j of u_i·u_j is (|Σ_i u_i|² − K)/2, so it costs
// O(V + nnz) and no pair is looked at.
func CaoJuan2009(m rank.Model) float64 {
	k, v, beta := m.NumTopics(), m.NumWords(), m.Beta()
	if k < 2 {
		return math.NaN()
	}
	squares := make([]float64, k) // Σ_w n_wk²
	eachRow(m, func(row []topoi.TopicCount) {
		for _, e := range row {
			squares[e.Topic] += float64(e.Count) * float64(e.Count)
		}
	})
	norms, none := make([]float64, k), 0.0 // |n_k + β|; Σ_k u_wk of a word that occurs nowhere
	for i, n := range m.TopicTotals() {
		norms[i] = math.Sqrt(squares[i] + 2*beta*float64(n) + float64(v)*beta*beta)
		none += beta / norms[i]
	}
	total := 0.0
	eachRow(m, func(row []topoi.TopicCount) {
		sum := none
		for _, e := range row {
			sum += float64(e.Count) / norms[e.Topic]
		}
		total += sum * sum
	})
	return (total - float64(k)) / (float64(k) * float64(k-1))
}

// Deveaud2014 returns Σ_{i<j} ½(KL(φ_i‖φ_j) + KL(φ_j‖φ_i))/(K(K−1)), NaN for one topic.
// Over all ordered pairs
//
//	Σ_{i≠j} KL(φ_i‖φ_j) = K Σ_i Σ_w φ_wi log φ_wi − Σ_w (Σ_i φ_wi)(Σ_j log φ_wj),
//
// so it costs O(V + nnz) and no pair is looked at.
func Deveaud2014(m rank.Model) float64 {
	k, v, beta := m.NumTopics(), m.NumWords(), m.Beta()
	if k < 2 {
		return math.NaN()
	}
	sizes, none := make([]float64, k), make([]float64, k) // n_k + Vβ, and φ log φ of a word that does not occur
	var phi0, log0, entropy0 float64                      // sums over topics for a word that occurs nowhere
	for i, n := range m.TopicTotals() {
		sizes[i] = float64(n) + float64(v)*beta
		p := beta / sizes[i]
		none[i] = p * math.Log(p)
		phi0, log0, entropy0 = phi0+p, log0+math.Log(p), entropy0+none[i]
	}
	own, cross := 0.0, 0.0
	eachRow(m, func(row []topoi.TopicCount) {
		phi, logs, entropy := phi0, log0, entropy0
		for _, e := range row {
			p := (float64(e.Count) + beta) / sizes[e.Topic]
			phi += float64(e.Count) / sizes[e.Topic]
			logs += math.Log1p(float64(e.Count) / beta)
			entropy += p*math.Log(p) - none[e.Topic]
		}
		own += entropy
		cross += phi * logs
	})
	return (float64(k)*own - cross) / (2 * float64(k) * float64(k-1))
}

// eachRow calls f with the non-zero counts of every word.
func eachRow(m rank.Model, f func([]topoi.TopicCount)) {
	var row []topoi.TopicCount
	for w := range m.NumWords() {
		row = m.AppendRow(row[:0], w)
		f(row)
	}
}
