package device

import (
	"errors"

	"github.com/topoi-lda/topoi/internal/cuda/kernels/emulate"
)

// emulated runs kernels on the CPU, compiled from their sources.
type emulated struct {
	dir, scratch string
	programs     map[string]*emulate.Emulator // by module
}

// Emulate makes a device of the CPU: slow, for tests. dir is the directory of the
// kernels' sources, scratch one for programs.
func Emulate(dir, scratch string) *Device {
	return &Device{machine: &emulated{dir, scratch, map[string]*emulate.Emulator{}}}
}

// Name implements machine.
func (e *emulated) Name() string { return "emulator" }

// Launch implements machine.
func (e *emulated) Launch(module, kernel string, shape Shape, args ...any) error {
	p := e.programs[module]
	if p == nil {
		path, err := emulate.Compile(e.dir, module, e.scratch)
		if err != nil {
			return err
		}
		if p, err = emulate.Start(path); err != nil {
			return err
		}
		e.programs[module] = p
	}
	for i, arg := range args {
		if b, ok := arg.(buffer); ok {
			args[i] = b.slice()
		}
	}
	return p.Launch(kernel, shape.Blocks, shape.Threads, args...)
}

// Wait implements machine.
func (e *emulated) Wait() error { return nil }

// Together implements machine.
func (e *emulated) Together(fn func() error) error { return fn() }

// Processors implements machine.
func (e *emulated) Processors() int { return 2 }

// SharedMemory implements machine.
func (e *emulated) SharedMemory() int { return 256 << 10 }

// Close implements machine.
func (e *emulated) Close() error {
	var faults []error
	for _, p := range e.programs {
		faults = append(faults, p.Close())
	}
	return errors.Join(faults...)
}
