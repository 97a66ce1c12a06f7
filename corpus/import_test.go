package corpus

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"path/filepath"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/topoi-lda/topoi/corpus/source"
	"pgregory.net/rapid"
)

// memorySource yields documents that are in memory already.
type memorySource struct {
	content source.Content
	docs    []source.Document
	words   []string
	fail    error  // returned instead of io.EOF
	before  func() // called before every document
	closed  int
}

func (s *memorySource) Next(doc *source.Document) error {
	if s.before != nil {
		s.before()
	}
	if len(s.docs) == 0 {
		if s.fail != nil {
			return s.fail
		}
		return io.EOF
	}
	*doc = s.docs[0]
	s.docs = s.docs[1:]
	return nil
}

func (s *memorySource) Content() source.Content       { return s.content }
func (s *memorySource) Vocabulary() ([]string, error) { return s.words, nil }
func (s *memorySource) Close() error                  { s.closed++; return nil }

// tokenSource is a source of tokens, given as text with blanks.
func tokenSource(docs ...string) *memorySource {
	s := &memorySource{content: source.ContentTokens}
	for _, d := range docs {
		s.docs = append(s.docs, source.Document{Tokens: bytes.Fields([]byte(d))})
	}
	return s
}

// idSource is a source of documents given as word, count, word, count, ….
func idSource(words []string, docs ...[]uint32) *memorySource {
	s := &memorySource{content: source.ContentIDs, words: words}
	for _, d := range docs {
		var doc source.Document
		for i := 0; i < len(d); i += 2 {
			doc.Words = append(doc.Words, d[i])
			doc.Counts = append(doc.Counts, d[i+1])
		}
		s.docs = append(s.docs, doc)
	}
	return s
}

// load imports src and fails the test on error.
func load(t rapid.TB, src source.Source, opts ImportOptions) (*Corpus, *Report) {
	t.Helper()
	c, report, err := loadSource(context.Background(), src, opts)
	if err != nil {
		t.Fatal(err)
	}
	report.Seconds = 0
	return c, report
}

// show writes a corpus as one line per document.
func show(c *Corpus) string {
	var s strings.Builder
	for d := range c.NumDocs() {
		fmt.Fprintf(&s, "%s:", c.ID(d))
		for _, w := range c.Doc(d) {
			fmt.Fprintf(&s, " %s", c.Word(int(w)))
		}
		s.WriteByte('\n')
	}
	return s.String()
}

// TestImportAgreesWithBuilder: two ways to the same corpus.
func TestImportAgreesWithBuilder(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		b := drawBuilder(t)
		want := b.Corpus()
		src := &memorySource{content: source.ContentTokens}
		for d, doc := range b.docs {
			in := source.Document{ID: []byte(doc.ID), Label: []byte(doc.Label), Time: []byte(doc.Time), Title: []byte(doc.Title), Snippet: []byte(doc.Snippet)}
			for _, w := range want.Doc(d) {
				in.Tokens = append(in.Tokens, want.Words().Bytes(int(w)))
			}
			src.docs = append(src.docs, in)
		}
		if want.NumTokens() == 0 {
			if _, _, err := loadSource(context.Background(), src, ImportOptions{}); !errors.Is(err, ErrNoWords) {
				t.Fatalf("a corpus without words: %v", err)
			}
			return
		}
		got, report := load(t, src, ImportOptions{})
		defer got.Close()
		sameContent(t, want, got)
		if report.Docs != int64(want.NumDocs()) || report.Words != int64(want.NumWords()) || report.Tokens != int64(want.NumTokens()) {
			t.Fatalf("report %+v", report)
		}
		if src.closed != 1 {
			t.Fatalf("the source was closed %d times", src.closed)
		}
	})
}

func TestPruning(t *testing.T) {
	docs := []string{"a a a a b", "a b c", "", "a c d", "e"}
	for _, test := range []struct {
		name string
		opts ImportOptions
		want string
		drop [2]int64 // words, tokens
	}{
		{"nothing", ImportOptions{}, "0: a a a a b\n1: a b c\n2:\n3: a c d\n4: e\n", [2]int64{0, 0}},
		{"MinDF", ImportOptions{MinDF: 2}, "0: a a a a b\n1: a b c\n2:\n3: a c\n4:\n", [2]int64{2, 2}},
		{"MaxDF count", ImportOptions{MaxDF: 2}, "0: b\n1: b c\n2:\n3: c d\n4: e\n", [2]int64{1, 6}},
		{"MaxDF fraction", ImportOptions{MaxDF: 0.5}, "0: b\n1: b c\n2:\n3: c d\n4: e\n", [2]int64{1, 6}},
		{"MaxDF of everything", ImportOptions{MaxDF: 1}, "0: a a a a b\n1: a b c\n2:\n3: a c d\n4: e\n", [2]int64{0, 0}},
		{"MinCF", ImportOptions{MinCF: 3}, "0: a a a a\n1: a\n2:\n3: a\n4:\n", [2]int64{4, 6}},
		{"MaxWords", ImportOptions{MaxWords: 2}, "0: a a a a b\n1: a b\n2:\n3: a\n4:\n", [2]int64{3, 4}},
		{"DropEmpty", ImportOptions{MinDF: 2, DropEmpty: true}, "0: a a a a b\n1: a b c\n2: a c\n", [2]int64{2, 2}},
	} {
		c, report := load(t, tokenSource(docs...), test.opts)
		if got := show(c); got != test.want {
			t.Errorf("%s:\n%swant\n%s", test.name, got, test.want)
		}
		if got := [2]int64{report.DroppedWords, report.DroppedTokens}; got != test.drop {
			t.Errorf("%s: dropped %v, want %v", test.name, got, test.drop)
		}
		c.Close()
	}
}

