// Package device is where kernels run: a GPU, or an emulator on the CPU for tests
// without one. Both have memory of their own and one queue of work, done in order.
package device

import (
	"cmp"
	"errors"
	"slices"

	"github.com/topoi-lda/topoi/internal/cuda"
)

// Device runs kernels. Not safe for concurrent use.
type Device struct {
	machine
	limit int64 // bytes of its memory to use at most, 0 for all that is free
	taken int64 // bytes allocated since the limit was set, less those of them that were freed
	turns int   // how often a limit was set

	cache   *Cache        // where it goes when a run is over; nil: it is closed then
	ordinal int           // there
	kept    []*keptBuffer // oldest first
}

// machine is what differs between a GPU and the emulator.
type machine interface {
	// Name is the device's model.
	Name() string

	// Launch puts a kernel into the queue. Arguments are buffers, uint32 and uint64.
	Launch(module, kernel string, shape Shape, args ...any) error

	// Prepare begins to compile kernels of a module, beside what else is being done.
	Prepare(module string, kernels ...string)

	// Wait blocks until the queue is empty and reports what failed in it.
	Wait() error

	// Together runs fn, in which many launches cost less.
	Together(fn func() error) error

	// Processors is how many blocks of threads can run at once at least.
	Processors() int

	// SharedMemory is how many bytes of it a block of threads can have.
	SharedMemory() int

	// Close gives everything back.
	Close() error
}

// Shape is the extent of one launch.
type Shape = cuda.Shape

// Buffer is memory of a device.
type Buffer[T cuda.Number] struct {
	gpu    *cuda.Array[T]
	stream *cuda.Stream
	host   []T     // the emulator's
	n      int     // numbers
	of     *Device // to whose limit free gives them back; nil for views
	turn   int     // the device's turns when it was allocated
}

// newBuffer allocates n numbers, whose values are undefined.
func newBuffer[T cuda.Number](d *Device, n int) (*Buffer[T], error) {
	if err := d.take(int64(n) * size[T]()); err != nil {
		return nil, err
	}
	g, ok := d.machine.(*gpu)
	if !ok {
		return &Buffer[T]{host: make([]T, n), n: n, of: d, turn: d.turns}, nil
	}
	var array *cuda.Array[T]
	err := d.allocating(func() (err error) { array, err = cuda.NewArray[T](g.ctx, n); return err })
	if err != nil {
		d.taken -= int64(n) * size[T]()
		return nil, err
	}
	return &Buffer[T]{gpu: array, stream: g.stream, n: n, of: d, turn: d.turns}, nil
}

// Upload copies src to the beginning of the buffer.
func (b *Buffer[T]) Upload(src []T) error {
	if b.gpu == nil {
		copy(b.host, src)
		return nil
	}
	return b.gpu.Upload(b.stream, src)
}

// Download waits for the queue and copies the beginning of the buffer to dst.
func (b *Buffer[T]) Download(dst []T) error {
	if b.gpu == nil {
		copy(dst, b.host)
		return nil
	}
	return b.gpu.Download(b.stream, dst)
}

// Zero puts the filling with zeros into the queue.
func (b *Buffer[T]) Zero() error {
	if b.gpu == nil {
		clear(b.host)
		return nil
	}
	return b.gpu.ZeroAsync(b.stream)
}

// free gives the memory back.
func (b *Buffer[T]) free() error {
	if b.of != nil && b.of.turns == b.turn {
		b.of.taken -= int64(b.n) * size[T]()
	}
	if b.gpu == nil {
		return nil
	}
	return b.gpu.Free()
}

// array and slice make the buffer an argument of a launch.
func (b *Buffer[T]) array() any { return b.gpu }
func (b *Buffer[T]) slice() any { return b.host }

// buffer is a Buffer of any kind.
type buffer interface {
	array() any
	slice() any
}

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

// Flatten takes lists among arguments of a launch apart.
func Flatten(args []any) []any {
	var flat []any
	for _, arg := range args {
		if list, ok := arg.([]any); ok {
			flat = append(flat, Flatten(list)...)
		} else {
			flat = append(flat, arg)
		}
	}
	return flat
}

