package train

import (
	"errors"
	"strings"
	"testing"

	"github.com/topoi-lda/topoi"
	"github.com/topoi-lda/topoi/internal/cuda"
	"github.com/topoi-lda/topoi/internal/device"
	"github.com/topoi-lda/topoi/internal/device/emulated"
	"github.com/topoi-lda/topoi/internal/engine"
)

// What "auto" chooses does not depend on the device that was asked for, nor does the model. Of several devices
// the choice takes the first where it has no form for more, and warns of it.
func TestDeviceDoesNotChoose(t *testing.T) {
	emulated.Need(t)
	c := zipf(20)
	o := topoi.Options{Topics: 20, Iterations: 42, Tolerance: -1, Threads: 2, Device: "cpu"}
	want := mustTrain(t, c, o)
	if name := want.Manifest().Options.Sampler; name != "cvb" {
		t.Fatalf("auto chose %s: this shows nothing", name)
	}
	var warnings []string
	var start topoi.StartInfo
	before := engine.OpenDevice
	defer func() { engine.OpenDevice = before }()
	engine.OpenDevice = func(int) (*device.Device, error) { return emulated.New(kernels), nil }
	o.Events.Warning = func(w topoi.WarningInfo) { warnings = append(warnings, w.Err.Error()) }
	o.Events.Start = func(s topoi.StartInfo) { start = s }
	for _, name := range []string{"cuda", "cuda:1,0"} {
		warnings, o.Device = nil, name
		if got := mustTrain(t, c, o); got.Fingerprint() != want.Fingerprint() {
			t.Errorf("%s: fingerprint %s, want %s", name, got.Fingerprint(), want.Fingerprint())
		}
		if !strings.HasPrefix(start.Device, "cuda:") || start.Sampler != "cvb" || !strings.Contains(start.Reason, "distinct words in a document") {
			t.Errorf("%s: %+v", name, start)
		}
		told := len(warnings) == 1 && strings.HasPrefix(warnings[0], `training on cuda:1 alone: sampler "cvb", which auto has chosen, cannot use several GPUs`)
		if name == "cuda" && len(warnings) > 0 || name != "cuda" && !told {
			t.Errorf("%s: %q", name, warnings)
		}
	}
	engine.OpenDevice = func(int) (*device.Device, error) { return nil, cuda.ErrNoDriver }
	if _, err := Run(t.Context(), c, o); !errors.Is(err, cuda.ErrNoDriver) {
		t.Errorf("%v, and there is no GPU", err)
	}
	engine.OpenDevice = func(int) (*device.Device, error) { return emulated.New(kernels), nil }
	o.Sampler, o.Tuning = "cvb", topoi.Tuning{} // of the second order, which must do with the CPU
	o.Device = "cuda"
	if _, err := Run(t.Context(), c, o); err == nil || !strings.Contains(err.Error(), "on the CPU only") {
		t.Errorf("%v", err)
	}
}

// Within a memory budget that responsibilities do not fit into, samplers stand in.
func TestChoiceWithinMemory(t *testing.T) {
	c := zipf(400)
	o := topoi.Options{Topics: 300, Iterations: 2, Device: "cpu"}
	need, err := Predict(c, o, t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	var reason string
	o.Events.Start = func(s topoi.StartInfo) { reason = s.Reason }
	for _, test := range []struct {
		memory  int64
		sampler string
		reason  string
	}{
		{int64(need.Memory) + 1, "cvb", "after 40 sweeps"},
		{int64(need.Memory) - 1, "batch", "the tables of cvb do not fit in"},
	} {
		o.Memory = test.memory
		m := mustTrain(t, c, o)
		if got := m.Manifest().Options; got.Sampler != test.sampler || !strings.Contains(reason, test.reason) {
			t.Errorf("%d bytes: %s with %+v (%s)", test.memory, got.Sampler, got.Tuning, reason)
		}
	}
}
