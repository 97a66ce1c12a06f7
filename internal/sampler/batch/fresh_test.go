package batch

import (
	"testing"

	"github.com/topoi-lda/topoi/internal/sampler"
	"github.com/topoi-lda/topoi/internal/sampler/samplertest"
)

func TestFreshnessRoundTrip(t *testing.T) {
	for i := range 8 {
		f := Freshness{Doc: i&1 > 0, Word: i&2 > 0, Topic: i&4 > 0}
		if got, err := ParseFreshness(f.String()); err != nil || got != f {
			t.Errorf("%v is read as %v, %v", f, got, err)
		}
	}
	if f, err := ParseFreshness("topic=immediate"); err != nil || f != (Freshness{Doc: true, Topic: true}) {
		t.Errorf("%v, %v", f, err)
	}
}

// Every variant must find the topics of a corpus that has them: after 60 sweeps
// from a random start it has gained at least nine tenths of what gibbs gains in
// joint likelihood. (Measured: over 99 % with fresh document counts, 93 % without:
// tokens of a short document that cannot see each other move settle lower.)
func TestFreshVariantsFindTopics(t *testing.T) {
	p := samplertest.TopicalProblem(1, 150, 60, 6, 6, 40)
	priors := &sampler.Priors{Alpha: []float64{0.2, 0.2, 0.2, 0.2, 0.2, 0.2}, Beta: 0.05}
	run := func(name, fresh string) float64 {
		p.Tuning = sampler.Tuning{Fresh: fresh, MiniBatches: 5}
		s := samplertest.Start(t, name, p, nil, priors)
		samplertest.Sweep(t, s, 1, 60, priors)
		return samplertest.LogJoint(p, samplertest.TopicsOf(s, p), priors)
	}
	random := samplertest.Start(t, "gibbs", p, nil, priors)
	begin, want := samplertest.LogJoint(p, samplertest.TopicsOf(random, p), priors), run("gibbs", "")
	for i := range 8 {
		f := Freshness{Doc: i&1 > 0, Word: i&2 > 0, Topic: i&4 > 0}
		got := run("batch", f.String())
		if (want-got)/(want-begin) > 0.1 {
			t.Errorf("%v gains %.0f, gibbs %.0f", f, got-begin, want-begin)
		}
	}
}
