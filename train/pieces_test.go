package train_test

import (
	"context"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/topoi-lda/topoi"
	"github.com/topoi-lda/topoi/corpus"
	"github.com/topoi-lda/topoi/train"
)

// A model that was trained on pieces shows whole documents: in memory and from disk.
func TestPiecesAreAddedUp(t *testing.T) {
	dir := t.TempDir()
	for i := range 6 {
		text := strings.Repeat(fmt.Sprintf("The whale%d swims in the sea. A ship%d sails. ", i%2, i%3), 40)
		if err := os.WriteFile(filepath.Join(dir, fmt.Sprint(i, ".txt")), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	var o corpus.ImportOptions
	o.Source.Pieces = 30
	c, report, err := corpus.Load(context.Background(), []string{dir}, o)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	if report.Wholes != 6 || c.NumDocs() < 30 {
		t.Fatalf("%d documents, %d pieces", report.Wholes, c.NumDocs())
	}
	m, err := train.Run(context.Background(), c, topoi.Options{Topics: 2, Iterations: 5, Seed: 1})
	if err != nil {
		t.Fatal(err)
	}
	saved := filepath.Join(t.TempDir(), "m")
	if err := m.Save(saved, topoi.SaveOptions{}); err != nil {
		t.Fatal(err)
	}
	opened, err := topoi.Open(saved)
	if err != nil {
		t.Fatal(err)
	}
	defer opened.Close()
	if err := opened.Verify(); err != nil {
		t.Error(err)
	}
	for _, m := range []*topoi.Model{m, opened} {
		docs, err := m.Docs()
		if err != nil || docs.NumDocs() != 6 || docs.ID(3) != "3.txt" || docs.NumTokens() != c.NumTokens() {
			t.Fatalf("%v, %d documents, the fourth is %q", err, docs.NumDocs(), docs.ID(3))
		}
		rows := make(map[[2]uint32]uint32) // n_wk by the joined tokens must be that of the model
		for i, w := range docs.Tokens() {
			rows[[2]uint32{w, m.Topic(i)}]++
		}
		for w := range m.NumWords() {
			for _, e := range m.Row(w) {
				if got := rows[[2]uint32{uint32(w), e.Topic}]; got != e.Count {
					t.Errorf("word %d has topic %d %d times, want %d", w, e.Topic, got, e.Count)
				}
			}
		}
	}
}

// cutModel trains on pieces of documents, a fifth of which are held out, and returns the model with the directory of the documents.
func cutModel(t *testing.T) (*topoi.Model, string) {
	t.Helper()
	dir := t.TempDir()
	for i := range 10 {
		var text strings.Builder
		for s := range 60 + i {
			fmt.Fprintf(&text, "The whale%d and the boat%d meet the storm%d. ", (s+i)%4, s%3, (s/20+i)%5)
		}
		if err := os.WriteFile(filepath.Join(dir, fmt.Sprint(i, ".txt")), []byte(text.String()), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	o := corpus.ImportOptions{Snippet: -1}
	o.Source.Pieces, o.MaxDF = 40, 1
	c, _, err := corpus.Load(t.Context(), []string{dir}, o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Close() })
	m, err := train.Run(t.Context(), c, topoi.Options{Topics: 3, Iterations: 20, Seed: 1, Holdout: 0.2})
	if err != nil {
		t.Fatal(err)
	}
	return m, dir
}

// New documents are cut as the training documents were. Their topics are the sum over the pieces, whether they come
// from files or one by one.
func TestNewDocumentsAreCutAndAddedUp(t *testing.T) {
	m, dir := cutModel(t)
	o, err := m.ImportOptions()
	if err != nil {
		t.Fatal(err)
	}
	docs, report, err := corpus.Load(t.Context(), []string{dir}, o)
	if err != nil || docs.NumDocs() != 10 || report.Docs != 10 || docs.ID(3) != "3.txt" {
		t.Fatalf("%v: %d documents", err, docs.NumDocs())
	}
	defer docs.Close()
	pieces := docs.Pieces()
	if pieces.NumDocs() < 50 || pieces.NumTokens() != docs.NumTokens() {
		t.Fatalf("%d pieces", pieces.NumDocs())
	}
	sums := make([]map[int]float64, docs.NumDocs())
	err = m.Infer(t.Context(), pieces, topoi.InferOptions{}, func(d *topoi.DocTopics) error {
		whole := 0
		for docs.Offsets()[whole+1] <= pieces.Offsets()[d.Doc] {
			whole++
		}
		if sums[whole] == nil {
			sums[whole] = map[int]float64{}
		}
		for _, s := range d.Topics {
			sums[whole][s.Topic] += s.Tokens
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	seen := 0
	err = m.Infer(t.Context(), docs, topoi.InferOptions{}, func(d *topoi.DocTopics) error {
		seen++
		text, err := os.ReadFile(filepath.Join(dir, docs.ID(d.Doc)))
		if err != nil {
			return err
		}
		one, err := m.InferText(t.Context(), string(text), topoi.InferOptions{})
		if err != nil {
			return err
		}
		if !slices.Equal(one.Topics, d.Topics) || one.Tokens != d.Tokens || d.Tokens != len(docs.Doc(d.Doc)) {
			t.Errorf("document %d has %v in a file and %v by itself", d.Doc, d.Topics, one.Topics)
		}
		for _, s := range d.Topics {
			if math.Abs(s.Tokens-sums[d.Doc][s.Topic]) > 1e-9 {
				t.Errorf("document %d has %g tokens of topic %d, its pieces %g", d.Doc, s.Tokens, s.Topic, sums[d.Doc][s.Topic])
			}
		}
		return nil
	})
	if err != nil || seen != 10 {
		t.Errorf("%d documents, %v", seen, err)
	}
}

// Documents are held out whole, keep their numbers, and have their whole texts.
func TestPiecesAreHeldOutTogether(t *testing.T) {
	m, dir := cutModel(t)
	train, err := m.Docs()
	if err != nil {
		t.Fatal(err)
	}
	heldout, err := m.Heldout()
	if err != nil {
		t.Fatal(err)
	}
	held := heldout.Uncut()
	if train.NumDocs() != 8 || held.NumDocs() != 2 {
		t.Fatalf("%d and %d documents", train.NumDocs(), held.NumDocs())
	}
	for _, docs := range []*corpus.Corpus{train, held} {
		for d := range docs.NumDocs() {
			text, err := os.ReadFile(filepath.Join(dir, docs.ID(d)))
			if err != nil || fmt.Sprint(docs.Number(d), ".txt") != docs.ID(d) || docs.Text(d) != string(text) {
				t.Errorf("%v: document %d is %s and has %d of %d bytes of text", err, docs.Number(d), docs.ID(d), len(docs.Text(d)), len(text))
			}
		}
	}
}
