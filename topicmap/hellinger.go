package topicmap

import (
	"context"
	"iter"
	"math"
	"slices"

	"github.com/topoi-lda/topoi"
)

// rooted computes Hellinger distances from sparse rows. With a_wk = √(n_wk + β) − √β,
// which is 0 where n_wk is, and c_k = n_k + Vβ,
//
//	Σ_w √(φ_wi φ_wj) = (Σ_w a_wi a_wj + √β (Σ_w a_wi + Σ_w a_wj) + Vβ)/√(c_i c_j).
type rooted struct {
	Model
	beta   float64
	root   float64   // √β
	small  []float64 // a_wk of small counts, which are most
	smooth float64   // Vβ
	sums   []float64 // K: Σ_w a_wk
	scales []float64 // K: √c_k
}

func newRooted(m Model) *rooted {
	r := &rooted{Model: m, beta: m.Beta(), root: math.Sqrt(m.Beta()), smooth: float64(m.NumWords()) * m.Beta(), sums: make([]float64, m.NumTopics())}
	for n := range uint32(smallCounts) {
		r.small = append(r.small, r.of(n))
	}
	for _, n := range m.TopicTotals() {
		r.scales = append(r.scales, math.Sqrt(float64(n)+r.smooth))
	}
	for w := range m.NumWords() {
		for _, e := range m.Row(w) {
			r.sums[e.Topic] += r.of(e.Count)
		}
	}
	return r
}

// smallCounts is the number of counts whose roots are looked up.
const smallCounts = 256

// of returns a_wk of a count.
func (r *rooted) of(count uint32) float64 {
	if int(count) < len(r.small) {
		return r.small[count]
	}
	return math.Sqrt(float64(count)+r.beta) - r.root
}

// products sets dst[j] = Σ_w a_wi a_wj for the topic i of the column and every topic j.
func (r *rooted) products(dst []float64, column []topoi.WordCount) {
	clear(dst)
	for _, c := range column {
		a := r.of(c.Count)
		for _, e := range r.Row(int(c.Word)) {
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

// each calls f with the distances from each of the given topics to all topics, in any
// order, from many goroutines.
func (r *rooted) each(ctx context.Context, topics []int, threads int, f func(i int, distances []float64)) error {
	type held struct {
		topic  int
		column []topoi.WordCount
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
		err := parallel(ctx, len(batch), threads, func(_, i int) {
			h := batch[i]
			distances := make([]float64, r.NumTopics())
			r.products(distances, h.column)
			for j := range distances {
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
	err := newRooted(m).each(ctx, nil, o.Threads, func(topic int, distances []float64) {
		j := d.place[topic]
		for i, other := range d.order[:j] {
			d.pairs[j*(j-1)/2+i] = distances[other]
		}
	})
	return d, err
}

// Nearest returns the n topics next to topic k by Hellinger distance, nearest first,
// equal ones by number. It costs O(Σ_w K_w) for the words of the topic and so serves any
// number of topics; [Distances.Nearest] serves many questions.
func Nearest(ctx context.Context, m Model, k, n int) ([]Neighbour, error) {
	var list []Neighbour
	err := newRooted(m).each(ctx, []int{k}, 1, func(_ int, distances []float64) {
		list = nearest(distances, k, n)
	})
	return list, err
}

func nearest(distances []float64, k, n int) []Neighbour {
	list := make([]Neighbour, 0, len(distances))
	for j, x := range distances {
		if j != k {
			list = append(list, Neighbour{j, x})
		}
	}
	return first(list, n, byDistance)
}
