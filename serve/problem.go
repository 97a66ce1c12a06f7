package serve

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strconv"
)

// problem is an error with the answer that a client gets for it.
type problem struct {
	status  int
	code    string
	message string
	doc     int // the document that it is about, or -1
	retry   int // seconds to wait before another try, or 0
	allow   string
}

// Error implements error.
func (p *problem) Error() string { return p.message }

// about returns a copy of p about a document.
func (p *problem) about(doc int) *problem {
	q := *p
	q.doc = doc
	return &q
}

func newProblem(status int, code, format string, args ...any) *problem {
	return &problem{status: status, code: code, message: fmt.Sprintf(format, args...), doc: -1}
}

func badRequest(format string, args ...any) *problem {
	return newProblem(http.StatusBadRequest, "bad_request", format, args...)
}

func tooLarge(format string, args ...any) *problem {
	return newProblem(http.StatusRequestEntityTooLarge, "too_large", format, args...)
}

func notFound(format string, args ...any) *problem {
	return newProblem(http.StatusNotFound, "not_found", format, args...)
}

func notReady(retry int, format string, args ...any) *problem {
	p := newProblem(http.StatusServiceUnavailable, "not_ready", format, args...)
	p.retry = retry
	return p
}

func busy(retry int) *problem {
	p := newProblem(http.StatusTooManyRequests, "busy", "the server is busy: try again in %d s", retry)
	p.retry = retry
	return p
}

// internal returns the problem that clients see for a fault of the server.
func internal() *problem {
	return newProblem(http.StatusInternalServerError, "internal",
		"the server failed to answer this request; its log says why")
}

// problemOf returns the problem that clients see for an error.
func problemOf(err error) *problem {
	if p, ok := errors.AsType[*problem](err); ok {
		return p
	}
	return internal()
}

// body returns the JSON of a problem, ended by a new line.
func (p *problem) body() []byte {
	out := struct {
		Error string `json:"error"`
		Code  string `json:"code"`
		Doc   *int   `json:"doc,omitempty"`
	}{Error: p.message, Code: p.code}
	if p.doc >= 0 {
		out.Doc = &p.doc
	}
	b, _ := json.Marshal(out) // encoding these values never fails
	return append(b, '\n')
}

// write answers with the problem.
func (p *problem) write(w http.ResponseWriter) {
	h := w.Header()
	h.Del("ETag")
	h.Del("Content-Encoding")
	h.Set("Content-Type", "application/json")
	h.Set("Cache-Control", "no-store")
	if p.retry > 0 {
		h.Set("Retry-After", strconv.Itoa(p.retry))
	}
	if p.allow != "" {
		h.Set("Allow", p.allow)
	}
	w.WriteHeader(p.status)
	_, _ = w.Write(p.body()) // if the client has gone, nobody can be told
}
