package topoi_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/topoi-lda/topoi"
	"github.com/topoi-lda/topoi/corpus"
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
	m, err := topoi.Train(context.Background(), c, topoi.Options{Topics: 2, Iterations: 5, Seed: 1})
	if err != nil {
		t.Fatal(err)
	}
	saved := filepath.Join(t.TempDir(), "m")
	if err := m.Save(saved); err != nil {
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
