// Package topicmap says how topics lie to each other: distances between them, a map in
// the plane, the nearest topics of a topic, a tree of clusters, and correlations over
// documents.
//
// With φ_wk = (n_wk + β)/(n_k + Vβ), the distance of two topics is
//
//	Jensen-Shannon  JS(i, j) = H((φ_i + φ_j)/2) − (H(φ_i) + H(φ_j))/2   in nats, 0 to log 2
//	Hellinger       h(i, j) = (1 − Σ_w √(φ_wi φ_wj))^½                  0 to 1
//
// The first is what pyLDAvis draws and serves up to [ExactTopics] topics. The second
// serves more: it follows from products of sparse rows. Both are exact, with β and all
// zeros.
//
// Results do not depend on the numbers of topics: after renumbering, the same topics
// have the same distances, coordinates and clusters, bit by bit. They do not
// depend on the number of threads either.
package topicmap

import (
	"cmp"
	"encoding/binary"
	"fmt"
	"iter"
	"runtime"
	"slices"

	"github.com/zeebo/xxh3"

	"github.com/topoi-lda/topoi"
	"github.com/topoi-lda/topoi/topic"
)

// Model is what a map needs to know of a topic model; *topoi.Model has it all.
type Model interface {
	NumTopics() int        // K
	NumWords() int         // V
	Beta() float64         // β
	TopicTotals() []uint64 // K values n_k

	// Row returns the non-zero n_wk of word w in increasing topic order.
	Row(w int) []topoi.TopicCount

	// Columns yields topics with their non-zero n_wk in increasing word order.
	Columns(topics []int) iter.Seq2[int, []topic.WordCount]
}

// Measure names a distance.
type Measure string

// The distances.
const (
	JensenShannon Measure = "jensen-shannon" // divergence in nats, 0 to log 2
	Hellinger     Measure = "hellinger"      // 0 to 1
)

const (
	// ExactTopics is the largest number of topics for which Jensen-Shannon divergences
	// are computed and all topics take part in the scaling.
	ExactTopics = 1000

	// PairedTopics is the largest number of topics for which all pairs are held: 8 bytes
	// each, 256 MB in all.
	PairedTopics = 8192
)

// Options adjust the work, never its result.
type Options struct {
	Threads int // goroutines. Default: all cores
}

// ErrTooMany is the refusal of all pairs of more than PairedTopics topics.
type ErrTooMany struct{ Topics int }

func (e ErrTooMany) Error() string {
	return fmt.Sprintf("the model has %d topics: all pairs of topics are compared for at most %d", e.Topics, PairedTopics)
}

// canonical returns the topics in an order that does not depend on their numbers: by
// falling n_k, then by a checksum of their counts. Topics that are equal in both are
// the same topic twice.
func canonical(m Model) []int {
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
	order := make([]int, len(sums))
	for k := range order {
		order[k] = k
	}
	slices.SortFunc(order, func(a, b int) int {
		return cmp.Or(cmp.Compare(totals[b], totals[a]), cmp.Compare(sums[a], sums[b]))
	})
	return order
}

// threadsOr is the number of goroutines to use: by default as many as there are cores.
func threadsOr(threads int) int {
	if threads <= 0 {
		return runtime.GOMAXPROCS(0)
	}
	return threads
}
