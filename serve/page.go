package serve

import (
	"bytes"
	"context"
	_ "embed"
	"errors"
	"net/http"
	"strconv"

	"github.com/topoi-lda/topoi/explore"
)

// getPage answers with the page of a model.
func (s *Server) getPage(a *answer, r *http.Request, p *params) error {
	v, err := s.models.use(p.model)
	if err != nil {
		return err
	}
	defer v.done()
	if v.docs == nil {
		return newProblem(http.StatusNotFound, "no_documents", "there is no page: the model %q has no documents that could be shown; /openapi.yaml lists what there is", v.name)
	}
	if done, err := s.unchanged(a, r, v.tagFor("page", s.options.Version)); done || err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(r.Context(), s.limits.Time)
	defer cancel()
	page, err := v.page.get(ctx, v, func() ([]byte, error) {
		var b bytes.Buffer
		err := explore.Write(context.Background(), v.model, &b, explore.Options{Name: v.name, Served: true, Threads: s.options.Threads})
		return b.Bytes(), err
	})
	if errors.Is(err, context.DeadlineExceeded) {
		return notReady(10, "the page is still being made")
	}
	if err != nil {
		return err
	}
	a.Header().Set("Content-Type", "text/html; charset=utf-8")
	a.Header().Set("Content-Length", strconv.Itoa(len(page)))
	a.Header().Set("Content-Security-Policy", "frame-ancestors 'none'")
	if _, err := a.Write(page); err != nil {
		return errGone
	}
	return nil
}

// OpenAPI describes all requests and answers for programs.
//
//go:embed openapi.yaml
var OpenAPI []byte

func (s *Server) getOpenAPI(a *answer, _ *http.Request, _ *params) error {
	a.Header().Set("Content-Type", "application/yaml")
	if _, err := a.Write(OpenAPI); err != nil {
		return errGone
	}
	return nil
}
