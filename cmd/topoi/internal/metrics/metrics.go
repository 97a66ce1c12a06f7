// Package metrics shows a worker of a cluster, or training in one process, to
// Prometheus. The latter has none of the worker's metrics.
//
//	topoi_worker_tokens_total                 tokens sampled
//	topoi_worker_seconds_total{doing}         time spent sampling, coding and waiting
//	topoi_worker_bytes_total{direction}       bytes of blobs sent to and received from the store
//	topoi_worker_parts                        parts of the corpus it has
//	topoi_worker_round                        the last round it has sampled
//	topoi_training_iteration                  the last iteration; known to the worker that leads
//	topoi_training_iterations                 the most iterations there will be
//	topoi_training_tokens_per_second          speed of the last sweep, or since the last evaluation
//	topoi_training_log_likelihood_per_token   the last evaluation's scores, in nats
//	topoi_training_heldout_per_token
//	topoi_build_info{version}                 1
//
// All carry the job's or the model's name as a label, and those of the Go runtime and of the process come with them.
package metrics

import (
	"cmp"
	"errors"
	"fmt"
	"net"
	"net/http"
	"sync"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/client_golang/prometheus/promhttp"

	"github.com/topoi-lda/topoi"
	"github.com/topoi-lda/topoi/cluster"
)

// Worker keeps the last numbers of a worker. Its methods may be called from any goroutine.
type Worker struct {
	registry *prometheus.Registry
	alone    bool // there is no cluster

	mu        sync.Mutex
	report    cluster.Report
	joined    bool                 // there was a report
	iteration *topoi.IterationInfo // nil unless this worker has led
	score     *topoi.Score         // the last one
}

// New returns the metrics of a worker of a job.
func New(job, version string) *Worker { return newWorker(job, version, false) }

// NewTraining returns the metrics of a model's training in one process.
func NewTraining(model, version string) *Worker { return newWorker(model, version, true) }

func newWorker(job, version string, alone bool) *Worker {
	w := &Worker{registry: prometheus.NewRegistry(), alone: alone}
	build := prometheus.NewGauge(prometheus.GaugeOpts{
		Name: "topoi_build_info", Help: "The version of the program.",
		ConstLabels: prometheus.Labels{"version": version},
	})
	build.Set(1)
	labelled := prometheus.WrapRegistererWith(prometheus.Labels{"job_name": job}, w.registry)
	labelled.MustRegister(w, build)
	w.registry.MustRegister(collectors.NewGoCollector(),
		collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}))
	return w
}

// Report takes the worker's numbers.
func (w *Worker) Report(r cluster.Report) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.report, w.joined = r, true
}

// Start takes how a run begins.
func (w *Worker) Start(s topoi.StartInfo) {
	w.Iteration(topoi.IterationInfo{Iteration: s.Iteration, Iterations: s.Iterations})
}

// Iteration takes what happened in training.
func (w *Worker) Iteration(i topoi.IterationInfo) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.iteration = &i
	if i.Score != nil {
		w.score = i.Score
	}
}

var (
	tokens  = prometheus.NewDesc("topoi_worker_tokens_total", "Tokens sampled.", nil, nil)
	seconds = prometheus.NewDesc("topoi_worker_seconds_total",
		"Time spent sampling, coding blobs, and waiting for the store or other workers.", []string{"doing"}, nil)
	moved = prometheus.NewDesc("topoi_worker_bytes_total", "Bytes of blobs sent to and received from the store.",
		[]string{"direction"}, nil)
	parts     = prometheus.NewDesc("topoi_worker_parts", "Parts of the corpus that the worker has.", nil, nil)
	round     = prometheus.NewDesc("topoi_worker_round", "The last round that the worker has sampled.", nil, nil)
	iteration = prometheus.NewDesc("topoi_training_iteration",
		"The last iteration of training, on the worker that leads.", nil, nil)
	most  = prometheus.NewDesc("topoi_training_iterations", "The most iterations there will be.", nil, nil)
	speed = prometheus.NewDesc("topoi_training_tokens_per_second",
		"Tokens sampled per second in the last sweep, or since the last evaluation.", nil, nil)
	joint = prometheus.NewDesc("topoi_training_log_likelihood_per_token",
		"Joint log-likelihood per token of the last evaluation, in nats.", nil, nil)
	heldout = prometheus.NewDesc("topoi_training_heldout_per_token",
		"Held-out score per token of the last evaluation, or that of the sample that is scored on the way, in nats.",
		nil, nil)
)

