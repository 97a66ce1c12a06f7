package guide

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/topoi-lda/topoi"
	"github.com/topoi-lda/topoi/train"
)

// eightThemes makes documents of 40 words, each about one of eight themes: half of the words are the theme's 30 own ones, the
// others are common to all. Frequencies fall with the place.
func eightThemes(docs int) []string {
	r := rand.New(rand.NewPCG(1, 54))
	list := make([]string, docs)
	for d := range list {
		var b strings.Builder
		for range 40 {
			place := int(30 * r.Float64() * r.Float64())
			if r.IntN(2) == 0 {
				fmt.Fprintf(&b, "t%dw%02d ", d%8, place)
			} else {
				fmt.Fprintf(&b, "common%02d ", place)
			}
		}
		list[d] = b.String()
	}
	return list
}

// A weight outside of the range is told, with what happened; one inside is not.
func TestDisplaced(t *testing.T) {
	c := words(eightThemes(400)...)
	var topics []string
	for k := range 8 {
		topics = append(topics, fmt.Sprintf("theme%d: t%dw00 t%dw01 t%dw02", k, k, k, k))
	}
	for _, w := range []struct {
		weight float64
		want   string
	}{{0, ""}, {0.3, ""}, {1, ""}, {3, "take up few other words"}, {30, "take up few other words"}, {0.02, "hardly hold topics"}} {
		s := seeded(t, c, 12, w.weight, topics...)
		o := topoi.Options{Topics: 12, Sampler: "gibbs", Device: "cpu", Iterations: 60, Pseudo: s.Pseudo}
		o.Start = s.Start(c, o)
		m, err := train.Run(t.Context(), c, o)
		if err != nil {
			t.Fatal(err)
		}
		got, err := s.Displaced(m, w.weight)
		free, _ := s.freeDocs(m)
		t.Logf("weight %g: %.2f of documents in topics without seeds; %s", w.weight, free, got)
		if err != nil || (got == "") != (w.want == "") || !strings.Contains(got, w.want) {
			t.Errorf("weight %g: %q, %v, want %q", w.weight, got, err, w.want)
		}
		if got != "" && !strings.Contains(got, fmt.Sprintf("%.0f %% of documents", 100*free)) {
			t.Errorf("weight %g: %q does not say what happened", w.weight, got)
		}
	}
}
