// Package emulated is a device on the CPU, for tests alone: it compiles the kernels'
// sources for the CPU, which needs clang++-19, and is slow.
package emulated

import (
	"errors"
	"testing"

	"github.com/topoi-lda/topoi/internal/cuda/kernels/emulate"
	"github.com/topoi-lda/topoi/internal/device"
)

// Open opens a device for a test, which ends with it. dir is the directory of the kernels' sources. Without a
// compiler the test is skipped; with TOPOI_REQUIRE_CLANG=1 in the environment it fails instead.
func Open(t testing.TB, dir string) *device.Device {
	t.Helper()
	Need(t)
	d := New(dir)
	t.Cleanup(func() {
		if err := d.Close(); err != nil {
			t.Error(err)
		}
	})
	return d
}

// Need skips a test where kernels cannot be emulated, or fails it if they must.
func Need(t testing.TB) {
	t.Helper()
	emulate.Need(t, emulate.Available())
}

// New makes a device that runs the kernels of a directory. Without one it only has memory.
func New(dir string) *device.Device {
	return device.Hosted(&runner{dir, map[string]*emulate.Emulator{}})
}

// runner implements device.Runner.
type runner struct {
	dir      string
	programs map[string]*emulate.Emulator // by module, started at first use
}

func (r *runner) Launch(module, kernel string, shape device.Shape, args ...any) error {
	p := r.programs[module]
	if p == nil {
		path, err := emulate.Compile(r.dir, module)
		if err != nil {
			return err
		}
		if p, err = emulate.Start(path); err != nil {
			return err
		}
		r.programs[module] = p
	}
	return p.Launch(kernel, shape.Blocks, shape.Threads, args...)
}

func (r *runner) Close() error {
	var faults []error
	for _, p := range r.programs {
		faults = append(faults, p.Close())
	}
	return errors.Join(faults...)
}
