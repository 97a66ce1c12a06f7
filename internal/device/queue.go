package device

import (
	"fmt"
	"math"
	"unsafe"

	"github.com/topoi-lda/topoi/internal/cuda"
	"github.com/topoi-lda/topoi/internal/human"
)

// Queue is a queue of work beside the device's own. What is put into it is done in
// order; the work of two queues overlaps where Marks do not order it. The emulator does
// everything at once when it is put into a queue.
type Queue struct {
	gpu    *gpu // nil on the emulator
	stream *cuda.Stream
	device *Device
}

// newQueue makes a queue.
func (d *Device) newQueue() (*Queue, error) {
	g, ok := d.machine.(*gpu)
	if !ok {
		return &Queue{device: d}, nil
	}
	stream, err := g.ctx.NewStream()
	return &Queue{gpu: g, stream: stream, device: d}, err
}

// Main is the device's own queue.
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

// Wait blocks until the queue is empty and reports what failed in it.
func (q *Queue) Wait() error {
	if q.gpu == nil {
		return nil
	}
	return q.stream.Wait()
}

// free gives the queue back.
func (q *Queue) free() error {
	if q.gpu == nil {
		return nil
	}
	return q.stream.Close()
}

// Mark is a point in a queue.
type Mark struct{ event *cuda.Event }

// newMark makes a mark, which holds nobody up until it is set.
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

// After makes work put into the queue from now on wait for the mark.
func (q *Queue) After(m *Mark) error {
	if m.event == nil {
		return nil
	}
	return q.stream.WaitFor(m.event)
}

// Wait blocks until the device has passed the mark and reports what failed before it.
func (m *Mark) Wait() error {
	if m.event == nil {
		return nil
	}
	return m.event.Wait()
}

// free gives the mark back.
func (m *Mark) free() error {
	if m.event == nil {
		return nil
	}
	return m.event.Close()
}

// Host is memory of the CPU that copies can read and write beside kernels: pinned,
// where the device is a GPU.
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

// Slice is the memory itself. It must not be used after its arena's Close.
func (h *Host[T]) Slice() []T { return h.data }

// View is the part [from, to); it shares the memory.
func (h *Host[T]) View(from, to int) *Host[T] {
	view := &Host[T]{data: h.data[from:to:to]}
	if h.pinned != nil {
		view.pinned = h.pinned.View(from, to)
	}
	return view
}

// free gives the memory back.
func (h *Host[T]) free() error {
	if h.pinned == nil {
		return nil
	}
	return h.pinned.Free()
}

// Send puts the copy of src to the beginning of the buffer into a queue.
func (b *Buffer[T]) Send(q *Queue, src *Host[T]) error {
	if b.gpu == nil {
		copy(b.host, src.data)
		return nil
	}
	return b.gpu.UploadAsync(q.stream, src.pinned)
}

// Receive puts the copy of the beginning of the buffer to dst into a queue.
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

// View is the part [from, to) of the buffer; it shares the memory.
func (b *Buffer[T]) View(from, to int) *Buffer[T] {
	if b.gpu == nil {
		return &Buffer[T]{host: b.host[from:to:to], n: to - from}
	}
	return &Buffer[T]{gpu: b.gpu.View(from, to), stream: b.stream, n: to - from}
}

// Limit says how many bytes of the device's memory may be taken from now on; 0: what is
// free.
func (d *Device) Limit(bytes int64) { d.limit, d.taken, d.turns = bytes, 0, d.turns+1 }

// take counts an allocation, and refuses it beyond the limit.
func (d *Device) take(bytes int64) error {
	return d.allocating(func() error { return d.count(bytes) })
}

// count is take while nothing gives way.
func (d *Device) count(bytes int64) error {
	if d.limit > 0 && d.taken+d.idle()+bytes > d.limit {
		return fmt.Errorf("%s of the device's memory are needed, and %s may be used: allow more with Options.DeviceMemory (%w)",
			human.Bytes(d.taken+bytes), human.Bytes(d.limit), cuda.ErrOutOfMemory)
	}
	d.taken += bytes
	return nil
}

func size[T cuda.Number]() int64 { var t T; return int64(unsafe.Sizeof(t)) }

// Room is how many bytes may be taken: what is left of the limit if there is one, else
// what is free but for a reserve, which the driver wants for kernels. What is kept for other
// runs gives way, so it counts as free: a run has the room that it would have alone.
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

// Runner runs kernels on memory of the host, at once and in order: package emulated has
// one for tests.
type Runner interface {
	// Launch runs a kernel. Arguments are slices, which it may change, uint32 and uint64.
	Launch(module, kernel string, shape Shape, args ...any) error

	// Close gives everything back.
	Close() error
}

// hosted is a machine whose memory is the host's.
type hosted struct{ Runner }

// Hosted makes a device of a runner.
func Hosted(r Runner) *Device { return &Device{machine: hosted{r}} }

// Launch implements machine.
func (h hosted) Launch(module, kernel string, shape Shape, args ...any) error {
	for i, arg := range args {
		if b, ok := arg.(buffer); ok {
			args[i] = b.slice()
		}
	}
	return h.Runner.Launch(module, kernel, shape, args...)
}

// Name implements machine.
func (h hosted) Name() string { return "emulator" }

// Wait implements machine.
func (h hosted) Wait() error { return nil }

// Together implements machine.
func (h hosted) Together(fn func() error) error { return fn() }

// Processors implements machine.
func (h hosted) Processors() int { return 2 }

// Prepare implements machine.
func (h hosted) Prepare(string, ...string) {}

// SharedMemory implements machine.
func (h hosted) SharedMemory() int { return 256 << 10 }
