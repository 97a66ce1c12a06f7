package corpus

import (
	"bytes"
	"context"
	"errors"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/topoi-lda/topoi/corpus/internal/synthetic"
)

// generate makes a corpus and opens it.
func generate(t testing.TB, opts GenerateOptions) *Corpus {
	t.Helper()
	path := filepath.Join(t.TempDir(), "g.topoi")
	report, err := Generate(context.Background(), path, opts)
	if err != nil {
		t.Fatal(err)
	}
	c, err := Open(path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Close() })
	if report.Docs != int64(c.NumDocs()) || report.Tokens != int64(c.NumTokens()) || report.Words != int64(c.NumWords()) {
		t.Errorf("report %+v", report)
	}
	return c
}

// TestGeneratedModel checks that the words of a corpus follow Zipf's law.
func TestGeneratedModel(t *testing.T) {
	opts := GenerateOptions{Docs: 4000, Words: 500, MeanLength: 60, Topics: 400, Seed: 3, AlphaSum: 2}
	c := generate(t, opts)
	count := make([]float64, opts.Words)
	for _, w := range c.Tokens() {
		count[w]++
	}
	total := 0.0
	for r := range count {
		total += float64(synthetic.Weight(r))
	}
	// The share of word r is the mean of φ_kr over K topics weighted by use.
	// One φ_kr has variance p(1-p)/(BetaSum+1); with 400 topics of unequal use
	// (effective number above 100) the share's deviation is below
	// sqrt(p/500/100). Five deviations, for the ten most frequent words.
	for r := range 10 {
		p := float64(synthetic.Weight(r)) / total
		got := count[r] / float64(c.NumTokens())
		if math.Abs(got-p) > 5*math.Sqrt(p/500/100) {
			t.Errorf("word %d has share %.5f, want %.5f", r, got, p)
		}
	}
}

func TestGenerateSameBytesForAnyNumberOfThreads(t *testing.T) {
	var want []byte
	for _, threads := range []int{1, 2, 8} {
		path := filepath.Join(t.TempDir(), "g.topoi")
		opts := GenerateOptions{Docs: 9000, Words: 3000, Topics: 20, MeanLength: 30, Seed: 7, Threads: threads}
		if _, err := Generate(context.Background(), path, opts); err != nil {
			t.Fatal(err)
		}
		got := readAll(t, path)
		if want != nil && !bytes.Equal(got, want) {
			t.Errorf("%d threads give other bytes", threads)
		}
		want = got
	}
}

// TestGenerateIsFrozen: benchmarks of years apart must run on the same corpus.
func TestGenerateIsFrozen(t *testing.T) {
	c := generate(t, GenerateOptions{Docs: 100, Words: 1000, Topics: 10, Seed: 1})
	if got, want := c.Fingerprint(), "8d4bef4e36b287a3326e0a437c2f0d21"; got != want {
		t.Errorf("fingerprint %s, want %s", got, want)
	}
	if other := generate(t, GenerateOptions{Docs: 100, Words: 1000, Topics: 10, Seed: 2}); other.Fingerprint() == c.Fingerprint() {
		t.Error("the seed does not matter")
	}
}

func TestGenerateRefuses(t *testing.T) {
	dir := t.TempDir()
	opts := GenerateOptions{Docs: -1, Words: -1, MeanLength: 0.5, Topics: 1 << 17, AlphaSum: -1, BetaSum: math.NaN(), Threads: -1}
	_, err := Generate(context.Background(), filepath.Join(dir, "g.topoi"), opts)
	for _, name := range []string{"documents", "words", "mean length of documents", "topics", "sum of α", "sum of β", "threads"} {
		if err == nil || !strings.Contains(err.Error(), name+" is ") {
			t.Errorf("%s is not in %v", name, err)
		}
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := Generate(ctx, filepath.Join(dir, "g.topoi"), GenerateOptions{}); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
	if _, err := Generate(context.Background(), filepath.Join(dir, "no", "g.topoi"), GenerateOptions{}); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("missing directory: %v", err)
	}
	if left := leftovers(t, dir); len(left) > 0 {
		t.Errorf("left behind %v", left)
	}
}
