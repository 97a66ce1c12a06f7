package serve

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"strconv"

	"github.com/topoi-lda/topoi"
	"github.com/topoi-lda/topoi/corpus"
	"github.com/topoi-lda/topoi/internal/lists"
)

// similarDoc is a training document in an answer.
type similarDoc struct {
	Doc        int     `json:"doc"`
	ID         string  `json:"id"`
	Label      string  `json:"label,omitempty"`
	Time       string  `json:"time,omitempty"`
	Title      string  `json:"title,omitempty"`
	Snippet    string  `json:"snippet,omitempty"`
	Similarity float32 `json:"similarity"` // at most 1, but for rounding
}

// describe returns neighbours with their data from the corpus.
func describe(docs *corpus.Corpus, list []neighbour) []similarDoc {
	return lists.Of(list, func(n neighbour) similarDoc {
		return similarDoc{
			Doc: docs.Number(n.doc), ID: docs.ID(n.doc), Label: docs.Label(n.doc), Time: docs.Time(n.doc),
			Title: docs.Title(n.doc), Snippet: docs.Snippet(n.doc), Similarity: float32(min(1, n.similarity)),
		}
	})
}

// postSimilar answers with the training documents that are most similar to the given documents.
func (s *Server) postSimilar(a *answer, r *http.Request, p *params) error {
	p.count = cmp.Or(p.count, 10)
	ctx, cancel := context.WithTimeout(r.Context(), s.limits.Time)
	defer cancel()
	docs, release, err := s.requestDocs(ctx, a, r, p, similarParams)
	defer release()
	if err != nil {
		return err
	}
	v, err := s.models.use(p.model)
	if err != nil {
		return err
	}
	defer v.done()
	search, err := v.neighbours(ctx)
	if err != nil {
		return err
	}
	items, err := s.run(ctx, v, p, docs, func(t *tools, it *item, d *topoi.DocTopics) {
		t.theta = d.Theta(t.theta)
		it.out, it.err = json.Marshal(similarTo{
			Doc: it.number, ID: cmp.Or(it.doc.id, strconv.Itoa(it.number)),
			Similar: describe(v.docs, search.nearest(t.theta, p.count)),
		})
	})
	if err != nil {
		return err
	}
	list := lists.Of(items, func(it *item) json.RawMessage { return it.out })
	return writeJSON(a, struct {
		Model       string            `json:"model"`
		Fingerprint string            `json:"fingerprint"`
		Documents   []json.RawMessage `json:"documents"`
	}{v.name, v.fingerprint, list})
}

// similarTo is a document in an answer.
type similarTo struct {
	Doc     int          `json:"doc"`
	ID      string       `json:"id"`
	Similar []similarDoc `json:"similar"`
}

// neighbours returns the index of the training documents, which the first call computes.
func (v *version) neighbours(ctx context.Context) (*neighbours, error) {
	if v.docs == nil {
		return nil, newProblem(http.StatusNotFound, "no_documents", "the model %q has no documents that could be shown",
			v.name)
	}
	search, err := v.similar.get(ctx, v, func() (*neighbours, error) { return newNeighbours(v.model, v.docs), nil })
	if errors.Is(err, context.DeadlineExceeded) {
		return nil, notReady(10, "the documents are not ready yet")
	}
	return search, err
}
