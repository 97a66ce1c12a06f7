package cuda

import (
	"fmt"
	"runtime"
	"sync"
	"unsafe"
)

// Context is one GPU opened for work. It uses the device's primary context,
// which belongs to one OS thread until Close. Safe for concurrent use.
type Context struct {
	Device Device

	drv     *driver
	handle  int32         // of the device
	primary uintptr       // the context
	thread  int           // id of the OS thread that owns the context
	work    chan func()   // calls for that thread
	ended   chan struct{} // closed by Close
	once    sync.Once

	mu        sync.Mutex
	preparing sync.WaitGroup                       // of kernels that are being compiled
	kernels   map[string]func() (*Function, error) // by name; each compiles a kernel once, or waits for it
}

// ahead has functions that return GPUs which are being opened, by ordinal.
var ahead sync.Map

// OpenAhead begins to open a GPU and returns. The next Open of the GPU returns what becomes of that.
func OpenAhead(ordinal int) {
	opened := sync.OnceValues(func() (*Context, error) { return open(ordinal) })
	if _, already := ahead.LoadOrStore(ordinal, opened); !already {
		go opened()
	}
}

// Open opens the GPU with the given ordinal (see [Devices]).
func Open(ordinal int) (*Context, error) {
	if opened, ok := ahead.LoadAndDelete(ordinal); ok {
		return opened.(func() (*Context, error))()
	}
	return open(ordinal)
}

func open(ordinal int) (*Context, error) {
	devices, err := Devices()
	if err != nil {
		return nil, err
	}
	if ordinal < 0 || ordinal >= len(devices) {
		return nil, fmt.Errorf("cuda: there is no GPU %d, they are numbered 0 to %d (%w)", ordinal, len(devices)-1,
			ErrNoDevice)
	}
	device := devices[ordinal]
	if !device.Usable() {
		return nil, fmt.Errorf("cuda: GPU %d (%s) has compute capability %d.%d and the kernels need %d.%d or newer (%w)",
			ordinal, device.Name, device.Major, device.Minor, minimumMajor, minimumMinor, ErrNoDevice)
	}
	drv, err := theDriver()
	if err != nil {
		return nil, err
	}
	c := &Context{
		Device: device, drv: drv, work: make(chan func()), ended: make(chan struct{}),
		kernels: map[string]func() (*Function, error){},
	}
	started := make(chan error)
	go c.own(started)
	if err := <-started; err != nil {
		return nil, err
	}
	return c, nil
}

// own runs on the owning thread: it makes the context current and serves calls until Close. It never unlocks
// the thread, which therefore ends with it: no other goroutine ever finds the context current.
func (c *Context) own(started chan<- error) {
	runtime.LockOSThread()
	c.thread = threadID()
	if err := c.retain(); err != nil {
		started <- err
		return
	}
	started <- nil
	for {
		select {
		case fn := <-c.work:
			fn()
		case <-c.ended:
			return
		}
	}
}

// retain makes the device's primary context current to this thread.
func (c *Context) retain() (err error) {
	if c.handle, err = c.drv.deviceHandle(c.Device.Ordinal); err != nil {
		return err
	}
	if err := c.drv.check(c.drv.devicePrimaryCtxRetain.call(uintptr(unsafe.Pointer(&c.primary)), uintptr(c.handle)),
		"making a context on GPU %d", c.Device.Ordinal); err != nil {
		return err
	}
	return c.take()
}

// take makes the context current to the calling thread.
func (c *Context) take() error {
	return c.drv.check(c.drv.ctxSetCurrent.call(c.primary), "taking the context of GPU %d", c.Device.Ordinal)
}

// Run calls fn on the thread that owns the context and returns its error. Methods called inside fn run there
// directly, so a sequence of launches pays for the switch to that thread once. fn must not wait for other
// goroutines that use the context.
func (c *Context) Run(fn func() error) error {
	if threadID() == c.thread { // a locked thread runs no other goroutine
		return fn()
	}
	done := make(chan error, 1)
	select {
	case c.work <- func() { done <- fn() }:
		return <-done
	case <-c.ended:
		return ErrClosed
	}
}

// do runs one driver call on the owning thread.
func (c *Context) do(fn func() Code, op string, args ...any) error {
	return c.Run(func() error { return c.drv.check(fn(), op, args...) })
}

// Wait blocks until all work of the context is finished.
func (c *Context) Wait() error {
	return c.do(func() Code { return c.drv.ctxSynchronize.call() }, "waiting for GPU %d", c.Device.Ordinal)
}

// Memory returns the free and the total device memory, in bytes.
func (c *Context) Memory() (free, total int64, err error) {
	var f, t uint64
	err = c.do(func() Code {
		return c.drv.memGetInfo.call(uintptr(unsafe.Pointer(&f)), uintptr(unsafe.Pointer(&t)))
	}, "asking for free device memory")
	return int64(f), int64(t), err
}

// Close releases the context with everything allocated in it. Nothing made from the context may be used
// afterwards. A second Close does nothing.
func (c *Context) Close() error {
	var err error
	c.preparing.Wait()
	c.once.Do(func() {
		err = c.do(func() Code { return c.drv.devicePrimaryCtxRelease.call(uintptr(c.handle)) },
			"giving back GPU %d", c.Device.Ordinal)
		close(c.ended)
	})
	return err
}

// Stream is a queue of work on the device. Its work runs in order, concurrently with the work of other streams.
type Stream struct {
	ctx    *Context
	handle uintptr
}

const streamNonBlocking = 1 // no implicit order with the default stream

// NewStream returns a new stream.
func (c *Context) NewStream() (*Stream, error) {
	s := &Stream{ctx: c}
	err := c.do(func() Code {
		return c.drv.streamCreate.call(uintptr(unsafe.Pointer(&s.handle)), streamNonBlocking)
	}, "making a stream")
	return s, err
}

// Wait blocks until everything put into the stream so far is finished. It returns the error of a kernel that
// failed since the last wait.
func (s *Stream) Wait() error {
	return s.ctx.do(func() Code { return s.ctx.drv.streamSynchronize.call(s.handle) }, "waiting for the GPU")
}

// WaitFor lets work that is put into the stream from now on start after the event.
func (s *Stream) WaitFor(e *Event) error {
	return s.ctx.do(func() Code { return s.ctx.drv.streamWaitEvent.call(s.handle, e.handle, 0) },
		"ordering a stream after an event")
}

// Close releases the stream once its work is finished; it does not wait.
func (s *Stream) Close() error {
	return s.ctx.do(func() Code { return s.ctx.drv.streamDestroy.call(s.handle) }, "closing a stream")
}

// Event marks a point in a stream.
type Event struct {
	ctx    *Context
	handle uintptr
}

// NewEvent returns a new event.
func (c *Context) NewEvent() (*Event, error) {
	e := &Event{ctx: c}
	err := c.do(func() Code { return c.drv.eventCreate.call(uintptr(unsafe.Pointer(&e.handle)), 0) }, "making an event")
	return e, err
}

// Record moves the event to the end of the stream.
func (e *Event) Record(s *Stream) error {
	return e.ctx.do(func() Code { return e.ctx.drv.eventRecord.call(e.handle, s.handle) }, "recording an event")
}

// Wait blocks until the device has passed the event.
func (e *Event) Wait() error {
	return e.ctx.do(func() Code { return e.ctx.drv.eventSynchronize.call(e.handle) }, "waiting for the GPU")
}

// Close releases the event.
func (e *Event) Close() error {
	return e.ctx.do(func() Code { return e.ctx.drv.eventDestroy.call(e.handle) }, "closing an event")
}
