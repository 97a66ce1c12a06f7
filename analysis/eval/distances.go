package eval

import (
	"cmp"
	"context"
	"math"
	"slices"

	"github.com/topoi-lda/topoi/corpus"
	"github.com/topoi-lda/topoi/internal/eigen"
	"github.com/topoi-lda/topoi/internal/parallel"
	"github.com/topoi-lda/topoi/internal/portable"
	"github.com/topoi-lda/topoi/internal/prior"
	"github.com/topoi-lda/topoi/topic"
)

// measured is a model with its documents.
type measured interface {
	topic.Model
	topic.Documents
}

// caoJuan2009 returns the mean over pairs of topics of cos(φ_i, φ_j), NaN for one topic. With u_i = φ_i/|φ_i| the sum
// over i < j of u_i·u_j is (|Σ_i u_i|² − K)/2, so it costs O(V + nnz) and no pair is looked at.
func caoJuan2009(m topic.Model) float64 {
	k, v, beta := m.NumTopics(), m.NumWords(), m.Beta()
	if k < 2 {
		return math.NaN()
	}
	squares := make([]float64, k) // Σ_w n_wk²
	eachRow(m, func(row []topic.Count) {
		for _, e := range row {
			squares[e.Topic] += float64(float64(e.Count) * float64(e.Count))
		}
	})
	norms, none := make([]float64, k), 0.0 // |n_k + β|; Σ_k u_wk of a word that occurs nowhere
	for i, n := range m.TopicTotals() {
		norms[i] = math.Sqrt(squares[i] + float64(2*beta*float64(n)) + float64(float64(v)*beta*beta))
		none += beta / norms[i]
	}
	total := 0.0
	eachRow(m, func(row []topic.Count) {
		sum := none
		for _, e := range row {
			sum += float64(e.Count) / norms[e.Topic]
		}
		total += float64(sum * sum)
	})
	return (total - float64(k)) / (float64(k) * float64(k-1))
}

// deveaud2014 returns Σ_{i<j} ½(KL(φ_i‖φ_j) + KL(φ_j‖φ_i))/(K(K−1)), NaN for one topic. Over all ordered pairs
//
//	Σ_{i≠j} KL(φ_i‖φ_j) = K Σ_i Σ_w φ_wi log φ_wi − Σ_w (Σ_i φ_wi)(Σ_j log φ_wj),
//
// so it costs O(V + nnz) and no pair is looked at.
func deveaud2014(m topic.Model) float64 {
	k, v, beta := m.NumTopics(), m.NumWords(), m.Beta()
	if k < 2 {
		return math.NaN()
	}
	sizes, none := make([]float64, k), make([]float64, k) // n_k + Vβ, and φ log φ of a word that does not occur
	var phi0, log0, entropy0 float64                      // sums over topics for a word that occurs nowhere
	for i, n := range m.TopicTotals() {
		sizes[i] = float64(n) + float64(float64(v)*beta)
		p := beta / sizes[i]
		none[i] = p * portable.Log(p)
		phi0, log0, entropy0 = phi0+p, log0+portable.Log(p), entropy0+none[i]
	}
	own, cross := 0.0, 0.0
	eachRow(m, func(row []topic.Count) {
		phi, logs, entropy := phi0, log0, entropy0
		for _, e := range row {
			p := (float64(e.Count) + beta) / sizes[e.Topic]
			phi += float64(e.Count) / sizes[e.Topic]
			logs += portable.Log1p(float64(e.Count) / beta)
			entropy += float64(p*portable.Log(p)) - none[e.Topic]
		}
		own += entropy
		cross += float64(phi * logs)
	})
	return (float64(float64(k)*own) - cross) / (2 * float64(k) * float64(k-1))
}

// eachRow calls f with the non-zero counts of every word.
func eachRow(m topic.Model, f func([]topic.Count)) {
	var row []topic.Count
	for w := range m.NumWords() {
		row = m.AppendRow(row[:0], w)
		f(row)
	}
}

// rboPersistence is p of rank-biased overlap, as inverted RBO is published with it.
const rboPersistence = 0.9

// rbo returns the extrapolated rank-biased overlap of two lists without repetitions (Webber, Moffat and Zobel 2010,
// Eq. 32): from 0 for lists that share nothing to 1 for the same list. With s ≤ l the lengths, X_d the elements that
// the first d of both share and 0 < p < 1,
//
//	(1−p)/p (Σ_{d=1}^{l} X_d/d p^d + Σ_{d=s+1}^{l} X_s (d−s)/(s d) p^d) + ((X_l − X_s)/l + X_s/s) p^l.
//
// A list without elements has overlap 0 with every other.
func rbo(a, b []int, p float64) float64 {
	if len(a) > len(b) {
		a, b = b, a
	}
	s, l := len(a), len(b)
	if s == 0 {
		return 0
	}
	sum, power, short, shared := 0.0, 1.0, 0.0, 0.0 // short is X_s, once known
	for d := 1; d <= l; d++ {
		power *= p
		if d <= s && slices.Contains(b[:d], a[d-1]) {
			shared++
		}
		if slices.Contains(a[:min(d-1, s)], b[d-1]) { // the pair (d, d) was counted above
			shared++
		}
		sum += float64(shared / float64(d) * power)
		if d == s {
			short = shared
		}
		if d > s {
			sum += float64(short * float64(d-s) / float64(s*d) * power)
		}
	}
	return float64((1-p)/p*sum) + float64(((shared-short)/float64(l)+short/float64(s))*power)
}

