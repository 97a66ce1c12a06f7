// Package device runs kernels on a GPU or, for tests without one, on an emulator on the CPU. Both have memory
// of their own and one main queue of work, done in order.
package device

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/topoi-lda/topoi/internal/cuda"
	"github.com/topoi-lda/topoi/internal/human"
)

// Device runs kernels. It is not safe for concurrent use.
type Device struct {
	machine
	limit int64 // most bytes of its memory to use; 0: all that is free
	taken int64 // bytes allocated and not freed since the limit was set
	turns int   // number of calls of Limit

	back func()        // returns it to the cache from which it comes; nil: there is none
	kept []*keptBuffer // oldest first
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

// Hosted returns a device that uses a runner.
func Hosted(r Runner) *Device { return &Device{machine: hosted{r}} }

// Limit sets how many bytes of the device's memory may be allocated from now on; 0 means all that is free.
func (d *Device) Limit(bytes int64) { d.limit, d.taken, d.turns = bytes, 0, d.turns+1 }

// take counts an allocation, and returns an error if it exceeds the limit. Kept buffers are freed first.
func (d *Device) take(bytes int64) error {
	return d.allocating(func() error { return d.count(bytes) })
}

// count is take without freeing kept buffers.
func (d *Device) count(bytes int64) error {
	if d.limit > 0 && d.taken+d.idle()+bytes > d.limit {
		return fmt.Errorf("%s of the device's memory are needed, and %s may be used: "+
			"allow more with Options.DeviceMemory (%w)", human.Bytes(d.taken+bytes), human.Bytes(d.limit),
			cuda.ErrOutOfMemory)
	}
	d.taken += bytes
	return nil
}

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

// owned is anything that an arena frees.
type owned interface{ free() error }

// keptBuffer is a buffer that outlives the run that made it, on a device of a Cache. It is never written
// after it was filled.
type keptBuffer struct {
	key    any
	bytes  int64
	used   bool  // by the current run
	buffer owned // a *Buffer
}

// find returns the index of a key in d.kept, or -1.
func (d *Device) find(key any) int {
	return slices.IndexFunc(d.kept, func(k *keptBuffer) bool { return k.key == key })
}

// idle returns the bytes of kept buffers that the current run does not use.
func (d *Device) idle() (bytes int64) {
	for _, k := range d.kept {
		if !k.used {
			bytes += k.bytes
		}
	}
	return bytes
}

// GiveWay frees all kept buffers that are not in use, for a run that uses all the memory there is.
func (d *Device) GiveWay() error {
	var faults []error
	for i := len(d.kept) - 1; i >= 0; i-- {
		if !d.kept[i].used {
			faults = append(faults, d.drop(i))
		}
	}
	return FirstError(faults...)
}

// drop frees kept buffer i.
func (d *Device) drop(i int) error {
	k := d.kept[i]
	d.kept = slices.Delete(d.kept, i, i+1)
	return k.buffer.free()
}

// allocating calls allocate. If that runs out of memory, it frees the kept buffers and calls it again,
// because plans made beforehand do not know of everything.
func (d *Device) allocating(allocate func() error) error {
	err := allocate()
	if errors.Is(err, cuda.ErrOutOfMemory) && d.idle() > 0 {
		err = FirstError(d.GiveWay(), allocate())
	}
	return err
}

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
func FirstError(list ...error) error { return cmp.Or(list...) }

func Flag(on bool) uint32 {
	if on {
		return 1
	}
	return 0
}
