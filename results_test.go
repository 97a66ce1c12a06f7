package topoi

import (
	"testing"
	"time"

	"github.com/topoi-lda/topoi/internal/redistest"
)

// wantResults changes when any sampler, the estimation of α and β, or the fingerprint
// does: then models of this program are no longer those of the one before. If that is
// meant, put the new value here and say so where changes are told.
const wantResults = "eebfa97bbe31d3e0"

func TestResults(t *testing.T) {
	begin := time.Now()
	got, err := results()
	if err != nil {
		t.Fatal(err)
	}
	t.Log(time.Since(begin))
	if got != wantResults {
		t.Errorf("small runs of all samplers give %s, want %s: results have changed", got, wantResults)
	}
}

// A worker whose small runs give something else does not take part, whatever it
// calls itself.
func TestClusterRefusesOtherResults(t *testing.T) {
	server := redistest.Start(t, redistest.Config{})
	c := themed(30)
	where := Cluster{Store: server.URL(), Job: "mine", Program: "built from source"}
	if err := SubmitJob(t.Context(), c, Options{Topics: 3, Sampler: "warp", Iterations: 5}, where); err != nil {
		t.Fatal(err)
	}
	whole := results
	defer func() { results = whole }()
	results = func() (string, error) { return "0123456789abcdef", nil }
	for _, err := range []error{WorkJob(t.Context(), c, where, Worker{}), func() error { _, err := CollectJob(t.Context(), c, where); return err }()} {
		one(t, err, "was submitted by topoi built from source whose small runs give "+wantResults+", and those of this topoi built from source give 0123456789abcdef, so that it would make another model: run the same program everywhere")
	}
}
