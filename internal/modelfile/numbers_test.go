package modelfile

import (
	"bytes"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/zeebo/xxh3"

	"github.com/topoi-lda/topoi/corpus"
	"github.com/topoi-lda/topoi/internal/counts"
	"github.com/topoi-lda/topoi/internal/topics"
	"github.com/topoi-lda/topoi/topic"
)

// list returns a row from pairs of topic and count.
func list(pairs ...uint32) (row []topic.Count) {
	for i := 0; i < len(pairs); i += 2 {
		row = append(row, topic.Count{Topic: pairs[i], Count: pairs[i+1]})
	}
	return row
}

// documents returns two documents: a a bee, with topics 0 2 1, and a c c, with 2 0 0.
func documents() *corpus.Corpus {
	return corpus.FromIDs([]string{"a", "bee", "c"}, [][]uint32{{0, 0, 1}, {0, 2, 2}})
}

// content returns the model of these documents, with pseudo-counts: a has 2 in topic 0 and 1 in topic 2, c has 3 in topic 0.
func content() *Content {
	return &Content{
		Words: corpus.MakeStrings([]string{"a", "bee", "c"}), Ends: []uint64{2, 3, 4}, Entries: list(0, 3, 2, 3, 1, 1, 0, 5),
		Totals: []uint64{8, 1, 3}, Alpha: []float64{0.25, 0.5, 0.75}, Pseudo: pseudo(),
		Topics: topics.List{Wide: []uint32{0, 2, 1, 2, 0, 0}}, Pipeline: []byte("{}"),
	}
}

func pseudo() *counts.Pseudo {
	return counts.NewPseudo(3, 3, func(w int) []topic.Count { return [][]topic.Count{list(0, 2, 2, 1), nil, list(0, 3)}[w] })
}

// bytesOf returns the bytes of numbers, little-endian, as docs/formats.md has them.
func bytesOf(numbers ...any) (b []byte) {
	for _, x := range numbers {
		switch x := x.(type) {
		case uint64:
			b = binary.LittleEndian.AppendUint64(b, x)
		case uint32:
			b = binary.LittleEndian.AppendUint32(b, x)
		case uint16:
			b = binary.LittleEndian.AppendUint16(b, x)
		case float64:
			b = binary.LittleEndian.AppendUint64(b, math.Float64bits(x))
		case string:
			b = append(b, x...)
		}
	}
	return b
}

func u64(list ...uint64) (b []byte) {
	for _, x := range list {
		b = append(b, bytesOf(x)...)
	}
	return b
}

func u32(list ...uint32) (b []byte) {
	for _, x := range list {
		b = append(b, bytesOf(x)...)
	}
	return b
}

// files are the bytes of the arrays of content, written by hand.
var files = map[string][]byte{
	Alpha: bytesOf(0.25, 0.5, 0.75), Totals: u64(8, 1, 3), RowEnds: u64(2, 3, 4), Rows: u32(0, 3, 2, 3, 1, 1, 0, 5),
	WordEnds: u64(1, 4, 5), Words: []byte("abeec"), Pipeline: []byte("{}"), PseudoEnds: u64(2, 2, 3), Pseudo: u32(0, 2, 2, 1, 0, 3),
	Topics: bytesOf(uint16(0), uint16(2), uint16(1), uint16(2), uint16(0), uint16(0)),
}

// save writes content into a directory, and returns its description.
func save(t *testing.T) *Files {
	t.Helper()
	s := &Files{Dir: t.TempDir(), Arrays: Specs(3, true)}
	if err := WriteAll(s.Dir, s.Arrays, nil, content(), documents()); err != nil {
		t.Fatal(err)
	}
	return s
}

// same compares two contents.
func same(t *testing.T, got, want *Content) {
	t.Helper()
	for what, pair := range map[string][2]any{
		"words": {got.Words.List(), want.Words.List()}, "ends": {got.Ends, want.Ends}, "entries": {got.Entries, want.Entries},
		"totals": {got.Totals, want.Totals}, "α": {got.Alpha, want.Alpha}, "topics": {got.Topics.Append(nil, 0, got.Topics.Len()), want.Topics.Append(nil, 0, want.Topics.Len())},
		"pipeline": {got.Pipeline, want.Pipeline}, "pseudo-counts": {got.Pseudo.Hash(), want.Pseudo.Hash()},
	} {
		if fmt.Sprint(pair[0]) != fmt.Sprint(pair[1]) {
			t.Errorf("%s are %v, want %v", what, pair[0], pair[1])
		}
	}
}

