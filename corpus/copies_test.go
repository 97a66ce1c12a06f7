package corpus

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/topoi-lda/topoi/corpus/internal/format"
	"github.com/topoi-lda/topoi/corpus/source"
	"github.com/topoi-lda/topoi/corpus/text"
)

// noStops keeps all words.
var noStops = text.Options{Languages: []string{"none"}}

// copied writes 500 documents of 60 words as CSV. Document 10 i+3 is a copy of document 10 i, 10 i+6 one with another
// beginning, and 250 is empty.
func copied(t *testing.T) (path string) {
	r := rand.New(rand.NewPCG(4, 4))
	var texts []string
	for i := range 500 {
		words := make([]string, 60)
		for j := range words {
			words[j] = fmt.Sprintf("word%04d", r.IntN(3000))
		}
		switch i % 10 {
		case 3:
			texts = append(texts, texts[i-3])
		case 6:
			texts = append(texts, strings.Join(words[:5], " ")+texts[i-6][40:])
		default:
			texts = append(texts, strings.Join(words, " "))
		}
	}
	texts[251] = ""
	var b strings.Builder
	b.WriteString("id,text,party\n")
	for i, text := range texts {
		fmt.Fprintf(&b, "d%d,%s,p%d\n", i, text, i%3)
	}
	path = filepath.Join(t.TempDir(), "copied.csv")
	if err := os.WriteFile(path, []byte(b.String()), 0o666); err != nil {
		t.Fatal(err)
	}
	return path
}

// Copies are found, written to the file whatever the number of threads, and read back; so are those of views.
func TestCopies(t *testing.T) {
	path, dir := copied(t), t.TempDir()
	var files [][]byte
	for _, threads := range []int{1, 2, 7} {
		out := filepath.Join(dir, fmt.Sprint(threads))
		report, err := Import(t.Context(), []string{path}, out, ImportOptions{Text: noStops, Threads: threads})
		if err != nil {
			t.Fatal(err)
		}
		c := report.Copies
		if c.Exact != 50 || c.Near != 50 || c.Groups != 50 || c.Largest != 3 || c.Example != "d0" || c.Dropped {
			t.Errorf("%+v", c)
		}
		files = append(files, readAll(t, out))
		if !bytes.Equal(files[0], files[len(files)-1]) {
			t.Errorf("%d threads write another file", threads)
		}
	}
	c, err := Open(filepath.Join(dir, "1"))
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	first := func(d int) int {
		if d%10 == 3 || d%10 == 6 {
			return d / 10 * 10
		}
		return d
	}
	for d := range c.NumDocs() {
		if c.CopyOf(d) != first(d) {
			t.Errorf("document %d is a copy of %d", d, c.CopyOf(d))
		}
	}
	view := c.Select([]uint32{26, 5, 23, 13, 2})
	var of []int
	for d := range view.NumDocs() {
		of = append(of, view.CopyOf(d))
	}
	if want := []int{0, 1, 0, 3, 4}; !slices.Equal(of, want) || view.CopyOf(2) != 0 {
		t.Errorf("of a selection: %v", of)
	}
	if part := c.Docs(21, 40); part.CopyOf(5) != 2 || part.CopyOf(15) != 9 || !part.HasCopies() || c.Docs(7, 10).HasCopies() {
		t.Errorf("of a part: %d, %d", part.CopyOf(5), part.CopyOf(15))
	}
	saved := filepath.Join(dir, "saved")
	if err := c.Save(saved); err != nil || !bytes.Equal(readAll(t, saved), files[0]) {
		t.Errorf("saved again it is another file: %v", err)
	}
	both := c.Concat(c, 1)
	if both.CopyOf(503) != 500 || both.CopyOf(3) != 0 {
		t.Errorf("of two in one: %d, %d", both.CopyOf(503), both.CopyOf(3))
	}
	if memory := c.Select(make([]uint32, 0)); memory.HasCopies() {
		t.Error("no documents have copies")
	}
	ranged, err := OpenRanges("x", int64(len(files[0])), func(b []byte, offset int64) error {
		copy(b, files[0][offset:])
		return nil
	})
	if err != nil || ranged.CopyOf(13) != 10 || ranged.Fingerprint() != c.Fingerprint() {
		t.Errorf("elsewhere: %v", err)
	}
}

