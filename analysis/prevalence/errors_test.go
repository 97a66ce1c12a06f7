package prevalence

import (
	"context"
	"errors"
	"io"
	"math"
	"strings"
	"testing"

	"github.com/topoi-lda/topoi/corpus"
	"github.com/topoi-lda/topoi/internal/dates"
)

// lost is a model without documents.
type lost struct{ drawn }

var errLost = errors.New("lost")

func (*lost) Docs() (*corpus.Corpus, error) { return nil, errLost }

// stopping is a model that cancels when so many documents were read.
type stopping struct {
	*drawn
	reads  int
	cancel func()
}

func (m *stopping) AppendTopics(dst []uint32, lo, hi int) []uint32 {
	if m.reads--; m.reads == 0 {
		m.cancel()
	}
	return m.drawn.AppendTopics(dst, lo, hi)
}

// Errors of the model, and a cancellation before the shares or in the middle of the replicates, end the computation.
func TestErrorsOfCompute(t *testing.T) {
	m := draw(4, 3, 30, byThree)
	if _, err := Compute(t.Context(), &lost{*m}, Options{}); !errors.Is(err, errLost) {
		t.Errorf("without documents: %v", err)
	}
	_, err := Compute(t.Context(), &lost{*m}, Options{Replicates: -1})
	if err == nil || errors.Is(err, errLost) || !strings.Contains(err.Error(), "replicates is -1") {
		t.Errorf("faulty options, which are looked at first: %v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := Compute(ctx, m, Options{Interval: -1}); !errors.Is(err, context.Canceled) {
		t.Errorf("shares: %v", err)
	}
	ctx, cancel = context.WithCancel(t.Context())
	defer cancel()
	counts := &stopping{drawn: m, reads: math.MaxInt}
	if _, err := Compute(t.Context(), counts, Options{Interval: -1}); err != nil {
		t.Fatal(err)
	}
	reads := math.MaxInt - counts.reads // those of the shares
	_, err = Compute(ctx, &stopping{m, reads + 1, cancel}, Options{Replicates: 300, Threads: 1})
	if !errors.Is(err, context.Canceled) {
		t.Errorf("replicates: %v", err)
	}
	for _, o := range []Options{{Bins: "moth"}, {Replicates: -1}} {
		if _, err := Group(m.docs, o); err == nil {
			t.Errorf("%+v is taken", o)
		}
	}
	far := timed("0001-01-01", "9999-12-31")
	if _, err := Group(far.docs, Options{By: byTime, Bins: dates.ByDay}); err == nil ||
		!strings.Contains(err.Error(), "periods of a day, and at most 20000 can be shown: choose longer ones") {
		t.Errorf("ten thousand years in days: %v", err)
	}
}

// A table may be read in part.
func TestPartsOfTables(t *testing.T) {
	m := draw(4, 3, 30, byThree)
	r := compute(t, m, Options{Labels: []string{"a", "b"}, Difference: true, Replicates: 4})
	rows, differences := 0, 0
	for range r.Rows(nil) {
		rows++
		if rows == 2 {
			break
		}
	}
	for range r.DifferenceRows(nil) {
		differences++
		break
	}
	if rows != 2 || differences != 1 {
		t.Errorf("%d rows and %d differences", rows, differences)
	}
	if err := r.Write(io.Discard, "xls", nil); err == nil {
		t.Error("an unknown format is written")
	}
}

// A replicate in which no document counts has no share: it takes no part in the interval.
func TestReplicatesOfNothing(t *testing.T) {
	r := &replicates{job: &job{options: Options{Interval: 0.5}}}
	nan := math.NaN()
	if low, high := r.middle([]float64{3, nan, 1, 5, nan, 2, 4}); low != 2 || high != 4 {
		t.Errorf("%v to %v", low, high)
	}
	if low, high := r.middle([]float64{nan, nan}); !math.IsNaN(low) || !math.IsNaN(high) {
		t.Errorf("%v to %v of nothing", low, high)
	}
}
