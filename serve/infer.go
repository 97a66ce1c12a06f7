package serve

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"strconv"
	"strings"

	"github.com/topoi-lda/topoi"
	"github.com/zeebo/xxh3"
)

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
		for !s.queue.isDone(it) {
			select {
			case <-req.notify:
			case <-ctx.Done():
				return nil, ctx.Err()
			}
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
	fmt.Fprintf(h, "%s %s %d %v %t %v ", s.options.Version, v.tag, p.top, p.minTheta, p.words, p.draws())
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
