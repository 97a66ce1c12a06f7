package train

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/topoi-lda/topoi"
	"github.com/topoi-lda/topoi/corpus"
	"github.com/topoi-lda/topoi/internal/cuda"
)

// trap is a kernel that ends the context it runs in.
const trap = `.version 7.0
.target sm_80
.address_size 64
.visible .entry fail(
	.param .u64 address
)
{
	.reg .b64 %a;
	.reg .b32 %x;
	ld.param.u64 %a, [address];
	ld.u32 %x, [%a];
	st.u32 [%a], %x;
	ret;
}
`

// A GPU that is really lost, by another use of the same context that reads where nothing
// is, ends training with the last checkpoint as it was; from there the CPU comes
// to the model of a run that never failed. Nothing of CUDA works in the process any more, so
// it is one of its own.
func TestLostDeviceKeepsCheckpoint(t *testing.T) {
	const inside = "TOPOI_TEST_LOST_DEVICE"
	if os.Getenv(inside) == "" {
		if _, err := cuda.Devices(); cuda.Unavailable(err) && os.Getenv("TOPOI_REQUIRE_GPU") == "" {
			t.Skipf("needs a GPU: %v", err)
		}
		for _, name := range []string{"batch", "warp"} {
			cmd := exec.Command(os.Args[0], "-test.run=^TestLostDeviceKeepsCheckpoint$", "-test.v")
			cmd.Env = append(os.Environ(), inside+"="+name)
			out, err := cmd.CombinedOutput()
			if t.Logf("%s", out); err != nil {
				t.Errorf("%s: %v", name, err)
			}
		}
		return
	}
	dir := t.TempDir()
	path := filepath.Join(dir, "c.topoi")
	if _, err := corpus.Generate(t.Context(), path, corpus.GenerateOptions{Docs: 500, Words: 200, MeanLength: 60, Topics: 5}); err != nil {
		t.Fatal(err)
	}
	c, err := corpus.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	opts := topoi.Options{Topics: 8, Sampler: os.Getenv(inside), Iterations: 30, Tolerance: -1, CheckpointEvery: 5, Device: "cpu"}
	want, err := Run(t.Context(), c, opts)
	if err != nil {
		t.Fatal(err)
	}
	opts.Device, opts.Checkpoint = "cuda", filepath.Join(dir, "checkpoint")
	opts.Events.Iteration = func(i topoi.IterationInfo) {
		if i.Iteration == 12 {
			loseDevice(t)
		}
	}
	if _, err = Run(t.Context(), c, opts); !errors.Is(err, cuda.ErrDeviceLost) {
		t.Fatalf("got %v", err)
	}
	t.Log(err)
	if state, err := readCheckpoint(opts.Checkpoint); err != nil || state.Iteration != 10 {
		t.Fatalf("the checkpoint is %v, %v; want that of iteration 10", state, err)
	}
	opts.Device, opts.Resume, opts.Events = "cpu", true, topoi.Events{}
	got, err := Run(t.Context(), c, opts)
	if err != nil {
		t.Fatal(err)
	}
	if got.Fingerprint() != want.Fingerprint() {
		t.Errorf("the resumed run has model %s, want %s", got.Fingerprint(), want.Fingerprint())
	}
}

// loseDevice makes the context of the first GPU, which all of a process share, unusable.
func loseDevice(t *testing.T) {
	ctx, err := cuda.Open(0)
	if err != nil {
		t.Fatal(err)
	}
	module, err := ctx.Load("trap", trap)
	if err != nil {
		t.Fatal(err)
	}
	kernel, err := module.Function("fail")
	if err != nil {
		t.Fatal(err)
	}
	stream, err := ctx.NewStream()
	if err != nil {
		t.Fatal(err)
	}
	if err := kernel.Launch(stream, cuda.Shape{Blocks: 1, Threads: 1}, uint64(64)); err != nil {
		t.Fatal(err)
	}
	if err := stream.Wait(); !errors.Is(err, cuda.ErrDeviceLost) {
		t.Fatalf("the device is not lost: %v", err)
	}
}
