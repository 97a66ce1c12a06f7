// Package doctopics counts the topics of training documents, one document after the other.
package doctopics

import (
	"context"
	"math/bits"
	"runtime"

	"github.com/topoi-lda/topoi/corpus"
	"github.com/topoi-lda/topoi/internal/counts"
	"github.com/topoi-lda/topoi/internal/parallel"
	"github.com/topoi-lda/topoi/topic"
)

// Source is a model with the topics of its training tokens.
type Source interface {
	NumTopics() int
	Docs() (*corpus.Corpus, error)
	AppendTopics(dst []uint32, lo, hi int) []uint32 // z of tokens lo, …, hi-1
}

// Reader counts n_dk. It belongs to one goroutine and takes 4.2 bytes a topic.
type Reader struct {
	source Source
	docs   *corpus.Corpus
	z      []uint32
	counts []uint32 // K: n_dk of the document at hand, zero between documents
	has    []uint64 // K bits: topics that it has; zero between documents
	some   []uint64 // a bit for each number in has: not zero
	list   []topic.Count
}

// NewReader returns a reader of the documents of s.
func NewReader(s Source, docs *corpus.Corpus) *Reader {
	k := s.NumTopics()
	return &Reader{
		source: s, docs: docs, counts: make([]uint32, k), has: make([]uint64, k>>6+1),
		some: make([]uint64, k>>12+1),
	}
}

// Read returns the non-zero n_dk of document d by rising topic. The slice is valid until the next call.
func (r *Reader) Read(d int) []topic.Count {
	offsets := r.docs.Offsets()
	r.z = r.source.AppendTopics(r.z[:0], int(offsets[d]), int(offsets[d+1]))
	r.list = r.list[:0]
	for _, k := range r.z {
		r.counts[k]++
		r.has[k>>6] |= 1 << (k & 63)
		r.some[k>>12] |= 1 << (k >> 6 & 63)
	}
	for i, some := range r.some {
		for ; some != 0; some &= some - 1 {
			at := i<<6 | bits.TrailingZeros64(some)
			for has := r.has[at]; has != 0; has &= has - 1 {
				k := uint32(at<<6 | bits.TrailingZeros64(has))
				r.list = append(r.list, topic.Count{Topic: k, Count: r.counts[k]})
				r.counts[k] = 0
			}
			r.has[at] = 0
		}
		r.some[i] = 0
	}
	return r.list
}

// Tokens returns N_d of the document read last.
func (r *Reader) Tokens() int { return len(r.z) }

// Runs reads all documents by several goroutines. It calls f for runs of them, in order and one at a time, with the
// number of the first document and what Read returns for each. The lists are valid until f returns.
func Runs(ctx context.Context, s Source, docs *corpus.Corpus, f func(first int, lists [][]topic.Count)) error {
	const most, each = 4096, 64 // documents of a run, and those that a goroutine reads at a time
	threads := runtime.GOMAXPROCS(0)
	readers, kept, lists := make([]*Reader, threads), make([][]topic.Count, most/each), make([][]topic.Count, most)
	for first := 0; first < docs.NumDocs(); first += most {
		lists = lists[:min(most, docs.NumDocs()-first)]
		err := parallel.Do(ctx, threads, (len(lists)+each-1)/each, func(worker, i int) {
			if readers[worker] == nil {
				readers[worker] = NewReader(s, docs)
			}
			kept[i] = kept[i][:0]
			for d := i * each; d < min(len(lists), (i+1)*each); d++ {
				begin := len(kept[i])
				kept[i] = append(kept[i], readers[worker].Read(first+d)...)
				lists[d] = kept[i][begin:]
			}
		})
		if err != nil {
			return err
		}
		f(first, lists)
	}
	return nil
}

// Dominant returns for every topic the number of documents in which it has the largest n_dk + α_k, the lowest topic
// among equals. Documents without tokens are not counted.
func Dominant(s Source, docs *corpus.Corpus, alpha []float64) []int {
	dominant := make([]int, len(alpha))
	prior := 0 // the topic with the largest α: the best of those absent from a document, if absent itself
	for k, a := range alpha {
		if a > alpha[prior] {
			prior = k
		}
	}
	_ = Runs(context.Background(), s, docs, func(_ int, lists [][]topic.Count) {
		for _, list := range lists {
			best, most := prior, float64(counts.CountIn(list, uint32(prior)))+alpha[prior]
			for _, e := range list {
				k := int(e.Topic)
				if w := float64(e.Count) + alpha[k]; w > most || w == most && k < best {
					best, most = k, w
				}
			}
			if len(list) > 0 {
				dominant[best]++
			}
		}
	})
	return dominant
}
