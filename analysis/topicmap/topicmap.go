// Package topicmap computes how topics relate to each other: distances between them, a map in the plane,
// the nearest topics of a topic, a tree of clusters, and correlations over documents.
//
// With φ_wk = (n_wk + β)/(n_k + Vβ), the distance between two topics is
//
//	Jensen-Shannon  JS(i, j) = H((φ_i + φ_j)/2) − (H(φ_i) + H(φ_j))/2   in nats, 0 to log 2
//	Hellinger       h(i, j) = (1 − Σ_w √(φ_wi φ_wj))^½                  0 to 1
//
// The first is what pyLDAvis draws; it is used for up to 1,000 topics. The second is used for more,
// because it follows from products of sparse rows. Both are exact, with β and all zeros.
//
// Results do not depend on the numbers of topics: after renumbering, the same topics have the same
// distances, coordinates and clusters, bit by bit. Nor do they depend on the number of threads.
package topicmap

import (
	"cmp"
	"context"
	"encoding/binary"
	"fmt"
	"iter"
	"math"
	"runtime"
	"slices"

	"github.com/zeebo/xxh3"

	"github.com/topoi-lda/topoi/internal/divergence"
	"github.com/topoi-lda/topoi/internal/lists"
	"github.com/topoi-lda/topoi/internal/parallel"
	"github.com/topoi-lda/topoi/topic"
)

// The distances.
const (
	byJensenShannon = "jensen-shannon" // divergence in nats, 0 to log 2
	byHellinger     = "hellinger"      // 0 to 1
)

const (
	// exactTopics is the largest number of topics for which Jensen-Shannon divergences are computed and all
	// topics take part in the scaling.
	exactTopics = 1000

	// PairedTopics is the largest number of topics for which all pairs are held: 8 bytes each, 256 MB in all.
	PairedTopics = 8192
)

// tooManyError is the error for more than PairedTopics topics.
type tooManyError struct{ Topics int }

func (e tooManyError) Error() string {
	return fmt.Sprintf("the model has %d topics: pairs of topics are compared for at most %d", e.Topics, PairedTopics)
}

// canonical returns the topics in an order that does not depend on their numbers: by falling n_k, then by a
// checksum of their counts. Topics that are equal in both are the same topic twice.
func canonical(m topic.Model) []int {
	totals := m.TopicTotals()
	sums := make([]uint64, m.NumTopics())
	var b []byte
	for k, column := range m.Columns(nil) {
		b = b[:0]
		for _, e := range column {
			b = binary.LittleEndian.AppendUint32(b, e.Word)
			b = binary.LittleEndian.AppendUint32(b, e.Count)
		}
		sums[k] = xxh3.Hash(b)
	}
	order := lists.Upto(len(sums))
	slices.SortFunc(order, func(a, b int) int {
		return cmp.Or(cmp.Compare(totals[b], totals[a]), cmp.Compare(sums[a], sums[b]))
	})
	return order
}

// threadsOr returns threads, or the number of cores if it is not positive.
func threadsOr(threads int) int {
	return cmp.Or(max(0, threads), runtime.GOMAXPROCS(0))
}

// Distances holds the distances between all pairs of topics.
type Distances struct {
	measure string
	order   []int     // topics in canonical order
	place   []int     // of each topic in it
	pairs   []float64 // of the places i < j: at j(j−1)/2 + i
}

func newDistances(m topic.Model, measure string) *Distances {
	d := &Distances{measure: measure, order: canonical(m)}
	k := len(d.order)
	d.place, d.pairs = make([]int, k), make([]float64, k*(k-1)/2)
	for i, topic := range d.order {
		d.place[topic] = i
	}
	return d
}

// Between measures all pairs of topics: by Jensen-Shannon divergences up to 1,000 topics, by Hellinger
// distances beyond, with a number of goroutines, which is that of the cores if it is 0. More than [PairedTopics] topics
// are refused.
//
// Jensen-Shannon divergences cost O(K² c) for topics of c words and take 8 bytes for each
// non-zero count; Hellinger distances cost O(Σ_w K_w²) for words in K_w topics.
func Between(ctx context.Context, m topic.Model, threads int) (*Distances, error) {
	switch k := m.NumTopics(); {
	case k > PairedTopics:
		return nil, tooManyError{k}
	case k > exactTopics:
		return hellinger(ctx, m, threads)
	}
	return jensenShannon(ctx, m, threads)
}

