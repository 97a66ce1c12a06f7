package rank

import (
	"cmp"
	"context"
	"slices"

	"github.com/topoi-lda/topoi/corpus"
	"github.com/topoi-lda/topoi/internal/doctopics"
)

// Documents is a model with its training documents; *topoi.Model is one.
type Documents interface {
	NumTopics() int
	Alpha() []float64                               // K values α_k
	Docs() (*corpus.Corpus, error)                  // the training documents
	AppendTopics(dst []uint32, lo, hi int) []uint32 // topics of the training tokens lo, …, hi-1
}

// Doc is a document of a topic.
type Doc struct {
	Doc    int     `json:"doc"`    // its number
	Theta  float64 `json:"theta"`  // θ_dk = (n_dk + α_k)/(N_d + Σα)
	Tokens uint32  `json:"tokens"` // n_dk
}

// TopDocs returns the n documents with the largest share θ_dk of each of the given topics, or of
// all if topics is nil, largest first, equal ones by falling n_dk, then by number. Documents
// without tokens of the topic are left out. It reads the documents once and holds 2n of
// them for a topic.
func TopDocs(ctx context.Context, m Documents, topics []int, n int) ([][]Doc, error) {
	docs, err := m.Docs()
	if err != nil {
		return nil, err
	}
	if topics == nil {
		for k := range m.NumTopics() {
			topics = append(topics, k)
		}
	}
	place := slices.Repeat([]int{-1}, m.NumTopics())
	for i, k := range topics {
		place[k] = i
	}
	lists := make([]docList, len(topics))
	alphaSum := 0.0
	for _, a := range m.Alpha() {
		alphaSum += a
	}
	reader := doctopics.NewReader(m, docs)
	for d := range docs.NumDocs() {
		if d%4096 == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		for _, e := range reader.Read(d) {
			if i := place[e.Topic]; i >= 0 {
				theta := (float64(e.Count) + m.Alpha()[e.Topic]) / (float64(reader.Tokens()) + alphaSum)
				lists[i].add(Doc{d, theta, e.Count}, n)
			}
		}
	}
	result := make([][]Doc, len(topics))
	for i := range lists {
		result[i] = lists[i].best(n)
	}
	return result, nil
}

// docList gathers up to 2n documents, then throws the lesser half away.
type docList struct {
	docs  []Doc
	least float64 // a smaller θ has n better ones
}

func (l *docList) add(d Doc, n int) {
	if n <= 0 || d.Theta < l.least {
		return
	}
	if l.docs = append(l.docs, d); len(l.docs) == 2*n {
		l.docs = l.best(n)
		l.least = l.docs[n-1].Theta
	}
}

// best sorts the list and returns the first n.
func (l *docList) best(n int) []Doc {
	slices.SortFunc(l.docs, func(a, b Doc) int {
		return cmp.Or(cmp.Compare(b.Theta, a.Theta), cmp.Compare(b.Tokens, a.Tokens), cmp.Compare(a.Doc, b.Doc))
	})
	return l.docs[:max(0, min(n, len(l.docs)))]
}