// Files have the bytes that the format describes; lengths are in elements; checksums are XXH3-128 of the file; reading gives
// back what was written.
func TestFilesOfAModel(t *testing.T) {
	s := save(t)
	if len(s.Arrays) != len(files) {
		t.Errorf("%d arrays, want %d", len(s.Arrays), len(files))
	}
	sizes := map[string]int{"f64": 8, "u64": 8, "u32": 4, "u16": 2, "bytes": 1}
	for _, a := range s.Arrays {
		b, err := os.ReadFile(filepath.Join(s.Dir, a.Name))
		if err != nil || !bytes.Equal(b, files[a.Name]) {
			t.Errorf("%s has %v, want %v (%v)", a.Name, b, files[a.Name], err)
		}
		sum := xxh3.Hash128(files[a.Name]).Bytes()
		if a.Checksum != hex.EncodeToString(sum[:]) || int(a.Length)*sizes[a.Type] != len(b) {
			t.Errorf("%+v", a)
		}
	}
	c, err := s.Map(3, 6, 6)
	if err != nil {
		t.Fatal(err)
	}
	same(t, c, content())
	if total := 0; s.Bytes != uint64(total+24+24+24+32+24+5+12+2+24+24) {
		t.Errorf("%d bytes are mapped", s.Bytes)
	}
	if err := s.Verify(c); err != nil {
		t.Error(err)
	}
	if err := s.Close(); err != nil {
		t.Error(err)
	}
	described := Specs(3, true)
	content().Describe(described)
	if !slices.Equal(described, s.Arrays) {
		t.Errorf("described as %+v, written as %+v", described, s.Arrays)
	}
	if docs, err := corpus.Open(filepath.Join(s.Dir, Documents)); err != nil || docs.Fingerprint() != documents().Fingerprint() {
		t.Errorf("the documents differ: %v", err)
	} else {
		docs.Close()
	}
}

// Files are copied as they are, and streamed rows and topics give the same files.
func TestCopiedAndStreamed(t *testing.T) {
	s := save(t)
	other := &Files{Dir: t.TempDir(), Arrays: slices.Clone(s.Arrays)}
	if err := WriteAll(other.Dir, other.Arrays, s, nil, documents()); err != nil {
		t.Fatal(err)
	}
	streamed := &Files{Dir: t.TempDir(), Arrays: Specs(3, true)}
	c := content()
	c.Ends, c.Entries, c.Topics = nil, nil, topics.List{}
	if err := streamed.Stream(c, stream{}); err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(streamed.Arrays, s.Arrays) || !slices.Equal(c.Ends, []uint64{2, 3, 4}) {
		t.Errorf("%+v, ends %v", streamed.Arrays, c.Ends)
	}
	for name, want := range files {
		for _, dir := range []string{other.Dir, streamed.Dir} {
			if b, err := os.ReadFile(filepath.Join(dir, name)); err != nil || !bytes.Equal(b, want) {
				t.Errorf("%s has %v, want %v (%v)", name, b, want, err)
			}
		}
	}
	if err := streamed.Stream(c, stream{fault: os.ErrClosed}); err != nil {
		t.Errorf("what has a checksum is written again: %v", err)
	}
	streamed.Arrays = Specs(3, true)
	if err := streamed.Stream(c, stream{fault: os.ErrClosed}); err == nil {
		t.Error("a fault while rows are read is lost")
	}
}

// stream is the state of content.
type stream struct{ fault error }

func (s stream) AppendRow(dst []topic.Count, w int) []topic.Count {
	return append(dst, content().Rows().Row(w)...)
}

func (s stream) EachTopics(f func(begin int, z []uint32) error) error {
	if err := f(0, []uint32{0, 2, 1}); err != nil {
		return err
	}
	return f(3, []uint32{2, 0, 0})
}

func (s stream) Err() error { return s.fault }

// Every array that is damaged, missing, or does not fit the others is refused by name.
func TestDamagedFiles(t *testing.T) {
	for name, c := range map[string]struct {
		content []byte
		want    string
	}{
		Alpha:      {bytesOf(0.25, 0.0, 0.75), "α of topic 1 is 0"},
		Totals:     {u64(8, 1, 2), "topic_totals.u64 adds up to 11 tokens, not 12"},
		RowEnds:    {u64(2, 1, 4), "row_ends.u64 does not fit rows.u32"},
		WordEnds:   {u64(1, 4, 6), "word_ends.u64 does not fit words.utf8"},
		Words:      {[]byte("abee"), "the file words.utf8 has 4 bytes, not 5 elements of 1 bytes"},
		Topics:     {bytesOf(uint16(0), uint16(2), uint16(1), uint16(2), uint16(0)), "the file topics.u16 has 10 bytes, not 6 elements of 2 bytes"},
		Rows:       {u32(0, 3, 2, 3, 1, 1, 0), "the file rows.u32 has 28 bytes"},
		PseudoEnds: {u64(2, 1, 3), "pseudo_ends.u64 does not fit pseudo.u32"},
		Pseudo:     {u32(0, 2, 2, 4, 0, 3), "pseudo.u32 does not fit rows.u32 at word 0"},
		Pipeline:   {nil, "the file pipeline.json is missing"},
	} {
		s := save(t)
		path := filepath.Join(s.Dir, name)
		if err := os.Remove(path); err != nil {
			t.Fatal(err)
		}
		if c.content != nil {
			if err := os.WriteFile(path, c.content, 0o666); err != nil {
				t.Fatal(err)
			}
		}
		if _, err := s.Map(3, 6, 6); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", name, err, c.want)
		}
		s.Close()
	}
	for name, damaged := range map[string][]byte{Words: []byte("abeed"), Topics: bytesOf(uint16(0), uint16(1), uint16(2), uint16(2), uint16(0), uint16(0))} {
		s := save(t)
		if err := os.WriteFile(filepath.Join(s.Dir, name), damaged, 0o666); err != nil {
			t.Fatal(err)
		}
		c, err := s.Map(3, 6, 6)
		if err != nil {
			t.Fatal(err)
		}
		if err := s.Verify(c); err == nil || err.Error() != "the checksum of "+name+" does not match" {
			t.Error(err)
		}
		s.Close()
	}
}

