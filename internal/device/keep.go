package device

import (
	"errors"
	"slices"
	"sync"

	"github.com/topoi-lda/topoi/internal/cuda"
)

// keptBuffer is a buffer that outlives the run that made it, on a device of a Cache.
// Nobody writes it after it was filled.
type keptBuffer struct {
	key    any
	bytes  int64
	used   bool  // by the run that has the device
	buffer owned // a *Buffer
}

// Keep returns the buffer with the given key that an earlier run has left, or allocates n
// numbers and lets fill write them. A key must say all that the numbers are a function of.
// The buffer must not be written; it stays when the arena is closed. On a device that is
// closed with its run it is the arena's.
func Keep[T cuda.Number](a *Arena, key any, n int, fill func(b *Buffer[T]) error) *Buffer[T] {
	d := a.device
	if b := left[T](a, key); b != nil || a.err != nil {
		return b
	}
	if d.cache == nil {
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

// KeepList is Keep for a list that is made only where it was not left.
func KeepList[T cuda.Number](a *Arena, key any, list func() []T) *Buffer[T] {
	if b := left[T](a, key); b != nil || a.err != nil {
		return b
	}
	numbers := list()
	return Keep(a, key, len(numbers), func(b *Buffer[T]) error { return b.Upload(numbers) })
}

// left returns the buffer with the given key, nil if none was left or there was a fault.
func left[T cuda.Number](a *Arena, key any) *Buffer[T] {
	d := a.device
	i := d.find(key)
	if a.err != nil || i < 0 {
		return nil
	}
	k := d.kept[i]
	b := k.buffer.(*Buffer[T])
	if !k.used { // it counts as if it had been allocated
		k.used, b.turn = true, d.turns
		a.err = d.take(k.bytes)
	}
	return b
}

// Len is how many numbers the buffer has.
func (b *Buffer[T]) Len() int { return b.n }

// find returns the place of a key among what is kept, -1 if it is not there.
func (d *Device) find(key any) int {
	return slices.IndexFunc(d.kept, func(k *keptBuffer) bool { return k.key == key })
}

// idle is how many bytes are kept that the run at work does not use.
func (d *Device) idle() (bytes int64) {
	for _, k := range d.kept {
		if !k.used {
			bytes += k.bytes
		}
	}
	return bytes
}

// Reserve says that a run is about to take so many bytes, those included of the buffers
// with the given keys, which it will ask Keep for. Other buffers that are kept give way,
// oldest first, until there is room.
func (d *Device) Reserve(bytes int64, keys ...any) error {
	room, err := d.Room()
	if err != nil {
		return err
	}
	free := room - d.idle() // beside all that is kept
	for _, key := range keys {
		if i := d.find(key); i >= 0 && !d.kept[i].used {
			bytes -= d.kept[i].bytes
		}
	}
	for free < bytes {
		i := slices.IndexFunc(d.kept, func(k *keptBuffer) bool { return !k.used && !slices.Contains(keys, k.key) })
		if i < 0 {
			return nil // who allocates will be told
		}
		free += d.kept[i].bytes
		if err := d.drop(i); err != nil {
			return err
		}
	}
	return nil
}

// GiveWay gives back all that is kept and not in use: a run wants whatever room there is.
func (d *Device) GiveWay() error {
	var faults []error
	for i := len(d.kept) - 1; i >= 0; i-- {
		if !d.kept[i].used {
			faults = append(faults, d.drop(i))
		}
	}
	return FirstError(faults...)
}

// drop gives back a buffer that is kept.
func (d *Device) drop(i int) error {
	k := d.kept[i]
	d.kept = slices.Delete(d.kept, i, i+1)
	return k.buffer.free()
}

// allocating calls allocate, and once more without what is kept if there was no memory for
// it: plans that are made beforehand do not know of everything.
func (d *Device) allocating(allocate func() error) error {
	err := allocate()
	if errors.Is(err, cuda.ErrOutOfMemory) && d.idle() > 0 {
		err = FirstError(d.GiveWay(), allocate())
	}
	return err
}

// KeptTopics is where the topics of a load are between sweeps: on the device if it stays
// there, else where it is sent from.
type KeptTopics struct {
	Home  *Buffer[uint16]
	N     int // tokens of a load that stays
	Stage *Host[uint16]
}

// Set lets fill write the topics.
func (k KeptTopics) Set(fill func(topics []uint16)) error {
	if k.Home == nil {
		fill(k.Stage.Slice())
		return nil
	}
	topics := make([]uint16, k.N)
	fill(topics)
	return k.Home.Upload(topics)
}

// GetInto copies the topics.
func (k KeptTopics) GetInto(topics []uint16) error {
	if k.Home == nil {
		copy(topics, k.Stage.Slice())
		return nil
	}
	return k.Home.Download(topics)
}

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
