package engine

import (
	"errors"
	"slices"
	"testing"

	"github.com/topoi-lda/topoi/internal/cuda"
	"github.com/topoi-lda/topoi/internal/device"
	"github.com/topoi-lda/topoi/internal/device/emulated"
	"github.com/topoi-lda/topoi/internal/grid"
	"github.com/topoi-lda/topoi/internal/sampler"
)

// openings opens devices of a directory of kernels, and counts them.
func openings(dir string, opened *int) func(int) (*device.Device, error) {
	return func(int) (*device.Device, error) {
		*opened++
		return emulated.New(dir), nil
	}
}

// Runs on a device that stays open, with what others have left there, give the topics of
// runs in memory.
func TestRunsShareADevice(t *testing.T) {
	emulated.Need(t)
	opened := 0
	where := Where{Device: "cuda", Open: openings("../cuda/kernels", &opened), Devices: new(device.Cache)}
	p := problem(sampler.Tuning{})
	p.Offsets, p.Words = p.Offsets[:151], p.Words[:p.Offsets[150]] // the emulator is slow
	p.Grids = new(grid.Cache)
	for _, run := range []struct {
		name   string
		k      int
		seed   uint64
		memory int64
	}{
		{"batch", 5, 1, 0},
		{"batch", 40, 2, 0},
		{"batch", 5, 2, 372_000},
		{"warp", 5, 1, 0},
		{"warp", 40, 2, 0},
		{"warp", 40, 3, 350_000}, // packed
		{"warp", 5, 2, 0},
	} {
		own := *p
		own.K, own.Seed = run.k, run.seed
		where.Memory = run.memory
		on, _, err := New(infoOf(run.name), &own, where, true)
		must(t, err)
		alone := own
		alone.Grids = nil
		here, err := InMemory(infoOf(run.name), &alone)
		must(t, err)
		sameRun(t, on, here, run.k)
		stayTheSame(t, on, run.k)
		if err := on.Close(); err != nil {
			t.Errorf("%+v: %v", run, err)
		}
	}
	if opened != 1 {
		t.Errorf("the device was opened %d times", opened)
	}
	must(t, where.Devices.Close())
}

// stayTheSame sees that topics that were asked for do not change with a sweep.
func stayTheSame(t *testing.T, e Engine, k int) {
	t.Helper()
	z, err := e.Topics()
	must(t, err)
	before := z.Append(nil, 0, z.Len())
	must(t, e.Sweep(t.Context(), 3, even(k)))
	later, err := e.Topics()
	must(t, err)
	if !slices.Equal(z.Append(nil, 0, z.Len()), before) || slices.Equal(later.Append(nil, 0, z.Len()), before) {
		t.Errorf("K = %d: topics have changed in the hands of others, or not at all", k)
	}
}

// even are the same priors for all topics.
func even(k int) *sampler.Priors {
	priors := &sampler.Priors{Alpha: make([]float64, k), Beta: 0.1}
	for i := range priors.Alpha {
		priors.Alpha[i] = 0.5
	}
	return priors
}

// sameRun compares topics and statistics of two engines after some sweeps.
func sameRun(t *testing.T, got, want Engine, k int) {
	t.Helper()
	priors := even(k)
	var topics [2]Topics
	for i, e := range []Engine{got, want} {
		must(t, e.Start(priors))
		for n := 1; n <= 2; n++ {
			must(t, e.Sweep(t.Context(), n, priors))
		}
		z, err := e.Topics()
		must(t, err)
		topics[i] = z
	}
	for i := range topics[1].Len() {
		if topics[0].At(i) != topics[1].At(i) {
			t.Fatalf("K = %d: token %d has topic %d, in memory %d", k, i, topics[0].At(i), topics[1].At(i))
		}
	}
	sameStatistics(t, got, want)
}

// A device that has failed is closed, and the next run opens it anew.
func TestFailedDeviceIsNotKept(t *testing.T) {
	opened := 0
	where := Where{Device: "cuda", Open: openings("no such kernels", &opened), Devices: new(device.Cache)}
	for n := 1; n <= 2; n++ {
		e, _, err := New(infoOf("grid"), problem(sampler.Tuning{}), where, true)
		must(t, err)
		if err := e.Start(priors()); err == nil {
			t.Fatal("kernels ran that are not there")
		}
		if _ = e.Close(); opened != n {
			t.Fatalf("opened %d times by %d runs", opened, n)
		}
	}
}

// A device that was lost while it waited is opened anew; where that fails, "auto" takes the
// CPU and who has asked for it gets the fault, as without a device that waits.
func TestLostWhileItWaited(t *testing.T) {
	opened, cache := 0, new(device.Cache)
	open := openings("", &opened)
	where := Where{Device: "auto", Open: open, Devices: cache}
	use := func(faults ...error) func(*device.Device, string) error {
		return func(d *device.Device, _ string) error {
			if len(faults) == 0 {
				return d.Leave()
			}
			err := faults[0]
			faults = faults[1:]
			return err
		}
	}
	for _, c := range []struct {
		name   string
		faults []error
		open   func(int) (*device.Device, error)
		device string
		placed bool
		opened int
		want   error
	}{
		{"opened", nil, open, "auto", true, 1, nil},
		{"waited", nil, open, "auto", true, 1, nil},
		{"lost", []error{cuda.ErrDeviceLost}, open, "auto", true, 2, nil},
		{"too small twice", []error{cuda.ErrOutOfMemory, cuda.ErrOutOfMemory}, open, "cuda", false, 3, cuda.ErrOutOfMemory},
		{"opened again", nil, open, "cuda", true, 4, nil},
		{"gone", []error{cuda.ErrDeviceLost}, func(int) (*device.Device, error) { return nil, cuda.ErrNoDevice }, "auto", false, 4, nil},
		{"nowhere", nil, func(int) (*device.Device, error) { return nil, cuda.ErrNoDevice }, "cuda", false, 4, cuda.ErrNoDevice},
	} {
		where.Open, where.Device = c.open, c.device
		placed, why, err := where.Place(true, use(c.faults...))
		if placed != c.placed || why != nil || !errors.Is(err, c.want) || (err != nil) != (c.want != nil) || opened != c.opened {
			t.Errorf("%s: placed %v, why %v, error %v, opened %d times", c.name, placed, why, err, opened)
		}
	}
	must(t, cache.Close())
}
