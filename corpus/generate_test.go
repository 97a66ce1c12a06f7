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

	"github.com/topoi-lda/topoi/corpus/internal/zipf"
	"github.com/topoi-lda/topoi/internal/rng"
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

// TestUrnStep: the number of fresh draws among n is a sum of independent
// Bernoulli variables with chances a/(a+i).
func TestUrnStep(t *testing.T) {
	const runs, n, a = 2000, 200, 5.0
	key := rng.NewKey(1)
	fresh, mean, variance := 0, 0.0, 0.0
	for i := range n {
		p := a / (a + float64(i))
		mean += runs * p
		variance += runs * p * (1 - p)
	}
	for r := range runs {
		for i := range n {
			x := key.Block(uint32(r), uint32(i), 0, 0)
			isFresh, ball, _ := urnStep(uint64(x[0])<<32|uint64(x[1]), fixed16(a), uint64(i))
			if isFresh {
				fresh++
			} else if ball >= uint64(i) {
				t.Fatalf("ball %d of %d", ball, i)
			}
		}
	}
	// Five standard deviations: a right program fails once in two million seeds.
	if off := math.Abs(float64(fresh) - mean); off > 5*math.Sqrt(variance) {
		t.Errorf("%d fresh draws, want %.0f ± %.0f", fresh, mean, math.Sqrt(variance))
	}
}

func TestGeneratedLengths(t *testing.T) {
	for _, mean := range []float64{20, 350.5} {
		l := newLengths(mean)
		sum, sum2 := 0.0, 0.0
		const n = 1 << 16
		for i := range uint32(n) {
			x := float64(l.draw(i << 16)) // every quantile sixteen times
			sum += x
			sum2 += math.Log(x) * math.Log(x)
		}
		// The table's own mean is off by the tails it cuts, under 0.1 %.
		if got := sum / n; math.Abs(got/mean-1) > 0.002 {
			t.Errorf("mean length %v, want %v", got, mean)
		}
	}
}

// TestGeneratedModel checks the three levels of the model on a corpus: words
// follow Zipf's law, documents have few topics, topics differ.
func TestGeneratedModel(t *testing.T) {
	opts := GenerateOptions{Docs: 4000, Words: 500, MeanLength: 60, Topics: 400, Seed: 3, AlphaSum: 2}
	c := generate(t, opts)
	count := make([]float64, opts.Words)
	for _, w := range c.Tokens() {
		count[w]++
	}
	total := 0.0
	for r := range count {
		total += float64(zipf.Weight(r))
	}
	// The share of word r is the mean of φ_kr over K topics weighted by use.
	// One φ_kr has variance p(1-p)/(BetaSum+1); with 400 topics of unequal use
	// (effective number above 100) the share's deviation is below
	// sqrt(p/500/100). Five deviations, for the ten most frequent words.
	for r := range 10 {
		p := float64(zipf.Weight(r)) / total
		got := count[r] / float64(c.NumTokens())
		if math.Abs(got-p) > 5*math.Sqrt(p/500/100) {
			t.Errorf("word %d has share %.5f, want %.5f", r, got, p)
		}
	}

	g := newGenerator(opts.WithDefaults())
	for k := range g.opts.Topics {
		g.fillUrn(k)
	}
	// Two topics agree on a ball with chance Σ φ_1w φ_2w, whose mean is Σ p²;
	// one topic agrees with itself with the larger chance
	// Σ p² + (1 - Σ p²)/(BetaSum+1) (the moments of a Dirichlet).
	p2 := 0.0
	for r := range count {
		p2 += math.Pow(float64(zipf.Weight(r))/total, 2)
	}
	self := 0.0
	for k := range opts.Topics {
		balls := make([]float64, opts.Words)
		for _, w := range g.urns[k*urnSize : (k+1)*urnSize] {
			balls[w]++
		}
		for _, n := range balls {
			self += n * (n - 1) / (urnSize * (urnSize - 1)) / float64(opts.Topics)
		}
	}
	want := p2 + (1-p2)/501
	if math.Abs(self/want-1) > 0.02 { // over 400 topics the ratio varies by under 0.4 %
		t.Errorf("two balls of a topic agree with chance %.6f, want %.6f", self, want)
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

func TestInventedWordsAreDistinct(t *testing.T) {
	words := inventWords(20000)
	seen := make(map[string]bool)
	for _, w := range words.All() {
		if seen[w] || len(w) < 6 {
			t.Fatalf("word %q", w)
		}
		seen[w] = true
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
