// Package device runs kernels on a GPU or, for tests without one, on an emulator on the CPU. Both have memory
// of their own and one main queue of work, done in order.
package device

import (
	"cmp"
	"errors"
	"slices"

	"github.com/topoi-lda/topoi/internal/cuda"
)

// Device runs kernels. It is not safe for concurrent use.
type Device struct {
	machine
	limit int64 // most bytes of its memory to use; 0: all that is free
	taken int64 // bytes allocated and not freed since the limit was set
	turns int   // number of calls of Limit

	cache   *Cache        // the cache to which Leave returns it; nil: Leave closes it
	ordinal int           // in the cache
	kept    []*keptBuffer // oldest first
}

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

// Buffer is memory of a device.
type Buffer[T cuda.Number] struct {
	gpu    *cuda.Array[T]
	stream *cuda.Stream
	host   []T     // the emulator's
	n      int     // numbers
	of     *Device // whose taken bytes free reduces; nil for views
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

// Zero queues filling the buffer with zeros.
func (b *Buffer[T]) Zero() error {
	if b.gpu == nil {
		clear(b.host)
		return nil
	}
	return b.gpu.ZeroAsync(b.stream)
}

// free frees the memory.
func (b *Buffer[T]) free() error {
	if b.of != nil && b.of.turns == b.turn {
		b.of.taken -= int64(b.n) * size[T]()
	}
	if b.gpu == nil {
		return nil
	}
	return b.gpu.Free()
}

// array and slice return the buffer as an argument of a launch.
func (b *Buffer[T]) array() any { return b.gpu }
func (b *Buffer[T]) slice() any { return b.host }

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

// Flatten replaces lists among the arguments of a launch by their elements.
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

// Spread returns the shape of a launch for n items, one a thread at a time, with at most the given number of
// blocks of threads for each processor.
func Spread(d *Device, n, threads, shared, blocks int) Shape {
	return Shape{Blocks: min((n+threads-1)/threads, blocks*d.Processors()), Threads: threads, Shared: shared}
}

// FirstError returns the first error. After a device is lost every call fails, and one error about it is enough.
func FirstError(list ...error) error {
	return cmp.Or(list...)
}

func Flag(on bool) uint32 {
	if on {
		return 1
	}
	return 0
}

// Arena owns memory, queues and marks of a device. They are allocated one after the other without checking
// errors, and freed together:
//
//	a := d.NewArena()
//	words, nk := device.Upload(a, p.Words), device.Alloc[uint32](a, k)
//	if err := a.Err(); err != nil {
//		return errors.Join(err, a.Close())
//	}
//
// After the first error it allocates nothing more and returns nil.
type Arena struct {
	device *Device
	owned  []owned
	err    error
}

// owned is anything that an arena frees.
type owned interface{ free() error }

// NewArena returns an empty arena.
func (d *Device) NewArena() *Arena { return &Arena{device: d} }

// Err returns the first error.
func (a *Arena) Err() error { return a.err }

// Note records err, unless there was an error before.
func (a *Arena) Note(err error) { a.err = FirstError(a.err, err) }

// Close frees everything and returns the first error of that. A nil arena has nothing to free.
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

// take creates something that belongs to the arena, unless there was an error.
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

// giveBack frees one thing of the arena.
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

// Upload allocates a buffer and copies src into it.
func Upload[T cuda.Number](a *Arena, src []T) *Buffer[T] {
	b := Alloc[T](a, len(src))
	if a.err == nil {
		a.err = b.Upload(src)
	}
	return b
}

// Pin allocates n numbers of pinned host memory, whose values are undefined.
func Pin[T cuda.Number](a *Arena, n int) *Host[T] {
	return take(a, func(d *Device) (*Host[T], error) { return newHost[T](d, n) })
}

// Queue returns a new queue.
func (a *Arena) Queue() *Queue { return take(a, (*Device).newQueue) }

// Mark returns a new mark. Waiting for it returns at once until it is set.
func (a *Arena) Mark() *Mark { return take(a, (*Device).newMark) }

// Grow replaces a buffer of the arena that has fewer than n numbers, or is nil, by one of n, whose values are
// undefined. No queue may be using the buffer.
func Grow[T cuda.Number](a *Arena, b **Buffer[T], n int) {
	if a.err != nil || *b != nil && (*b).n >= n {
		return
	}
	if *b != nil {
		a.giveBack(*b)
	}
	*b = Alloc[T](a, n)
}

// GrowHost is Grow for host memory.
func GrowHost[T cuda.Number](a *Arena, h **Host[T], n int) {
	if a.err != nil || *h != nil && len((*h).data) >= n {
		return
	}
	if *h != nil {
		a.giveBack(*h)
	}
	*h = Pin[T](a, n)
}
