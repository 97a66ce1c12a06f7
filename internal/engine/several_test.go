package engine

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
	"github.com/topoi-lda/topoi/internal/sampler"
	"github.com/topoi-lda/topoi/internal/sampler/warp"
)

// Several devices that share the work come to what memory comes to, also from the middle on.
func TestSeveralDevices(t *testing.T) {
	t.Run("emulated", func(t *testing.T) {
		emulated.Need(t)
		severalEqualOne(t, Where{Device: "cuda:0,1,2", Many: true, Open: func(int) (*device.Device, error) {
			return emulated.New("../cuda/kernels"), nil
		}}, "cuda:0 (emulator) and cuda:1 (emulator) and cuda:2 (emulator)")
	})
	t.Run("gpu", func(t *testing.T) {
		list, err := cuda.Devices()
		if cuda.Unavailable(err) && os.Getenv("TOPOI_REQUIRE_GPU") == "" {
			t.Skipf("needs a GPU: %v", err)
		}
		must(t, err)
		name := fmt.Sprintf("cuda:0 (%s)", list[0].Name)
		severalEqualOne(t, Where{Device: "cuda:0,0", Many: true}, name+" and "+name)
	})
}

func severalEqualOne(t *testing.T, where Where, place string) {
	must(t, where.Validate())
	before := warp.BlockLimits
	t.Cleanup(func() { warp.BlockLimits = before })
	warp.BlockLimits.Tokens = 1000 // so that every device has some
	open := func() Engine {
		e, why, err := New(infoOf("warp"), problem(sampler.Tuning{}), where, false)
		must(t, errors.Join(err, why))
		if e.Place() != place {
			t.Errorf("the place is %q, want %q", e.Place(), place)
		}
		return e
	}
	one, err := InMemory(infoOf("warp"), problem(sampler.Tuning{}))
	must(t, err)
	must(t, one.Start(priors()))
	first := open()
	must(t, first.Start(priors()))
	z := sweeps(t, first, 1, 2)
	if !slices.Equal(z, sweeps(t, one, 1, 2)) {
		t.Error("other topics than in memory")
	}
	checkCounts(t, first, z)
	sameStatistics(t, first, one)
	state, err := first.Save()
	must(t, errors.Join(err, first.Close()))
	second := open()
	must(t, second.Restore(state, priors()))
	if !slices.Equal(sweeps(t, second, 3, 4), sweeps(t, one, 3, 4)) {
		t.Error("other topics than in memory after going on")
	}
	sameStatistics(t, second, one)
	must(t, second.Close())
}

// sameStatistics compares what two engines count.
func sameStatistics(t *testing.T, got, want Engine) {
	t.Helper()
	a, err := got.Statistics()
	must(t, err)
	b, err := want.Statistics()
	must(t, err)
	if fmt.Sprint(a) != fmt.Sprint(b) {
		t.Errorf("statistics are %v, want %v", a, b)
	}
}

// Names of devices, and what cannot be done on several.
func TestSeveralAreNamed(t *testing.T) {
	for _, c := range []struct {
		name string
		many bool
		want string // of the fault; "" for none
	}{
		{"cuda:all", true, ""},
		{"cuda:1,0", true, ""},
		{"cuda:0,0", true, ""},
		{"cuda:", true, `unknown device "cuda:": it must be auto, cpu, cuda, cuda:N, cuda:N,M,… or cuda:all`},
		{"cuda:0,", true, `unknown device "cuda:0,"`},
		{"cuda:all,1", true, `unknown device "cuda:all,1"`},
		{"cuda:0,1", false, `device "cuda:0,1" is several GPUs, and this is work for one: name it as cuda:N`},
		{"cuda:all", false, `device "cuda:all" is several GPUs`},
		{"cuda:x", false, `unknown device "cuda:x": it must be auto, cpu, cuda or cuda:N`},
	} {
		err := Where{Device: c.name, Many: c.many}.Validate()
		if (err == nil) != (c.want == "") || err != nil && !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", c.name, err, c.want)
		}
	}
	where := Where{Device: "cuda:0,1", Many: true, Open: func(int) (*device.Device, error) { return emulated.New(""), nil }}
	for _, c := range []struct {
		name   string
		tuning sampler.Tuning
		want   string
	}{
		{"batch", sampler.Tuning{}, `sampler "batch" cannot use several GPUs: choose sampler warp, or one GPU`},
		{"gibbs", sampler.Tuning{}, `sampler "gibbs" cannot use several GPUs`},
		{"warp", sampler.Tuning{Staleness: 1}, "several GPUs see each other's changes at once"},
	} {
		if _, _, err := New(infoOf(c.name), problem(c.tuning), where, true); err == nil || !strings.Contains(err.Error(), c.want) || !errors.Is(err, sampler.ErrNotOnDevice) {
			t.Errorf("%s: %v, want %q", c.name, err, c.want)
		}
	}
	gone := errors.New("there is no GPU 1")
	where.Open = func(n int) (*device.Device, error) {
		if n == 1 {
			return nil, gone
		}
		return emulated.New(""), nil
	}
	if _, _, err := New(infoOf("warp"), problem(sampler.Tuning{}), where, true); !errors.Is(err, gone) {
		t.Errorf("without a second GPU: %v", err)
	}
}
