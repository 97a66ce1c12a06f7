package serve

import (
	"encoding/json"
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

// WriteHeader implements http.ResponseWriter.
func (a *answer) WriteHeader(status int) {
	if a.status == 0 {
		a.status = status
	}
	a.hurry()
	a.ResponseWriter.WriteHeader(status)
}

// Write implements http.ResponseWriter.
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
