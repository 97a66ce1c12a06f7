package sampler

import (
	"errors"
	"testing"

	"github.com/topoi-lda/topoi/internal/device"
)

func meanOnDevice(d *device.Device) onDevice {
	return func(p *Problem) (Remote, error) { return NewOn("mean", p, d) }
}

// meanForms are all forms of mean that a device has.
func meanForms() []Tuning {
	var forms []Tuning
	for _, draw := range []string{"", "linear", "butterfly"} {
		for _, precision := range []string{"float64", "float32"} {
			for _, uncollapsed := range []bool{false, true} {
				forms = append(forms, Tuning{Draw: draw, Precision: precision, Uncollapsed: uncollapsed})
			}
		}
	}
	return forms
}

func TestEmulatedMeanEqualsGo(t *testing.T) {
	d := emulation(t)
	for i, form := range meanForms() {
		c := randomDeviceCase("mean", uint64(i))
		c.problem.Tuning, c.iterations = form, 2
		mustDo(t, c.compare(t, meanOnDevice(d)))
		for _, k := range []int{1, 33, 70} {
			c := deviceCase{name: "mean", problem: randomProblem(uint64(k), 5, 20, k, 70), iterations: 2, priors: priorsFor(k)}
			c.problem.Tuning = form
			mustDo(t, c.compare(t, meanOnDevice(d)))
		}
	}
}

func TestMeanRefusesMethodsOfTheCPU(t *testing.T) {
	p := randomProblem(1, 3, 3, 3, 3)
	for _, draw := range []string{"alias", "fenwick", "butterfly-plain"} {
		p.Tuning.Draw = draw
		if _, err := newMeanOn(p, nil); !errors.Is(err, ErrNotOnDevice) {
			t.Errorf("%s: %v", draw, err)
		}
	}
}

func TestMeanOnGPUEqualsGo(t *testing.T) {
	d := gpu(t)
	forms := meanForms()
	for seed := range deviceCases() {
		c := randomDeviceCase("mean", seed)
		c.problem.Tuning = forms[seed%uint64(len(forms))]
		mustDo(t, c.compare(t, meanOnDevice(d)))
	}
}

func TestLargeMeanOnGPUEqualsGo(t *testing.T) {
	d := gpu(t)
	for i, k := range []int{1, 31, 33, 128, 500, 1000, 1025, 65_535} {
		docs := 200
		if k > 2000 {
			docs = 4 // plain Go would take long
		}
		for _, form := range meanForms() {
			if form.Uncollapsed && k > 2000 {
				continue // V × K variates in plain Go would take long
			}
			p := randomProblem(uint64(i), docs, 100, k, 300)
			p.Threads, p.Tuning = 16, form
			c := deviceCase{name: "mean", problem: p, iterations: 2, priors: symmetricPriors(k)}
			mustDo(t, c.compare(t, meanOnDevice(d)))
		}
	}
}
