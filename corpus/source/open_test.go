package source

import (
	"fmt"
	"io"
	"os"
	"strings"
	"testing"
)

const sampleTSV = "d1\tx\tone\nd2\ty\ttwo\nd1\tz\tthree\n"

// TestCompression reads the same lines however they are packed.
func TestCompression(t *testing.T) {
	half := len(sampleTSV) / 2
	for name, content := range map[string]string{
		"plain":          sampleTSV,
		"bom":            "\xef\xbb\xbf" + sampleTSV,
		"gzip":           gzipped(sampleTSV),
		"gzip members":   gzipped(sampleTSV[:half]) + gzipped("") + gzipped(sampleTSV[half:]),
		"zstd":           zstandard(sampleTSV),
		"zstd frames":    zstandard(sampleTSV[:half]) + zstandard(sampleTSV[half:]),
		"skippable zstd": "\x50\x2a\x4d\x18\x02\x00\x00\x00ab" + zstandard(sampleTSV),
	} {
		t.Run(name, func(t *testing.T) {
			t.Chdir(t.TempDir())
			writeFiles(t, map[string]string{"a.tsv": content})
			r, err := Open([]string{"a.tsv"}, Options{})
			if err != nil {
				t.Fatal(err)
			}
			defer r.Close()
			var got []string
			var doc Document
			for r.Next(&doc) == nil {
				got = append(got, fmt.Sprintf("%s/%s/%s", doc.ID, doc.Label, doc.Text))
			}
			if want := "d1/x/one d2/y/two d1/z/three"; strings.Join(got, " ") != want {
				t.Errorf("got %v, want %s", got, want)
			}
			if err := r.Next(&doc); err != io.EOF {
				t.Errorf("after the end: %v", err)
			}
			if read, total := r.Progress(); read != int64(len(content)) || total != read {
				t.Errorf("progress %d of %d, the file has %d bytes", read, total, len(content))
			}
			if r.Repeats() != 1 {
				t.Errorf("%d repeated ids, want 1", r.Repeats())
			}
			if !r.Guessed() || r.Format().Name != "mallet" {
				t.Errorf("format %v, guessed %v", r.Format(), r.Guessed())
			}
		})
	}
}

func TestStandardInput(t *testing.T) {
	read, write, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	old := os.Stdin
	os.Stdin = read
	defer func() { os.Stdin = old }()
	go func() {
		io.WriteString(write, gzipped(sampleTSV))
		write.Close()
	}()
	n, err := readAll([]string{"-"}, Options{})
	if n != 3 || err != nil {
		t.Errorf("read %d documents, %v", n, err)
	}
}

func TestParquetFromStandardInput(t *testing.T) {
	_, err := openParquet("-", nil, &Options{})
	want := "standard input: Parquet cannot be read from a stream, because its list of columns is at the end; save it to a file first"
	if err == nil || err.Error() != want {
		t.Errorf("got %v, want %s", err, want)
	}
}

func TestSeveralInputs(t *testing.T) {
	t.Chdir(t.TempDir())
	writeFiles(t, map[string]string{"a.tsv": sampleTSV, "b.tsv.gz": gzipped(sampleTSV), "c.txt": "one", "d.txt": "two\nlines", "e/x.txt": "three"})
	for _, c := range []struct {
		inputs []string
		format string
		docs   int
	}{
		{[]string{"a.tsv", "b.tsv.gz"}, "mallet", 6},
		{[]string{"*.tsv*"}, "mallet", 6},
		{[]string{"c.txt", "d.txt"}, "text", 2},
		{[]string{"d.txt"}, "lines", 2},
		{[]string{"e", "d.txt"}, "text", 2},
	} {
		r, err := Open(c.inputs, Options{})
		if err != nil {
			t.Fatal(err)
		}
		if n, err := readAll(c.inputs, Options{}); n != c.docs || err != nil || r.Format().Name != c.format {
			t.Errorf("%v: %d documents as %s, %v; want %d as %s", c.inputs, n, r.Format().Name, err, c.docs, c.format)
		}
		r.Close()
	}
}

