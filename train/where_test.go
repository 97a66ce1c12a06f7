package train

import (
	"context"
	"errors"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/topoi-lda/topoi"
	"github.com/topoi-lda/topoi/corpus"
	"github.com/topoi-lda/topoi/topic"
)

// A model of chosen documents counts their tokens alone, with the topics that these have
// in the whole model, also where documents were held out or cut into pieces.
func TestWhere(t *testing.T) {
	var b corpus.Builder
	for i := range 60 {
		tokens := strings.Fields(strings.Repeat("star planet orbit ", 1+i%3) + "bread flour oven tide")
		b.Add(corpus.Document{ID: string(rune('a'+i/26)) + string(rune('a'+i%26)), Label: []string{"x", "y", ""}[i%3], Time: "2020", Tokens: tokens[:3+i%5]})
	}
	trained, err := Run(t.Context(), b.Corpus(), topoi.Options{Topics: 3, Sampler: "gibbs", Iterations: 5, Holdout: 0.5})
	if err != nil {
		t.Fatal(err)
	}
	dir := filepath.Join(t.TempDir(), "m")
	if err := trained.Save(dir, topoi.SaveOptions{}); err != nil {
		t.Fatal(err)
	}
	m, err := topoi.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	if err := m.SetLabels(topic.Labels{Names: map[int]string{1: "one"}}); err != nil {
		t.Fatal(err)
	}
	part, err := m.Where(t.Context(), "label = x and length > 4")
	if err != nil {
		t.Fatal(err)
	}
	all, _ := m.Docs()
	docs, _ := part.Docs()
	token, counts := 0, make([][]uint32, m.NumWords())
	for w := range counts {
		counts[w] = make([]uint32, 3)
	}
	for d, i := 0, 0; d < all.NumDocs(); d++ {
		if all.Label(d) != "x" || len(all.Doc(d)) <= 4 {
			continue
		}
		if docs.ID(i) != all.ID(d) || docs.Number(i) != all.Number(d) || !slices.Equal(docs.Doc(i), all.Doc(d)) {
			t.Fatalf("document %d is not document %d", i, d)
		}
		for j, w := range all.Doc(d) {
			k := m.Topic(int(all.Offsets()[d]) + j)
			if part.Topic(token) != k {
				t.Fatalf("token %d has topic %d, not %d", token, part.Topic(token), k)
			}
			counts[w][k]++
			token++
		}
		i++
	}
	if token == 0 || part.Manifest().Tokens != token || part.Manifest().Docs != docs.NumDocs() {
		t.Fatalf("%d tokens of %d documents, want %d of %d", part.Manifest().Tokens, part.Manifest().Docs, token, docs.NumDocs())
	}
	totals := make([]uint64, 3)
	for w, row := range counts {
		for _, e := range part.Row(w) {
			totals[e.Topic] += uint64(e.Count)
			row[e.Topic] -= e.Count
		}
		if slices.Max(row) != 0 {
			t.Errorf("word %d: counts differ by %d", w, row)
		}
	}
	if !slices.Equal(totals, part.TopicTotals()) || part.Fingerprint() != m.Fingerprint() || part.Label(1) != "one" {
		t.Errorf("totals %v, want %v; fingerprint %s; label %q", part.TopicTotals(), totals, part.Fingerprint(), part.Label(1))
	}
	heldout, err := part.Heldout()
	if err != nil || heldout.NumDocs() == 0 || heldout.NumDocs() >= 12 || heldout.Label(0) != "x" {
		t.Errorf("%d held-out documents, %v", heldout.NumDocs(), err)
	}
	if !equal(thetas(t, part, heldout, topoi.InferOptions{}), thetas(t, m, heldout, topoi.InferOptions{})) {
		t.Error("documents have other topics by the chosen documents than by all")
	}
	if err := part.Save(filepath.Join(t.TempDir(), "part"), topoi.SaveOptions{}); err == nil || !strings.Contains(err.Error(), "cannot be saved") {
		t.Errorf("saved: %v", err)
	}
	if _, err := m.Where(t.Context(), "label = z"); err == nil || err.Error() != `no document satisfies the condition "label = z"` {
		t.Error(err)
	}
	if same, err := m.Where(t.Context(), ""); same != m || err != nil {
		t.Error("an empty condition makes another model")
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := m.Where(ctx, "label = x"); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	if err := part.Close(); err != nil {
		t.Error(err)
	}
}
