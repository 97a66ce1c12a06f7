package device

import (
	"slices"

	"github.com/topoi-lda/topoi/internal/cuda"
)

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
