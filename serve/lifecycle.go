package serve

import (
	"context"
	"errors"
	"fmt"
	"log"
	"log/slog"
	"net"
	"net/http"
	"path"
	"runtime/debug"
	"strings"
	"time"

	"golang.org/x/sync/semaphore"

	"github.com/topoi-lda/topoi"
)

// New opens the models and starts the workers. The server must be closed, by Close or by the end of Serve.
func New(o Options) (*Server, error) {
	if err := o.Validate(); err != nil {
		return nil, err
	}
	o = o.withDefaults()
	s := &Server{
		options: o, limits: o.Limits, buffered: semaphore.NewWeighted(o.Limits.Buffered),
		looks: semaphore.NewWeighted(int64(2 * o.Threads)),
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
			s.options.Log.Error("a model changed on disk but cannot be opened: the previous one is kept", "model",
				m.source.Name,
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
		ConnContext:       hear,
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

// MetricsHandler returns a handler for /metrics alone that requires no token. Use it on a separate address:
// scrapers then need no token, and anybody who reaches that address sees only metrics.
func (s *Server) MetricsHandler() http.Handler {
	mux := http.NewServeMux()
	mux.Handle("GET /metrics", s.metrics.handler())
	return mux
}

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
	case twoLengths(r):
		h.Set("Connection", "close") // nobody knows where the next request begins
		s.fail(a, badRequest("the request has both Content-Length and Transfer-Encoding: send one of them"))
	case s.options.crossOrigin(a, r): // it has been answered
	case r.URL.Path == "" || path.Clean(r.URL.Path) != r.URL.Path && r.URL.Path != serverPath:
		s.dispatch(a, r, "none", nil)
	default:
		s.mux.ServeHTTP(a, r)
	}
}

// connectionLog logs faults of connections that net/http finds, at level debug, because anybody who can
// reach the port can cause them.
func connectionLog(to *slog.Logger) *log.Logger { return log.New(logWriter{to}, "", 0) }

type logWriter struct{ to *slog.Logger }

func (w logWriter) Write(p []byte) (int, error) {
	w.to.Debug("connection", "error", strings.TrimSpace(string(p)))
	return len(p), nil
}
