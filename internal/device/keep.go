package device

import (
	"errors"
	"slices"
	"sync"

	"github.com/topoi-lda/topoi/internal/cuda"
)

// Keep returns the buffer with the given key of an earlier run, or allocates n numbers and calls fill to
// write them. The key must contain everything that the numbers depend on. The buffer must not be written, and
// closing the arena does not free it. On a device without a cache it belongs to the arena.
func Keep[T cuda.Number](a *Arena, key any, n int, fill func(b *Buffer[T]) error) *Buffer[T] {
	d := a.device
	if b := left[T](a, key); b != nil || a.err != nil {
		return b
	}
	if !d.Cached() {
		b := Alloc[T](a, n)
		if a.err == nil {
			a.err = fill(b)
		}
		return b
	}
	b, err := newBuffer[T](d, n)
	if err == nil {
		if err = fill(b); err != nil {
			err = FirstError(err, b.free())
		}
	}
	if a.err = err; err != nil {
		return nil
	}
	d.kept = append(d.kept, &keptBuffer{key, int64(n) * size[T](), true, b})
	return b
}

// KeepList is Keep for a list that is computed only if no earlier run has left it.
func KeepList[T cuda.Number](a *Arena, key any, list func() []T) *Buffer[T] {
	if b := left[T](a, key); b != nil || a.err != nil {
		return b
	}
	numbers := list()
	return Keep(a, key, len(numbers), func(b *Buffer[T]) error { return b.Upload(numbers) })
}

// left returns the buffer with the given key, or nil if there is none or after an error.
func left[T cuda.Number](a *Arena, key any) *Buffer[T] {
	d := a.device
	i := d.find(key)
	if a.err != nil || i < 0 {
		return nil
	}
	k := d.kept[i]
	b := k.buffer.(*Buffer[T])
	if !k.used { // it counts as allocated by this run
		k.used, b.turn = true, d.turns
		a.err = d.take(k.bytes)
	}
	return b
}

// Reserve announces that a run will allocate the given bytes, including the buffers with the given keys, for
// which it will call Keep. Other kept buffers are freed, oldest first, until there is enough memory.
func (d *Device) Reserve(bytes int64, keys ...any) error {
	room, err := d.Room()
	if err != nil {
		return err
	}
	free := room - d.idle() // memory without freeing kept buffers
	for _, key := range keys {
		if i := d.find(key); i >= 0 && !d.kept[i].used {
			bytes -= d.kept[i].bytes
		}
	}
	for free < bytes {
		i := slices.IndexFunc(d.kept, func(k *keptBuffer) bool { return !k.used && !slices.Contains(keys, k.key) })
		if i < 0 {
			return nil // the allocation will fail with an error
		}
		free += d.kept[i].bytes
		if err := d.drop(i); err != nil {
			return err
		}
	}
	return nil
}

// KeptTopics holds the topics of a load between sweeps: on the device if the load stays there, otherwise in
// the memory from which it is sent.
type KeptTopics struct {
	Home  *Buffer[uint16]
	N     int // tokens of a load that stays
	Stage *Host[uint16]
}

// Set calls fill to write the topics.
func (k KeptTopics) Set(fill func(topics []uint16)) error {
	if k.Home == nil {
		fill(k.Stage.Slice())
		return nil
	}
	topics := make([]uint16, k.N)
	fill(topics)
	return k.Home.Upload(topics)
}

// GetInto copies the topics into a slice.
func (k KeptTopics) GetInto(topics []uint16) error {
	if k.Home == nil {
		copy(topics, k.Stage.Slice())
		return nil
	}
	return k.Home.Download(topics)
}

// Cache keeps GPUs open from one run to the next, with what the runs have in common: compiled kernels, and buffers
// that depend on the corpus only (see Keep). A device serves one run at a time. A nil Cache keeps nothing.
type Cache struct {
	mu   sync.Mutex
	idle map[int]*Device // by ordinal: devices without a run
}

// Open returns the device with an ordinal: one that an earlier run has left, and then waited is true, or a
// new one from open.
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
		d.back = func() {
			c.mu.Lock()
			defer c.mu.Unlock()
			if c.idle == nil {
				c.idle = map[int]*Device{}
			}
			c.idle[ordinal] = d
		}
	}
	return d, false, err
}

// Close closes the devices that no run uses.
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

// Cached reports whether the device stays open for other runs.
func (d *Device) Cached() bool { return d.back != nil }

// Leave ends a run, whose arenas must be closed: the device goes back to its cache. It is closed if it has
// none, or if it fails.
func (d *Device) Leave() error {
	if d.back == nil {
		return d.Close()
	}
	if err := d.Wait(); err != nil {
		return errors.Join(err, d.Close())
	}
	for _, k := range d.kept {
		k.used = false
	}
	d.back()
	return nil
}
