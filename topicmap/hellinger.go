package topicmap

import (
	"cmp"
	"context"
	"iter"
	"math"
	"slices"

	"github.com/topoi-lda/topoi"
	"github.com/topoi-lda/topoi/internal/parallel"
	"github.com/topoi-lda/topoi/topic"
)

// rooted computes Hellinger distances from sparse rows. With a_wk = √(n_wk + β) − √β, which is 0 if n_wk is
// 0, and c_k = n_k + Vβ,
//
//	Σ_w √(φ_wi φ_wj) = (Σ_w a_wi a_wj + √β (Σ_w a_wi + Σ_w a_wj) + Vβ)/√(c_i c_j).
type rooted struct {
	Model
	root   float64   // √β
	smooth float64   // Vβ
	roots  []float64 // a_wk of small counts
	sums   []float64 // K: Σ_w a_wk
	scales []float64 // K: √c_k
}

func newRooted(m Model) *rooted {
	r := &rooted{Model: m, root: math.Sqrt(m.Beta()), smooth: float64(m.NumWords()) * m.Beta(), sums: make([]float64, m.NumTopics())}
	for _, n := range m.TopicTotals() {
		r.scales = append(r.scales, math.Sqrt(float64(n)+r.smooth))
	}
	for n := range uint32(1 << 12) {
		r.roots = append(r.roots, math.Sqrt(float64(n)+m.Beta())-r.root)
	}
	for w := range m.NumWords() {
		for _, e := range m.Row(w) {
			r.sums[e.Topic] += r.of(e.Count)
		}
	}
	return r
}

// of returns a_wk of a count.
func (r *rooted) of(count uint32) float64 {
	if int(count) < len(r.roots) {
		return r.roots[count]
	}
	return math.Sqrt(float64(count)+r.Beta()) - r.root
}

// products sets dst[j] = Σ_w a_wi a_wj for the topic i of the column and every topic j ≥ from.
func (r *rooted) products(dst []float64, column []topic.WordCount, from int) {
	clear(dst)
	for _, c := range column {
		a, row := r.of(c.Count), r.Row(int(c.Word))
		first := 0
		if from > 0 {
			first, _ = slices.BinarySearchFunc(row, uint32(from), func(e topoi.TopicCount, k uint32) int { return cmp.Compare(e.Topic, k) })
		}
		for _, e := range row[first:] {
			dst[e.Topic] += float64(a * r.of(e.Count))
		}
	}
}

// distance returns h(i, j) given Σ_w a_wi a_wj.
func (r *rooted) distance(i, j int, product float64) float64 {
	affinity := (product + float64(r.root*(r.sums[i]+r.sums[j])) + r.smooth) / (r.scales[i] * r.scales[j])
	return math.Sqrt(max(0, 1-affinity))
}

// columnsAtOnce is the number of columns that wait for the threads.
const columnsAtOnce = 256

// each calls f with the distances from each of the given topics to all topics, or only to those with higher
// numbers. Many goroutines call it, in any order.
func (r *rooted) each(ctx context.Context, topics []int, higher bool, threads int, f func(i int, distances []float64)) error {
	type held struct {
		topic  int
		column []topic.WordCount
	}
	next, stop := iter.Pull2(r.Columns(topics))
	defer stop()
	for done := false; !done; {
		var batch []held
		for len(batch) < columnsAtOnce {
			k, column, ok := next()
			if !ok {
				done = true
				break
			}
			batch = append(batch, held{k, slices.Clone(column)})
		}
		err := parallel.Do(ctx, threadsOr(threads), len(batch), func(_, i int) {
			h := batch[i]
			distances := make([]float64, r.NumTopics())
			from := 0
			if higher {
				from = h.topic
			}
			r.products(distances, h.column, from)
			for j := from; j < len(distances); j++ {
				distances[j] = r.distance(h.topic, j, distances[j])
			}
			distances[h.topic] = 0
			f(h.topic, distances)
		})
		if err != nil {
			return err
		}
	}
	return nil
}

func hellinger(ctx context.Context, m Model, o Options) (*Distances, error) {
	d := newDistances(m, Hellinger)
	err := newRooted(m).each(ctx, nil, true, o.Threads, func(topic int, distances []float64) {
		for other := topic + 1; other < len(distances); other++ {
			i, j := d.place[topic], d.place[other]
			i, j = min(i, j), max(i, j)
			d.pairs[j*(j-1)/2+i] = distances[other]
		}
	})
	return d, err
}
