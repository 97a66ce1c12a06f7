package corpus

import (
	"bytes"
	"context"
	"fmt"
	"math"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/topoi-lda/topoi/corpus/source"
	"github.com/topoi-lda/topoi/corpus/text"
	"pgregory.net/rapid"
)

func TestNPMI(t *testing.T) {
	for _, test := range []struct {
		xy, x, y, n uint64
		want        float64
	}{
		{10, 10, 10, 1000, 1},                              // only together
		{10, 100, 100, 1000, 0},                            // independent
		{1000, 1000, 1000, 1000, 1},                        // nothing else at all
		{10, 20, 40, 1000, math.Log(12.5) / math.Log(100)}, // p(xy)/(p(x)p(y)) = 0.01/(0.02·0.04)
	} {
		if got := npmi(test.xy, test.x, test.y, test.n); math.Abs(got-test.want) > 1e-12 {
			t.Errorf("npmi(%d, %d, %d, %d) = %v, want %v", test.xy, test.x, test.y, test.n, got, test.want)
		}
	}
}

// phraseDocs has new york and los angeles together always, red wine by chance.
func phraseDocs() []string {
	var docs []string
	for i := range 30 {
		docs = append(docs,
			fmt.Sprintf("new york red x%d los angeles y%d", i, i),
			fmt.Sprintf("red wine x%d new york york", i),
			fmt.Sprintf("wine x%d red y%d los angeles angeles", i, i))
	}
	return docs
}

func TestPhrasesAreFoundAndJoined(t *testing.T) {
	opts := ImportOptions{Phrases: &PhraseOptions{MinCount: 20, MinNPMI: 0.6}}
	c, report := load(t, tokenSource(phraseDocs()...), opts)
	defer c.Close()
	words, ok, err := c.TextOptions()
	if err != nil || !ok || !slices.Equal(words.Phrases, []string{"los angeles", "new york"}) {
		t.Fatalf("phrases %q, %v, %v", words.Phrases, ok, err)
	}
	if report.Phrases != 2 || report.DroppedWords != 0 {
		t.Errorf("report %+v", report)
	}
	first := strings.SplitAfterN(show(c), "\n", 4)
	for d, want := range []string{"0: red los_angeles new_york x0 y0\n", "1: red new_york wine york x0\n", "2: red los_angeles wine angeles x0 y0\n"} {
		got := strings.Fields(first[d])
		slices.Sort(got)
		fields := strings.Fields(want)
		slices.Sort(fields)
		if !slices.Equal(got, fields) {
			t.Errorf("document %d is %q, want %q", d, first[d], want)
		}
	}
	if slices.Contains(c.Words().List(), "new") {
		t.Error("new is left in the vocabulary though it occurs only in new_york")
	}
}

// TestPhrasesNeverJoinedAreForgotten: b c is frequent, but b always goes to a.
func TestPhrasesNeverJoinedAreForgotten(t *testing.T) {
	var docs []string
	for i := range 20 {
		docs = append(docs, fmt.Sprintf("a b c x%d", i))
	}
	c, report := load(t, tokenSource(docs...), ImportOptions{Phrases: &PhraseOptions{MinNPMI: 0.3}})
	defer c.Close()
	opts, _, err := c.TextOptions()
	if err != nil || !slices.Equal(opts.Phrases, []string{"a b"}) || report.Phrases != 1 {
		t.Errorf("phrases %q, report %+v, %v", opts.Phrases, report, err)
	}
}

// TestPhrasesJoinedFurtherAreKept: the word a_a never stays, for a_ always
// follows it, but "a a" was joined on the way, and new text needs it.
func TestPhrasesJoinedFurtherAreKept(t *testing.T) {
	var docs []string
	for i := range 20 {
		docs = append(docs, fmt.Sprintf("a a a_ a_a a_ x%d", i))
	}
	c, _ := load(t, tokenSource(docs...), ImportOptions{Phrases: &PhraseOptions{MinNPMI: 0.1}})
	defer c.Close()
	opts, _, err := c.TextOptions()
	if err != nil || !slices.Contains(opts.Phrases, "a a") || !slices.Contains(opts.Phrases, "a_a a_") {
		t.Errorf("phrases %q, %v", opts.Phrases, err)
	}
	again, _ := load(t, tokenSource(docs...), ImportOptions{Text: opts})
	defer again.Close()
	sameContent(t, c, again)
}

// TestGivenPhrasesInTokens: what was found in training applies to new tokens.
func TestGivenPhrasesInTokens(t *testing.T) {
	trained, _ := load(t, tokenSource(phraseDocs()...), ImportOptions{Phrases: &PhraseOptions{MinCount: 20, MinNPMI: 0.6}})
	defer trained.Close()
	opts, _, err := trained.TextOptions()
	if err != nil {
		t.Fatal(err)
	}
	c, report := load(t, tokenSource("wine new york tokyo", "new"), ImportOptions{Vocabulary: trained.Words(), Text: opts})
	defer c.Close()
	if got, want := c.NumTokens(), 2; got != want || report.UnknownWords != 2 || report.UnknownTokens != 2 {
		t.Errorf("%d tokens, want %d: %s%+v", got, want, show(c), report)
	}
}

// TestPhrasesAgreeWithTheTextPipeline: finding phrases in text, and cutting the
// same text with the phrases found, give the same corpus.
func TestPhrasesAgreeWithTheTextPipeline(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		doc := rapid.StringMatching(`([ab]_?[ab]? ){0,12}`)
		docs := rapid.SliceOfN(doc, 1, 10).Draw(t, "docs")
		raw := func() *memorySource {
			s := &memorySource{content: source.ContentText, docs: []source.Document{{Text: []byte("c")}}}
			for _, d := range docs {
				s.docs = append(s.docs, source.Document{Text: []byte(d)})
			}
			return s
		}
		opts := text.Options{Languages: []string{"none"}, MinLength: 1, TokenRegexp: `\S+`}
		found, _ := load(t, raw(), ImportOptions{Text: opts, Phrases: &PhraseOptions{MinCount: 2, MinNPMI: 0.1}})
		defer found.Close()
		kept, _, err := found.TextOptions()
		if err != nil {
			t.Fatal(err)
		}
		again, _ := load(t, raw(), ImportOptions{Text: kept})
		defer again.Close()
		sameContent(t, found, again)
	})
}

func TestPhrasesSameBytesForAnyNumberOfThreads(t *testing.T) {
	var want []byte
	for _, threads := range []int{1, 8} {
		path := filepath.Join(t.TempDir(), "c.topoi")
		opts := ImportOptions{Threads: threads, Phrases: &PhraseOptions{MinCount: 5, MinNPMI: 0.15}}
		report, err := ImportSource(context.Background(), randomSource(source.ContentTokens), path, opts)
		if err != nil {
			t.Fatal(err)
		}
		if report.Phrases == 0 {
			t.Error("no phrases found, so nothing is tested")
		}
		got := readAll(t, path)
		if want != nil && !bytes.Equal(got, want) {
			t.Errorf("%d threads give other bytes", threads)
		}
		want = got
	}
}

func TestPhrasesNeedOrder(t *testing.T) {
	src := idSource(nil, []uint32{0, 1})
	_, _, err := loadSource(context.Background(), src, ImportOptions{Phrases: &PhraseOptions{}})
	if err == nil || !strings.Contains(err.Error(), "phrases need text or tokens") {
		t.Errorf("got %v", err)
	}
	if src.closed != 1 {
		t.Errorf("the source was closed %d times", src.closed)
	}
}
