package device

import (
	"errors"
	"sync"
)

// Cache keeps GPUs open from one run to the next, and on them what the runs have in
// common: compiled kernels, and buffers that hold nothing but the corpus (see Keep). A
// device is in the hands of one run at a time. A nil Cache keeps nothing.
type Cache struct {
	mu   sync.Mutex
	idle map[int]*Device // by ordinal: those that wait for a run
}

// Open returns the device of an ordinal: the one that an earlier run has left, and then
// waited is true, or what open opens.
func (c *Cache) Open(ordinal int, open func(ordinal int) (*Device, error)) (d *Device, waited bool, err error) {
	if c == nil {
		d, err = open(ordinal)
		return d, false, err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if d := c.idle[ordinal]; d != nil {
		delete(c.idle, ordinal)
		return d, true, nil
	}
	if d, err = open(ordinal); err == nil {
		d.cache, d.ordinal = c, ordinal
	}
	return d, false, err
}

// Close closes the devices that wait. Those that a run has are not touched.
func (c *Cache) Close() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	var faults []error
	for _, d := range c.idle {
		faults = append(faults, d.Close())
	}
	c.idle = nil
	return FirstError(faults...)
}

// Cached says whether the device is left to other runs.
func (d *Device) Cached() bool { return d.cache != nil }

// Leave ends a run, whose arenas are closed by now: the device waits for another one in
// the cache that it came from. It is closed if there is none, or if it fails.
func (d *Device) Leave() error {
	if d.cache == nil {
		return d.Close()
	}
	if err := d.Wait(); err != nil {
		return errors.Join(err, d.Close())
	}
	for _, k := range d.kept {
		k.used = false
	}
	c := d.cache
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.idle == nil {
		c.idle = map[int]*Device{}
	}
	c.idle[d.ordinal] = d
	return nil
}
