package serve

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log"
	"log/slog"
	"net/http"
	"path"
	"runtime/debug"
	"strconv"
	"strings"
	"time"

	"github.com/topoi-lda/topoi/internal/guard"
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

// ServeHTTP implements http.Handler.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	begun := time.Now()
	a := &answer{ResponseWriter: w, control: http.NewResponseController(w), idle: s.limits.Idle, route: "none"}
	defer func() {
		abort := false
		if value := recover(); value != nil {
			abort = s.panicked(a, value)
		}
		s.metrics.answered(a.route, a.status, time.Since(begun))
		s.options.Log.Debug("request", "method", r.Method, "path", r.URL.Path, "status", a.status, "seconds",
			time.Since(begun).Seconds(), "from", r.RemoteAddr)
		if abort {
			panic(http.ErrAbortHandler) // net/http cuts the connection and logs nothing
		}
	}()
	debug.SetPanicOnFault(true) // a mapped file may be cut short; this goroutine serves only this connection
	h := a.Header()
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Referrer-Policy", "no-referrer")
	h.Set("X-Frame-Options", "DENY")
	if s.draining.Load() {
		h.Set("Connection", "close") // the client connects elsewhere next, and nothing is cut off
	}
	switch {
	case !s.options.mayHost(r.Host):
		s.fail(a, newProblem(http.StatusMisdirectedRequest, "wrong_host",
			"the server does not accept the host name %s: its operator can allow it", shown(r.Host)))
	case s.options.crossOrigin(a, r): // it has been answered
	case r.URL.Path == "" || path.Clean(r.URL.Path) != r.URL.Path && r.URL.Path != serverPath:
		s.dispatch(a, r, "none", nil)
	default:
		s.mux.ServeHTTP(a, r)
	}
}

// fail answers with an error. If an answer has begun, it cuts the connection, so that the client does not
// take a part for the whole.
func (s *Server) fail(a *answer, err error) {
	switch {
	case errors.Is(err, context.Canceled), errors.Is(err, errGone):
		a.status = statusGone
		panic(http.ErrAbortHandler)
	case errors.Is(err, context.DeadlineExceeded):
		p := newProblem(http.StatusServiceUnavailable, "timeout", "the answer took longer than %s", s.limits.Time)
		p.retry = s.queue.retryAfter()
		err = p
	default:
		s.logFault("a request failed", err)
	}
	if a.status != 0 {
		panic(http.ErrAbortHandler)
	}
	problemOf(err).write(a)
}

// errGone means that the client does not read the answer.
var errGone = errors.New("the client has gone")

// statusGone is the status under which such requests are counted. No client sees it.
const statusGone = 499

// panicked answers after a panic, which does not affect other requests. abort means that the connection
// must be cut.
func (s *Server) panicked(a *answer, value any) (abort bool) {
	if value == http.ErrAbortHandler {
		return true
	}
	err := guard.Lost(value)
	if err == nil {
		err = guard.FaultOf(value)
	}
	s.logFault("a request failed", err)
	if a.status != 0 {
		return true
	}
	problemOf(err).write(a)
	return false
}

// connectionLog logs faults of connections that net/http finds, at level debug, because anybody who can
// reach the port can cause them.
func connectionLog(to *slog.Logger) *log.Logger {
	return log.New(logWriter{to}, "", 0)
}

type logWriter struct{ to *slog.Logger }

// Write implements io.Writer.
func (w logWriter) Write(p []byte) (int, error) {
	w.to.Debug("connection", "error", strings.TrimSpace(string(p)))
	return len(p), nil
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
