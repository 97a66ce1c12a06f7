package cuda

import (
	"errors"
	"os"
	"os/exec"
	"strings"
	"testing"
)

func TestCompilerLogIsInTheError(t *testing.T) {
	c := gpu(t)
	_, err := c.Load("broken", ".version 7.0\n.target sm_80\n.address_size 64\n.visible .entry broken() { nonsense; }\n")
	var e *Error
	if !errors.As(err, &e) || e.Log == "" || !strings.HasPrefix(e.Name, "CUDA_ERROR_") || strings.Contains(err.Error(), "\n") {
		t.Fatalf("got %v", err)
	}
	t.Log(err)
}

func TestLaunchChecksArguments(t *testing.T) {
	s := gpuStream(t)
	f, err := s.ctx.Kernel("philox", "philox_histogram")
	must(t, err)
	for name, args := range map[string][]any{
		"too few":    {uint32(1)},
		"wrong size": {uint32(1), uint32(1), uint32(1), uint32(1), uint32(1)},
		"wrong kind": {"text", uint32(1), uint32(1), uint32(1), uint32(1)},
	} {
		t.Run(name, func(t *testing.T) {
			defer func() {
				if recover() == nil {
					t.Error("accepted")
				}
			}()
			_ = f.Launch(s, Shape{Blocks: 1, Threads: 32}, args...)
		})
	}
}

// Many goroutines may use one context at once; a closed one refuses.
func TestConcurrentUse(t *testing.T) {
	c := gpu(t)
	errs := make(chan error, 8)
	for g := range cap(errs) {
		go func() {
			errs <- func() error {
				s, err := c.NewStream()
				if err != nil {
					return err
				}
				for i := range 20 {
					a, err := newArrayFrom(s, []int64{int64(g), int64(i)})
					if err != nil {
						return err
					}
					got := make([]int64, 2)
					if err := a.Download(s, got); err != nil {
						return err
					}
					if got[0] != int64(g) || got[1] != int64(i) {
						return errors.New("another goroutine's numbers")
					}
					if err := a.Free(); err != nil {
						return err
					}
				}
				return s.Close()
			}()
		}()
	}
	for range cap(errs) {
		if err := <-errs; err != nil {
			t.Error(err)
		}
	}
	must(t, c.Close())
	if err := c.Wait(); !errors.Is(err, ErrClosed) {
		t.Errorf("after Close: %v", err)
	}
}

// A kernel that writes where nothing is ends the context and is told apart from
// other errors. It also ends the process's use of the device, so it runs in a
// process of its own.
func TestIllegalAddressLosesDevice(t *testing.T) {
	const inside = "TOPOI_TEST_ILLEGAL_ADDRESS"
	if os.Getenv(inside) == "" {
		gpu(t)
		cmd := exec.Command(os.Args[0], "-test.run=^TestIllegalAddressLosesDevice$", "-test.v")
		cmd.Env = append(os.Environ(), inside+"=1")
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Errorf("%v\n%s", err, out)
		}
		return
	}
	c, err := Open(0)
	must(t, err)
	s, err := c.NewStream()
	must(t, err)
	f, err := c.Kernel("philox", "philox_blocks")
	must(t, err)
	nowhere := &Array[uint32]{ctx: c, n: 4}
	must(t, f.Launch(s, Shape{Blocks: 1, Threads: 32}, nowhere, uint32(1), uint32(0), uint32(0), uint32(0), uint32(0), uint32(0)))
	if err := s.Wait(); !errors.Is(err, ErrDeviceLost) || Unavailable(err) {
		t.Errorf("got %v", err)
	}
}

func BenchmarkLaunch(b *testing.B) {
	s := gpuStream(b)
	f, err := s.ctx.Kernel("philox", "philox_uniform_f32")
	must(b, err)
	a, err := NewArray[float32](s.ctx, 1)
	must(b, err)
	launch := func() error {
		return f.Launch(s, Shape{Blocks: 1, Threads: 32}, a, uint64(1), uint32(0), uint32(0), uint32(0), uint32(0))
	}
	b.Run("alone", func(b *testing.B) {
		for b.Loop() {
			must(b, launch())
		}
		must(b, s.Wait())
	})
	b.Run("sequence", func(b *testing.B) {
		must(b, s.ctx.Run(func() error {
			for b.Loop() {
				if err := launch(); err != nil {
					return err
				}
			}
			return s.Wait()
		}))
	})
}
