package serve

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"time"
)

// answer is the answer to a request. The client must take every piece of it within the idle time.
type answer struct {
	http.ResponseWriter
	control *http.ResponseController
	idle    time.Duration
	status  int // 0 until something is sent
	route   string
}

func (a *answer) WriteHeader(status int) {
	if a.status == 0 {
		a.status = status
	}
	a.hurry()
	a.ResponseWriter.WriteHeader(status)
}

func (a *answer) Write(p []byte) (int, error) {
	const piece = 64 << 10
	if a.status == 0 {
		a.status = http.StatusOK
	}
	written := 0
	for {
		a.hurry()
		n, err := a.ResponseWriter.Write(p[written:min(len(p), written+piece)])
		if written += n; err != nil || written == len(p) {
			return written, err
		}
	}
}

// hurry sets the deadline for the next write.
func (a *answer) hurry() { _ = a.control.SetWriteDeadline(time.Now().Add(a.idle)) } // tests have writers without one

// Unwrap returns the writer below, for http.ResponseController.
func (a *answer) Unwrap() http.ResponseWriter { return a.ResponseWriter }

// pieces collects output into pieces that are worth sending.
type pieces struct {
	to     *answer
	buffer []byte
	err    error
}

func newPieces(a *answer) *pieces { return &pieces{to: a} }

func (p *pieces) add(b []byte) {
	p.buffer = append(p.buffer, b...)
	if len(p.buffer) >= 32<<10 {
		_ = p.flush() // the last flush returns the error
	}
}

// flush sends the collected output and returns the first error.
func (p *pieces) flush() error {
	if p.err == nil && len(p.buffer) > 0 {
		if _, err := p.to.Write(p.buffer); err != nil {
			p.err = errGone
		}
	}
	p.buffer = p.buffer[:0]
	return p.err
}

// writeJSON answers with a value as JSON.
func writeJSON(a *answer, value any) error {
	b, err := json.Marshal(value)
	if err != nil {
		return err
	}
	a.Header().Set("Content-Length", strconv.Itoa(len(b)+1))
	return send(a, "application/json", append(b, '\n'))
}

// send answers with content of a type.
func send(a *answer, kind string, content []byte) error {
	a.Header().Set("Content-Type", kind)
	if _, err := a.Write(content); err != nil {
		return errGone
	}
	return nil
}

func writeText(a *answer, text string) error {
	a.Header().Set("Cache-Control", "no-store")
	return send(a, "text/plain; charset=utf-8", []byte(text))
}

// problem is an error with the answer that a client gets for it.
type problem struct {
	status  int
	code    string
	message string
	doc     int // the document that it is about, or -1
	retry   int // seconds to wait before another try, or 0
	allow   string
}

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
