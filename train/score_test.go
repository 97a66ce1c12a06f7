package train

import (
	"testing"

	"github.com/topoi-lda/topoi"
	"github.com/topoi-lda/topoi/internal/counts"
	"github.com/topoi-lda/topoi/internal/engine"
)

// countingEngine counts how often its statistics are made.
type countingEngine struct {
	engine.Engine
	made int
}

func (e *countingEngine) Statistics() (*counts.Histograms, error) {
	e.made++
	return e.Engine.Statistics()
}

// A scorer scores what there is: held-out documents, a sample of them, or one of training documents; and it makes
// statistics once.
func TestScorer(t *testing.T) {
	c := sorted(90)
	for _, test := range []struct {
		name                    string
		opts                    topoi.Options
		sample                  bool
		heldout, some, training bool
	}{
		{"nothing", topoi.Options{}, false, false, false, false},
		{"training documents", topoi.Options{}, true, false, false, true},
		{"all held-out documents", topoi.Options{Holdout: 0.3}, true, true, false, false},
		{"a sample of them", topoi.Options{Holdout: 0.3, HoldoutTokens: 20}, true, false, true, false},
		{"all for a target", topoi.Options{Holdout: 0.3, HoldoutTokens: 20, UntilHeldout: -5}, true, true, false, false},
	} {
		test.opts.Topics, test.opts.Sampler, test.opts.Device = 3, "gibbs", "cpu"
		r, err := newRun(c, options{test.opts.WithDefaults()})
		if err != nil {
			t.Fatal(err)
		}
		if err := r.start(); err != nil {
			t.Fatal(err)
		}
		e := &countingEngine{Engine: r.engine}
		s := scorer{opts: &r.opts, docs: r.docs, priors: r.priors, engine: e, sample: test.sample}
		score, err := s.score(t.Context(), 4)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := s.statistics(); err != nil || e.made != 1 {
			t.Errorf("%s: statistics were made %d times", test.name, e.made)
		}
		if (score.Heldout != nil) != test.heldout || (score.HeldoutSample != nil) != test.some || (score.Sample != nil) != test.training {
			t.Errorf("%s: %+v", test.name, score)
		}
		if score.Iteration != 4 || score.LogLikelihood >= score.WordsGiven || score.AlphaSum != 5 {
			t.Errorf("%s: %+v", test.name, score)
		}
		r.leave()
	}
}
