package device

import (
	"github.com/topoi-lda/topoi/internal/cuda"
)

// machine has the functions that differ between a GPU and the emulator.
type machine interface {
	// Name returns the device's model.
	Name() string

	// Launch puts a kernel into the main queue. Arguments are buffers, uint32 and uint64.
	Launch(module, kernel string, shape Shape, args ...any) error

	// Prepare starts compiling kernels of a module in the background.
	Prepare(module string, kernels ...string)

	// Wait blocks until the main queue is empty and returns the error of what failed in it.
	Wait() error

	// Together calls fn. Many launches inside fn cost less than outside.
	Together(fn func() error) error

	// Processors returns how many blocks of threads can run at the same time at least.
	Processors() int

	// SharedMemory returns the largest shared memory of a block of threads, in bytes.
	SharedMemory() int

	// Close releases the device.
	Close() error
}

// Shape is the size of a launch.
type Shape = cuda.Shape

// buffer is a Buffer of any type.
type buffer interface {
	array() any
	slice() any
}

// gpu is a machine: an NVIDIA GPU with one stream.
type gpu struct {
	ctx       *cuda.Context
	stream    *cuda.Stream
	functions map[string]*cuda.Function
}

func (g *gpu) Name() string { return g.ctx.Device.Name }

func (g *gpu) Launch(module, kernel string, shape Shape, args ...any) error {
	return g.launch(g.stream, module, kernel, shape, args)
}

// launch puts a kernel into a stream.
func (g *gpu) launch(stream *cuda.Stream, module, kernel string, shape Shape, args []any) error {
	f := g.functions[kernel]
	if f == nil {
		var err error
		if f, err = g.ctx.Kernel(module, kernel); err != nil {
			return err
		}
		g.functions[kernel] = f
	}
	for i, arg := range args {
		if b, ok := arg.(buffer); ok {
			args[i] = b.array()
		}
	}
	return f.Launch(stream, shape, args...)
}

func (g *gpu) Prepare(module string, kernels ...string) { g.ctx.Prepare(module, kernels...) }

func (g *gpu) Wait() error { return g.stream.Wait() }

func (g *gpu) Together(fn func() error) error { return g.ctx.Run(fn) }

func (g *gpu) Processors() int { return g.ctx.Device.SMs }

func (g *gpu) SharedMemory() int { return g.ctx.Device.SharedOptIn }

func (g *gpu) Close() error { return g.ctx.Close() }

// Runner runs kernels on host memory, immediately and in order. Package emulated has one for tests.
type Runner interface {
	// Launch runs a kernel. Arguments are slices, which it may change, uint32 and uint64.
	Launch(module, kernel string, shape Shape, args ...any) error

	// Close releases the runner.
	Close() error
}

// hosted is a machine whose memory is that of the host.
type hosted struct{ Runner }

func (h hosted) Launch(module, kernel string, shape Shape, args ...any) error {
	for i, arg := range args {
		if b, ok := arg.(buffer); ok {
			args[i] = b.slice()
		}
	}
	return h.Runner.Launch(module, kernel, shape, args...)
}

func (h hosted) Name() string { return "emulator" }

func (h hosted) Wait() error { return nil }

func (h hosted) Together(fn func() error) error { return fn() }

func (h hosted) Processors() int { return 2 }

func (h hosted) Prepare(string, ...string) {}

func (h hosted) SharedMemory() int { return 256 << 10 }
