package device

import (
	"fmt"
	"math"
	"unsafe"

	"github.com/topoi-lda/topoi/internal/cuda"
	"github.com/topoi-lda/topoi/internal/human"
)

// Queue is a queue of work besides the device's main queue. Its work is done in order; the work of two queues
// overlaps unless Marks order it. The emulator does all work immediately.
type Queue struct {
	gpu    *gpu // nil on the emulator
	stream *cuda.Stream
	device *Device
}

// newQueue returns a new queue.
func (d *Device) newQueue() (*Queue, error) {
	g, ok := d.machine.(*gpu)
	if !ok {
		return &Queue{device: d}, nil
	}
	stream, err := g.ctx.NewStream()
	return &Queue{gpu: g, stream: stream, device: d}, err
}

// Main returns the device's main queue.
func (d *Device) Main() *Queue {
	if g, ok := d.machine.(*gpu); ok {
		return &Queue{gpu: g, stream: g.stream, device: d}
	}
	return &Queue{device: d}
}

// Launch is Device.Launch for this queue.
func (q *Queue) Launch(module, kernel string, shape Shape, args ...any) error {
	if q.gpu == nil {
		return q.device.Launch(module, kernel, shape, args...)
	}
	return q.gpu.launch(q.stream, module, kernel, shape, args)
}

// Wait blocks until the queue is empty and returns the error of what failed in it.
func (q *Queue) Wait() error {
	if q.gpu == nil {
		return nil
	}
	return q.stream.Wait()
}

// free releases the queue.
func (q *Queue) free() error {
	if q.gpu == nil {
		return nil
	}
	return q.stream.Close()
}

// Mark is a point in a queue.
type Mark struct{ event *cuda.Event }

// newMark returns a mark. Waiting for it returns at once until it is set.
func (d *Device) newMark() (*Mark, error) {
	g, ok := d.machine.(*gpu)
	if !ok {
		return &Mark{}, nil
	}
	event, err := g.ctx.NewEvent()
	return &Mark{event}, err
}

// Set moves the mark to the end of the queue.
func (m *Mark) Set(q *Queue) error {
	if m.event == nil {
		return nil
	}
	return m.event.Record(q.stream)
}

// After lets work that is put into the queue from now on wait for the mark.
func (q *Queue) After(m *Mark) error {
	if m.event == nil {
		return nil
	}
	return q.stream.WaitFor(m.event)
}

// Wait blocks until the device has passed the mark and returns the error of what failed before it.
func (m *Mark) Wait() error {
	if m.event == nil {
		return nil
	}
	return m.event.Wait()
}

// free releases the mark.
func (m *Mark) free() error {
	if m.event == nil {
		return nil
	}
	return m.event.Close()
}

// Host is memory of the CPU from and to which copies can run at the same time as kernels. On a GPU it is pinned.
type Host[T cuda.Number] struct {
	pinned *cuda.Pinned[T]
	data   []T
}

// newHost allocates n numbers, whose values are undefined.
func newHost[T cuda.Number](d *Device, n int) (*Host[T], error) {
	g, ok := d.machine.(*gpu)
	if !ok {
		return &Host[T]{data: make([]T, n)}, nil
	}
	pinned, err := cuda.NewPinned[T](g.ctx, n)
	if err != nil {
		return nil, err
	}
	return &Host[T]{pinned: pinned, data: pinned.Slice()}, nil
}

// Slice returns the memory itself. It must not be used after its arena's Close.
func (h *Host[T]) Slice() []T { return h.data }

// View returns the part [from, to); it shares the memory.
func (h *Host[T]) View(from, to int) *Host[T] {
	view := &Host[T]{data: h.data[from:to:to]}
	if h.pinned != nil {
		view.pinned = h.pinned.View(from, to)
	}
	return view
}

// free frees the memory.
func (h *Host[T]) free() error {
	if h.pinned == nil {
		return nil
	}
	return h.pinned.Free()
}

// Send queues a copy of src to the beginning of the buffer.
func (b *Buffer[T]) Send(q *Queue, src *Host[T]) error {
	if b.gpu == nil {
		copy(b.host, src.data)
		return nil
	}
	return b.gpu.UploadAsync(q.stream, src.pinned)
}

// Receive queues a copy of the beginning of the buffer to dst.
func (b *Buffer[T]) Receive(q *Queue, dst *Host[T]) error {
	if b.gpu == nil {
		copy(dst.data, b.host)
		return nil
	}
	return b.gpu.DownloadAsync(q.stream, dst.pinned)
}

// ZeroIn is Zero for a queue.
func (b *Buffer[T]) ZeroIn(q *Queue) error {
	if b.gpu == nil {
		clear(b.host)
		return nil
	}
	return b.gpu.ZeroAsync(q.stream)
}

// View returns the part [from, to) of the buffer; it shares the memory.
func (b *Buffer[T]) View(from, to int) *Buffer[T] {
	if b.gpu == nil {
		return &Buffer[T]{host: b.host[from:to:to], n: to - from}
	}
	return &Buffer[T]{gpu: b.gpu.View(from, to), stream: b.stream, n: to - from}
}

// Limit sets how many bytes of the device's memory may be allocated from now on; 0 means all that is free.
func (d *Device) Limit(bytes int64) { d.limit, d.taken, d.turns = bytes, 0, d.turns+1 }

// take counts an allocation, and returns an error if it exceeds the limit. Kept buffers are freed first.
func (d *Device) take(bytes int64) error {
	return d.allocating(func() error { return d.count(bytes) })
}

// count is take without freeing kept buffers.
func (d *Device) count(bytes int64) error {
	if d.limit > 0 && d.taken+d.idle()+bytes > d.limit {
		return fmt.Errorf("%s of the device's memory are needed, and %s may be used: allow more with Options.DeviceMemory (%w)",
			human.Bytes(d.taken+bytes), human.Bytes(d.limit), cuda.ErrOutOfMemory)
	}
	d.taken += bytes
	return nil
}

func size[T cuda.Number]() int64 { var t T; return int64(unsafe.Sizeof(t)) }

// Room returns how many bytes may be allocated: what is left of the limit or, without one, the free memory
// less a reserve that the driver needs for kernels. Buffers kept for other runs count as free, because they
// are freed when memory is short.
func (d *Device) Room() (int64, error) {
	if d.limit > 0 {
		return max(0, d.limit-d.taken), nil
	}
	g, ok := d.machine.(*gpu)
	if !ok {
		return math.MaxInt64, nil
	}
	free, _, err := g.ctx.Memory()
	free += d.idle()
	return max(0, free-free/32-reserve), err
}

const reserve = 128 << 20 // bytes

// Runner runs kernels on host memory, immediately and in order. Package emulated has one for tests.
type Runner interface {
	// Launch runs a kernel. Arguments are slices, which it may change, uint32 and uint64.
	Launch(module, kernel string, shape Shape, args ...any) error

	// Close releases the runner.
	Close() error
}

// hosted is a machine whose memory is that of the host.
type hosted struct{ Runner }

// Hosted returns a device that uses a runner.
func Hosted(r Runner) *Device { return &Device{machine: hosted{r}} }

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
