package device

import (
	"errors"

	"github.com/topoi-lda/topoi/internal/cuda"
)

// gpu is an NVIDIA GPU with one stream.
type gpu struct {
	ctx       *cuda.Context
	stream    *cuda.Stream
	functions map[string]*cuda.Function
}

// Open opens the GPU with the given ordinal.
func Open(ordinal int) (*Device, error) {
	ctx, err := cuda.Open(ordinal)
	if err != nil {
		return nil, err
	}
	stream, err := ctx.NewStream()
	if err != nil {
		return nil, errors.Join(err, ctx.Close())
	}
	return &Device{machine: &gpu{ctx: ctx, stream: stream, functions: map[string]*cuda.Function{}}}, nil
}

// Name implements machine.
func (g *gpu) Name() string { return g.ctx.Device.Name }

// Launch implements machine.
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

// Prepare implements machine.
func (g *gpu) Prepare(module string, kernels ...string) { g.ctx.Prepare(module, kernels...) }

// Wait implements machine.
func (g *gpu) Wait() error { return g.stream.Wait() }

// Together implements machine.
func (g *gpu) Together(fn func() error) error { return g.ctx.Run(fn) }

// Processors implements machine.
func (g *gpu) Processors() int { return g.ctx.Device.SMs }

// SharedMemory implements machine.
func (g *gpu) SharedMemory() int { return g.ctx.Device.SharedOptIn }

// Close implements machine.
func (g *gpu) Close() error { return g.ctx.Close() }
