package device

import (
	"slices"

	"github.com/topoi-lda/topoi/internal/cuda"
)

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

// NewArena returns an empty arena.
func (d *Device) NewArena() *Arena { return &Arena{device: d} }

// Err returns the first error.
func (a *Arena) Err() error { return a.err }

// Together is Device.Together.
func (a *Arena) Together(fn func() error) error { return a.device.Together(fn) }

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
