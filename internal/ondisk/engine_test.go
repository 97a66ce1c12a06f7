package ondisk

import (
	"errors"
	"slices"
	"testing"

	"github.com/topoi-lda/topoi/internal/engine"
	"github.com/topoi-lda/topoi/internal/sampler"
)

// engineOn returns an engine over files in dir.
func engineOn(t *testing.T, name, dir string) (*Engine, *sampler.Priors) {
	t.Helper()
	p := randomProblem(1, 900, 50, 7)
	e, err := NewEngine(Config{
		Sampler: infoOf(name), Problem: p, Dir: dir, Budget: &Budget{PartTokens: 17_000, SliceBytes: 100_000, Stage: 1000},
	})
	must(t, err)
	priors := &sampler.Priors{Alpha: make([]float64, p.K), Beta: 0.05}
	for k := range priors.Alpha {
		priors.Alpha[k] = 0.1
	}
	return e, priors
}

// A state that Save named goes on in another engine as if it had not been stopped.
func TestEngineGoesOn(t *testing.T) {
	for _, name := range []string{"warp", "light"} {
		sweep := func(e *Engine, priors *sampler.Priors, from, to int) []uint32 {
			for i := from; i <= to; i++ {
				must(t, e.Sweep(t.Context(), i, priors))
			}
			z, err := e.Topics()
			must(t, err)
			return z.Wide
		}
		dir := t.TempDir()
		first, priors := engineOn(t, name, dir)
		must(t, first.Start(priors))
		sweep(first, priors, 1, 2)
		state, err := first.Save()
		must(t, err)
		must(t, errors.Join(first.Keep(state.Files), first.Sync(), first.Close()))
		second, _ := engineOn(t, name, dir)
		must(t, second.Restore(state, priors))
		got := sweep(second, priors, 3, 4)
		whole, _ := engineOn(t, name, t.TempDir())
		must(t, whole.Start(priors))
		if !slices.Equal(sweep(whole, priors, 1, 4), got) {
			t.Errorf("%s: stopping changed the result", name)
		}
	}
}

// A state that is in memory, or names no files, is refused.
func TestEngineRefusesOtherStates(t *testing.T) {
	e, priors := engineOn(t, "warp", t.TempDir())
	var elsewhere engine.Elsewhere
	if err := e.Restore(&engine.State{Topics: engine.Topics{Wide: []uint32{1}}}, priors); !errors.As(err, &elsewhere) {
		t.Error(err)
	}
	if err := e.Restore(&engine.State{Files: []byte("{")}, priors); !errors.Is(err, ErrDamaged) {
		t.Error(err)
	}
}
