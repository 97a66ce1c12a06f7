package serve

import (
	_ "embed"
	"net/http"
)

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
