package sweep

import (
	"errors"
	"testing"

	"github.com/topoi-lda/topoi/internal/cuda"
	"github.com/topoi-lda/topoi/internal/device"
	"github.com/topoi-lda/topoi/internal/device/emulated"
	"github.com/topoi-lda/topoi/internal/engine"
	"github.com/topoi-lda/topoi/train"
)

// emulating lets runs have an emulated GPU, and counts how often it is opened.
func emulating(t *testing.T) (opened *int) {
	t.Helper()
	emulated.Need(t)
	before := engine.OpenDevice
	t.Cleanup(func() { engine.OpenDevice = before })
	opened = new(int)
	engine.OpenDevice = func(int) (*device.Device, error) {
		*opened++
		return emulated.New("../internal/cuda/kernels"), nil
	}
	return opened
}

// onDeviceOptions are those of four runs that are short enough for the emulator.
func onDeviceOptions(where string) Options {
	o := smallOptions()
	o.Topics, o.Keep = []int{2, 40}, keepNone
	o.Train.Device, o.Train.Sampler, o.Train.Iterations, o.Train.Tolerance = where, "batch", 3, -1
	return o
}

// A sweep on one GPU, which is opened once, gives what single runs give and what a sweep by
// the CPU gives.
func TestSweepOnDevice(t *testing.T) {
	opened := emulating(t)
	c, dir := small(t)
	r := do(t, dir+"/device", c, onDeviceOptions("cuda"), false)
	if *opened != 1 {
		t.Errorf("the GPU was opened %d times", *opened)
	}
	do(t, dir+"/cpu", c, onDeviceOptions("cpu"), false)
	for _, table := range []string{"sweep.csv", "topics.csv", "stability.csv"} {
		if got, want := read(t, dir, "device", table), read(t, dir, "cpu", table); got != want {
			t.Errorf("%s is\n%s, by the CPU\n%s", table, got, want)
		}
	}
	for _, g := range r.Groups {
		for _, rec := range g.Records {
			o := onDeviceOptions("cuda").Train
			o.Topics, o.Seed = rec.Topics, rec.Seed
			m, err := train.Run(t.Context(), c, o)
			if err != nil {
				t.Fatal(err)
			}
			if m.Fingerprint() != rec.Fingerprint {
				t.Errorf("%s is another model than that of a single run", rec.Run().Name())
			}
		}
	}
}

// A sweep whose GPU is lost in the second run says so, and goes on with the runs that are left, on a GPU that is
// opened anew.
func TestSweepLosesDevice(t *testing.T) {
	opened := emulating(t)
	c, dir := small(t)
	want := do(t, dir+"/whole", c, onDeviceOptions("cpu"), false)
	*opened = 0
	whole := engine.OpenDevice
	engine.OpenDevice = func(n int) (*device.Device, error) {
		d, err := whole(n)
		return device.Hosted(&failing{d, 40}), err
	}
	o := onDeviceOptions("cuda")
	s, err := Begin(dir+"/lost", c, o, false)
	if err != nil {
		t.Fatal(err)
	}
	if _, err = s.Run(t.Context()); !errors.Is(err, cuda.ErrDeviceLost) {
		t.Fatalf("%v", err)
	}
	pending, err := s.Pending()
	if err != nil || len(pending) == 0 || len(pending) == len(want.Groups)*o.Seeds || *opened != 1 {
		t.Fatalf("%d runs are left (%v), the GPU was opened %d times", len(pending), err, *opened)
	}
	engine.OpenDevice = whole
	if do(t, dir+"/lost", c, o, true); *opened != 2 {
		t.Errorf("the GPU was opened %d times", *opened)
	}
	if got, want := read(t, dir, "lost", "sweep.csv"), read(t, dir, "whole", "sweep.csv"); got != want {
		t.Errorf("sweep.csv is\n%s, want\n%s", got, want)
	}
}

// failing is a device that is lost after some launches.
type failing struct {
	*device.Device
	left int
}

func (f *failing) Launch(module, kernel string, shape device.Shape, args ...any) error {
	if f.left--; f.left < 0 {
		return cuda.ErrDeviceLost
	}
	return f.Device.Launch(module, kernel, shape, args...)
}
