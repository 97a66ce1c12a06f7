package engine

import (
	"bytes"
	"errors"
	"slices"
	"testing"
	"time"

	"github.com/topoi-lda/topoi/internal/cuda"
	"github.com/topoi-lda/topoi/internal/device"
	"github.com/topoi-lda/topoi/internal/device/emulated"
	"github.com/topoi-lda/topoi/internal/sampler"
)

// A state that is more than topics, saved on a device or in memory, is the same, and goes on in either place as if it had not
// been stopped: before exact sweeps are over, and after.
func TestExtraStateChangesPlaces(t *testing.T) {
	emulated.Need(t)
	p := problem(sampler.Tuning{CVB: "zero", ExactSweeps: 2})
	p.Offsets, p.Words = p.Offsets[:101], p.Words[:p.Offsets[100]] // the emulator is slow
	open := map[string]func() (Engine, error){
		"memory": func() (Engine, error) { return InMemory(infoOf("cvb"), p) },
		"device": func() (Engine, error) { return OnDevice(infoOf("cvb"), p, emulated.New("../cuda/kernels"), "emulator") },
	}
	whole, err := InMemory(infoOf("cvb"), p)
	must(t, err)
	must(t, whole.Start(priors()))
	want := sweeps(t, whole, 1, 5)
	var extra [][]byte
	for from, first := range open {
		for to, second := range open {
			for _, stop := range []int{1, 3} {
				e, err := first()
				must(t, err)
				must(t, e.Start(priors()))
				z := sweeps(t, e, 1, stop)
				state, err := e.Save()
				must(t, err)
				must(t, e.Close())
				state.Topics = Topics{Wide: z}
				if stop == 3 {
					extra = append(extra, state.Extra)
				}
				e, err = second()
				must(t, err)
				must(t, e.Restore(state, priors()))
				if !slices.Equal(sweeps(t, e, stop+1, 5), want) {
					t.Errorf("stopping after %d sweeps, from %s to %s, changed the result", stop, from, to)
				}
				must(t, e.Close())
			}
		}
	}
	for _, other := range extra {
		if len(other) == 0 || !bytes.Equal(other, extra[0]) {
			t.Error("the saved states differ, or are empty")
		}
	}
}

// A GPU is not opened while an engine that is done gives one back.
func TestDevicesAreClosedBefore(t *testing.T) {
	w := Where{Device: "cuda", Open: func(int) (*device.Device, error) { return nil, cuda.ErrNoDriver }}
	opened := make(chan error, 1)
	closing.RLock()
	go func() {
		_, _, err := w.open(0)
		opened <- err
	}()
	select {
	case <-opened:
		t.Error("it was opened while another was being closed")
	case <-time.After(20 * time.Millisecond):
	}
	closing.RUnlock()
	if err := <-opened; !errors.Is(err, cuda.ErrNoDriver) {
		t.Error(err)
	}
}
