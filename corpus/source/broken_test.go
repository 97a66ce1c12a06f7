package source

import (
	"bytes"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"
)

// broken is an input that must be refused with exactly this message.
type broken struct {
	name  string
	files map[string]string // content by path; the working directory is theirs
	in    []string          // inputs; the only file when nil
	opts  Options
	want  string
}

// readAll reads all documents and returns the error that stopped it.
func readAll(inputs []string, opts Options) (docs int, err error) {
	r, err := Open(inputs, opts)
	if err != nil {
		return 0, err
	}
	defer r.Close()
	var doc Document
	for {
		switch err := r.Next(&doc); err {
		case nil:
			docs++
		case io.EOF:
			_, err := r.Vocabulary()
			return docs, err
		default:
			return docs, err
		}
	}
}

func writeFiles(t testing.TB, files map[string]string) {
	t.Helper()
	for name, content := range files {
		if dir := filepath.Dir(name); dir != "." {
			if err := os.MkdirAll(dir, 0o755); err != nil {
				t.Fatal(err)
			}
		}
		if err := os.WriteFile(name, []byte(content), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

func runBroken(t *testing.T, cases []broken) {
	t.Helper()
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			t.Chdir(t.TempDir())
			writeFiles(t, c.files)
			in := c.in
			if in == nil {
				for name := range c.files {
					in = append(in, name)
				}
				if len(in) != 1 {
					t.Fatal("name the inputs of a case with several files")
				}
			}
			_, err := readAll(in, c.opts)
			if err == nil {
				t.Fatal("accepted")
			}
			if err.Error() != c.want {
				t.Errorf("message\n got %s\nwant %s", err, c.want)
			}
		})
	}
}

func gzipped(s string) string {
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	w.Write([]byte(s))
	w.Close()
	return b.String()
}

func zstandard(s string) string {
	var b bytes.Buffer
	w, _ := zstd.NewWriter(&b)
	w.Write([]byte(s))
	w.Close()
	return b.String()
}

// cut drops the last n bytes.
func cut(s string, n int) string { return s[:len(s)-n] }

// flip changes one byte in the middle of the data.
func flip(s string) string {
	b := []byte(s)
	b[len(b)/2] ^= 0xff
	return string(b)
}

func TestBrokenInputs(t *testing.T) {
	long := strings.Repeat("some words of text\n", 1000)
	runBroken(t, []broken{
		{name: "missing", in: []string{"nowhere.txt"}, want: "nowhere.txt: cannot open: no such file or directory; check the path"},
		{name: "no match", in: []string{"*.csv"}, want: "*.csv: no file matches the pattern; check the path"},
		{name: "bad pattern", in: []string{"[a"}, want: "[a: the pattern is malformed; close every [ with ]"},
		{name: "no input", in: []string{}, want: "no input given: name a file, a directory, or - for standard input"},
		{name: "empty file", files: map[string]string{"a.txt": ""}, want: "a.txt: the file is empty; expected at least one document"},
		{name: "only a byte order mark", files: map[string]string{"a.csv": "\xef\xbb\xbf"}, want: "a.csv: the file is empty; expected at least one document"},
		{name: "empty gzip", files: map[string]string{"a.txt.gz": gzipped("")}, want: "a.txt.gz: the file is empty; expected at least one document"},
		{name: "truncated gzip", files: map[string]string{"a.txt.gz": cut(gzipped(long), 20)}, want: "a.txt.gz: the gzip data ends too early, the file is truncated; copy or download the file again"},
		{name: "gzip header only", files: map[string]string{"a.txt.gz": "\x1f\x8b\x08"}, want: "a.txt.gz: the gzip data ends too early, the file is truncated; copy or download the file again"},
		{name: "damaged gzip", files: map[string]string{"a.txt.gz": gzipped("x")[:10] + "\xff\xff\xff\xff"}, want: "a.txt.gz: the gzip data is damaged (flate: corrupt input before offset 1); copy or download the file again"},
		{name: "truncated zstd", files: map[string]string{"a.txt.zst": cut(zstandard(long), 8)}, want: "a.txt.zst: the zstd data ends too early, the file is truncated; copy or download the file again"},
		{name: "damaged zstd", files: map[string]string{"a.txt.zst": flip(zstandard("some text that is stored as it is"))}, want: "a.txt.zst: the zstd data is damaged (CRC check failed); copy or download the file again"},
		{name: "zip", files: map[string]string{"a.zip": "PK\x03\x04xxxx"}, want: "a.zip: the file is compressed with zip, which topoi cannot read; unpack it with unzip, or pack it with gzip or zstd"},
		{name: "mallet binary", files: map[string]string{"a.mallet": "\xac\xed\x00\x05sr"}, want: "a.mallet: this is a Java object stream, as MALLET's binary .mallet files are, which only MALLET reads; give the text that it was made from, or the state.gz that MALLET writes with --output-state"},
	})
}

