package train

import (
	"fmt"
	"sort"
	"strings"
	"testing"

	"github.com/topoi-lda/topoi"
	"github.com/topoi-lda/topoi/internal/cuda/kernels/emulate"
	"github.com/topoi-lda/topoi/internal/device"
	"github.com/topoi-lda/topoi/internal/device/emulated"
	"github.com/topoi-lda/topoi/internal/engine"
	"github.com/topoi-lda/topoi/internal/sampler"
	"github.com/topoi-lda/topoi/internal/sampler/registry"
)

// emulate begins to compile the kernels, while other runs go on.
func (g *golden) emulate(t *testing.T) {
	g.ready = make(chan error)
	done := make(chan struct{})
	t.Cleanup(func() { close(done) })
	go func() {
		err := emulate.Available()
		for _, name := range strings.Fields(goldenKernels) {
			if err == nil {
				_, err = emulate.Compile(kernels, name)
			}
		}
		for {
			select {
			case g.ready <- err:
			case <-done:
				return
			}
		}
	}()
}

const kernels = "../internal/cuda/kernels"

// goldenKernels are those that the runs need; others would be compiled when they do.
const goldenKernels = `batch batch_groups batch_order count cvb cvb_state fold grid mean statistics
	warp_lists warp_words warp_docs warp_word_groups warp_doc_groups warp_stream warp_stream_groups
	warp_packed_words_10x2 warp_packed_docs_10x2 warp_packed_statistics`

// onEmulator calls f with a device that is emulated, or returns "" where there is none.
func (g *golden) onEmulator(t *testing.T, f func(open func(int) (*device.Device, error)) string) string {
	t.Helper()
	if err := emulate.Available(); err != nil {
		if emulate.Required() {
			t.Fatal(err)
		}
		return ""
	}
	mustBe(t, <-g.ready)
	before := engine.OpenDevice
	defer func() { engine.OpenDevice = before }()
	engine.OpenDevice = func(int) (*device.Device, error) { return emulated.New(kernels), nil }
	return f(engine.OpenDevice)
}

// goldenDevices are runs on a GPU. Those within little memory let the corpus pass through.
var goldenDevices = []struct {
	form    string
	sampler string
	k       int
	tuning  topoi.Tuning
	docs    int // of the corpus
	little  bool
}{
	{"resident", "batch", 20, topoi.Tuning{}, 60, false},
	{"resident;K=40", "batch", 40, topoi.Tuning{MiniBatches: 3}, 60, false},
	{"streamed", "batch", 1000, topoi.Tuning{}, 60, true},
	{"resident", "warp", 20, topoi.Tuning{}, 60, false},
	{"resident;M=3", "warp", 40, topoi.Tuning{MHSteps: 3}, 60, false},
	{"packed", "warp", 20, topoi.Tuning{}, 250, true},
	{"streamed", "warp", 20, topoi.Tuning{MHSteps: 3}, 60, true},
	{"resident", "grid", 20, topoi.Tuning{}, 60, false},
	{"resident", "cvb", 20, topoi.Tuning{CVB: "zero"}, 60, false},
	{"resident;K=140", "cvb", 140, topoi.Tuning{CVB: "zero", ExactSweeps: 2, Partitions: 3}, 60, false},
	{"resident", "mean", 20, topoi.Tuning{}, 60, false},
	{"resident;butterfly", "mean", 20, topoi.Tuning{Draw: "butterfly", Precision: "float32"}, 60, false},
	{"resident;transposed", "mean", 20, topoi.Tuning{Draw: "transposed", Uncollapsed: true}, 60, false},
}

func (g *golden) devices() {
	for _, run := range goldenDevices {
		o, c := goldenOptions(run.sampler, run.k, 2), zipf(run.docs)
		o.Tuning, o.Iterations = run.tuning, 4
		there := o
		there.Device = "cuda"
		g.add(fmt.Sprintf("%s/gpu;%s", run.sampler, run.form), func(t *testing.T) string {
			return g.onEmulator(t, func(open func(int) (*device.Device, error)) string {
				if run.little {
					there.DeviceMemory = leastDeviceMemory(t, run.sampler, problemOf(c, run.k, run.tuning), open)
				}
				return goldenModel(mustTrain(t, c, there))
			})
		})
		g.train(fmt.Sprintf("%s/cpu;%s", run.sampler, run.form), c, o)
	}
	for _, k := range []int{3, 100} { // with α of its own for each group of documents
		o := covariateOptions()
		o.Topics, o.Sampler, o.Iterations, o.Device = k, "batch", 11, "cuda"
		g.add(fmt.Sprintf("batch/gpu;covariates;K=%d", k), func(t *testing.T) string {
			return g.onEmulator(t, func(func(int) (*device.Device, error)) string {
				return goldenModel(mustTrain(t, columnDocs(t, 60, 20), o))
			})
		})
		here := o
		here.Device = "cpu"
		g.add(fmt.Sprintf("batch/cpu;covariates;K=%d", k), func(t *testing.T) string { return goldenModel(mustTrain(t, columnDocs(t, 60, 20), here)) })
	}
	for _, name := range []string{"batch", "warp"} {
		g.add(name+"/gpu;parts", func(t *testing.T) string {
			return g.onEmulator(t, func(open func(int) (*device.Device, error)) string {
				d, err := open(0)
				mustBe(t, err)
				defer func() { mustBe(t, d.Close()) }()
				return goldenParts(t, name, problemOf(g.small, 20, topoi.Tuning{}), 3, 2, d)
			})
		})
		g.add(name+"/cpu;parts", func(t *testing.T) string {
			return goldenParts(t, name, problemOf(g.small, 20, topoi.Tuning{}), 3, 2, nil)
		})
	}
}

// leastDeviceMemory is the smallest memory with which a sampler runs on a device.
func leastDeviceMemory(t *testing.T, name string, p *sampler.Problem, open func(int) (*device.Device, error)) int64 {
	t.Helper()
	d, err := open(0)
	mustBe(t, err)
	defer func() { mustBe(t, d.Close()) }()
	info, _ := registry.Find(name)
	return int64(sort.Search(1<<30, func(limit int) bool {
		d.Limit(int64(limit) + 1)
		s, err := info.On(p, d)
		if err == nil {
			mustBe(t, s.Close())
		}
		return err == nil
	})) + 1
}
