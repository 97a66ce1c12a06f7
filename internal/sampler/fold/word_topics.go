package fold

import (
	"context"
	"math"
	"sync/atomic"

	"github.com/topoi-lda/topoi/internal/counts"
	"github.com/topoi-lda/topoi/internal/device"
	"github.com/topoi-lda/topoi/internal/parallel"
)

// wordTopics holds the topics in which words occur, as a device needs them.
type wordTopics struct {
	begins  []uint32  // V+1: where the topics of a word begin
	topics  []uint16  // nil if there are too many for a device
	weights []float32 // s_wk
	b       []float32 // slots: b_k
	most    int       // topics of all distinct words of a document, at most
}

// newWordTopics lists the topics of v words. If the documents have few tokens, only their words are listed. inv is
// 1/(n_k + Vβ).
func newWordTopics(from counts.Rows, v, threads int, beta float32, inv []float32, offsets []uint64,
	words []uint32,
) *wordTopics {
	occurs := make([]bool, v)
	for i := range occurs {
		occurs[i] = len(words) > v // it would take longer to look than to list all
	}
	if len(words) <= v {
		for _, w := range words {
			occurs[w] = true
		}
	}
	m, rows := &wordTopics{begins: make([]uint32, v+1), b: make([]float32, len(inv))},
		counts.InPlaceOf(from, occurs, threads)
	total := 0
	for w, yes := range occurs {
		if yes {
			total += len(rows.Row(w))
		}
		m.begins[w+1] = uint32(total)
	}
	if total > math.MaxUint32 {
		return m
	}
	for k := range m.b {
		m.b[k] = beta * inv[k]
	}
	m.topics, m.weights = make([]uint16, total), make([]float32, total)
	parallel.Runs(threads, v, func(first, last int) {
		for w := first; w < last; w++ {
			if begin := m.begins[w]; begin < m.begins[w+1] {
				for i, e := range rows.Row(w) {
					m.topics[int(begin)+i], m.weights[int(begin)+i] = uint16(e.Topic),
						float32(float32(e.Count)*inv[e.Topic])
				}
			}
		}
	})
	m.most = m.longest(threads, offsets, words)
	return m
}

// longest returns how many topics the distinct words of a document have together at most.
func (m *wordTopics) longest(threads int, offsets []uint64, words []uint32) int {
	var most atomic.Int64
	const docs = 256 // of a task
	n := len(offsets) - 1
	_ = parallel.Do(context.Background(), threads, (n+docs-1)/docs, func(_, task int) {
		longest := int64(0)
		for d := task * docs; d < min(n, (task+1)*docs); d++ {
			sum, last := int64(0), ^uint32(0)
			for _, w := range words[offsets[d]:offsets[d+1]] {
				if w != last {
					sum += int64(m.begins[w+1] - m.begins[w])
				}
				last = w
			}
			longest = max(longest, sum)
		}
		for was := most.Load(); was < longest && !most.CompareAndSwap(was, longest); {
			was = most.Load()
		}
	})
	return int(most.Load())
}

// bytes returns what the lists take on a device.
func (m *wordTopics) bytes() int64 {
	if m == nil {
		return 0
	}
	return 4*int64(len(m.begins)) + 6*int64(len(m.topics)) + 16*int64(len(m.b))
}

// upload copies the lists and α to a device.
func (m *wordTopics) upload(a *device.Arena, alpha []float32) []any {
	return []any{
		device.Upload(a, m.begins), device.Upload(a, m.topics), device.Upload(a, m.weights), device.Upload(a, alpha),
		device.Upload(a, m.b),
	}
}
