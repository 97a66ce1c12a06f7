package device_test

import (
	"errors"
	"os"
	"slices"
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

func TestBuffers(t *testing.T) {
	eachDevice(t, func(t *testing.T, d *device.Device) {
		src := []uint16{1, 2, 3, 4, 5}
		b, err := device.From(d, src)
		if err != nil {
			t.Fatal(err)
		}
		got := make([]uint16, 3)
		if err := b.Download(got); err != nil || !slices.Equal(got, src[:3]) {
			t.Errorf("got %v, %v; want the first of %v", got, err, src)
		}
		if err := b.Zero(); err != nil {
			t.Error(err)
		}
		if err := b.Upload([]uint16{9}); err != nil {
			t.Error(err)
		}
		if err := b.Download(got); err != nil || !slices.Equal(got, []uint16{9, 0, 0}) {
			t.Errorf("got %v, %v; want 9 and zeros", got, err)
		}
		if err := b.Free(); err != nil {
			t.Error(err)
		}
		empty, err := device.New[float32](d, 0)
		if err != nil || empty.Free() != nil {
			t.Errorf("an empty buffer: %v", err)
		}
	})
}

func TestLaunch(t *testing.T) {
	eachDevice(t, func(t *testing.T, d *device.Device) {
		const n = 100
		key := rng.NewKey(7)
		out, err := device.From(d, make([]uint32, 4*n))
		if err != nil {
			t.Fatal(err)
		}
		err = d.Together(func() error {
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

// Copies and kernels in several queues, ordered by marks.
func TestQueues(t *testing.T) {
	eachDevice(t, func(t *testing.T, d *device.Device) {
		must := func(err error) {
			t.Helper()
			if err != nil {
				t.Fatal(err)
			}
		}
		const n, parts = 1 << 12, 4
		host, err := device.NewHost[uint32](d, parts*n)
		must(err)
		sum, err := device.From(d, make([]uint32, 8))
		must(err)
		slot, err := device.New[uint32](d, 2*n)
		must(err)
		copies, err := d.NewQueue()
		must(err)
		arrived, err := d.NewMark()
		must(err)
		used, err := d.NewMark()
		must(err)
		for i := range host.Slice() {
			host.Slice()[i] = 7
		}
		key := rng.NewKey(1)
		must(d.Together(func() error {
			for i := range parts {
				part, at := host.View(i*n, (i+1)*n), slot.View(i%2*n, (i%2+1)*n)
				must(copies.After(used))
				must(at.Send(copies, part))
				must(arrived.Set(copies))
				must(d.Main().After(arrived))
				must(d.Main().Launch("philox", "philox_blocks", device.Shape{Blocks: 2, Threads: 32}, at, uint32(n/4), key[0], key[1], uint32(i), uint32(0), uint32(0)))
				must(used.Set(d.Main()))
				must(copies.After(used))
				must(at.Receive(copies, part))
			}
			return nil
		}))
		must(copies.Wait())
		for i := range parts * n / 4 {
			if want := key.Block(uint32(i%(n/4)), uint32(i/(n/4)), 0, 0); [4]uint32(host.Slice()[4*i:]) != want {
				t.Fatalf("block %d is %x, want %x", i, host.Slice()[4*i:4*i+4], want)
			}
		}
		must(sum.ZeroIn(copies))
		room, err := d.Room()
		if err != nil || room < 1<<20 {
			t.Errorf("room for %d bytes, %v", room, err)
		}
		d.Limit(1000)
		if room, err := d.Room(); room != 1000 || err != nil {
			t.Errorf("room for %d bytes, %v; the limit is 1000", room, err)
		}
		must(errors.Join(host.Free(), sum.Free(), slot.Free(), arrived.Close(), used.Close(), copies.Close()))
	})
}

// Buffers grow where they must, and what is freed may be taken again.
func TestGrowing(t *testing.T) {
	eachDevice(t, func(t *testing.T, d *device.Device) {
		before, err := device.New[uint32](d, 100)
		if err != nil {
			t.Fatal(err)
		}
		d.Limit(1000)
		room := func(want int64) {
			t.Helper()
			if got, err := d.Room(); got != want || err != nil {
				t.Errorf("room for %d bytes, %v; want %d", got, err, want)
			}
		}
		var b *device.Buffer[uint32]
		var h *device.Host[uint16]
		for _, n := range []int{10, 200, 200, 20} {
			if err := errors.Join(device.Grow(d, &b, n), device.GrowHost(d, &h, n)); err != nil {
				t.Fatal(err)
			}
			if len(h.Slice()) < n {
				t.Errorf("%d numbers of the host's instead of %d", len(h.Slice()), n)
			}
		}
		room(200)
		if err := before.Free(); err != nil { // it was taken before there was a limit
			t.Error(err)
		}
		room(200)
		if err := device.Grow(d, &b, 251); !errors.Is(err, cuda.ErrOutOfMemory) || b != nil {
			t.Errorf("1004 bytes within 1000: %v", err)
		}
		room(1000)
		if err := errors.Join(b.Free(), h.Free()); err != nil {
			t.Error(err)
		}
	})
}