// Spread is the shape of a launch for n things, one a thread at a time, with at most
// so many blocks of threads for each processor.
func Spread(d *Device, n, threads, shared, blocks int) Shape {
	return Shape{Blocks: min((n+threads-1)/threads, blocks*d.Processors()), Threads: threads, Shared: shared}
}

// FirstError returns the first error. A lost device fails in every call after the one
// that lost it, and one sentence about it is enough.
func FirstError(list ...error) error {
	return cmp.Or(list...)
}

func Flag(on bool) uint32 {
	if on {
		return 1
	}
	return 0
}

// Arena is memory, queues and marks of a device that belong together. They are taken one
// after the other without a look at faults, and given back all at once:
//
//	a := d.NewArena()
//	words, nk := device.Upload(a, p.Words), device.Alloc[uint32](a, k)
//	if err := a.Err(); err != nil {
//		return errors.Join(err, a.Close())
//	}
//
// After the first fault nothing more is taken, and what is returned is nil.
type Arena struct {
	device *Device
	owned  []owned
	err    error
}

// owned is what an arena gives back.
type owned interface{ free() error }

// NewArena makes an arena.
func (d *Device) NewArena() *Arena { return &Arena{device: d} }

// Err is the first fault.
func (a *Arena) Err() error { return a.err }

// Note makes err the fault, unless there was one or it is nil.
func (a *Arena) Note(err error) { a.err = FirstError(a.err, err) }

// Close gives everything back and returns the first fault in that. A nil arena has nothing.
func (a *Arena) Close() error {
	if a == nil {
		return nil
	}
	var first error
	for _, o := range a.owned {
		if err := o.free(); first == nil {
			first = err
		}
	}
	a.owned = nil
	return first
}

// take makes something the arena's, unless there was a fault.
func take[T owned](a *Arena, create func(d *Device) (T, error)) (made T) {
	if a.err != nil {
		return made
	}
	o, err := create(a.device)
	if err != nil {
		a.err = err
		return made
	}
	a.owned = append(a.owned, o)
	return o
}

// giveBack frees one thing.
func (a *Arena) giveBack(o owned) {
	if i := slices.Index(a.owned, o); i >= 0 {
		a.owned = slices.Delete(a.owned, i, i+1)
		if err := o.free(); a.err == nil {
			a.err = err
		}
	}
}

// Alloc allocates n numbers, whose values are undefined.
func Alloc[T cuda.Number](a *Arena, n int) *Buffer[T] {
	return take(a, func(d *Device) (*Buffer[T], error) { return newBuffer[T](d, n) })
}

// Upload allocates numbers and copies src there.
func Upload[T cuda.Number](a *Arena, src []T) *Buffer[T] {
	b := Alloc[T](a, len(src))
	if a.err == nil {
		a.err = b.Upload(src)
	}
	return b
}

// Pin allocates n numbers of the CPU's memory, whose values are undefined.
func Pin[T cuda.Number](a *Arena, n int) *Host[T] {
	return take(a, func(d *Device) (*Host[T], error) { return newHost[T](d, n) })
}

// Queue makes a queue.
func (a *Arena) Queue() *Queue { return take(a, (*Device).newQueue) }

// Mark makes a mark, which holds nobody up until it is set.
func (a *Arena) Mark() *Mark { return take(a, (*Device).newMark) }

// Grow makes room for n numbers in a buffer of the arena where there is less, or nothing;
// their values are undefined then. No queue may be at work on the buffer.
func Grow[T cuda.Number](a *Arena, b **Buffer[T], n int) {
	if a.err != nil || *b != nil && (*b).n >= n {
		return
	}
	if *b != nil {
		a.giveBack(*b)
	}
	*b = Alloc[T](a, n)
}

// GrowHost is Grow for memory of the CPU.
func GrowHost[T cuda.Number](a *Arena, h **Host[T], n int) {
	if a.err != nil || *h != nil && len((*h).data) >= n {
		return
	}
	if *h != nil {
		a.giveBack(*h)
	}
	*h = Pin[T](a, n)
}
