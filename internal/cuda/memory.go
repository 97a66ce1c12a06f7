package cuda

import (
	"errors"
	"fmt"
	"runtime"
	"unsafe"

	"github.com/topoi-lda/topoi/internal/human"
)

// Number is a type of which device memory holds arrays.
type Number interface {
	~int8 | ~uint8 | ~int16 | ~uint16 | ~int32 | ~uint32 | ~int64 | ~uint64 | ~float32 | ~float64
}

// Array is a run of numbers in device memory. As a kernel argument it is a pointer to its first number.
type Array[T Number] struct {
	ctx  *Context
	addr uint64 // on the device
	n    int
}

// NewArray allocates n numbers. Their values are undefined.
func NewArray[T Number](c *Context, n int) (*Array[T], error) {
	a := &Array[T]{ctx: c, n: n}
	if n == 0 {
		return a, nil // the driver refuses empty allocations
	}
	err := c.do(func() Code {
		return c.drv.memAlloc.call(uintptr(unsafe.Pointer(&a.addr)), uintptr(a.Bytes()))
	}, "allocating %s of device memory", human.Bytes(a.Bytes()))
	if err != nil {
		return nil, c.explainMemory(err)
	}
	return a, nil
}

// explainMemory adds the free and total memory to an out-of-memory error.
func (c *Context) explainMemory(err error) error {
	if !errors.Is(err, ErrOutOfMemory) {
		return err
	}
	free, total, infoErr := c.Memory()
	if infoErr != nil {
		return err
	}
	return fmt.Errorf("%w: %s of %s are free on %s", err, human.Bytes(free), human.Bytes(total), c.Device.Name)
}

// Len returns the number of elements.
func (a *Array[T]) Len() int { return a.n }

// Bytes returns the size in bytes.
func (a *Array[T]) Bytes() int64 { var t T; return int64(a.n) * int64(unsafe.Sizeof(t)) }

// View returns the part [from, to) of the array. It shares the array's memory and must not be freed.
func (a *Array[T]) View(from, to int) *Array[T] {
	if from < 0 || from > to || to > a.n {
		panic(fmt.Sprintf("cuda: view [%d, %d) of an array of %d", from, to, a.n))
	}
	var t T
	return &Array[T]{ctx: a.ctx, addr: a.addr + uint64(from)*uint64(unsafe.Sizeof(t)), n: to - from}
}

// argument returns the array's address as a kernel argument.
func (a *Array[T]) argument() (uint64, int) { return a.addr, 8 }

// Free frees the memory, after the device has finished work that uses it.
func (a *Array[T]) Free() error {
	if a == nil || a.addr == 0 {
		return nil
	}
	addr := a.addr
	a.addr, a.n = 0, 0
	return a.ctx.do(func() Code { return a.ctx.drv.memFree.call(uintptr(addr)) }, "freeing device memory")
}

// Upload copies src, which may be any memory and no longer than the array, and waits for the copy.
func (a *Array[T]) Upload(s *Stream, src []T) error { return a.transfer(s, src, false, true) }

// Download copies the array's first len(dst) numbers to dst after all earlier work of the stream, and waits
// for the copy.
func (a *Array[T]) Download(s *Stream, dst []T) error { return a.transfer(s, dst, true, true) }

// UploadAsync queues a copy from pinned memory. src must not change before the copy is done.
func (a *Array[T]) UploadAsync(s *Stream, src *Pinned[T]) error {
	return a.transfer(s, src.data, false, false)
}

// DownloadAsync queues a copy to pinned memory. dst is valid when the copy is done.
func (a *Array[T]) DownloadAsync(s *Stream, dst *Pinned[T]) error {
	return a.transfer(s, dst.data, true, false)
}

// transfer queues a copy of host memory to the array, or from it if down is set, and waits for it if wait is set.
func (a *Array[T]) transfer(s *Stream, host []T, down, wait bool) error {
	what, way := "upload", "to"
	if down {
		what, way = "download", "from"
	}
	if err := fits(len(host), a.n, what); err != nil || len(host) == 0 {
		return err
	}
	drv := a.ctx.drv
	err := a.ctx.do(func() (c Code) {
		if down {
			c = drv.memcpyDtoHAsync.call(uintptr(unsafe.Pointer(&host[0])), uintptr(a.addr), sizeOf(host), s.handle)
		} else {
			c = drv.memcpyHtoDAsync.call(uintptr(a.addr), uintptr(unsafe.Pointer(&host[0])), sizeOf(host), s.handle)
		}
		if c != codeSuccess || !wait {
			return c
		}
		return drv.streamSynchronize.call(s.handle)
	}, "copying %s %s the device", human.Bytes(int64(sizeOf(host))), way)
	runtime.KeepAlive(host)
	return err
}

// ZeroAsync queues filling the array with zeros.
func (a *Array[T]) ZeroAsync(s *Stream) error {
	if a.n == 0 {
		return nil
	}
	return a.ctx.do(func() Code {
		return a.ctx.drv.memsetD8Async.call(uintptr(a.addr), 0, uintptr(a.Bytes()), s.handle)
	}, "clearing %s of device memory", human.Bytes(a.Bytes()))
}

// Pinned is host memory that the device reads and writes directly, so that copies run at the same time as
// kernels. It is outside Go's heap.
type Pinned[T Number] struct {
	ctx  *Context
	data []T
}

// NewPinned allocates n numbers of pinned host memory.
func NewPinned[T Number](c *Context, n int) (*Pinned[T], error) {
	p := &Pinned[T]{ctx: c}
	if n == 0 {
		return p, nil
	}
	var t T
	var memory unsafe.Pointer
	bytes := int64(n) * int64(unsafe.Sizeof(t))
	if err := c.do(func() Code {
		return c.drv.memHostAlloc.call(uintptr(unsafe.Pointer(&memory)), uintptr(bytes), 0)
	}, "pinning %s of host memory", human.Bytes(bytes)); err != nil {
		return nil, err
	}
	p.data = unsafe.Slice((*T)(memory), n)
	return p, nil
}

// Slice returns the memory itself. It must not be used after Free.
func (p *Pinned[T]) Slice() []T { return p.data }

// View returns the part [from, to). It shares the memory and must not be freed.
func (p *Pinned[T]) View(from, to int) *Pinned[T] { return &Pinned[T]{p.ctx, p.data[from:to:to]} }

// PinnedAs returns the memory of p as n numbers of another type. It shares the memory and must not be freed.
func PinnedAs[T, S Number](p *Pinned[S], n int) *Pinned[T] {
	return &Pinned[T]{p.ctx, unsafe.Slice((*T)(unsafe.Pointer(&p.data[0])), n)}
}

// Free frees the memory.
func (p *Pinned[T]) Free() error {
	if p == nil || len(p.data) == 0 {
		return nil
	}
	data := p.data
	p.data = nil
	return p.ctx.do(func() Code { return p.ctx.drv.memFreeHost.call(uintptr(unsafe.Pointer(&data[0]))) },
		"freeing pinned memory")
}

func sizeOf[T Number](s []T) uintptr { var t T; return uintptr(len(s)) * unsafe.Sizeof(t) }

func fits(n, room int, what string) error {
	if n > room {
		return fmt.Errorf("cuda: %s of %d numbers with an array of %d", what, n, room)
	}
	return nil
}
