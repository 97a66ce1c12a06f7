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
	"fmt"
	"net"
	"net/http"
	"sync"
	"sync/atomic"
	"time"

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
	tokens   *tokens      // nil if no token is required
	certs    *certificate // nil: no TLS
	buffered *budget
	looks    chan struct{} // has an element for each request that is reading a whole model
	gpu      *topoi.Inferrer
	mux      *http.ServeMux
	draining atomic.Bool

	reloading sync.Mutex
	stopWatch context.CancelFunc
	watching  sync.WaitGroup
	closing   sync.Once
}

// New opens the models and starts the workers. The server must be closed, by Close or by the end of Serve.
func New(o Options) (*Server, error) {
	if err := o.Validate(); err != nil {
		return nil, err
	}
	o = o.withDefaults()
	s := &Server{
		options: o, limits: o.Limits, buffered: newBudget(o.Limits.Buffered),
		looks: make(chan struct{}, 2*o.Threads),
	}
	if err := s.open(); err != nil {
		s.release()
		return nil, err
	}
	s.begin()
	return s, nil
}

// open opens files and the device.
func (s *Server) open() (err error) {
	o := s.options
	if o.TokensFile != "" {
		if s.tokens, err = openTokens(o.TokensFile); err != nil {
			return err
		}
	}
	if o.CertFile != "" {
		if s.certs, err = openCertificate(o.CertFile, o.KeyFile); err != nil {
			return err
		}
	}
	if s.models, err = openModels(o.Models, o.NoDocuments); err != nil {
		return err
	}
	if o.Device != "cpu" {
		s.gpu, err = topoi.NewInferrer(o.Device, o.DeviceMemory)
	}
	return err
}

// begin starts the workers and the watcher.
func (s *Server) begin() {
	o := s.options
	s.workers = &workers{limits: s.limits, fault: s.logFault, threads: 1}
	if s.gpu == nil {
		s.queue = newQueue(s.limits, o.Threads, cpuBatch, cpuWeight, 0)
	} else {
		s.queue = newQueue(s.limits, deviceWorkers, deviceBatch, deviceWeight, o.BatchWait)
		s.workers.threads, s.workers.infer = o.Threads, s.gpu.Infer
	}
	s.metrics = newMetrics(o.Version, s.queue)
	s.workers.queue, s.workers.metrics = s.queue, s.metrics
	s.mux = s.newMux()
	s.workers.start()
	ctx, stop := context.WithCancel(context.Background())
	s.stopWatch = stop
	if o.Reload > 0 {
		s.watching.Go(func() { s.watch(ctx) })
	}
}

// watch calls Reload at regular times.
func (s *Server) watch(ctx context.Context) {
	ticker := time.NewTicker(s.options.Reload)
	defer ticker.Stop()
	for {
		select {
		case <-ticker.C:
			s.Reload()
		case <-ctx.Done():
			return
		}
	}
}

// Reload opens what has changed on disk: models, tokens, the certificate. Files that cannot be read are
// logged; the previous model and certificate then stay in use, but tokens that cannot be read are refused.
func (s *Server) Reload() {
	s.reloading.Lock()
	defer s.reloading.Unlock()
	s.models.reload(func(m *served, v *version, err error) {
		if err != nil {
			s.metrics.reloads.WithLabelValues(m.source.Name, "failed").Inc()
			s.options.Log.Error("a model changed on disk but cannot be opened: the previous one is kept", "model", m.source.Name,
				"error", err)
			return
		}
		s.metrics.reloads.WithLabelValues(m.source.Name, "taken up").Inc()
		s.options.Log.Info("loaded a model that changed on disk", "model", m.source.Name, "fingerprint", v.fingerprint)
	})
	if err := s.certs.reload(); err != nil {
		s.options.Log.Error("the certificate changed but cannot be read: the previous one is kept", "error", err)
	}
	if err := s.tokens.reload(); err != nil {
		s.options.Log.Error("the file of tokens changed but cannot be read completely: "+
			"only the tokens that were read are accepted", "error", err)
	}
}

// Serve answers requests of a listener until ctx ends. Then it drains: for Options.Drain it reports at /readyz that
// it is not ready, but answers as before and asks clients to close their connections. After that it accepts no
// connections, waits up to Limits.Time for the requests in progress, cuts the others off, and closes the server.
func (s *Server) Serve(ctx context.Context, l net.Listener) error {
	server := &http.Server{
		Handler:           s,
		ReadHeaderTimeout: min(10*time.Second, s.limits.Idle),
		IdleTimeout:       2 * time.Minute,
		MaxHeaderBytes:    64 << 10,
		ErrorLog:          connectionLog(s.options.Log),
		TLSConfig:         s.certs.config(),
	}
	ended := make(chan error, 1)
	go func() {
		l := limitConnections(l, s.limits.Connections)
		if s.certs != nil {
			ended <- server.ServeTLS(l, "", "")
		} else {
			ended <- server.Serve(l)
		}
	}()
	defer s.Close()
	select {
	case err := <-ended:
		return fmt.Errorf("cannot accept connections any more: %w", err)
	case <-ctx.Done():
	}
	s.draining.Store(true)
	select {
	case err := <-ended:
		return fmt.Errorf("cannot accept connections any more: %w", err)
	case <-time.After(s.options.Drain):
	}
	err := s.shutDown(server)
	<-ended
	return err
}

// shutDown closes the listener and idle connections, and waits for the requests in progress.
func (s *Server) shutDown(server *http.Server) error {
	wait, cancel := context.WithTimeout(context.Background(), s.limits.Time)
	defer cancel()
	err := server.Shutdown(wait)
	if errors.Is(err, context.DeadlineExceeded) {
		s.options.Log.Error("ended requests that exceeded their time limit", "time", s.limits.Time)
		err = server.Close()
	}
	return err
}

// Close ends all work and closes the models. Requests must have ended.
func (s *Server) Close() {
	s.closing.Do(func() {
		s.draining.Store(true)
		s.stopWatch()
		s.watching.Wait()
		s.workers.stop()
		s.release()
	})
}

// release closes everything that New opened.
func (s *Server) release() {
	if s.models != nil {
		s.models.close()
	}
	if s.gpu != nil {
		_ = s.gpu.Close() // a lost device cannot be closed properly
	}
}

// Models describes the models that are served.
func (s *Server) Models() []ModelInfo {
	var list []ModelInfo
	for i, m := range s.models.list {
		if v, err := s.models.use(m.source.Name); err == nil {
			list = append(list, v.info(i == 0))
			v.done()
		}
	}
	return list
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
