package serve

import (
	"cmp"
	"math"
	"slices"

	"github.com/topoi-lda/topoi"
	"github.com/topoi-lda/topoi/corpus"
	"github.com/topoi-lda/topoi/internal/doctopics"
)

// neighbours finds the training documents with the most similar topics: those with the largest
//
//	Σ_k √(θ_dk θ_qk)     θ_dk = (n_dk + α_k)/(N_d + Σα)
//
// which is 1 for equal shares and 0 for disjoint ones (Bhattacharyya's coefficient). With b = Σ_k √(α_k
// θ_qk), the value of a document without words before scaling, it is
//
//	(b + Σ_{k in d} (√(n_dk + α_k) − √α_k) √θ_qk) / √(N_d + Σα)
//
// so that a search costs one multiplication for every topic of a document. Memory is 8 bytes for each of
// these, and 12 a document.
type neighbours struct {
	ends   []uint64  // D: end of the document's topics
	topics []uint32  // k, by document
	gains  []float32 // √(n_dk + α_k) − √α_k
	scale  []float32 // D: 1/√(N_d + Σα)
	root   []float64 // K: √α_k
}

// newNeighbours prepares the training documents for searches.
func newNeighbours(m *topoi.Model, docs *corpus.Corpus) *neighbours {
	n := &neighbours{root: make([]float64, m.NumTopics())}
	alphaSum := 0.0
	for k, a := range m.Alpha() {
		n.root[k] = math.Sqrt(a)
		alphaSum += a
	}
	reader := doctopics.NewReader(m, docs)
	for d := range docs.NumDocs() {
		for _, e := range reader.Read(d) {
			n.topics = append(n.topics, e.Topic)
			n.gains = append(n.gains, float32(math.Sqrt(float64(e.Count)+m.Alpha()[e.Topic])-n.root[e.Topic]))
		}
		n.ends = append(n.ends, uint64(len(n.topics)))
		n.scale = append(n.scale, float32(1/math.Sqrt(float64(reader.Tokens())+alphaSum)))
	}
	return n
}

// neighbour is a training document that was found.
type neighbour struct {
	doc        int
	similarity float64
}

// nearest returns the count documents that are most similar to a document with shares theta, best first;
// ties are in order of number.
func (n *neighbours) nearest(theta []float64, count int) []neighbour {
	root, base := make([]float32, len(theta)), 0.0
	for k, share := range theta {
		root[k] = float32(math.Sqrt(share))
		base += float64(n.root[k] * math.Sqrt(share))
	}
	best := make([]neighbour, 0, 2*count)
	least, begin := -1.0, uint64(0)
	for d, end := range n.ends {
		sum := float32(base)
		for i := begin; i < end; i++ {
			sum += float32(n.gains[i] * root[n.topics[i]])
		}
		begin = end
		if s := float64(sum * n.scale[d]); s > least {
			if best = append(best, neighbour{d, s}); len(best) == 2*count {
				best = sortNeighbours(best)[:count]
				least = best[count-1].similarity
			}
		}
	}
	best = sortNeighbours(best)
	return best[:min(count, len(best))]
}

// sortNeighbours puts the most similar ones first.
func sortNeighbours(list []neighbour) []neighbour {
	slices.SortFunc(list, func(a, b neighbour) int {
		return cmp.Or(cmp.Compare(b.similarity, a.similarity), cmp.Compare(a.doc, b.doc))
	})
	return list
}
