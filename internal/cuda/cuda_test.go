package cuda

import (
	"errors"
	"os"
	"strings"
	"testing"

	"github.com/topoi-lda/topoi/internal/rng"
)

// requireVariable, when set, makes tests that find no GPU fail instead of skip.
const requireVariable = "TOPOI_REQUIRE_GPU"

// gpu opens the first device for a test, which is skipped if there is none.
func gpu(t testing.TB) *Context {
	t.Helper()
	c, err := Open(0)
	if Unavailable(err) && os.Getenv(requireVariable) == "" {
		t.Skipf("needs a GPU: %v", err)
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := c.Close(); err != nil {
			t.Error(err)
		}
	})
	return c
}

func gpuStream(t testing.TB) *Stream {
	t.Helper()
	s, err := gpu(t).NewStream()
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// must ends the test at an error.
// newArrayFrom allocates an array and copies src into it.
func newArrayFrom[T Number](s *Stream, src []T) (*Array[T], error) {
	a, err := NewArray[T](s.ctx, len(src))
	if err != nil {
		return nil, err
	}
	return a, a.Upload(s, src)
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func TestDevices(t *testing.T) {
	devices, err := Devices()
	if err != nil {
		if !Unavailable(err) || os.Getenv(requireVariable) != "" {
			t.Fatal(err)
		}
		if !strings.HasPrefix(err.Error(), "cuda: ") || strings.Contains(err.Error(), "\n") {
			t.Errorf("not one sentence: %v", err)
		}
		if _, openErr := Open(0); openErr == nil || openErr.Error() != err.Error() {
			t.Errorf("Open says %v, Devices says %v", openErr, err)
		}
		t.Skipf("no device to list: %v", err)
	}
	for _, d := range devices {
		t.Logf("%+v", d)
		if d.Name == "" || d.Memory <= 0 || d.SMs <= 0 || d.SharedOptIn < 48<<10 || d.Major < 3 {
			t.Errorf("implausible: %+v", d)
		}
	}
	if _, err := Open(len(devices)); !errors.Is(err, ErrNoDevice) {
		t.Errorf("opening GPU %d: %v", len(devices), err)
	}
}

func TestMemory(t *testing.T) {
	s := gpuStream(t)
	c := s.ctx
	src := make([]uint64, 100_003)
	for i := range src {
		src[i] = uint64(i) * 0x9e3779b97f4a7c15
	}
	a, err := newArrayFrom(s, src)
	must(t, err)
	got := make([]uint64, 5)
	must(t, a.View(1000, 1005).Download(s, got))
	for i := range got {
		if got[i] != src[1000+i] {
			t.Fatalf("number %d is %x, want %x", i, got[i], src[1000+i])
		}
	}
	must(t, a.View(1001, 1003).ZeroAsync(s))
	must(t, a.View(1000, 1005).Download(s, got))
	if got[0] != src[1000] || got[1] != 0 || got[2] != 0 || got[3] != src[1003] {
		t.Errorf("after clearing two: %x", got)
	}
	if err := a.Upload(s, make([]uint64, len(src)+1)); err == nil {
		t.Error("upload beyond the end accepted")
	}
	must(t, a.Free())
	must(t, a.Free()) // twice is nothing

	empty, err := newArrayFrom(s, []float32{})
	must(t, err)
	must(t, empty.ZeroAsync(s))
	must(t, empty.Free())

	_, err = NewArray[uint8](c, 1<<50)
	if !errors.Is(err, ErrOutOfMemory) || !strings.Contains(err.Error(), "are free on") {
		t.Errorf("a pebibyte of memory: %v", err)
	}
	must(t, c.Wait()) // the context survives it
}

func TestPinnedCopiesInOrder(t *testing.T) {
	s := gpuStream(t)
	c := s.ctx
	const n = 1 << 20
	up, err := NewPinned[int32](c, n)
	must(t, err)
	down, err := NewPinned[int32](c, n)
	must(t, err)
	for i := range up.Slice() {
		up.Slice()[i] = int32(i) - n/2
	}
	a, err := NewArray[int32](c, n)
	must(t, err)
	done, err := c.NewEvent()
	must(t, err)
	must(t, c.Run(func() error {
		return errors.Join(a.UploadAsync(s, up), a.View(0, 3).ZeroAsync(s), done.Record(s))
	}))
	second, err := c.NewStream()
	must(t, err)
	must(t, second.WaitFor(done))
	must(t, a.DownloadAsync(second, down))
	must(t, second.Wait())
	must(t, done.Wait())
	for i, x := range down.Slice() {
		want := int32(i) - n/2
		if i < 3 {
			want = 0
		}
		if x != want {
			t.Fatalf("number %d is %d, want %d", i, x, want)
		}
	}
	must(t, errors.Join(up.Free(), down.Free(), a.Free(), done.Close(), second.Close()))
}

func TestPhiloxEqualsGo(t *testing.T) {
	s := gpuStream(t)
	f, err := s.ctx.Kernel("philox", "philox_blocks")
	must(t, err)
	const n = 100_003
	key := rng.NewKey(0x0123456789abcdef)
	a, err := NewArray[uint32](s.ctx, 4*n)
	must(t, err)
	must(t, f.Launch(s, Shape{Blocks: 64, Threads: 128}, a, uint32(n), key[0], key[1], uint32(7), uint32(8), uint32(9)))
	got := make([]uint32, 4*n)
	must(t, a.Download(s, got))
	for i := range n {
		if want := key.Block(uint32(i), 7, 8, 9); [4]uint32(got[4*i:]) != want {
			t.Fatalf("block %d is %08x, want %08x", i, got[4*i:4*i+4], want)
		}
	}
}

func TestUniformEqualsGo(t *testing.T) {
	s := gpuStream(t)
	const n = 70_001
	key := rng.NewKey(99)
	f32, err := NewArray[float32](s.ctx, n)
	must(t, err)
	f64, err := NewArray[float64](s.ctx, n)
	must(t, err)
	fill := func(kernel string, a any) error {
		f, err := s.ctx.Kernel("philox", kernel)
		must(t, err)
		return f.Launch(s, Shape{Blocks: 64, Threads: 128}, a, uint64(n), key[0], key[1], uint32(3), uint32(4))
	}
	must(t, errors.Join(fill("philox_uniform_f32", f32), fill("philox_uniform_f64", f64)))
	got32, got64 := make([]float32, n), make([]float64, n)
	must(t, errors.Join(f32.Download(s, got32), f64.Download(s, got64)))
	for i := range n {
		x := key.Block(uint32(i), 0, 3, 4)
		if got32[i] != rng.Float32(x[0]) || got64[i] != rng.Float64(x[0], x[1]) {
			t.Fatalf("number %d is %v and %v, want %v and %v", i, got32[i], got64[i], rng.Float32(x[0]), rng.Float64(x[0], x[1]))
		}
	}
}

// Shared memory below and above what a block has without asking.
func TestHistogramEqualsGo(t *testing.T) {
	s := gpuStream(t)
	f, err := s.ctx.Kernel("philox", "philox_histogram")
	must(t, err)
	key := rng.NewKey(3)
	const n = 200_000
	for _, bins := range []int{1, 1000, s.ctx.Device.SharedOptIn / 4} {
		a, err := NewArray[uint32](s.ctx, bins)
		must(t, err)
		must(t, a.ZeroAsync(s))
		must(t, f.Launch(s, Shape{Blocks: 7, Threads: 256, Shared: 4 * bins}, a, uint32(bins), uint32(n), key[0], key[1]))
		got, want := make([]uint32, bins), make([]uint32, bins)
		must(t, a.Download(s, got))
		for i := range uint32(n) {
			want[rng.Below(key.Block(i, 0, 0, 0)[0], uint32(bins))]++
		}
		for i := range want {
			if got[i] != want[i] {
				t.Fatalf("%d bins: bin %d holds %d, want %d", bins, i, got[i], want[i])
			}
		}
	}
	a, err := NewArray[uint32](s.ctx, 1)
	must(t, err)
	err = f.Launch(s, Shape{Blocks: 1, Threads: 32, Shared: s.ctx.Device.SharedOptIn + 4}, a, uint32(1), uint32(1), uint32(0), uint32(0))
	if err == nil || !strings.Contains(err.Error(), "shared memory") {
		t.Errorf("too much shared memory: %v", err)
	}
}
