package device

import (
	"github.com/topoi-lda/topoi/internal/cuda"
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
