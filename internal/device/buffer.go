package device

import (
	"fmt"
	"unsafe"

	"github.com/topoi-lda/topoi/internal/cuda"
)

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
		if len(dst) > len(b.host) { // as on a GPU
			return fmt.Errorf("device: download of %d numbers with a buffer of %d", len(dst), len(b.host))
		}
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

// Len returns the number of elements.
func (b *Buffer[T]) Len() int { return b.n }

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

func size[T cuda.Number]() int64 { var t T; return int64(unsafe.Sizeof(t)) }
