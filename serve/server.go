// Package serve answers HTTP requests with the topics of documents.
//
// A [Server] has one or more models, each of them in versions. A directory that is replaced on disk becomes
// the next version, and the previous one is closed when its last request is done. Requests put their
// documents into one queue, from which a few workers take documents in batches. An answer depends only on
// the model, the options and the document: the queue, the batches and the device cannot change it.
//
// docs/serving.md describes the protocol; openapi.yaml describes it for programs.
package serve

import (
	"context"
	"errors"
	"net/http"
	"sync"
	"sync/atomic"

	"golang.org/x/sync/semaphore"

	"github.com/topoi-lda/topoi"
	"github.com/topoi-lda/topoi/internal/guard"
)

// Server answers requests. It is an http.Handler, so it can be part of another program's server.
// [Server.Serve] runs a server that protects itself against slow clients.
type Server struct {
	options  Options
	limits   Limits
	models   *registry
	queue    *queue
	workers  *workers
	metrics  *metrics
	tokens   *tokens             // nil if no token is required
	certs    *certificate        // nil: no TLS
	buffered *semaphore.Weighted // bytes of bodies
	looks    *semaphore.Weighted // requests that are reading a whole model
	gpu      *topoi.Inferrer
	mux      *http.ServeMux
	draining atomic.Bool

	reloading sync.Mutex
	stopWatch context.CancelFunc
	watching  sync.WaitGroup
	closing   sync.Once
}

// logFault logs an error that should not occur.
func (s *Server) logFault(what string, err error) {
	if _, ok := errors.AsType[*problem](err); ok {
		return // it is the client's fault
	}
	args := []any{"error", err}
	if fault, ok := errors.AsType[*guard.Fault](err); ok {
		args = append(args, "stack", string(fault.Stack))
	}
	s.options.Log.Error(what, args...)
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

// panicked answers after a panic, which does not affect other requests. abort means that the connection must be cut.
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