func TestBrokenUCI(t *testing.T) {
	uci := func(name, content, want string) broken {
		return broken{name: name, files: map[string]string{"docword.x.txt": content}, opts: Options{Format: "uci"}, want: want}
	}
	const header = "2\n3\n2\n"
	runBroken(t, []broken{
		uci("word in the header", "2\nthree\n2\n", `docword.x.txt:2: found "three", expected the number of words; the first three lines must be the numbers of documents, words and entries`),
		uci("header cut off", "2\n3\n", "docword.x.txt:3: the file ends here, but the number of entries is expected; the first three lines must be the numbers of documents, words and entries"),
		uci("too many documents", "99999999999999\n3\n2\n", `docword.x.txt:1: found "99999999999999", expected the number of documents; the first three lines must be the numbers of documents, words and entries`),
		uci("fewer entries", header+"1 1 1\n", "docword.x.txt:4: the file ends after 1 entry, but line 3 announces 2; the file is incomplete; copy or download it again"),
		uci("more entries", header+"1 1 1\n2 1 1\n2 2 1\n", "docword.x.txt:6: found more entries than the 2 that line 3 announces; correct the number of entries on line 3"),
		uci("document id too large", header+"3 1 1\n", "docword.x.txt:4: document id 3 is out of range 1 to 2; check that the file and its header belong together"),
		uci("document id 0", header+"0 1 1\n", "docword.x.txt:4: document id 0 is out of range 1 to 2; check that the file and its header belong together"),
		uci("word id too large", header+"1 4 1\n", "docword.x.txt:4: word id 4 is out of range 1 to 3; check that the file and its header belong together"),
		uci("word id 0", header+"1 0 1\n", "docword.x.txt:4: word id 0 is out of range 1 to 3; check that the file and its header belong together"),
		uci("negative count", header+"1 1 -1\n", "docword.x.txt:4: count -1 is negative; expected a whole number from 0 to 4294967295"),
		uci("huge count", header+"1 1 4294967296\n", "docword.x.txt:4: count 4294967296 is out of range 0 to 4294967295; check that the file and its header belong together"),
		uci("absurd count", header+"1 1 99999999999999999999999\n", "docword.x.txt:4: count 99999999999999999999999 is out of range 0 to 4294967295; check that the file and its header belong together"),
		uci("real count", header+"1 1 0.5\n", `docword.x.txt:4: count is "0.5", which is not a whole number; expected a whole number from 0 to 4294967295`),
		uci("two fields", header+"1 1\n", `docword.x.txt:4: found "1 1", expected: document word count; every line after the third must hold three whole numbers`),
		uci("four fields", header+"1 1 1 1\n", `docword.x.txt:4: found "1 1 1 1", expected: document word count; every line after the third must hold three whole numbers`),
		uci("NUL byte", header+"1 1 1\x00\n", `docword.x.txt:4: count is "1\x00", which is not a whole number; expected a whole number from 0 to 4294967295`),
		uci("unsorted", header+"2 1 1\n1 1 1\n", "docword.x.txt:5: document 1 comes after document 2; sort the entries by document, keeping the three lines of the header"),
		{
			name: "short vocabulary", files: map[string]string{"docword.x.txt": header + "1 1 1\n2 1 1\n", "vocab.x.txt": "a\nb\n"}, in: []string{"docword.x.txt"},
			want: "vocab.x.txt: 2 words found, but line 2 of docword.x.txt promises 3 words; give the vocabulary that belongs to this file with Options.VocabPath",
		},
		{
			name: "missing vocabulary", files: map[string]string{"docword.x.txt": header}, opts: Options{VocabPath: "v.txt"},
			want: "v.txt: cannot open: no such file or directory; check the path",
		},
		{
			name: "repeated word", files: map[string]string{"docword.x.txt": header, "v.txt": "a\nb\na\n"}, in: []string{"docword.x.txt"}, opts: Options{VocabPath: "v.txt"},
			want: `v.txt:3: the word "a" is already on line 1; every word may occur only once; rename or merge one of them`,
		},
		{
			name: "blank word", files: map[string]string{"docword.x.txt": header, "v.txt": "a\n\nb\n"}, in: []string{"docword.x.txt"}, opts: Options{VocabPath: "v.txt"},
			want: "v.txt:2: the line is blank, but every line must hold a word; remove the line if it does not stand for an id",
		},
		{
			name: "columns in the vocabulary", files: map[string]string{"docword.x.txt": header, "v.txt": "1\ta\n"}, in: []string{"docword.x.txt"}, opts: Options{VocabPath: "v.txt"},
			want: "v.txt:1: found several columns, expected one word per line; keep the column with the words (cut -f2)",
		},
		{
			name: "empty vocabulary", files: map[string]string{"docword.x.txt": header, "v.txt": ""}, in: []string{"docword.x.txt"}, opts: Options{VocabPath: "v.txt"},
			want: "v.txt: the vocabulary is empty; give a file with one word per line",
		},
		{
			name: "invalid UTF-8 in the vocabulary", files: map[string]string{"docword.x.txt": header, "v.txt": "a\ncaf\xff\n"}, in: []string{"docword.x.txt"}, opts: Options{VocabPath: "v.txt"},
			want: "v.txt:2: byte 4 of the line (0xff) is not valid UTF-8; correct it, name the encoding of the text with Options.Encoding, or replace such bytes with Options.RepairUTF8",
		},
		{
			name: "different vocabularies", files: map[string]string{
				"docword.x.txt": "1\n1\n0\n", "vocab.x.txt": "a\n", "docword.y.txt": "1\n1\n0\n", "vocab.y.txt": "b\n",
			}, in: []string{"docword.x.txt", "docword.y.txt"},
			want: "docword.y.txt: its vocabulary differs from that of docword.x.txt, so the same id would mean different words; import the files one by one, or give one vocabulary for all with Options.VocabPath",
		},
	})
}

