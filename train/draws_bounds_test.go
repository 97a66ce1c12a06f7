package train

import (
	"strings"
	"testing"

	"github.com/topoi-lda/topoi"
	"github.com/topoi-lda/topoi/internal/sampler"
	"github.com/topoi-lda/topoi/internal/sampler/batch"
	"github.com/topoi-lda/topoi/internal/sampler/light"
)

// Draws need five iterations each, and a sum of tokens that fits 32 bits; by default a tenth of the iterations makes them.
func TestPlannedDraws(t *testing.T) {
	for _, c := range []struct {
		o      topoi.Options
		info   sampler.Info
		tokens int
		want   int
		fault  string
	}{
		{topoi.Options{Draws: 4, Iterations: 20}, light.Info, 100, 4, ""},
		{topoi.Options{Draws: 4, Iterations: 19}, light.Info, 100, 4, "needs at least 20 iterations"},
		{topoi.Options{Draws: 2, Iterations: 10}, light.Info, 1<<31 - 1, 2, ""},
		{topoi.Options{Draws: 2, Iterations: 10}, light.Info, 1 << 31, 2, "is too many"},
		{topoi.Options{Draws: 1, Iterations: 10}, light.Info, 100, 0, ""},
		{topoi.Options{Draws: 2, Iterations: 10, Prior: "labels"}, light.Info, 100, 2, "cannot be combined"},
		{topoi.Options{Draws: 2, Iterations: 10, Memory: 1}, light.Info, 100, 2, "cannot be combined"},
		{topoi.Options{Draws: 1, Iterations: 10, Memory: 1}, light.Info, 100, 0, ""},
		{topoi.Options{Sampler: "auto", Iterations: 750}, batch.Info, 100, 16, ""},
		{topoi.Options{Sampler: "auto", Iterations: 749}, batch.Info, 100, 15, ""},
		{topoi.Options{Sampler: "auto", Iterations: 50}, batch.Info, 1 << 24, 2, ""},
		{topoi.Options{Sampler: "auto", Iterations: 50}, batch.Info, 1<<24 + 1, 0, ""},
		{topoi.Options{Sampler: "auto", Iterations: 49}, batch.Info, 100, 0, ""},
		{topoi.Options{Sampler: "auto", Iterations: 750}, light.Info, 100, 0, ""},
		{topoi.Options{Sampler: "batch", Iterations: 750}, batch.Info, 100, 0, ""},
		{topoi.Options{Sampler: "auto", Iterations: 750, UntilLL: -5}, batch.Info, 100, 0, ""},
		{topoi.Options{Sampler: "auto", Iterations: 750, UntilHeldout: -5}, batch.Info, 100, 0, ""},
		{topoi.Options{Sampler: "auto", Iterations: 750, Start: &topoi.Start{}}, batch.Info, 100, 0, ""},
	} {
		o := options{c.o}
		err := o.planDraws(c.info, c.tokens, true)
		if o.Draws != c.want || (err == nil) != (c.fault == "") || err != nil && !strings.Contains(err.Error(), c.fault) {
			t.Errorf("%+v with %s: %d draws (%v), want %d (%s)", c.o, c.info.Name, o.Draws, err, c.want, c.fault)
		}
	}
	o := options{topoi.Options{Sampler: "auto", Iterations: 750}}
	if err := o.planDraws(batch.Info, 100, false); err != nil || o.Draws != 0 {
		t.Errorf("another process draws %d states (%v)", o.Draws, err)
	}
	for draws, want := range map[int]int{0: 0, 1: 0, 2: 5, 16: 75} {
		if got := (&options{topoi.Options{Draws: draws}}).lastSweeps(); got != want {
			t.Errorf("%d draws take %d sweeps after the first, want %d", draws, got, want)
		}
	}
}