// Describe implements prometheus.Collector.
func (w *Worker) Describe(descs chan<- *prometheus.Desc) {
	for _, d := range []*prometheus.Desc{tokens, seconds, moved, parts, round, iteration, most, speed, joint, heldout} {
		descs <- d
	}
}

// Collect implements prometheus.Collector.
func (w *Worker) Collect(out chan<- prometheus.Metric) {
	w.mu.Lock()
	defer w.mu.Unlock()
	counter := func(d *prometheus.Desc, value float64, labels ...string) {
		out <- prometheus.MustNewConstMetric(d, prometheus.CounterValue, value, labels...)
	}
	gauge := func(d *prometheus.Desc, value float64) {
		out <- prometheus.MustNewConstMetric(d, prometheus.GaugeValue, value)
	}
	if !w.alone {
		w.collectWorker(counter, gauge)
	}
	if w.iteration != nil {
		gauge(iteration, float64(w.iteration.Iteration))
		gauge(most, float64(w.iteration.Iterations))
		gauge(speed, w.iteration.TokensPerSecond)
	}
	if w.score != nil {
		gauge(joint, w.score.LogLikelihood)
		if score := cmp.Or(w.score.HeldoutSample, w.score.Heldout); score != nil {
			gauge(heldout, *score)
		}
	}
}

// collectWorker hands out what a worker says of itself.
func (w *Worker) collectWorker(counter func(*prometheus.Desc, float64, ...string),
	gauge func(*prometheus.Desc, float64),
) {
	r := w.report
	counter(tokens, float64(r.Tokens))
	counter(seconds, r.Sampling.Seconds(), "sampling")
	counter(seconds, r.Coding.Seconds(), "coding")
	counter(seconds, r.Waiting.Seconds(), "waiting")
	counter(moved, float64(r.Sent), "sent")
	counter(moved, float64(r.Received), "received")
	gauge(parts, float64(r.Parts))
	gauge(round, float64(r.Round))
}

// ready answers 200 once a worker has taken part in its job, or for one process.
func (w *Worker) ready(out http.ResponseWriter, _ *http.Request) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if !w.alone && !w.joined {
		http.Error(out, "not ready: the worker has not joined its job yet", http.StatusServiceUnavailable)
		return
	}
	fmt.Fprintln(out, "ready")
}

// Serve serves the metrics under /metrics at an address such as ":9100", until the server that it returns is closed;
// for those who watch processes /livez answers as long as this one runs, and /readyz once it takes part.
func (w *Worker) Serve(address string) (*Server, error) {
	listener, err := net.Listen("tcp", address)
	if err != nil {
		if op, ok := errors.AsType[*net.OpError](err); ok {
			err = op.Err
		}
		return nil, fmt.Errorf("cannot serve metrics at %s: %w: give another address, such as :9101", address, err)
	}
	mux := http.NewServeMux()
	mux.Handle("/metrics", promhttp.HandlerFor(w.registry, promhttp.HandlerOpts{}))
	mux.HandleFunc("/livez", func(out http.ResponseWriter, _ *http.Request) { fmt.Fprintln(out, "alive") })
	mux.HandleFunc("/readyz", w.ready)
	mux.HandleFunc("/{$}", func(out http.ResponseWriter, _ *http.Request) {
		fmt.Fprintln(out, "topoi: metrics are at /metrics")
	})
	s := &Server{Addr: listener.Addr().String(), http: http.Server{Handler: mux, ReadHeaderTimeout: 10 * time.Second}}
	go func() { _ = s.http.Serve(listener) }() // ends with Close
	return s, nil
}

// Server is a running server of metrics.
type Server struct {
	Addr string // host:port where it listens
	http http.Server
}

// Close stops it.
func (s *Server) Close() error { return s.http.Close() }