// Files whose checksums are right are refused where they do not agree with each other.
func TestFilesThatDoNotAgree(t *testing.T) {
	wrong := content()
	wrong.Topics = topics.List{Wide: []uint32{0, 2, 1, 2, 0, 1}}
	s := &Files{Dir: t.TempDir(), Arrays: Specs(3, true)}
	if err := WriteAll(s.Dir, s.Arrays, nil, wrong, documents()); err != nil {
		t.Fatal(err)
	}
	c, err := s.Map(3, 6, 6)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	if err := s.Verify(c); err == nil || !strings.Contains(err.Error(), "the topics of the tokens do not add up") {
		t.Error(err)
	}
}

// Pseudo-counts are in order, of topics that there are, above 0, and no more than the rows have with them.
func TestPseudoCountsThatDoNotFit(t *testing.T) {
	for name, c := range map[string]struct {
		ends    []uint64
		entries []topic.Count
		tokens  uint64
		want    string
	}{
		"as they are":         {[]uint64{2, 2, 3}, list(0, 2, 2, 1, 0, 3), 6, ""},
		"all that there is":   {[]uint64{2, 3, 4}, list(0, 3, 2, 3, 1, 1, 0, 5), 12, ""},
		"more than the row":   {[]uint64{2, 2, 3}, list(0, 2, 2, 1, 0, 6), 9, "at word 2"},
		"not in order":        {[]uint64{2, 2, 3}, list(2, 1, 0, 2, 0, 3), 6, "at word 0"},
		"twice":               {[]uint64{2, 2, 3}, list(0, 1, 0, 1, 0, 3), 5, "at word 0"},
		"no such topic":       {[]uint64{1, 2, 3}, list(0, 2, 3, 1, 0, 3), 6, "at word 1"},
		"none":                {[]uint64{2, 2, 3}, list(0, 2, 2, 0, 0, 3), 5, "at word 0"},
		"beyond the end":      {[]uint64{2, 2, 4}, list(0, 2, 2, 1, 0, 3), 6, "pseudo_ends.u64"},
		"another sum":         {[]uint64{2, 2, 3}, list(0, 2, 2, 1, 0, 3), 7, "do not add up"},
		"a topic not in rows": {[]uint64{2, 2, 3}, list(0, 2, 1, 1, 0, 3), 6, "at word 0"},
	} {
		err := content().readPseudo(c.ends, c.entries, c.tokens)
		if (err == nil) != (c.want == "") || err != nil && !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", name, err, c.want)
		}
	}
}

// Arrays agree with each other and with the documents.
func TestContentThatDoesNotAgree(t *testing.T) {
	if err := content().Check(); err != nil {
		t.Error(err)
	}
	if err := content().CheckWords(documents()); err != nil {
		t.Error(err)
	}
	for want, change := range map[string]func(c *Content){
		"the row of word 0 is not sorted":           func(c *Content) { c.Entries = list(2, 3, 0, 3, 1, 1, 0, 5) },
		"the rows of rows.u32 do not add up":        func(c *Content) { c.Entries = list(0, 3, 2, 2, 1, 1, 0, 5) },
		"the topics of the tokens do not add up to": func(c *Content) { c.Topics = topics.List{Wide: []uint32{0, 2, 1, 2, 0, 1}} },
		"topic 3": func(c *Content) { c.Topics = topics.List{Wide: []uint32{0, 2, 1, 2, 0, 3}} },
		"the row of word 2 has 1 tokens more than corpus.t": func(c *Content) { c.Entries = list(0, 3, 2, 3, 1, 1, 0, 6) },
		"the row of word 1 has -1 tokens more than":         func(c *Content) { c.Ends = []uint64{2, 2, 3}; c.Entries = list(0, 3, 2, 3, 0, 5) },
		"row_ends.u64 does not fit":                         func(c *Content) { c.Ends[2] = 3 },
		"α of topic 2 is +Inf":                              func(c *Content) { c.Alpha[2] = math.Inf(1) },
		"α of topic 0 is NaN":                               func(c *Content) { c.Alpha[0] = math.NaN() },
	} {
		c := content()
		change(c)
		check := c.Check
		if strings.Contains(want, "tokens more") {
			check = func() error { return c.CheckWords(documents()) }
		} else if !strings.Contains(want, "row of") && !strings.Contains(want, "topic 3") && !strings.Contains(want, "add up") {
			check = func() error { return c.checkSizes(12) }
		}
		if err := check(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %q", err, want)
		}
	}
}
