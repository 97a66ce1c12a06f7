package serve

import (
	"encoding/hex"
	"fmt"
	"net/http"
	"strings"

	"github.com/zeebo/xxh3"
)

func quoteTag(h *xxh3.Hasher) string {
	sum := h.Sum128().Bytes()
	return `"` + hex.EncodeToString(sum[:]) + `"`
}

// unchanged sets the answer's tag. It reports whether the client already has the answer, and then tells it so.
func (s *Server) unchanged(a *answer, r *http.Request, tag string) (bool, error) {
	a.Header().Set("ETag", tag)
	a.Header().Set("Cache-Control", "no-cache")
	if !matches(r.Header.Values("If-None-Match"), tag) {
		return false, nil
	}
	if r.Method != http.MethodGet && r.Method != http.MethodHead {
		return true, newProblem(http.StatusPreconditionFailed, "answer_unchanged",
			"the answer is the one that If-None-Match names")
	}
	a.WriteHeader(http.StatusNotModified)
	return true, nil
}

// matches reports whether one of the tags in the headers is the given one.
func matches(headers []string, tag string) bool {
	for _, header := range headers {
		for _, one := range strings.Split(header, ",") {
			one = strings.TrimPrefix(strings.TrimSpace(one), "W/")
			if one == tag || one == "*" {
				return true
			}
		}
	}
	return false
}

// tagFor returns a tag that depends on the version and the given values.
func (v *version) tagFor(values ...any) string {
	h := xxh3.New()
	fmt.Fprint(h, v.tag, " ", values)
	return quoteTag(h)
}