// A corpus without the copies is that of an input without them, but for the columns' place in the input.
func TestDropCopies(t *testing.T) {
	path := copied(t)
	lines := strings.SplitAfter(string(readAll(t, path)), "\n")
	var rest []string
	for i, line := range lines {
		if d := i - 1; d < 0 || d%10 != 3 && d%10 != 6 {
			rest = append(rest, line)
		}
	}
	clean := filepath.Join(t.TempDir(), "clean.csv")
	if err := os.WriteFile(clean, []byte(strings.Join(rest, "")), 0o666); err != nil {
		t.Fatal(err)
	}
	for name, o := range map[string]ImportOptions{
		"text": {}, "phrases": {Phrases: &PhraseOptions{MinCount: 2}}, "no empty ones": {DropEmpty: true},
		"texts": {Snippet: wholeText}, "threads": {Threads: 3},
	} {
		o.Text = noStops
		dir := t.TempDir()
		a, b := filepath.Join(dir, "a"), filepath.Join(dir, "b")
		if _, err := Import(t.Context(), []string{clean}, b, o); err != nil {
			t.Fatal(err)
		}
		o.Duplicates = dropCopies
		report, err := Import(t.Context(), []string{path}, a, o)
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(readAll(t, a), readAll(t, b)) {
			t.Errorf("%s: another corpus", name)
		}
		if c := report.Copies; !c.Dropped || c.Exact+c.Near != 100 || report.Docs != 400-map[bool]int64{true: 1}[o.DropEmpty] ||
			c.Example != "d0" {
			t.Errorf("%s: %+v, %d documents", name, c, report.Docs)
		}
	}
}

// Without copies, and where they are not looked for, nothing about them is in the file.
func TestNoCopies(t *testing.T) {
	path := copied(t)
	dir := t.TempDir()
	for name, o := range map[string]ImportOptions{"keep": {Duplicates: keepCopies}, "drop": {Duplicates: dropCopies}} {
		if _, err := Import(t.Context(), []string{path}, filepath.Join(dir, name), o); err != nil {
			t.Fatal(err)
		}
	}
	once, err := Import(t.Context(), []string{filepath.Join(dir, "drop")}, filepath.Join(dir, "again"), ImportOptions{MinDF: 2})
	if err != nil || once.Copies.Groups != 0 {
		t.Errorf("copies that were dropped are found: %+v, %v", once, err)
	}
	for _, name := range []string{"keep", "drop", "again"} {
		if b := readAll(t, filepath.Join(dir, name)); bytes.Contains(b[:2048], []byte(format.Copies+"\x00")) || b[10] > 2 {
			t.Errorf("%s: the file lists copies, or has version 1.%d", name, b[10])
		}
	}
}

