package modelfile

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/topoi-lda/topoi/corpus"
	"github.com/topoi-lda/topoi/internal/counts"
	"github.com/topoi-lda/topoi/internal/topics"
	"github.com/topoi-lda/topoi/topic"
)

// The tokens of topics are their totals without pseudo-counts; the last draw has the counts of tokens alone.
func TestLastDraw(t *testing.T) {
	c := content()
	if got := c.TopicTokens(); !slices.Equal(got, []uint64{3, 1, 2}) {
		t.Errorf("topics have %v tokens", got)
	}
	last := c.LastDraw()
	if !slices.Equal(last.Entries, list(0, 1, 2, 2, 1, 1, 0, 2)) || !slices.Equal(last.Ends, []uint64{2, 3, 4}) {
		t.Errorf("rows %v end at %v", last.Entries, last.Ends)
	}
	if !slices.Equal(last.Totals, []uint64{3, 1, 2}) || last.Pseudo != nil || !slices.Equal(last.Alpha, c.Alpha) {
		t.Errorf("%+v", last)
	}
	if err := last.Check(); err != nil {
		t.Error(err)
	}
	c.Pseudo = nil
	if got := c.TopicTokens(); !slices.Equal(got, c.Totals) {
		t.Errorf("without pseudo-counts topics have %v tokens", got)
	}
	c = content()
	c.Entries, c.Totals = list(0, 2, 2, 3, 1, 1, 0, 5), []uint64{7, 1, 3}
	if last := c.LastDraw(); !slices.Equal(last.Entries, list(2, 2, 1, 1, 0, 2)) || !slices.Equal(last.Ends, []uint64{1, 2, 3}) {
		t.Errorf("a count that is all pseudo stays: %v end at %v", last.Entries, last.Ends)
	}
}

// The content of some documents counts their tokens: the second document has a in topic 2 and c in topics 0 and 1.
func TestContentOfDocuments(t *testing.T) {
	docs := documents()
	part, err := content().Of(t.Context(), docs.Docs(1, 2), []uint32{2, 0, 1})
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(part.Entries, list(2, 1, 0, 1, 1, 1)) || !slices.Equal(part.Ends, []uint64{1, 1, 3}) || !slices.Equal(part.Totals, []uint64{1, 1, 1}) {
		t.Errorf("%+v", part)
	}
	whole, err := content().Of(t.Context(), docs, []uint32{0, 2, 1, 2, 0, 0})
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(whole.Entries, content().LastDraw().Entries) || !slices.Equal(whole.Totals, []uint64{3, 1, 2}) || whole.Topics.Len() != 6 {
		t.Errorf("%+v", whole)
	}
	if got := Frequencies(docs); !slices.Equal(got, []uint64{3, 1, 2}) {
		t.Errorf("frequencies %v", got)
	}
}

// Topics without tokens go; the others keep their order, α and totals.
func TestDropEmpty(t *testing.T) {
	c := &Content{Totals: []uint64{0, 4, 0, 6, 1}, Alpha: []float64{1, 2, 3, 4, 5}}
	now := c.DropEmpty()
	if !slices.Equal(c.Totals, []uint64{4, 6, 1}) || !slices.Equal(c.Alpha, []float64{2, 4, 5}) {
		t.Errorf("totals %v, α %v", c.Totals, c.Alpha)
	}
	z := now.List(topics.List{Narrow: []uint16{1, 3, 4, 1}})
	if got := z.Append(nil, 0, 4); !slices.Equal(got, []uint32{0, 1, 2, 0}) {
		t.Errorf("topics %v", got)
	}
	row := now.From(list(3, 9, 1, 5, 4, 2), 1)
	if !slices.Equal(row, list(3, 9, 0, 5, 2, 2)) {
		t.Errorf("row %v", row)
	}
	s := now.Stream(given{})
	if got := s.AppendRow(list(3, 9), 0); !slices.Equal(got, list(3, 9, 0, 7, 2, 8)) {
		t.Errorf("streamed row %v", got)
	}
	if err := s.EachTopics(func(begin int, z []uint32) error {
		if begin != 7 || !slices.Equal(z, []uint32{2, 1, 0}) {
			t.Errorf("streamed topics %v from %d", z, begin)
		}
		return nil
	}); err != nil {
		t.Error(err)
	}
}

// given is a state with one row and three topics.
type given struct{}

func (given) AppendRow(dst []topic.Count, w int) []topic.Count {
	return append(dst, list(1, 7, 4, 8)...)
}

func (given) EachTopics(f func(begin int, z []uint32) error) error { return f(7, []uint32{4, 3, 1}) }

func (given) Err() error { return nil }

// A model's version grows with what only newer programs understand.
func TestVersions(t *testing.T) {
	for _, c := range []struct {
		sample, pseudo bool
		want           int
	}{{false, false, 1}, {true, false, 2}, {false, true, 3}, {true, true, 3}} {
		if got := Version(c.sample, c.pseudo); got != c.want {
			t.Errorf("%+v has version %d", c, got)
		}
	}
	if a := Specs(65536, false); len(a) != 8 || a[6].Name != Topics || a[6].Type != "u16" {
		t.Errorf("65,536 topics: %+v", a)
	}
	if a := Specs(65537, true); len(a) != 10 || a[6].Name != TopicsWide || a[6].Type != "u32" || a[8].Name != PseudoEnds || a[9].Name != Pseudo {
		t.Errorf("65,537 topics: %+v", a)
	}
}

// What cannot be written is told for every array.
func TestChunksThatCannotBeWritten(t *testing.T) {
	full := errors.New("the disk is full")
	for _, name := range []string{Alpha, Totals, RowEnds, Rows, WordEnds, Words, Topics, Pipeline, PseudoEnds, Pseudo} {
		if err := content().EachChunk(name, func([]byte) error { return full }); !errors.Is(err, full) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if err := content().eachRow(stream{}, func([]byte) error { return full }); !errors.Is(err, full) {
		t.Errorf("rows that are streamed: %v", err)
	}
	if err := content().streamArray(Topics, stream{}, func([]byte) error { return full }); !errors.Is(err, full) {
		t.Errorf("topics that are streamed: %v", err)
	}
}

// Rows and words that fill several pieces come once, in order.
func TestPiecesOfLargeArrays(t *testing.T) {
	c, n := &Content{Ends: make([]uint64, 5)}, uint32(0)
	if err := c.eachRow(large{}, func(b []byte) error {
		for _, e := range counts.ViewEntries(b) {
			if e.Topic != n%30_000 || e.Count != n/30_000+1 {
				t.Fatalf("entry %d is %+v", n, e)
			}
			n++
		}
		return nil
	}); err != nil || n != 150_000 || !slices.Equal(c.Ends, []uint64{30_000, 60_000, 90_000, 120_000, 150_000}) {
		t.Errorf("%d entries, rows end at %v: %v", n, c.Ends, err)
	}
	var words []string
	for i := range 4 {
		words = append(words, strings.Repeat(string(rune('a'+i)), 700_000))
	}
	var all strings.Builder
	if err := (&Content{Words: corpus.MakeStrings(words)}).eachWord(func(b []byte) error {
		all.Write(b)
		return nil
	}); err != nil || all.String() != strings.Join(words, "") {
		t.Errorf("%d bytes of words: %v", all.Len(), err)
	}
}

// large is a state with rows of 30,000 topics: topic k has w + 1 tokens of word w.
type large struct{ given }

func (large) AppendRow(dst []topic.Count, w int) []topic.Count {
	for k := range uint32(30_000) {
		dst = append(dst, topic.Count{Topic: k, Count: uint32(w + 1)})
	}
	return dst
}