// meanRBO returns the mean of rbo over all pairs of lists, NaN if there is but one. Only
// pairs that share an element are looked at; the others have 0.
func meanRBO(lists [][]int, p float64) float64 {
	if len(lists) < 2 {
		return math.NaN()
	}
	holders := map[int][]int{} // lists before this one, by element
	sum := 0.0
	var others []int
	for i, list := range lists {
		others = others[:0]
		for _, w := range list {
			others = append(others, holders[w]...)
			holders[w] = append(holders[w], i)
		}
		slices.Sort(others)
		for _, j := range slices.Compact(others) {
			sum += rbo(lists[j], list, p)
		}
	}
	return 2 * sum / (float64(len(lists)) * float64(len(lists)-1))
}

// mostArun is the largest number of topics for which arun2010 is computed, because eigenvalues cost O(K³).
const mostArun = 2000

// arun2010 returns Σ (σ − L)(log σ − log L), the symmetric Kullback-Leibler divergence of the singular values σ of
// φ and of L = Σ_d N_d θ_d, both in falling order and divided by their sums. If topics are natural, the strength of
// the directions of φ is that of topics in the corpus. It is NaN for one topic and for more than mostArun.
//
// σ² are the eigenvalues of the K × K matrix φᵀφ. Those that rounding cannot distinguish from 0, as for
// identical topics, count as K ε times the largest. (R's ldatuning neither sorts nor normalises, so its
// numbers differ.) It costs O(Σ_w K_w² + K³ + N).
func arun2010(ctx context.Context, m measured, threads int) (float64, error) {
	if k := m.NumTopics(); k < 2 || k > mostArun {
		return math.NaN(), nil
	}
	weights, err := documentWeights(ctx, m, threads)
	if err != nil {
		return 0, err
	}
	values, ok := eigen.Values(gram(m), m.NumTopics())
	if !ok {
		return math.NaN(), nil
	}
	least := slices.Max(values) * float64(len(values)) * 0x1p-52
	for i, v := range values {
		values[i] = math.Sqrt(max(v, least))
	}
	sigma, length := distribution(values), distribution(weights)
	sum := 0.0
	for i := range sigma {
		sum += float64((sigma[i] - length[i]) * portable.Log(sigma[i]/length[i]))
	}
	return sum, nil
}

// distribution sorts positive numbers, largest first, and divides them by their sum.
func distribution(values []float64) []float64 {
	slices.SortFunc(values, func(a, b float64) int { return cmp.Compare(b, a) })
	sum := prior.Sum(values)
	for i := range values {
		values[i] /= sum
	}
	return values
}

// gram returns φᵀφ: (Σ_w n_wi n_wj + β(n_i + n_j) + Vβ²)/((n_i + Vβ)(n_j + Vβ)).
func gram(m measured) []float64 {
	k, v, beta := m.NumTopics(), float64(m.NumWords()), m.Beta()
	table := make([]float64, k*k) // of i ≤ j at i K + j
	eachRow(m, func(row []topic.Count) {
		for a, x := range row {
			line := table[int(x.Topic)*k:]
			for _, y := range row[a:] {
				line[y.Topic] += float64(float64(x.Count) * float64(y.Count))
			}
		}
	})
	totals := m.TopicTotals()
	for i := range k {
		ni := float64(totals[i])
		for j := i; j < k; j++ {
			nj := float64(totals[j])
			product := table[i*k+j] + float64(beta*(ni+nj)) + float64(v*beta*beta)
			product /= (ni + float64(v*beta)) * (nj + float64(v*beta))
			table[i*k+j], table[j*k+i] = product, product
		}
	}
	return table
}

// weightDocs is the number of documents whose weights one goroutine adds up. It is fixed, so that any
// number of goroutines adds in the same order.
const weightDocs = 1 << 12

// documentWeights returns L_k = Σ_d N_d (n_dk + α_k)/(N_d + Σα).
func documentWeights(ctx context.Context, m measured, threads int) ([]float64, error) {
	docs, err := m.Docs()
	if err != nil {
		return nil, err
	}
	alphaSum := prior.Sum(m.Alpha())
	parts := make([][]float64, (docs.NumDocs()+weightDocs-1)/weightDocs)
	err = parallel.Do(ctx, threads, len(parts), func(_, i int) {
		parts[i] = partWeights(m, docs, i*weightDocs, min((i+1)*weightDocs, docs.NumDocs()), alphaSum)
	})
	if err != nil {
		return nil, err
	}
	sum := make([]float64, m.NumTopics())
	for _, part := range parts {
		for k, w := range part {
			sum[k] += w
		}
	}
	return sum, nil
}

// partWeights is documentWeights for the documents lo, …, hi-1.
func partWeights(m measured, docs *corpus.Corpus, lo, hi int, alphaSum float64) []float64 {
	offsets := docs.Offsets()
	topics := m.AppendTopics(nil, int(offsets[lo]-offsets[0]), int(offsets[hi]-offsets[0]))
	weights, prior := make([]float64, m.NumTopics()), 0.0
	for d := lo; d < hi; d++ {
		n := int(offsets[d+1] - offsets[d])
		share := float64(n) / (float64(n) + alphaSum)
		prior += share
		for _, k := range topics[:n] {
			weights[k] += share
		}
		topics = topics[n:]
	}
	for k, a := range m.Alpha() {
		weights[k] += float64(a * prior)
	}
	return weights
}
