package train

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/topoi-lda/topoi"
	"github.com/topoi-lda/topoi/analysis/effects"
	"github.com/topoi-lda/topoi/corpus"
	"github.com/topoi-lda/topoi/corpus/column"
	"github.com/topoi-lda/topoi/topic"
)

// groups is a column of two values that alternate at random.
type groups []string

func (g groups) Len() int        { return len(g) }
func (g groups) At(d int) string { return g[d] }

// noise returns short documents of two topics with a column that has nothing to do with them.
func noise(t *testing.T, seed uint64) *corpus.Corpus {
	t.Helper()
	r := rand.New(rand.NewPCG(seed, 3))
	docs, group := make([][]uint32, 200), make(groups, 200)
	for d := range docs {
		share := r.Float64()
		for range 8 {
			w := uint32(r.IntN(40))
			if r.Float64() < share {
				w += 20
			}
			docs[d] = append(docs[d], w)
		}
		slices.Sort(docs[d])
		group[d] = string("ab"[r.IntN(2)])
	}
	words := make([]string, 60)
	for w := range words {
		words[w] = fmt.Sprint("w", w)
	}
	c, err := corpus.FromIDs(words, docs).WithColumns([]column.Column{{Name: "group", Kind: column.Category, Values: group}})
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// without is a model of which nobody knows that columns had a say in it.
type without struct{ topic.Documents }

// A model that was trained with a column of noise has an effect of it in its shares, and none in what effects.Compute
// tests. In 20 models with 3 topics, of 60 tests 3 find something by chance on average, and more than 9 with a
// probability of 0.1 %.
func TestEffectsOfColumnsThatShapedAModel(t *testing.T) {
	raw, honest := 0, 0
	for seed := range uint64(20) {
		c := noise(t, seed)
		m, err := Run(t.Context(), c, topoi.Options{
			Topics: 3, Seed: seed, Prior: "covariates", Formula: "~ group", Iterations: 150, Tolerance: -1,
		})
		if err != nil {
			t.Fatal(err)
		}
		o := effects.Options{Formula: "~ group", Columns: c.Columns()}
		for _, way := range []struct {
			m     topic.Documents
			found *int
		}{{without{m}, &raw}, {m, &honest}} {
			r, err := effects.Compute(t.Context(), way.m, o)
			if err != nil {
				t.Fatal(err)
			}
			for _, topic := range r.Effects {
				if topic[1].P() < 0.05 {
					*way.found++
				}
			}
			if _, shaped := way.m.(*topoi.Model); shaped != (r.Redrawn > 0) || shaped != strings.Contains(r.Methods(3), "~ group). These had no say") {
				t.Errorf("drawn again in %d sweeps: %s", r.Redrawn, r.Methods(3))
			}
		}
	}
	if raw <= 9 || honest > 9 {
		t.Errorf("%d of 60 tests found the column of noise in shares as training left them, %d in those that are tested", raw, honest)
	}
	t.Log(raw, honest)
}

// Topics without columns are the same for any number of threads, leave the model alone, and follow a condition.
func TestWithoutColumns(t *testing.T) {
	c := noise(t, 1)
	m, err := Run(t.Context(), c, topoi.Options{Topics: 3, Prior: "covariates", Formula: "~ group", Iterations: 30})
	if err != nil {
		t.Fatal(err)
	}
	before := m.AppendTopics(nil, 0, c.NumTokens())
	of := func(m *topoi.Model, threads int) []uint32 {
		other, sweeps, err := m.WithoutColumns(t.Context(), threads)
		if err != nil || sweeps < 1 {
			t.Fatal(sweeps, err)
		}
		docs, err := other.Docs()
		if err != nil {
			t.Fatal(err)
		}
		return other.AppendTopics(nil, 0, docs.NumTokens())
	}
	one, five := of(m, 1), of(m, 5)
	if !slices.Equal(one, five) || slices.Equal(one, before) || !slices.Equal(before, m.AppendTopics(nil, 0, c.NumTokens())) {
		t.Error("topics without columns depend on threads, are those of the model, or changed it")
	}
	part, err := m.Where(t.Context(), "group = b")
	if err != nil {
		t.Fatal(err)
	}
	var want []uint32
	docs, err := m.Docs()
	if err != nil {
		t.Fatal(err)
	}
	for d := range docs.NumDocs() {
		if docs.Columns()[0].Values.At(d) == "b" {
			want = append(want, one[docs.Offsets()[d]:docs.Offsets()[d+1]]...)
		}
	}
	if got := of(part, 2); !slices.Equal(got, want) {
		t.Error("topics without columns of some documents are not theirs")
	}
}
