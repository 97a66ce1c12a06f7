package cluster

import (
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/topoi-lda/topoi/internal/tier"

	"github.com/topoi-lda/topoi"
	"github.com/topoi-lda/topoi/corpus"
	"github.com/topoi-lda/topoi/internal/cluster/lead"
	"github.com/topoi-lda/topoi/internal/cuda"
	"github.com/topoi-lda/topoi/internal/device"
	"github.com/topoi-lda/topoi/internal/device/emulated"
	"github.com/topoi-lda/topoi/internal/engine"
	"github.com/topoi-lda/topoi/internal/redistest"
	"github.com/topoi-lda/topoi/train"
)

// emulatedWorker is a worker with a GPU that is emulated.
func emulatedWorker(t *testing.T) WorkOptions {
	t.Helper()
	emulated.Need(t)
	return WorkOptions{Threads: 1, Device: "cuda", open: func(int) (*device.Device, error) {
		return emulated.New("../internal/cuda/kernels"), nil
	}}
}

// workTogether submits a job, lets the given workers do it, and returns the model and
// what they were told to be in status.
func workTogether(t *testing.T, c *corpus.Corpus, opts topoi.Options, where testJob, workers []WorkOptions) (*topoi.Model, []string) {
	t.Helper()
	where.Workers, where.Lease = len(workers), 2*time.Second
	if err := where.submit(t.Context(), c, opts); err != nil {
		t.Fatal(err)
	}
	var group sync.WaitGroup
	var mutex sync.Mutex
	errs, devices := make([]error, len(workers)), make([]string, len(workers))
	for i, how := range workers {
		how.Name = fmt.Sprint("worker", i)
		how.Reports = func(r Report) {
			mutex.Lock()
			defer mutex.Unlock()
			if r.Tokens > 0 {
				devices[i] = r.Device
			}
		}
		group.Go(func() { errs[i] = where.Work(t.Context(), c, how) })
	}
	group.Wait()
	if err := errors.Join(errs...); err != nil {
		t.Fatal(err)
	}
	m, err := where.Collect(t.Context(), c)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := where.Cancel(t.Context()); err != nil {
		t.Fatal(err)
	}
	return m, devices
}

// GPUs, CPUs and both together give the model of one process, whatever the staleness.
func TestClusterOfDevicesGivesTheSameModel(t *testing.T) {
	tier.Long(t, "kernels are compared with Go one by one")
	t.Run("emulated", func(t *testing.T) { sameModelFromDevices(t, emulatedWorker(t), 1) })
	t.Run("gpu", func(t *testing.T) {
		if _, err := cuda.Devices(); cuda.Unavailable(err) && os.Getenv("TOPOI_REQUIRE_GPU") == "" {
			t.Skipf("needs a GPU: %v", err)
		}
		sameModelFromDevices(t, WorkOptions{Device: "cuda"}, 10)
	})
}

// sameModelFromDevices trains with the given worker on a GPU, alone and beside CPUs, on a
// few blocks of documents times a size.
func sameModelFromDevices(t *testing.T, gpu WorkOptions, size int) {
	cpu := WorkOptions{Threads: 2, Device: "cpu"}
	gpu1, cpu1 := gpu, cpu // with one thread, a part on the CPU may tell of its changes later
	gpu1.Threads, cpu1.Threads = 1, 1
	server := redistest.Start(t, redistest.Config{})
	before := lead.WorkersWait // nothing begins until all workers are there
	lead.WorkersWait = time.Minute
	t.Cleanup(func() { lead.WorkersWait = before })
	for _, test := range []struct {
		name    string
		tuning  topoi.Tuning
		rows    string
		workers []WorkOptions
		guided  bool
	}{
		{"warp", topoi.Tuning{}, rowsApart, []WorkOptions{gpu, cpu}, false},
		{"warp", topoi.Tuning{Staleness: 1, Parts: 2}, rowsApart, []WorkOptions{gpu1, cpu1}, false},
		{"warp", topoi.Tuning{}, rowsWhole, []WorkOptions{gpu, cpu}, false},                         // rows on the device from here on
		{"warp", topoi.Tuning{Staleness: 1, Parts: 2}, rowsWhole, []WorkOptions{gpu1, cpu1}, false}, // that lean towards the one part
		{"warp", topoi.Tuning{Staleness: 2, Parts: 3}, rowsWhole, []WorkOptions{gpu}, false},        // towards one part after the other
		{"batch", topoi.Tuning{}, rowsWhole, []WorkOptions{cpu, gpu}, false},
		{"batch", topoi.Tuning{Staleness: 2, Parts: 3}, rowsWhole, []WorkOptions{gpu, cpu}, false},
		{"warp", topoi.Tuning{}, rowsApart, []WorkOptions{gpu, cpu}, true},
		{"warp", topoi.Tuning{Staleness: 1, Parts: 2}, rowsWhole, []WorkOptions{gpu1, cpu1}, true},
		{"batch", topoi.Tuning{}, rowsWhole, []WorkOptions{cpu, gpu}, true},
	} {
		t.Run(fmt.Sprint(test.name, test.tuning.Staleness, len(test.workers), test.rows, test.guided), func(t *testing.T) {
			c := zipf(size * map[string]int{"warp": 1400, "batch": 200}[test.name])
			opts := topoi.Options{
				Sampler: test.name, Tuning: test.tuning, Topics: 20, Seed: 3, Iterations: 4,
				EvaluateEvery: 2, BurnIn: 1, OptimizeInterval: 2, Device: "cpu",
			}
			if test.guided {
				opts = guided(c, opts, true)
			}
			want, err := train.Run(t.Context(), c, opts)
			if err != nil {
				t.Fatal(err)
			}
			onGPU := func(name string) bool { return strings.HasPrefix(name, "cuda:0 (") }
			where := testJob{Job{Store: server.SocketURL(), Name: "both"}, SubmitOptions{}}
			where.Layout.Rows = test.rows
			got, devices := workTogether(t, c, opts, where, test.workers)
			sameBytes(t, got, want)
			if !slices.ContainsFunc(devices, onGPU) || len(test.workers) > 1 && !slices.Contains(devices, "cpu") {
				t.Errorf("worked on %q", devices)
			}
		})
	}
}