func TestGivenVocabularyKeepsItsOrder(t *testing.T) {
	words := []string{"zebra", "unused", "ant", "bee"}
	docs := [][]uint32{{3, 1, 0, 2, 3, 1}, {}, {2, 1, 1, 0}}
	for _, test := range []struct {
		opts  ImportOptions
		words []string
		want  string
	}{
		{ImportOptions{}, words, "0: zebra zebra bee bee\n1:\n2: ant\n"},
		{ImportOptions{MinCF: 1}, []string{"zebra", "ant", "bee"}, "0: zebra zebra bee bee\n1:\n2: ant\n"},
		{ImportOptions{MaxWords: 2}, []string{"zebra", "bee"}, "0: zebra zebra bee bee\n1:\n2:\n"},
	} {
		c, _ := load(t, idSource(words, docs...), test.opts)
		if got := c.Words().List(); !slices.Equal(got, test.words) {
			t.Errorf("%+v: words %q, want %q", test.opts, got, test.words)
		}
		if got := show(c); got != test.want {
			t.Errorf("%+v:\n%swant\n%s", test.opts, got, test.want)
		}
		c.Close()
	}
}

func TestIDsWithoutVocabularyStandForThemselves(t *testing.T) {
	c, _ := load(t, idSource(nil, []uint32{11, 1, 2, 2}), ImportOptions{})
	defer c.Close()
	if got, want := show(c), "0: 2 2 11\n"; got != want || c.NumWords() != 12 {
		t.Errorf("%q with %d words, want %q with 12", got, c.NumWords(), want)
	}
}

func TestFixedVocabulary(t *testing.T) {
	fixed := MakeStrings([]string{"sea", "ship", "sea", "whale"})
	for name, src := range map[string]source.Source{
		"tokens": tokenSource("whale rat sea", "rat cat"),
		"ids":    idSource([]string{"whale", "rat", "sea", "cat", "never"}, []uint32{0, 1, 1, 1, 2, 1}, []uint32{1, 1, 3, 1}),
	} {
		c, report := load(t, src, ImportOptions{Vocabulary: fixed, MinDF: 5})
		if got, want := show(c), "0: sea whale\n1:\n"; got != want {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
		want := Report{Docs: 2, Words: 4, Tokens: 2, EmptyDocs: 1, UnknownWords: 2, UnknownTokens: 3}
		if !reflect.DeepEqual(*report, want) {
			t.Errorf("%s: report %+v, want %+v", name, *report, want)
		}
		c.Close()
	}
}

// randomDocs makes a few megabytes of documents, so that there are many
// batches and every spool leaves memory. They hold text, the same as tokens
// and, as if of another input, word ids.
var randomDocs = sync.OnceValue(func() []source.Document {
	r := rand.New(rand.NewPCG(1, 2))
	docs := make([]source.Document, 30000)
	if testing.Short() { // many batches are enough for the race detector
		docs = docs[:5000]
	}
	for d := range docs {
		doc := &docs[d]
		doc.ID = fmt.Appendf(nil, "a rather long name of document %d", d)
		if d%3 == 0 {
			doc.Label = []byte("third")
		}
		for range r.IntN(60) {
			w := uint32(1000 * r.Float64() * r.Float64())
			doc.Words = append(doc.Words, w)
			doc.Counts = append(doc.Counts, uint32(1+r.IntN(3)))
			doc.Tokens = append(doc.Tokens, strconv.AppendInt([]byte("w"), int64(w), 10))
		}
		doc.Text = bytes.Join(doc.Tokens, []byte(" "))
	}
	return docs
})

func randomSource(content source.Content) *memorySource {
	return &memorySource{content: content, docs: randomDocs()}
}

func TestSameBytesForAnyNumberOfThreads(t *testing.T) {
	for _, content := range []source.Content{source.ContentText, source.ContentTokens, source.ContentIDs} {
		var want []byte
		for _, threads := range []int{1, 2, 8} {
			path := filepath.Join(t.TempDir(), "c.topoi")
			opts := ImportOptions{Threads: threads, MinDF: 5, MaxWords: 900}
			if _, err := ImportSource(context.Background(), randomSource(content), path, opts); err != nil {
				t.Fatal(err)
			}
			got := readAll(t, path)
			if want == nil {
				want = got
			}
			if !bytes.Equal(got, want) {
				t.Errorf("content %v: %d threads give other bytes", content, threads)
			}
		}
	}
}

func TestProgressTellsEveryPhase(t *testing.T) {
	var calls []Progress
	src := randomSource(source.ContentTokens)
	src.docs = src.docs[:10]
	src.before = func() { time.Sleep(70 * time.Millisecond) }
	c, _ := load(t, src, ImportOptions{Progress: func(p Progress) { calls = append(calls, p) }})
	defer c.Close()
	if len(calls) < 2 || calls[0].Phase != phaseRead {
		t.Fatalf("calls %+v", calls)
	}
	last := calls[len(calls)-1]
	if last.Phase != phaseWrite || last.Docs != 10 || last.TotalDocs != 10 || last.Tokens != int64(c.NumTokens()) {
		t.Errorf("the last call was %+v", last)
	}
}