// TestLinkedDirectory reads a directory through a symbolic link, and names the
// part of it that cannot be read.
func TestLinkedDirectory(t *testing.T) {
	t.Chdir(t.TempDir())
	writeFiles(t, map[string]string{"real/a/x.txt": "one", "real/y.txt": "two"})
	if err := os.Symlink("real", "link"); err != nil {
		t.Skip("no symbolic links here:", err)
	}
	r, err := Open([]string{"link"}, Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	var doc Document
	for _, want := range []string{"a/x.txt", "y.txt"} {
		if err := r.Next(&doc); err != nil || string(doc.ID) != want {
			t.Errorf("id %q, %v, want %s", doc.ID, err, want)
		}
	}
	if err := os.Chmod("real/a", 0); err != nil {
		t.Fatal(err)
	}
	defer os.Chmod("real/a", 0o755)
	if _, err := os.ReadDir("real/a"); err == nil {
		t.Skip("this user may read everything")
	}
	want := "link/a: cannot open: permission denied"
	if _, err := readAll([]string{"link"}, Options{}); err == nil || err.Error() != want {
		t.Errorf("got %v, want %s", err, want)
	}
}

// TestOneColumn takes the first line of a single column for its name if it is a
// known one, or if it is a word and texts follow. Else it is a document.
func TestOneColumn(t *testing.T) {
	t.Chdir(t.TempDir())
	long := strings.Repeat("a long text ", 20)
	writeFiles(t, map[string]string{
		"long.csv": "Antwort\n" + long + "\n", "known.csv": "Review\nnice\n", "short.csv": "hello\nworld\n", "number.csv": "7\n" + long + "\n",
	})
	for name, want := range map[string]int{"long.csv": 1, "known.csv": 1, "short.csv": 2, "number.csv": 2} {
		if n, err := readAll([]string{name}, Options{}); n != want || err != nil {
			t.Errorf("%s: %d documents, %v, want %d", name, n, err, want)
		}
	}
}

func TestMisuse(t *testing.T) {
	t.Chdir(t.TempDir())
	writeFiles(t, map[string]string{"a.tsv": sampleTSV})
	r, err := Open([]string{"a.tsv"}, Options{})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := r.Vocabulary(); err == nil {
		t.Error("Vocabulary before the end must fail")
	}
	if err := r.Close(); err != nil {
		t.Error(err)
	}
	if err := r.Next(new(Document)); err == nil {
		t.Error("Next after Close must fail")
	}
	if err := r.Close(); err != nil {
		t.Errorf("second Close: %v", err)
	}
}

func TestDetect(t *testing.T) {
	for _, c := range []struct{ name, head, want string }{
		{"docword.kos.txt", "3\n4\n2\n1 1 1\n", "uci"},
		{"x", "3\n4\n0\n", "uci"},
		{"x", "3\n4\n2\n1 1 -1\n", "uci"},
		{"x", "3\n4\n2\n1 1 0.5\n", "uci"},
		{"d/docword.x.txt.gz", "3\n4\n2\none two\n", "uci"},
		{"docword.x.txt", "not numbers\n", "uci"},
		{"x", "3\ncat dog\nbird\n", "gibbslda"},
		{"x", "2 0:1 5:3\n1 7:1\n", "lda-c"},
		{"x", "1 0:1 5:3\n0 7:1\n", "svmlight"},
		{"x", "news cat:2 dog:1\n", "svmlight"},
		{"x", "a | cat:2 dog\n| bird fish\n", "vw"},
		{"x", `{"text": "a"}`, "jsonl"},
		{"x", "%%MatrixMarket matrix coordinate real general\n", "matrix-market"},
		{"x", "#doc source pos typeindex type topic\n", "mallet-state"},
		{"x", "a\tb\tsome text\nc\td\tmore\n", "mallet"},
		{"x", "id\tlabel\ttext\nc\td\tmore\n", "tsv"},
		{"x", "a\tsome text\nc\tmore\n", "tsv"},
		{"x", "some text\ttrain\tx\nmore\ttest\ty\n", "octis"},
		{"x", "id,text\n1,a\n", "csv"},
		{"x", "Title, date\nand more of that kind, as texts have\n", "csv"},
		{"x", "Text, written by nobody in particular today, and a date\nand more\n", "lines"},
		{"x", "Dear reader, this is text, not a table\nreally\n", "lines"},
		{"x", "", "lines"},
		{"x", "2019: a year\n2020: another\n", "lines"},
		{"x.csv", "whatever", "csv"},
		{"x.csv.gz", "whatever", "csv"},
		{"x.ndjson", " ", "jsonl"},
		{"x.tsv", "a\tb\tc\td\n", "tsv"},
		{"x.libsvm.zst", "1 1:1", "svmlight"},
		{"x", "PAR1", "parquet"},
	} {
		if got := detectFormat(c.name, []byte(c.head)); got != c.want {
			t.Errorf("Detect(%q, %q) = %s, want %s", c.name, c.head, got, c.want)
		}
	}
}

func TestCommonDir(t *testing.T) {
	t.Chdir(t.TempDir())
	writeFiles(t, map[string]string{"a/b/x.txt": "", "a/bc/y.txt": ""})
	for _, c := range []struct {
		in   []string
		want string
	}{
		{[]string{"a"}, "a"},
		{[]string{"a/b/x.txt"}, "a/b"},
		{[]string{"a/b", "a/bc"}, "a"},
		{[]string{"a/b", "a"}, "a"},
		{[]string{"a", "a/b/x.txt"}, "a"},
		{[]string{"x.txt", "a"}, "."},
		{[]string{"/usr/lib", "/etc"}, "/"},
		{[]string{"-"}, "."},
	} {
		if got := commonDir(c.in); got != c.want {
			t.Errorf("commonDir(%v) = %s, want %s", c.in, got, c.want)
		}
	}
}

func TestIDSet(t *testing.T) {
	s := idSet{}
	for i := range 5000 {
		if !s.add(fmt.Appendf(nil, "doc %d", i)) {
			t.Fatalf("id %d is new", i)
		}
	}
	for i := range 5000 {
		if s.add(fmt.Appendf(nil, "doc %d", i)) {
			t.Fatalf("id %d is not new", i)
		}
	}
	for range 2 {
		if !s.add(nil) {
			t.Error("the empty id is always new")
		}
	}
}
