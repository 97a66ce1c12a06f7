package serve

import (
	"net/http"
	"strconv"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/client_golang/prometheus/promauto"
	"github.com/prometheus/client_golang/prometheus/promhttp"
)

// metrics are the server's metrics for Prometheus; docs/serving.md lists them.
type metrics struct {
	registry *prometheus.Registry

	requests     *prometheus.CounterVec   // by route and status
	seconds      *prometheus.HistogramVec // by route
	documents    *prometheus.CounterVec   // by model
	tokens       *prometheus.CounterVec   // by model and whether they are known
	batchDocs    prometheus.Histogram
	batchSeconds prometheus.Histogram
	deviceFaults prometheus.Counter
	reloads      *prometheus.CounterVec // by model and result
}

// newMetrics returns the metrics of a server with the given queue.
func newMetrics(version string, q *queue) *metrics {
	registry := prometheus.NewRegistry()
	makes := promauto.With(registry)
	counter := func(name, help string, labels ...string) *prometheus.CounterVec {
		return makes.NewCounterVec(prometheus.CounterOpts{Name: name, Help: help}, labels)
	}
	m := &metrics{
		registry: registry,
		requests: counter("topoi_serve_requests_total", "Requests answered.", "route", "status"),
		seconds: makes.NewHistogramVec(prometheus.HistogramOpts{
			Name: "topoi_serve_request_seconds", Help: "Time from the header of a request to the end of its answer.",
			Buckets: prometheus.ExponentialBuckets(0.001, 2, 16),
		}, []string{"route"}),
		documents: counter("topoi_serve_documents_total", "Documents whose topics were found.", "model"),
		tokens: counter("topoi_serve_tokens_total", "Words of documents, known and unknown to the model.", "model",
			"known"),
		batchDocs: makes.NewHistogram(prometheus.HistogramOpts{
			Name: "topoi_serve_batch_documents", Help: "Documents whose topics were found together.",
			Buckets: prometheus.ExponentialBuckets(1, 2, 14),
		}),
		batchSeconds: makes.NewHistogram(prometheus.HistogramOpts{
			Name: "topoi_serve_batch_seconds", Help: "Time that a batch took.",
			Buckets: prometheus.ExponentialBuckets(0.0002, 2, 16),
		}),
		deviceFaults: makes.NewCounter(prometheus.CounterOpts{
			Name: "topoi_serve_device_faults_total",
			Help: "Batches that failed on the device and were done by the CPU.",
		}),
		reloads: counter("topoi_serve_reloads_total", "Models that changed on disk, by outcome.", "model", "result"),
	}
	m.registry.MustRegister(collectors.NewGoCollector(),
		collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}))
	m.gauges(version, q)
	return m
}

// gauges adds the metrics that are computed on request.
func (m *metrics) gauges(version string, q *queue) {
	gauge := func(name, help string, labels prometheus.Labels, value func() float64) {
		o := prometheus.GaugeOpts{Name: name, Help: help, ConstLabels: labels}
		m.registry.MustRegister(prometheus.NewGaugeFunc(o, value))
	}
	gauge("topoi_serve_waiting_documents", "Documents waiting for a worker.", nil,
		func() float64 { docs, _ := q.waitingDocs(); return float64(docs) })
	gauge("topoi_serve_inference_requests", "Requests for topics that are waiting or being answered.", nil,
		func() float64 { _, requests := q.waitingDocs(); return float64(requests) })
	gauge("topoi_build_info", "The version of the program.", prometheus.Labels{"version": version},
		func() float64 { return 1 })
}

// answered records a request.
func (m *metrics) answered(route string, status int, took time.Duration) {
	m.requests.WithLabelValues(route, strconv.Itoa(status)).Inc()
	m.seconds.WithLabelValues(route).Observe(took.Seconds())
}

// batch records the work of a worker.
func (m *metrics) batch(v *version, items []*item, took time.Duration) {
	known, unknown := 0, 0
	for _, it := range items {
		known, unknown = known+len(it.Words), unknown+it.Unknown
	}
	m.documents.WithLabelValues(v.name).Add(float64(len(items)))
	m.tokens.WithLabelValues(v.name, "yes").Add(float64(known))
	m.tokens.WithLabelValues(v.name, "no").Add(float64(unknown))
	m.batchDocs.Observe(float64(len(items)))
	m.batchSeconds.Observe(took.Seconds())
}

func (m *metrics) handler() http.Handler {
	return promhttp.HandlerFor(m.registry, promhttp.HandlerOpts{})
}
