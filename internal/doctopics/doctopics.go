// Package doctopics counts the topics of training documents, one document after the other.
package doctopics

import (
	"slices"

	"github.com/topoi-lda/topoi/corpus"
	"github.com/topoi-lda/topoi/internal/counts"
	"github.com/topoi-lda/topoi/topic"
)

// Source is a model with the topics of its training tokens.
type Source interface {
	NumTopics() int
	Docs() (*corpus.Corpus, error)
	AppendTopics(dst []uint32, lo, hi int) []uint32 // z of tokens lo, …, hi-1
}

// Reader counts n_dk. It belongs to one goroutine and takes 4 bytes a topic.
type Reader struct {
	source Source
	docs   *corpus.Corpus
	z      []uint32
	counts []uint32 // K: n_dk of the document at hand, zero between documents
	list   []topic.Count
}

// NewReader returns a reader of the documents of s.
func NewReader(s Source, docs *corpus.Corpus) *Reader {
	return &Reader{source: s, docs: docs, counts: make([]uint32, s.NumTopics())}
}

// Read returns the non-zero n_dk of document d by rising topic. The slice is valid until the next call.
func (r *Reader) Read(d int) []topic.Count {
	offsets := r.docs.Offsets()
	r.z = r.source.AppendTopics(r.z[:0], int(offsets[d]), int(offsets[d+1]))
	r.list = r.list[:0]
	for _, k := range r.z {
		if r.counts[k] == 0 {
			r.list = append(r.list, topic.Count{Topic: k})
		}
		r.counts[k]++
	}
	for i := range r.list {
		e := &r.list[i]
		e.Count, r.counts[e.Topic] = r.counts[e.Topic], 0
	}
	slices.SortFunc(r.list, func(a, b topic.Count) int { return int(a.Topic) - int(b.Topic) })
	return r.list
}

// Tokens returns N_d of the document read last.
func (r *Reader) Tokens() int { return len(r.z) }

// Dominant returns for every topic the number of documents in which it has the largest n_dk + α_k, the lowest topic
// among equals. Documents without tokens are not counted.
func Dominant(s Source, docs *corpus.Corpus, alpha []float64) []int {
	dominant, reader := make([]int, len(alpha)), NewReader(s, docs)
	prior := 0 // the topic with the largest α: the best of those absent from a document, if absent itself
	for k, a := range alpha {
		if a > alpha[prior] {
			prior = k
		}
	}
	for d := range docs.NumDocs() {
		list := reader.Read(d)
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
	return dominant
}
