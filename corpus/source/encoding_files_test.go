package source

import (
	"strings"
	"testing"

	"github.com/topoi-lda/topoi/corpus/source/internal/input"
)

const german = "Größere Häuser für Österreich: das überrascht niemanden, sagte die Bäckerin. „Schön“, rief er – und ging.\n"

// encoded returns text in an encoding.
func encoded(t *testing.T, text, name string) string {
	t.Helper()
	e, _, err := input.EncodingByName(name)
	if err != nil {
		t.Fatal(err)
	}
	b, err := e.NewEncoder().String(text)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func TestBrokenEncodings(t *testing.T) {
	opts := func(name string) Options { return Options{Encoding: name} }
	const again = "; name another encoding with Options.Encoding, or replace such characters with Options.RepairUTF8"
	runBroken(t, []broken{
		{name: "half a character", files: map[string]string{"a.txt": "\xff\xfeh\x00\xe9"}, want: "a.txt: the text cannot be read as utf-16le: some bytes are not valid there" + again},
		{name: "half a pair", files: map[string]string{"a.txt": "\xff\xfeh\x00\x00\xd8h\x00"}, want: "a.txt: the text cannot be read as utf-16le: some bytes are not valid there" + again},
		{name: "another encoding", files: map[string]string{"a.txt": "caf\xe9 \xff\xff"}, opts: opts("gb18030"), want: "a.txt: the text cannot be read as gb18030: some bytes are not valid there" + again},
		{name: "unknown", files: map[string]string{"a.txt": "x"}, opts: opts("windows-1225"), want: `unknown encoding "windows-1225": did you mean "windows-1252"?`},
	})
}

// TestEncodingsOfFiles: every file has its own encoding, and a table in UTF-16, as
// Excel saves "Unicode text", is read like any other.
func TestEncodingsOfFiles(t *testing.T) {
	t.Chdir(t.TempDir())
	writeFiles(t, map[string]string{
		"d/1.txt": german, "d/2.txt": encoded(t, german, "windows-1252"), "d/3.txt": "\xff\xfe" + encoded(t, german, "utf-16le"),
		"table.txt": "\xff\xfe" + encoded(t, "id\ttext\r\n1\tÜber uns\r\n", "utf-16le"),
		"table.gz":  gzipped(encoded(t, "id;text\n1;Über uns\n", "windows-1252")),
		"doc.txt":   "1\n2\n1\n1 1 1\n", "vocab.txt": encoded(t, "Über\nuns\n", "windows-1252"),
	})
	r, err := Open([]string{"d"}, Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	var doc Document
	for range 3 {
		if err := r.Next(&doc); err != nil || string(doc.Text) != german {
			t.Errorf("%s: %q, %v", doc.ID, doc.Text, err)
		}
	}
	if got := r.Taken().Encodings; strings.Join(got, " ") != "windows-1252 utf-16le" || !r.Taken().EncodingGuessed {
		t.Errorf("encodings %v", got)
	}
	for name, opts := range map[string]Options{"table.txt": {}, "table.gz": {Format: "csv"}} {
		r, err := Open([]string{name}, opts)
		if err != nil {
			t.Fatal(err)
		}
		if err := r.Next(&doc); err != nil || string(doc.ID) != "1" || string(doc.Text) != "Über uns" {
			t.Errorf("%s: id %q, text %q, %v", name, doc.ID, doc.Text, err)
		}
		r.Close()
	}
	r, err = Open([]string{"doc.txt"}, Options{VocabPath: "vocab.txt"})
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	for err == nil {
		err = r.Next(&doc)
	}
	if words, err := r.Vocabulary(); err != nil || words[0] != "Über" {
		t.Errorf("vocabulary %q, %v", words, err)
	}
}
