package train

import (
	"testing"

	"github.com/topoi-lda/topoi"
	"github.com/topoi-lda/topoi/corpus"
)

// Runs that share documents and grids give the models that they give alone, whatever
// came before them.
func TestSharedRunsAreTheSame(t *testing.T) {
	c := sharedCorpus()
	for _, held := range []topoi.Options{{}, {Holdout: 0.2}, {Holdout: 0.2, HoldoutLast: true}} {
		shared, err := Share(c, held)
		if err != nil {
			t.Fatal(err)
		}
		for _, run := range []topoi.Options{{Topics: 3}, {Topics: 70, Seed: 2}, {Topics: 5, Sampler: "warp"}, {Topics: 3, Sampler: "light"}, {Topics: 3}} {
			run.Holdout, run.HoldoutLast, run.Iterations = held.Holdout, held.HoldoutLast, 5
			alone, err := Run(t.Context(), c, run)
			if err != nil {
				t.Fatal(err)
			}
			run.Shared = shared
			together, err := Run(t.Context(), c, run)
			if err != nil {
				t.Fatal(err)
			}
			if alone.Fingerprint() != together.Fingerprint() {
				t.Errorf("%+v is another model", run)
			}
			if err := together.Close(); err != nil {
				t.Error(err)
			}
		}
		if held.Holdout > 0 && shared.Docs().NumDocs()+shared.Heldout().NumDocs() != c.NumDocs() {
			t.Error("documents are missing")
		}
		if held.Holdout == 0 && shared.Heldout() != nil {
			t.Error("documents are held out that nobody asked for")
		}
	}
}

// Other held-out documents, or another corpus, are not taken from what is shared.
func TestSharedOfOtherDocumentsIsLeftAlone(t *testing.T) {
	c := sharedCorpus()
	shared, err := Share(c, topoi.Options{Holdout: 0.2})
	if err != nil {
		t.Fatal(err)
	}
	for _, o := range []topoi.Options{{Holdout: 0.3}, {Holdout: 0.2, HoldoutSeed: 4}, {Holdout: 0.2, Memory: 1 << 40}} {
		docs, _, err := shared.Of().Split(c, options{o}.split(), o.Memory > 0)
		if err != nil || docs == shared.Docs() {
			t.Errorf("%+v: %v", o, err)
		}
	}
	if docs, _, _ := shared.Of().Split(sharedCorpus(), options{topoi.Options{Holdout: 0.2}}.split(), false); docs == shared.Docs() {
		t.Error("another corpus has its documents")
	}
	if grids, devices := (*topoi.Shared)(nil).Of().Caches(); grids != nil || devices != nil {
		t.Error("nothing has grids")
	}
}

func TestPredict(t *testing.T) {
	c := sharedCorpus()
	few, err := Predict(c, topoi.Options{Topics: 4, Holdout: 0.2}, t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	many, err := Predict(c, topoi.Options{Topics: 4000, Holdout: 0.2, Checkpoint: "x"}, t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	if few.Memory == 0 || few.Memory >= many.Memory || few.Model >= many.Model || few.Checkpoint != 0 || many.Checkpoint == 0 {
		t.Errorf("4 topics need %+v, 4000 need %+v", few, many)
	}
	if _, err := Predict(c, topoi.Options{}, t.TempDir()); err == nil {
		t.Error("a run without topics can be predicted")
	}
}

func sharedCorpus() *corpus.Corpus {
	var docs [][]string
	for d := range 60 {
		var doc []string
		for i := range 5 + d%9 {
			doc = append(doc, string(rune('a'+(d*7+i*(1+d%3))%26)))
		}
		docs = append(docs, doc)
	}
	return corpus.FromTokens(docs)
}