func TestBrokenText(t *testing.T) {
	runBroken(t, []broken{
		{name: "latin-1 line", files: map[string]string{"a.txt": "one\ncaf\xe9 two\n"}, opts: Options{Encoding: "utf-8"}, want: "a.txt:2: byte 4 of the line (0xe9) is not valid UTF-8; correct it, name the encoding of the text with Options.Encoding, or replace such bytes with Options.RepairUTF8"},
		{name: "NUL in a line", files: map[string]string{"a.txt": "one\nt\x00wo\n"}, want: "a.txt:2: byte 2 of the line is NUL, which text never contains; check that the file is text, name its encoding with Options.Encoding, or replace such bytes with Options.RepairUTF8"},
		{name: "latin-1 file", files: map[string]string{"d/a.txt": "one\n\ncaf\xe9 two\n"}, in: []string{"d"}, opts: Options{Encoding: "utf-8"}, want: "d/a.txt:3: byte 4 of the line (0xe9) is not valid UTF-8; correct it, name the encoding of the text with Options.Encoding, or replace such bytes with Options.RepairUTF8"},
		{name: "no text file", files: map[string]string{"d/a.md": "one"}, in: []string{"d"}, want: `d: no file below this directory matches "*.txt" (it holds 1 .md file); choose other files with Options.Pattern, for example Options.Pattern = '*'`},
		{name: "damaged file in a directory", files: map[string]string{"d/a.txt.gz": "\x1f\x8b\x08"}, in: []string{"d"}, want: "d/a.txt.gz: the gzip data ends too early, the file is truncated; copy or download the file again"},
		{name: "repeated id", files: map[string]string{"a.tsv": "d1\tx\tone\nd2\tx\ttwo\nd1\tx\tthree\n"}, opts: Options{UniqueIDs: true}, want: `a.tsv:3: the document id "d1" was already used; make the ids unique, or accept duplicates by leaving out Options.UniqueIDs`},
		{name: "mallet with one tab", files: map[string]string{"a.tsv": "d1\tx\tone\nd2\tx two\n"}, opts: Options{Format: "mallet"}, want: "a.tsv:2: found 1 tab, expected id<TAB>label<TAB>text; correct the line, or remove the tabs of line 1 to separate fields by spaces"},
		{name: "mallet with one word", files: map[string]string{"a.txt": "d1 x one\nd2\n"}, opts: Options{Format: "mallet"}, want: `a.txt:2: found "d2", expected: id label text; if the lines have no id and label, use Options.Format = lines`},
		{name: "mallet latin-1", files: map[string]string{"a.txt": "d1 x one\nd2 y \xff\n"}, opts: Options{Encoding: "utf-8", Format: "mallet"}, want: "a.txt:2: byte 6 of the line (0xff) is not valid UTF-8; correct it, name the encoding of the text with Options.Encoding, or replace such bytes with Options.RepairUTF8"},
	})
}