// Documents of counts are copies if their counts are equal. A corpus file remembers the copies it knows, also of parts.
func TestCopiesOfCounts(t *testing.T) {
	path, dir := copied(t), t.TempDir()
	at := func(name string) string { return filepath.Join(dir, name) }
	for i := range 2 {
		o := ImportOptions{Text: noStops, MinDF: 1, MaxDF: 1, Duplicates: []string{"", keepCopies}[i]}
		if _, err := Import(t.Context(), []string{path}, at(fmt.Sprint(i)), o); err != nil {
			t.Fatal(err)
		}
	}
	for name, test := range map[string]struct {
		paths       []string
		copies      int64
		firstOf1003 int
	}{
		"known":   {[]string{at("0")}, 100, -1},
		"unknown": {[]string{at("1")}, 50, -1},
		"parts":   {[]string{at("1"), at("1")}, 550 - 1, 0},
		"both":    {[]string{at("0"), at("1")}, 600 - 1, 0},
	} {
		report, err := Import(t.Context(), test.paths, at(name), ImportOptions{MinDF: 1, MaxDF: 1, Duplicates: groupCopies})
		if err != nil {
			t.Fatal(err)
		}
		if got := report.Copies.Exact + report.Copies.Near; got != test.copies {
			t.Errorf("%s: %d copies, not %d", name, got, test.copies)
		}
		c, err := Open(at(name))
		if err != nil {
			t.Fatal(err)
		}
		if test.firstOf1003 >= 0 && c.CopyOf(503) != test.firstOf1003 {
			t.Errorf("%s: document 503 is a copy of %d", name, c.CopyOf(503))
		}
		c.Close()
	}
	dropped, err := Import(t.Context(), []string{at("1")}, at("dropped"), ImportOptions{Duplicates: dropCopies})
	if err != nil || dropped.Docs != 450 {
		t.Errorf("%+v, %v", dropped, err)
	}
}

// A damaged list of copies is refused.
func TestDamagedCopies(t *testing.T) {
	out := filepath.Join(t.TempDir(), "c")
	if _, err := Import(t.Context(), []string{copied(t)}, out, ImportOptions{Text: noStops}); err != nil {
		t.Fatal(err)
	}
	b := readAll(t, out)
	begin := at(b, format.Copies)
	binary.LittleEndian.PutUint64(b[begin:], 0)
	if err := os.WriteFile(out, b, 0o666); err != nil {
		t.Fatal(err)
	}
	if _, err := Open(out); !errors.Is(err, ErrDamaged) || !strings.Contains(err.Error(), `"copies"`) {
		t.Errorf("%v", err)
	}
}

// The pieces of documents are compared as whole documents.
func TestCopiesOfPieces(t *testing.T) {
	dir := t.TempDir()
	r := rand.New(rand.NewPCG(9, 9))
	var texts []string
	for i := range 20 {
		words := make([]string, 100)
		for j := range words {
			words[j] = fmt.Sprintf("word%03d", r.IntN(900))
		}
		whole := strings.Join(words, " ")
		switch i {
		case 15:
			whole = texts[3]
		case 16: // shares one piece of four, and is no copy
			whole = texts[4][:len("word000 ")*25] + whole[:len("word000 ")*75]
		case 17:
			whole = texts[5][:len("word000 ")*90] + "another end of this"
		}
		texts = append(texts, whole)
		if err := os.WriteFile(filepath.Join(dir, fmt.Sprintf("%02d.txt", i)), []byte(whole), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	for _, threads := range []int{1, 4} {
		c, report, err := Load(t.Context(), []string{dir}, ImportOptions{
			Text: noStops, MinDF: 1, MaxDF: 1, Threads: threads, Source: source.Options{Pieces: 25},
		})
		if err != nil {
			t.Fatal(err)
		}
		defer c.Close()
		firsts := c.FirstPieces()
		if r := report.Copies; r.Exact != 1 || r.Near != 1 || c.CopyOf(firsts[15]) != firsts[3] ||
			c.CopyOf(firsts[17]) != firsts[5] || c.CopyOf(firsts[16]) != firsts[16] {
			t.Errorf("%+v", r)
		}
		if whole := c.Uncut(); whole.CopyOf(17) != 5 || whole.CopyOf(16) != 16 {
			t.Error("whole documents have other copies")
		}
		dropped, _, err := Load(t.Context(), []string{dir}, ImportOptions{
			Text: noStops, MinDF: 1, MaxDF: 1, Threads: threads, Source: source.Options{Pieces: 25}, Duplicates: dropCopies,
		})
		if err != nil {
			t.Fatal(err)
		}
		defer dropped.Close()
		if n := len(dropped.FirstPieces()); n != 18 {
			t.Errorf("%d documents are left", n)
		}
	}
}