func jensenShannon(ctx context.Context, m topic.Model, threads int) (*Distances, error) {
	d := newDistances(m, byJensenShannon)
	profiles := make([]*divergence.Profile, len(d.order))
	for k, column := range m.Columns(nil) {
		profiles[d.place[k]] = divergence.New(divergence.Topic{
			Column: column, Total: m.TopicTotals()[k],
			Words: m.NumWords(), Beta: m.Beta(),
		})
	}
	err := parallel.Do(ctx, threadsOr(threads), len(profiles), func(_, j int) {
		measurer := divergence.NewMeasurer(divergence.Space{Common: m.NumWords()})
		for i := range j {
			d.pairs[j*(j-1)/2+i] = measurer.Between(profiles[i], profiles[j])
		}
	})
	return d, err
}

// Measure returns which distance it is: "jensen-shannon" or "hellinger".
func (d *Distances) Measure() string { return d.measure }

// NumTopics returns K.
func (d *Distances) NumTopics() int { return len(d.order) }

// At returns the distance of two topics, 0 of a topic to itself.
func (d *Distances) At(a, b int) float64 { return d.at(d.place[a], d.place[b]) }

// at is At by places in canonical order.
func (d *Distances) at(i, j int) float64 {
	switch {
	case i == j:
		return 0
	case i > j:
		i, j = j, i
	}
	return d.pairs[j*(j-1)/2+i]
}

// Neighbour is a topic seen from another one.
type Neighbour struct {
	Topic    int     `json:"topic"`
	Distance float64 `json:"distance"`
}

// Nearest returns the n topics next to topic k, nearest first, equal ones by falling size.
func (d *Distances) Nearest(k, n int) []Neighbour {
	first := lists.NewFirst(n, func(a, b Neighbour) int { return cmp.Compare(a.Distance, b.Distance) })
	for i, topic := range d.order {
		if topic != k {
			first.Add(Neighbour{topic, d.at(i, d.place[k])})
		}
	}
	return first.List()
}

// rooted computes Hellinger distances from sparse rows. With a_wk = √(n_wk + β) − √β, which is 0 if n_wk is
// 0, and c_k = n_k + Vβ,
//
//	Σ_w √(φ_wi φ_wj) = (Σ_w a_wi a_wj + √β (Σ_w a_wi + Σ_w a_wj) + Vβ)/√(c_i c_j).
type rooted struct {
	topic.Model
	root   float64   // √β
	smooth float64   // Vβ
	roots  []float64 // a_wk of small counts
	sums   []float64 // K: Σ_w a_wk
	scales []float64 // K: √c_k
}

func newRooted(m topic.Model) *rooted {
	r := &rooted{
		Model: m, root: math.Sqrt(m.Beta()), smooth: float64(m.NumWords()) * m.Beta(),
		sums: make([]float64, m.NumTopics()),
	}
	for _, n := range m.TopicTotals() {
		r.scales = append(r.scales, math.Sqrt(float64(n)+r.smooth))
	}
	for n := range uint32(1 << 12) {
		r.roots = append(r.roots, math.Sqrt(float64(n)+m.Beta())-r.root)
	}
	var row []topic.Count
	for w := range m.NumWords() {
		row = m.AppendRow(row[:0], w)
		for _, e := range row {
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
	var row []topic.Count
	for _, c := range column {
		a := r.of(c.Count)
		row = r.AppendRow(row[:0], int(c.Word))
		first := 0
		if from > 0 {
			first, _ = slices.BinarySearchFunc(row, uint32(from),
				func(e topic.Count, k uint32) int { return cmp.Compare(e.Topic, k) })
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
func (r *rooted) each(ctx context.Context, topics []int, higher bool, threads int,
	f func(i int, distances []float64),
) error {
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

func hellinger(ctx context.Context, m topic.Model, threads int) (*Distances, error) {
	d := newDistances(m, byHellinger)
	err := newRooted(m).each(ctx, nil, true, threads, func(k int, distances []float64) {
		for other := k + 1; other < len(distances); other++ {
			i, j := d.place[k], d.place[other]
			i, j = min(i, j), max(i, j)
			d.pairs[j*(j-1)/2+i] = distances[other]
		}
	})
	return d, err
}
