package serve

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"net/http"
	"strconv"
	"strings"

	"github.com/zeebo/xxh3"

	"github.com/topoi-lda/topoi"
	"github.com/topoi-lda/topoi/corpus"
	"github.com/topoi-lda/topoi/internal/doctopics"
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
	shown := similarFrom + escaped*int64(search.longest)
	cost := v.answerCost(&params{top: 1}, docs) + int64(len(docs))*int64(min(p.count, v.docs.NumDocs()))*shown
	releaseAnswer, err := s.afford(cost, "ask for fewer documents, or set count")
	defer releaseAnswer()
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

// getInfer answers for the text in the query.
func (s *Server) getInfer(a *answer, r *http.Request, p *params) error {
	if !p.hasText {
		return badRequest("the text is missing: ask for /v1/infer?text=…, or send documents by POST")
	}
	if strings.IndexByte(p.text, 0) >= 0 || invalidUTF8([]byte(p.text)) >= 0 {
		return badRequest("the text is not UTF-8, or holds a zero byte")
	}
	ctx, cancel := context.WithTimeout(r.Context(), s.limits.Time)
	defer cancel()
	return s.answerTopics(ctx, a, r, p, []document{{text: []byte(p.text)}})
}

// postInfer answers for the documents in the body.
func (s *Server) postInfer(a *answer, r *http.Request, p *params) error {
	if kind, err := mediaType(r); err != nil {
		return err
	} else if isLines(kind) {
		return s.answerLines(a, r, p)
	}
	ctx, cancel := context.WithTimeout(r.Context(), s.limits.Time)
	defer cancel()
	docs, release, err := s.requestDocs(ctx, a, r, p, inferParams)
	defer release()
	if err != nil {
		return err
	}
	return s.answerTopics(ctx, a, r, p, docs)
}

// answerTopics answers for all documents at once.
func (s *Server) answerTopics(ctx context.Context, a *answer, r *http.Request, p *params, docs []document) error {
	v, err := s.models.use(p.model)
	if err != nil {
		return err
	}
	defer v.done()
	if done, err := s.unchanged(a, r, s.tagOf(v, p, docs)); done || err != nil {
		return err
	}
	release, err := s.afford(v.answerCost(p, docs),
		"ask for fewer documents, set top, or send lines of application/x-ndjson")
	defer release()
	if err != nil {
		return err
	}
	a.Header().Set("Topoi-Fingerprint", v.fingerprint)
	items, err := s.run(ctx, v, p, docs, renderLine(v, p))
	if err != nil {
		return err
	}
	return writeTopics(a, v, items)
}

// run has the workers answer documents, and waits for them.
func (s *Server) run(ctx context.Context, v *version, p *params, docs []document,
	render func(*tools, *item, *topoi.DocTopics),
) ([]*item, error) {
	req, err := s.queue.enter(ctx, v, p, render)
	if err != nil {
		return nil, err
	}
	defer s.queue.leave(req)
	items := make([]*item, len(docs))
	for i := range docs {
		items[i] = &item{number: i, doc: docs[i]}
	}
	s.workers.offer(req, items)
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	for i, it := range items {
		if err := s.queue.await(it, func() {}); err != nil {
			return nil, err
		}
		if it.err != nil {
			return nil, problemOf(it.err).about(i)
		}
	}
	return items, nil
}

// writeTopics writes the answer for all documents.
func writeTopics(a *answer, v *version, items []*item) error {
	head, _ := json.Marshal(v.name) // encoding a string never fails
	before := fmt.Sprintf(`{"model":%s,"fingerprint":"%s","documents":[`, head, v.fingerprint)
	after := []byte(`],"unknown_tokens":[`)
	size := len(before)
	for i, it := range items {
		if i > 0 {
			after = append(after, ',')
		}
		after = strconv.AppendInt(after, int64(it.Unknown), 10)
		size += len(it.out) // a comma replaces the newline, except for the last one
	}
	after = append(after, "]}\n"...)
	size += len(after) - min(1, len(items))
	a.Header().Set("Content-Type", "application/json")
	a.Header().Set("Content-Length", strconv.Itoa(size))
	out := newPieces(a)
	out.add([]byte(before))
	for i, it := range items {
		if i > 0 {
			out.add([]byte{','})
		}
		out.add(it.out[:len(it.out)-1])
	}
	out.add(after)
	return out.flush()
}

// tagOf returns a tag of the answer that depends on everything the answer depends on.
func (s *Server) tagOf(v *version, p *params, docs []document) string {
	h := xxh3.New()
	fmt.Fprintf(h, "%s %s %d %v %t %v ", s.options.Version, v.tag, p.top, p.minTheta, p.words, p.draws)
	for i := range docs {
		d := &docs[i]
		fmt.Fprintf(h, "%q %q %q %d %d %d ", d.id, d.label, d.time, len(d.text), len(d.tokens), len(d.counts))
		_, _ = h.Write(d.text)
		for _, t := range d.tokens {
			fmt.Fprintf(h, "%d ", len(t))
			_, _ = h.Write(t)
		}
		for _, c := range d.counts {
			fmt.Fprintf(h, "%d %d ", len(c.word), c.n)
			_, _ = h.Write(c.word)
		}
	}
	return quoteTag(h)
}

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

	longest int // the most bytes of texts that are shown of a document
}

// newNeighbours prepares the training documents for searches.
func newNeighbours(m *topoi.Model, docs *corpus.Corpus) *neighbours {
	n := &neighbours{root: make([]float64, m.NumTopics()), longest: longestDoc(docs)}
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
	best, begin := lists.NewFirst(count, closer), uint64(0)
	for d, end := range n.ends {
		sum := float32(base)
		for i := begin; i < end; i++ {
			sum += float32(n.gains[i] * root[n.topics[i]])
		}
		begin = end
		best.Add(neighbour{d, float64(sum * n.scale[d])})
	}
	return best.List()
}

// closer orders the most similar ones first.
func closer(a, b neighbour) int {
	return cmp.Or(cmp.Compare(b.similarity, a.similarity), cmp.Compare(a.doc, b.doc))
}
