package serve

import (
	"context"
	"errors"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/topoi-lda/topoi"
	"github.com/topoi-lda/topoi/corpus"
)

// device takes the place of a GPU: it infers as one does, a batch at a time, and keeps
// their sizes.
type device struct {
	mu      sync.Mutex
	batches []int
	fault   error
}

func (d *device) Infer(ctx context.Context, m *topoi.Model, docs *corpus.Corpus, o topoi.InferOptions, emit func(*topoi.DocTopics) error) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.batches = append(d.batches, docs.NumDocs())
	if d.fault != nil {
		return d.fault
	}
	return m.Infer(ctx, docs, o, emit)
}

// withDevice starts a server whose workers use d, with a bound of latency.
func withDevice(t *testing.T, d *device, wait time.Duration) *running {
	s := start(t, Options{Threads: 2})
	s.workers.stop()
	s.queue = newQueue(s.limits, deviceWorkers, deviceBatch, deviceWeight, wait)
	s.workers = &workers{queue: s.queue, limits: s.limits, metrics: s.metrics, fault: s.logFault, threads: 2, infer: d.Infer}
	s.workers.start()
	return s
}

// Documents that come within the bound are inferred together, those of a stream and of
// single requests alike, and answers are as ever.
func TestDeviceBatches(t *testing.T) {
	want := start(t, Options{}).postJSON("/v1/infer", jsonBody(texts(1, 40), "")).body
	d := &device{}
	s := withDevice(t, d, 300*time.Millisecond)
	if got := s.postJSON("/v1/infer", jsonBody(texts(1, 40), "")).body; got != want {
		t.Errorf("got %.300s", got)
	}
	if len(d.batches) != 1 || d.batches[0] != 40 {
		t.Errorf("batches of %v", d.batches)
	}
	d.batches = nil
	var group sync.WaitGroup
	for range 30 {
		group.Go(func() {
			if r := s.get("/v1/infer?text=garden"); r.status != 200 {
				t.Error(r)
			}
		})
	}
	if r := s.lines("/v1/infer", strings.Repeat("\"ship\"\n", 30)); strings.Count(r.body, "\n") != 30 {
		t.Error(r)
	}
	group.Wait()
	d.mu.Lock()
	defer d.mu.Unlock()
	if len(d.batches) > 4 {
		t.Errorf("60 documents in batches of %v", d.batches)
	}
}

// A document alone does not wait for others longer than the bound.
func TestDeviceLatency(t *testing.T) {
	s := withDevice(t, &device{}, 50*time.Millisecond)
	s.get("/v1/infer?text=garden")
	begun := time.Now()
	if r := s.get("/v1/infer?text=garden"); r.status != 200 {
		t.Error(r)
	}
	if took := time.Since(begun); took < 50*time.Millisecond || took > time.Minute {
		t.Errorf("it took %s", took)
	}
}

// Where the device fails, the CPU gives the same answer.
func TestDeviceFaults(t *testing.T) {
	want := start(t, Options{}).get("/v1/infer?text=garden").body
	d := &device{fault: errors.New("the device is lost")}
	s := withDevice(t, d, time.Millisecond)
	if r := s.get("/v1/infer?text=garden"); r.body != want || len(d.batches) != 1 {
		t.Errorf("got %d %s", r.status, r.body)
	}
	if !strings.Contains(s.get("/metrics").body, "topoi_serve_device_faults_total 1\n") {
		t.Error("the fault is not counted")
	}
}
