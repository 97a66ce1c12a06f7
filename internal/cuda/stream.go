package cuda

import (
	"unsafe"
)

// Stream is a queue of work on the device: what is put into it runs in order,
// beside the work of other streams.
type Stream struct {
	ctx    *Context
	handle uintptr
}

const streamNonBlocking = 1 // no implicit order with the default stream

// NewStream makes a stream.
func (c *Context) NewStream() (*Stream, error) {
	s := &Stream{ctx: c}
	err := c.do(func() Code {
		return c.drv.streamCreate.call(uintptr(unsafe.Pointer(&s.handle)), streamNonBlocking)
	}, "making a stream")
	if err != nil {
		return nil, err
	}
	return s, nil
}

// Wait blocks until everything put into the stream so far is finished. A
// kernel that failed since the last wait is reported here.
func (s *Stream) Wait() error {
	return s.ctx.do(func() Code { return s.ctx.drv.streamSynchronize.call(s.handle) }, "waiting for the GPU")
}

// WaitFor makes work put into the stream from now on start after the event.
func (s *Stream) WaitFor(e *Event) error {
	return s.ctx.do(func() Code { return s.ctx.drv.streamWaitEvent.call(s.handle, e.handle, 0) },
		"ordering a stream after an event")
}

// Close gives the stream back once its work is finished; it does not wait.
func (s *Stream) Close() error {
	return s.ctx.do(func() Code { return s.ctx.drv.streamDestroy.call(s.handle) }, "closing a stream")
}

// Event marks a point in a stream.
type Event struct {
	ctx    *Context
	handle uintptr
}

// NewEvent makes an event.
func (c *Context) NewEvent() (*Event, error) {
	e := &Event{ctx: c}
	err := c.do(func() Code { return c.drv.eventCreate.call(uintptr(unsafe.Pointer(&e.handle)), 0) }, "making an event")
	if err != nil {
		return nil, err
	}
	return e, nil
}

// Record puts the event into the stream, forgetting where it was before.
func (e *Event) Record(s *Stream) error {
	return e.ctx.do(func() Code { return e.ctx.drv.eventRecord.call(e.handle, s.handle) }, "recording an event")
}

// Wait blocks until the device has passed the event.
func (e *Event) Wait() error {
	return e.ctx.do(func() Code { return e.ctx.drv.eventSynchronize.call(e.handle) }, "waiting for the GPU")
}

// Close gives the event back.
func (e *Event) Close() error {
	return e.ctx.do(func() Code { return e.ctx.drv.eventDestroy.call(e.handle) }, "closing an event")
}
