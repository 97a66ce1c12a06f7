package registry

import (
	"errors"
	"strings"
	"testing"

	"github.com/topoi-lda/topoi/internal/cuda"
	"github.com/topoi-lda/topoi/internal/device/emulated"
	"github.com/topoi-lda/topoi/internal/sampler/samplertest"
)

// Samplers that hold all on the device say how much it is before they take any.
func TestDenseSamplersRefuseTooLittleMemory(t *testing.T) {
	d := emulated.New("../cuda/kernels")
	d.Limit(1000)
	for _, name := range []string{"grid", "mean", "panel"} {
		_, err := samplertest.InfoOf(name).On(samplertest.RandomProblem(1, 10, 20, 5, 20), d)
		if !errors.Is(err, cuda.ErrOutOfMemory) || !strings.Contains(err.Error(), "too small for "+name) || !strings.Contains(err.Error(), "1.00 kB may be used") {
			t.Errorf("%s: %v", name, err)
		}
	}
}