// A GPU that was not asked for may fail: its worker goes on with the CPU.
func TestWorkerDoesWithoutAFailingGPU(t *testing.T) {
	gpu := emulatedWorker(t)
	gpu.Device, gpu.DeviceMemory = "auto", 1000
	var told []string
	gpu.Tell = func(text string) { told = append(told, text) }
	server := redistest.Start(t, redistest.Config{})
	where := testJob{Job{Store: server.SocketURL(), Name: "fails"}, SubmitOptions{}}
	c := zipf(100)
	opts := topoi.Options{Sampler: "warp", Topics: 5, Iterations: 3, Device: "cpu"}
	want, err := train.Run(t.Context(), c, opts)
	if err != nil {
		t.Fatal(err)
	}
	enoughTokens(t, 1)
	got, devices := workTogether(t, c, opts, where, []WorkOptions{gpu})
	sameBytes(t, got, want)
	if !slices.Equal(devices, []string{"cpu"}) {
		t.Errorf("worked on %q", devices)
	}
	if !slices.ContainsFunc(told, func(text string) bool {
		return strings.HasPrefix(text, "joining again without the GPU: the device's memory is too small for a part of warp: ") && !strings.Contains(text, "\n")
	}) {
		t.Errorf("told %q", told)
	}

	// One that was asked for ends the worker, and another does the job.
	if err := where.submit(t.Context(), c, opts); err != nil {
		t.Fatal(err)
	}
	gpu.Device = "cuda"
	if err := where.Work(t.Context(), c, gpu); !errors.Is(err, cuda.ErrOutOfMemory) {
		t.Errorf("got %v", err)
	}
	if status, err := where.Status(t.Context()); err != nil || len(status.Workers) != 0 {
		t.Errorf("status %+v, %v; want a job without workers", status, err)
	}
	if err := where.Work(t.Context(), c, WorkOptions{Device: "cpu"}); err != nil {
		t.Fatal(err)
	}
	m, err := where.Collect(t.Context(), c)
	if err != nil {
		t.Fatal(err)
	}
	sameBytes(t, m, want)
}

// enoughTokens sets how many tokens "auto" wants before it takes a GPU.
func enoughTokens(t *testing.T, tokens int) {
	before := engine.GPUTokens
	t.Cleanup(func() { engine.GPUTokens = before })
	engine.GPUTokens = tokens
}

func TestWorkersRefuseDevices(t *testing.T) {
	server := redistest.Start(t, redistest.Config{})
	where := testJob{Job{Store: server.SocketURL(), Name: "light"}, SubmitOptions{}}
	c := zipf(100)
	if err := where.submit(t.Context(), c, topoi.Options{Sampler: "light", Topics: 5, Iterations: 2}); err != nil {
		t.Fatal(err)
	}
	one(t, where.Work(t.Context(), c, WorkOptions{Device: "cuda"}), `sampler "light" runs on the CPU only, while warp and batch also work on a GPU: use Options.Device = cpu`)
	one(t, where.Work(t.Context(), c, WorkOptions{Device: "gpu"}), `unknown device "gpu": it must be auto, cpu, cuda`)
	if err := where.Work(t.Context(), c, WorkOptions{Device: "auto"}); err != nil {
		t.Error(err)
	}
}
