package device_test

import (
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/topoi-lda/topoi/internal/cuda"
	"github.com/topoi-lda/topoi/internal/device"
	"github.com/topoi-lda/topoi/internal/device/emulated"
	"github.com/topoi-lda/topoi/internal/rng"
)

// eachDevice runs a test on the emulator and on the first GPU, as far as they are
// there.
func eachDevice(t *testing.T, test func(t *testing.T, d *device.Device)) {
	t.Run("emulated", func(t *testing.T) {
		check(t, emulated.Open(t, "../cuda/kernels"), test)
	})
	t.Run("gpu", func(t *testing.T) {
		d, err := device.Open(0)
		if cuda.Unavailable(err) && os.Getenv("TOPOI_REQUIRE_GPU") == "" {
			t.Skipf("needs a GPU: %v", err)
		}
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() {
			if err := d.Close(); err != nil {
				t.Error(err)
			}
		})
		check(t, d, test)
	})
}

func check(t *testing.T, d *device.Device, test func(t *testing.T, d *device.Device)) {
	if d.Name() == "" || d.Processors() < 1 || d.SharedMemory() < 48<<10 {
		t.Errorf("implausible device: %q, %d processors, %d bytes of shared memory", d.Name(), d.Processors(), d.SharedMemory())
	}
	test(t, d)
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// arena is one that the test closes.
func arena(t testing.TB, d *device.Device) *device.Arena {
	a := d.NewArena()
	t.Cleanup(func() { must(t, a.Close()) })
	return a
}

func TestBuffers(t *testing.T) {
	eachDevice(t, func(t *testing.T, d *device.Device) {
		src, a := []uint16{1, 2, 3, 4, 5}, arena(t, d)
		b, empty := device.Upload(a, src), device.Alloc[float32](a, 0)
		must(t, a.Err())
		got := make([]uint16, 3)
		if err := b.Download(got); err != nil || !slices.Equal(got, src[:3]) {
			t.Errorf("got %v, %v; want the first of %v", got, err, src)
		}
		must(t, b.Zero())
		must(t, b.Upload([]uint16{9}))
		if err := b.Download(got); err != nil || !slices.Equal(got, []uint16{9, 0, 0}) {
			t.Errorf("got %v, %v; want 9 and zeros", got, err)
		}
		must(t, empty.Zero())
	})
}

// After a fault nothing is allocated, and closing gives back all that was.
func TestArena(t *testing.T) {
	eachDevice(t, func(t *testing.T, d *device.Device) {
		d.Limit(1000)
		a := d.NewArena()
		first, host, queue, mark := device.Alloc[uint32](a, 100), device.Pin[uint16](a, 10), a.Queue(), a.Mark()
		must(t, a.Err())
		if first == nil || host == nil || queue == nil || mark == nil {
			t.Error("something is missing")
		}
		if b := device.Alloc[uint32](a, 200); b != nil {
			t.Error("1200 bytes within 1000")
		}
		if b := device.Upload(a, []uint32{1}); b != nil || a.Queue() != nil {
			t.Error("something is allocated after a fault")
		}
		if err := a.Err(); !errors.Is(err, cuda.ErrOutOfMemory) || strings.Contains(err.Error(), "\n") {
			t.Errorf("got %v", err)
		}
		must(t, a.Close())
		if room, err := d.Room(); room != 1000 || err != nil {
			t.Errorf("room for %d bytes, %v; all was given back", room, err)
		}
		must(t, a.Close())
		must(t, (*device.Arena)(nil).Close())
	})
}

func TestLaunch(t *testing.T) {
	eachDevice(t, func(t *testing.T, d *device.Device) {
		const n = 100
		key := rng.NewKey(7)
		out := device.Upload(arena(t, d), make([]uint32, 4*n))
		err := d.Together(func() error {
			return d.Launch("philox", "philox_blocks", device.Shape{Blocks: 2, Threads: 32}, out, uint32(n), key[0], key[1], uint32(1), uint32(2), uint32(3))
		})
		if err != nil {
			t.Fatal(err)
		}
		if err := d.Wait(); err != nil {
			t.Fatal(err)
		}
		words := make([]uint32, 4*n)
		if err := out.Download(words); err != nil {
			t.Fatal(err)
		}
		for i := range n {
			if want := key.Block(uint32(i), 1, 2, 3); [4]uint32(words[4*i:]) != want {
				t.Fatalf("block %d is %x, want %x", i, words[4*i:4*i+4], want)
			}
		}
		if err := d.Launch("nosuch", "nosuch", device.Shape{Blocks: 1, Threads: 32}); err == nil {
			t.Error("an unknown kernel was launched")
		}
	})
}

// A conveyor with one queue for everything, or with queues of their own for copies, brings
// every load through the device, those that stay among them.
func TestConveyor(t *testing.T) {
	eachDevice(t, func(t *testing.T, d *device.Device) {
		a := arena(t, d)
		in, out := a.Queue(), a.Queue()
		for name, lane := range map[string]func() device.Lane{
			"one queue":    func() device.Lane { return device.OneLane(a.Queue()) },
			"three queues": func() device.Lane { return device.Lane{In: in, Work: d.Main(), Out: out} },
		} {
			c := device.NewConveyor[numberedRoom](a, a.Queue())
			for range 2 {
				c.AddSlot(&numberedRoom{on: device.Alloc[uint32](a, 4*n), at: device.Pin[uint32](a, 4*n)}, lane())
			}
			must(t, a.Err())
			home := &numberedRoom{on: device.Alloc[uint32](a, 4*n)}
			landed := []int{}
			for i := range 7 {
				load := numberedLoad(d, i, func(room *numberedRoom) error {
					landed = append(landed, i)
					return checkBlocks(i, room.at.Slice())
				})
				if i == 3 {
					load.Home = home
				}
				must(t, c.Pass(load))
			}
			must(t, c.Drain(nil))
			if want := []int{0, 1, 2, 4, 5, 6}; !slices.Equal(landed, want) {
				t.Errorf("%s: loads %v landed, want %v", name, landed, want)
			}
			got := make([]uint32, 4*n)
			must(t, errors.Join(c.Before(d.Main()), d.Wait(), home.on.Download(got), checkBlocks(3, got)))
		}
	})
}

// A fault in a load ends its way, and those under way are forgotten.
func TestConveyorWithFaults(t *testing.T) {
	eachDevice(t, func(t *testing.T, d *device.Device) {
		a, fault := arena(t, d), errors.New("a fault")
		c := device.NewConveyor[numberedRoom](a, d.Main())
		c.AddSlot(&numberedRoom{on: device.Alloc[uint32](a, 4*n), at: device.Pin[uint32](a, 4*n)}, device.OneLane(a.Queue()))
		must(t, a.Err())
		must(t, c.Pass(numberedLoad(d, 1, func(*numberedRoom) error { return fault })))
		if err := c.Pass(numberedLoad(d, 2, nil)); err != fault {
			t.Errorf("landing failed: %v", err)
		}
		landed := false
		must(t, c.Pass(numberedLoad(d, 3, func(*numberedRoom) error { landed = true; return nil })))
		bad := numberedLoad(d, 4, nil)
		bad.Board = func(*numberedRoom) error { return fault }
		if err := c.Drain(c.Pass(bad)); err != fault || !landed {
			t.Errorf("boarding failed: %v; the load before landed: %v", err, landed)
		}
		must(t, c.Pass(numberedLoad(d, 5, func(*numberedRoom) error { t.Error("landed after a fault"); return nil })))
		if err := c.Drain(fault); err != fault {
			t.Errorf("got %v", err)
		}
		must(t, c.Drain(nil))
	})
}

const n = 100 // blocks of random numbers in a numberedLoad

// numberedRoom is where a load's random numbers are made, and where they return to.
type numberedRoom struct {
	on *device.Buffer[uint32]
	at *device.Host[uint32]
}

// numberedLoad is sent full of its own number, which the kernel replaces.
func numberedLoad(d *device.Device, number int, land func(room *numberedRoom) error) device.Load[numberedRoom] {
	key := rng.NewKey(1)
	return device.Load[numberedRoom]{
		Board: func(room *numberedRoom) error {
			for i := range room.at.Slice() {
				room.at.Slice()[i] = uint32(number)
			}
			return nil
		},
		Send: func(room *numberedRoom, q *device.Queue) error { return room.on.Send(q, room.at) },
		Work: func(room *numberedRoom, q *device.Queue) error {
			return q.Launch("philox", "philox_blocks", device.Shape{Blocks: 2, Threads: 32}, room.on, uint32(n), key[0], key[1], uint32(number), uint32(0), uint32(0))
		},
		Return: func(room *numberedRoom, q *device.Queue) error { return room.on.Receive(q, room.at) },
		Land:   land,
	}
}

// checkBlocks compares the random numbers of a load.
func checkBlocks(number int, got []uint32) error {
	key := rng.NewKey(1)
	for i := range n {
		if want := key.Block(uint32(i), uint32(number), 0, 0); [4]uint32(got[4*i:]) != want {
			return fmt.Errorf("block %d of load %d is %x, want %x", i, number, got[4*i:4*i+4], want)
		}
	}
	return nil
}

// Buffers grow where they must, and what is freed may be taken again.
func TestGrowing(t *testing.T) {
	eachDevice(t, func(t *testing.T, d *device.Device) {
		before := d.NewArena()
		device.Alloc[uint32](before, 100)
		d.Limit(1000)
		room := func(want int64) {
			t.Helper()
			if got, err := d.Room(); got != want || err != nil {
				t.Errorf("room for %d bytes, %v; want %d", got, err, want)
			}
		}
		var b *device.Buffer[uint32]
		var h *device.Host[uint16]
		a := arena(t, d)
		for _, n := range []int{10, 200, 200, 20} {
			device.Grow(a, &b, n)
			device.GrowHost(a, &h, n)
			must(t, a.Err())
			if len(h.Slice()) < n {
				t.Errorf("%d numbers of the host's instead of %d", len(h.Slice()), n)
			}
		}
		room(200)
		must(t, before.Close()) // it was taken before there was a limit
		room(200)
		if device.Grow(a, &b, 251); !errors.Is(a.Err(), cuda.ErrOutOfMemory) || b != nil {
			t.Errorf("1004 bytes within 1000: %v", a.Err())
		}
		room(1000)
	})
}
