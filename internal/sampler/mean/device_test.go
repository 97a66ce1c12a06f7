package mean

import (
	"errors"
	"testing"

	"github.com/topoi-lda/topoi/internal/device"
	"github.com/topoi-lda/topoi/internal/sampler"
	"github.com/topoi-lda/topoi/internal/sampler/samplertest"
)

func meanOnDevice(d *device.Device) samplertest.OnDevice {
	return func(p *sampler.Problem) (sampler.Remote, error) { return samplertest.InfoOf("mean").On(p, d) }
}

// meanForms are all forms of mean that a device has.
func meanForms() []sampler.Tuning {
	var forms []sampler.Tuning
	for _, draw := range []string{"", "linear", "butterfly"} {
		for _, precision := range []string{"float64", "float32"} {
			for _, uncollapsed := range []bool{false, true} {
				forms = append(forms, sampler.Tuning{Draw: draw, Precision: precision, Uncollapsed: uncollapsed})
			}
		}
	}
	return forms
}

func TestEmulatedMeanEqualsGo(t *testing.T) {
	d := samplertest.Emulation(t)
	for i, form := range meanForms() {
		c := samplertest.RandomDeviceCase("mean", uint64(i))
		c.Problem.Tuning, c.Iterations = form, 2
		samplertest.MustDo(t, c.Compare(t, meanOnDevice(d)))
		for _, k := range []int{1, 33, 70} {
			c := samplertest.DeviceCase{Name: "mean", Problem: samplertest.RandomProblem(uint64(k), 5, 20, k, 70), Iterations: 2, Priors: samplertest.PriorsFor(k)}
			c.Problem.Tuning = form
			samplertest.MustDo(t, c.Compare(t, meanOnDevice(d)))
		}
	}
}

func TestMeanRefusesMethodsOfTheCPU(t *testing.T) {
	p := samplertest.RandomProblem(1, 3, 3, 3, 3)
	for _, draw := range []string{"alias", "butterfly-plain"} {
		p.Tuning.Draw = draw
		if _, err := newMeanOn(p, nil); !errors.Is(err, sampler.ErrNotOnDevice) {
			t.Errorf("%s: %v", draw, err)
		}
	}
}

func TestMeanOnGPUEqualsGo(t *testing.T) {
	d := samplertest.Gpu(t)
	forms := meanForms()
	for seed := range samplertest.DeviceCases() {
		c := samplertest.RandomDeviceCase("mean", seed)
		c.Problem.Tuning = forms[seed%uint64(len(forms))]
		samplertest.MustDo(t, c.Compare(t, meanOnDevice(d)))
	}
}

func TestLargeMeanOnGPUEqualsGo(t *testing.T) {
	d := samplertest.Gpu(t)
	for i, k := range []int{1, 31, 33, 128, 500, 1000, 1025, 65_535} {
		docs := 200
		if k > 2000 {
			docs = 4 // plain Go would take long
		}
		for _, form := range meanForms() {
			if form.Uncollapsed && k > 2000 {
				continue // V × K variates in plain Go would take long
			}
			p := samplertest.RandomProblem(uint64(i), docs, 100, k, 300)
			p.Threads, p.Tuning = 16, form
			c := samplertest.DeviceCase{Name: "mean", Problem: p, Iterations: 2, Priors: samplertest.SymmetricPriors(k)}
			samplertest.MustDo(t, c.Compare(t, meanOnDevice(d)))
		}
	}
}