func TestBrokenCSV(t *testing.T) {
	csv := func(name, content, want string, opts Options) broken {
		return broken{name: name, files: map[string]string{"a.csv": content}, opts: opts, want: want}
	}
	runBroken(t, []broken{
		csv("open quote", "id,text\n1,\"one\n2,two\n", "a.csv:2: a quoted field starts here and never ends; close it, or treat quotation marks as text with Options.NoQuotes", Options{}),
		csv("text behind a quote", "id,text\n1,\"one\"x\n", "a.csv:2: found 'x' after the quotation mark that closes a field; double the quotation marks inside a quoted field, or treat them as text with Options.NoQuotes", Options{}),
		csv("ragged", "id,text\n1,one\n2,two,three\n", "a.csv:3: found 3 fields, expected 2 as on the first line; check the delimiter (Options.Delimiter) and put fields that hold it in quotation marks", Options{}),
		csv("ragged behind a long record", "id,text\n1,\"o\nn\ne\"\n2\n", "a.csv:5: found 1 field, expected 2 as on the first line; check the delimiter (Options.Delimiter) and put fields that hold it in quotation marks", Options{}),
		csv("no such column", "id,text\n1,one\n", `a.csv:1: no column is called "txt": did you mean "text"?`, Options{TextFields: []string{"txt"}}),
		csv("no text column", "id,zzz\n1,one\n", `a.csv:1: no column holds text; found "id" (number), "zzz" (other); name the column with Options.TextFields, or use Options.Header = no`, Options{}),
		csv("links alone", "page,when\nhttp://a.b/c,2020-01-02\nhttp://a.b/d,2020-01-03\n", `a.csv:1: no column holds text; found "page" (link), "when" (date); name the column with Options.TextFields, or use Options.Header = no`, Options{}),
		csv("header only", "id,text\n", `a.csv: it has a header ("id", "text") but no documents; if the first row is a document, say so with Options.Header = no`, Options{}),
		csv("no header", "1,2,3,one\n", "a.csv:1: no column holds text; found 4 columns without a header: \"1\" (number), \"2\" (number), \"3\" (number), \"4\" (other); say which holds the text with Options.TextFields = NUMBER", Options{}),
		csv("name without header", "1,one\n", `a.csv:1: no column is called "text": the first record "1", "one" is not a header; give the number of the column, or Options.Header = yes`, Options{TextFields: []string{"text"}}),
		csv("column number", "1,one\n", "a.csv:1: there is no column 3, only 2 columns; columns are numbered from 1", Options{TextFields: []string{"3"}}),
		csv("latin-1", "id,text\n1,\"o\nn\xe9\"\n", "a.csv:3: byte 2 of the line (0xe9) is not valid UTF-8; correct it, name the encoding of the text with Options.Encoding, or replace such bytes with Options.RepairUTF8", Options{Encoding: "utf-8"}),
		csv("NUL", "id,text\n1,o\x00ne\n", "a.csv:2: byte 4 of the line is NUL, which text never contains; check that the file is text, name its encoding with Options.Encoding, or replace such bytes with Options.RepairUTF8", Options{}),
		csv("repeated id", "id,text\n1,one\n1,two\n", `a.csv:3: the document id "1" was already used; make the ids unique, or accept duplicates by leaving out Options.UniqueIDs`, Options{UniqueIDs: true}),
		{
			name: "truncated gzip", files: map[string]string{"a.csv.gz": cut(gzipped("id,text\n"+strings.Repeat("1,some text\n", 9999)), 9)},
			want: "a.csv.gz:10000: the gzip data ends too early, the file is truncated; copy or download the file again",
		},
	})
}

func TestBrokenOptions(t *testing.T) {
	_, err := Open([]string{"x"}, Options{
		Format: "uic", IndexBase: "2", Orientation: "doc-rows", Header: "maybe", Delimiter: "ab", Pattern: "[", TextFields: []string{"a"}, TokensField: "b",
	})
	want := strings.Join([]string{
		`unknown format "uic": did you mean "uci"?`,
		`unknown index base "2": did you mean "0"?`,
		`unknown orientation "doc-rows": did you mean "docs-rows"?`,
		`unknown header "maybe": it must be one of auto, yes, no`,
		`unknown delimiter "ab": give one ASCII character or tab, comma, semicolon, pipe, space`,
		`malformed file pattern "[": close every [ with ]`,
		`a text field ("a") and a tokens field ("b") cannot be combined: leave out one`,
	}, "\n")
	if err == nil || err.Error() != want {
		t.Errorf("got\n%v\nwant\n%s", err, want)
	}
}
