package metrics

import (
	"cmp"
	"context"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/topoi-lda/topoi"
	"github.com/topoi-lda/topoi/corpus"
	"github.com/topoi-lda/topoi/internal/parallel"
	"github.com/topoi-lda/topoi/internal/prior"
)

// MostArun is the largest number of topics for which Arun2010 is computed, because eigenvalues cost O(K³).
const MostArun = 2000

// Arun2010 returns Σ (σ − L)(log σ − log L), the symmetric Kullback-Leibler divergence of the singular values σ of
// φ and of L = Σ_d N_d θ_d, both in falling order and divided by their sums. If topics are natural, the strength of
// the directions of φ is that of topics in the corpus. It is NaN for one topic and for more than MostArun.
//
// σ² are the eigenvalues of the K × K matrix φᵀφ. Those that rounding cannot distinguish from 0, as for
// identical topics, count as K ε times the largest. (R's ldatuning neither sorts nor normalises, so its
// numbers differ.) It costs O(Σ_w K_w² + K³ + N).
func Arun2010(ctx context.Context, m Model, threads int) (float64, error) {
	if k := m.NumTopics(); k < 2 || k > MostArun {
		return math.NaN(), nil
	}
	weights, err := documentWeights(ctx, m, threads)
	if err != nil {
		return 0, err
	}
	var eigen mat.EigenSym
	if !eigen.Factorize(gram(m), false) {
		return math.NaN(), nil
	}
	values := eigen.Values(nil)
	least := slices.Max(values) * float64(len(values)) * 0x1p-52
	for i, v := range values {
		values[i] = math.Sqrt(max(v, least))
	}
	sigma, length := distribution(values), distribution(weights)
	sum := 0.0
	for i := range sigma {
		sum += (sigma[i] - length[i]) * math.Log(sigma[i]/length[i])
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
func gram(m Model) *mat.SymDense {
	k, v, beta := m.NumTopics(), float64(m.NumWords()), m.Beta()
	table := make([]float64, k*k) // of i ≤ j at i K + j
	eachRow(m, func(row []topoi.TopicCount) {
		for a, x := range row {
			line := table[int(x.Topic)*k:]
			for _, y := range row[a:] {
				line[y.Topic] += float64(x.Count) * float64(y.Count)
			}
		}
	})
	totals := m.TopicTotals()
	g := mat.NewSymDense(k, nil)
	for i := range k {
		ni := float64(totals[i])
		for j := i; j < k; j++ {
			nj := float64(totals[j])
			g.SetSym(i, j, (table[i*k+j]+beta*(ni+nj)+v*beta*beta)/((ni+v*beta)*(nj+v*beta)))
		}
	}
	return g
}

// weightDocs is the number of documents whose weights one goroutine adds up. It is fixed, so that any
// number of goroutines adds in the same order.
const weightDocs = 1 << 12

// documentWeights returns L_k = Σ_d N_d (n_dk + α_k)/(N_d + Σα).
func documentWeights(ctx context.Context, m Model, threads int) ([]float64, error) {
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
		floats.Add(sum, part)
	}
	return sum, nil
}

// partWeights is documentWeights for the documents lo, …, hi-1.
func partWeights(m Model, docs *corpus.Corpus, lo, hi int, alphaSum float64) []float64 {
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
		weights[k] += a * prior
	}
	return weights
}
