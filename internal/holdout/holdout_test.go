package holdout

import (
	"cmp"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/topoi-lda/topoi/corpus"
	"github.com/topoi-lda/topoi/corpus/source"
	"github.com/topoi-lda/topoi/corpus/text"
	"github.com/topoi-lda/topoi/internal/rng"
)

// The sample is the documents with the smallest keys, as a sort finds them.
func TestSampleDocs(t *testing.T) {
	for _, n := range []int{1, 2, 10, 1000, 70000} {
		for _, left := range []int{1, n / 10, n / 2, n - 1, n} {
			for seed := range uint64(2) {
				all := make([]uint32, n)
				for d := range all {
					all[d] = uint32(d)
				}
				key := rng.NewKey(seed)
				slices.SortStableFunc(all, func(a, b uint32) int { return cmp.Compare(docKey(key, a), docKey(key, b)) })
				want, others := slices.Clone(all[:left]), slices.Clone(all[left:])
				slices.Sort(want)
				slices.Sort(others)
				rest, drawn := Sample(n, left, seed)
				if !slices.Equal(drawn, want) || !slices.Equal(rest, others) {
					t.Fatalf("%d of %d with seed %d: %v", left, n, seed, drawn)
				}
			}
		}
	}
}

// Models say which documents were held out by naming the way they were drawn, so the
// way must never change.
func TestSampleStaysTheSame(t *testing.T) {
	for seed, want := range map[uint64]string{
		0:         "[13 17 20 25 28 31]",
		1:         "[0 6 11 14 19 20]",
		1<<40 + 7: "[2 5 12 16 20 30]",
	} {
		if _, drawn := Sample(32, 6, seed); fmt.Sprint(drawn) != want {
			t.Errorf("seed %d: %v, want %s", seed, drawn, want)
		}
	}
}

// Every document is drawn equally often. Of 4,000 seeds, each draws 3 of 30, so a
// document comes up 400 times with a standard deviation of 19; six of them are passed
// once in 10^7 tests of 30 documents.
func TestSampleIsUniform(t *testing.T) {
	times := make([]int, 30)
	for seed := range uint64(4000) {
		_, drawn := Sample(30, 3, seed)
		for _, d := range drawn {
			times[d]++
		}
	}
	for d, n := range times {
		if n < 400-6*19 || n > 400+6*19 {
			t.Errorf("document %d was drawn %d times of 400", d, n)
		}
	}
}

// withCopies imports texts of which documents 0, 3, 6, … have a copy that follows them, and two more for document 0.
func withCopies(t *testing.T, pieces int) *corpus.Corpus {
	var texts []string
	r := rand.New(rand.NewPCG(1, 2))
	for i := range 60 {
		words := make([]string, 40)
		for j := range words {
			words[j] = fmt.Sprintf("w%03d", r.IntN(300))
		}
		text := strings.Join(words, " ") + "."
		texts = append(texts, text)
		if i%3 == 0 {
			texts = append(texts, text)
		}
	}
	texts = append(texts, texts[0], texts[0])
	dir := t.TempDir()
	for i, text := range texts {
		if err := os.WriteFile(filepath.Join(dir, fmt.Sprintf("%03d.txt", i)), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	c, report, err := corpus.Load(t.Context(), []string{dir}, corpus.ImportOptions{
		MinDF: 1, MaxDF: 1, Source: source.Options{Pieces: pieces}, Text: text.Options{Languages: []string{"none"}},
	})
	if err != nil {
		t.Fatal(err)
	}
	if report.Copies.Exact != 22 || report.Copies.Largest != 4 || report.Copies.Groups != 20 {
		t.Fatalf("%d copies in %d groups, the largest of %d", report.Copies.Exact, report.Copies.Groups, report.Copies.Largest)
	}
	t.Cleanup(func() { c.Close() })
	return c
}

// Copies are on one side only: of a small sample in training, of a large one in whole groups, also where documents are
// cut into pieces and where a part of the corpus is split.
func TestCopiesAreNotParted(t *testing.T) {
	for _, pieces := range []int{0, 20} {
		whole := withCopies(t, pieces)
		for _, c := range []*corpus.Corpus{whole, whole.Docs(0, whole.NumDocs()-1)} {
			for _, share := range []float64{0.1, 0.2, 0.5, 0.8} {
				rest, out, err := By{Share: share, Seed: 3}.Split(c)
				if err != nil {
					t.Fatal(err)
				}
				if n := rest.NumDocs() + out.NumDocs(); n != c.NumDocs() {
					t.Fatalf("%d of %d documents", n, c.NumDocs())
				}
				if got := float64(out.NumDocs()) / float64(c.NumDocs()); math.Abs(got-share) > 0.12 {
					t.Errorf("%v of the documents are held out, not %v", got, share)
				}
				known := map[string]bool{}
				for d := range rest.NumDocs() {
					known[fmt.Sprint(rest.Doc(d))] = true
				}
				for d := range out.NumDocs() {
					if known[fmt.Sprint(out.Doc(d))] {
						t.Errorf("pieces of %d words, %v held out: %s has a copy in training", pieces, share, out.ID(d))
					}
				}
				if singles := !out.HasCopies(); singles != (share < 0.3) {
					t.Errorf("%v held out: only documents without copies: %v", share, singles)
				}
			}
		}
	}
}

// A few texts many times over have too few groups to leave one out. They are drawn from as if none were a copy.
func TestSplitOfFewGroups(t *testing.T) {
	texts := make([]string, 60)
	for d := range texts {
		texts[d] = []string{"soil", "train", "ball"}[d%3] + " stands beside a garden in heavy rain"
	}
	c, err := corpus.FromTexts(texts, corpus.ImportOptions{MinDF: 1, MaxDF: 1})
	if err != nil {
		t.Fatal(err)
	}
	if !c.HasCopies() {
		t.Fatal("no document is a copy")
	}
	docs, left, err := By{Share: 0.1, Seed: 1}.Split(c)
	if err != nil || left == nil || left.NumDocs() != 6 || docs.NumDocs() != 54 {
		t.Errorf("%v, %v, %v", docs, left, err)
	}
}

// The last documents are left out with all their pieces.
func TestLastDocumentsAreLeftOutWhole(t *testing.T) {
	for pieces, each := range map[int]int{0: 1, 20: 2} {
		c := withCopies(t, pieces)
		if c.NumDocs() != 82*each {
			t.Fatalf("%d pieces of 82 documents, want %d each", c.NumDocs(), each)
		}
		rest, out, err := By{Share: 0.25, Last: true}.Split(c)
		if err != nil || rest.NumDocs() != 62*each || out.NumDocs() != 20*each {
			t.Fatalf("pieces of %d words: %d and %d are left, %v; want %d and %d", pieces, rest.NumDocs(), out.NumDocs(), err,
				62*each, 20*each)
		}
		for d := range out.NumDocs() {
			if got, want := fmt.Sprint(out.Doc(d)), fmt.Sprint(c.Doc(62*each+d)); got != want {
				t.Errorf("pieces of %d words: %d of those left out is %s, want %s", pieces, d, got, want)
			}
		}
	}
}
