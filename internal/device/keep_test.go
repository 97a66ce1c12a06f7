package device_test

import (
	"errors"
	"slices"
	"testing"

	"github.com/topoi-lda/topoi/internal/cuda"
	"github.com/topoi-lda/topoi/internal/device"
	"github.com/topoi-lda/topoi/internal/device/emulated"
)

// memory opens devices that only have memory.
func memory(int) (*device.Device, error) { return emulated.New(""), nil }

// turn is a run's turn on the device of a cache, of whose memory so much may be used.
func turn(t *testing.T, c *device.Cache, limit int64, run func(d *device.Device, a *device.Arena)) {
	t.Helper()
	d, _, err := c.Open(0, memory)
	must(t, err)
	d.Limit(limit)
	a := d.NewArena()
	run(d, a)
	must(t, a.Close())
	must(t, d.Leave())
}

// filling keeps numbers, and counts how often they are made.
func filling(made *int, numbers ...uint32) func(*device.Buffer[uint32]) error {
	return func(b *device.Buffer[uint32]) error {
		*made++
		return b.Upload(numbers)
	}
}

// A cache hands out the same device again, with what was kept there.
func TestKeep(t *testing.T) {
	var c device.Cache
	made := 0
	for range 3 {
		turn(t, &c, 0, func(_ *device.Device, a *device.Arena) {
			b, got := device.Keep(a, "a", 3, filling(&made, 1, 2, 3)), make([]uint32, 3)
			must(t, a.Err())
			if err := b.Download(got); err != nil || !slices.Equal(got, []uint32{1, 2, 3}) || b.Len() != 3 {
				t.Errorf("%v, %v", got, err)
			}
		})
	}
	if made != 1 {
		t.Errorf("made %d times", made)
	}
	must(t, c.Close())
	turn(t, &c, 0, func(_ *device.Device, a *device.Arena) { device.Keep(a, "a", 3, filling(&made, 1, 2, 3)) })
	if made != 2 {
		t.Error("a device was handed out after it was closed")
	}
}

// Without a cache a device keeps nothing, and is closed.
func TestKeepWithoutCache(t *testing.T) {
	made := 0
	var none *device.Cache
	for range 2 {
		turn(t, none, 12, func(d *device.Device, a *device.Arena) {
			device.Keep(a, "a", 3, filling(&made, 1, 2, 3))
			if must(t, a.Err()); d.Cached() {
				t.Error("it is said to be of a cache")
			}
		})
	}
	if made != 2 {
		t.Errorf("made %d times", made)
	}
}

// A run has the room that it would have alone: what it does not ask for gives way, oldest
// first and no more than is needed, before it allocates.
func TestKeptGivesWay(t *testing.T) {
	var c device.Cache
	var a, b, other int
	keep := func(keys ...string) {
		turn(t, &c, 100, func(d *device.Device, arena *device.Arena) {
			for _, key := range keys {
				device.Keep(arena, key, 5, filling(map[string]*int{"a": &a, "b": &b}[key], 1))
			}
			must(t, arena.Err())
		})
	}
	keep("a", "b")
	turn(t, &c, 100, func(d *device.Device, arena *device.Arena) { // 40 are kept, of which it uses none
		if room, err := d.Room(); room != 100 || err != nil {
			t.Errorf("room for %d, %v", room, err)
		}
		must(t, d.Reserve(70))
		device.Alloc[uint32](arena, 70/4)
		must(t, arena.Err())
	})
	keep("a", "b")
	if a != 2 || b != 1 {
		t.Errorf("made %d and %d times: the older one was to give way", a, b)
	}
	turn(t, &c, 100, func(d *device.Device, arena *device.Arena) { // a is now the newer one
		must(t, d.Reserve(100, "b"))
		device.Keep(arena, "b", 5, filling(&b, 1))
		device.Keep(arena, "c", 20, filling(&other, 1))
		must(t, arena.Err())
		if room, _ := d.Room(); room != 0 {
			t.Errorf("room for %d more", room)
		}
		if device.Alloc[uint32](arena, 1); !errors.Is(arena.Err(), cuda.ErrOutOfMemory) {
			t.Errorf("%v", arena.Err())
		}
	})
	if keep("b", "a"); a != 3 || b != 1 {
		t.Errorf("made %d and %d times: the one that was asked for was to stay", a, b)
	}
}

// Who has not said what it will take finds the room nevertheless.
func TestKeptGivesWayUnasked(t *testing.T) {
	var c device.Cache
	made := 0
	turn(t, &c, 100, func(_ *device.Device, a *device.Arena) { device.Keep(a, "a", 5, filling(&made, 1)) })
	turn(t, &c, 100, func(_ *device.Device, a *device.Arena) {
		device.Alloc[uint32](a, 20)
		must(t, a.Err())
		device.Alloc[uint32](a, 5)
		must(t, a.Err())
	})
	turn(t, &c, 100, func(_ *device.Device, a *device.Arena) { device.Keep(a, "a", 5, filling(&made, 1)) })
	if made != 2 {
		t.Errorf("made %d times", made)
	}
}

// What could not be filled is not kept.
func TestKeepFails(t *testing.T) {
	var c device.Cache
	broken, made := errors.New("broken"), 0
	turn(t, &c, 20, func(d *device.Device, a *device.Arena) {
		device.Keep(a, "a", 5, func(*device.Buffer[uint32]) error { return broken })
		if room, _ := d.Room(); !errors.Is(a.Err(), broken) || room != 20 {
			t.Errorf("%v, and room for %d", a.Err(), room)
		}
	})
	turn(t, &c, 20, func(_ *device.Device, a *device.Arena) {
		device.Keep(a, "a", 5, filling(&made, 1))
		must(t, a.Err())
	})
	if made != 1 {
		t.Errorf("made %d times", made)
	}
}
