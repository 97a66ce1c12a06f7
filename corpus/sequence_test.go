package corpus

import (
	"compress/gzip"
	"context"
	"errors"
	"iter"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/topoi-lda/topoi/corpus/column"
	"github.com/topoi-lda/topoi/corpus/source"
)

const wales = "id,label,party,text\n1,a,red,whale sea ship whale\n2,b,,sea town town\n3,,blue,ship sea\n"

// A reader gives the corpus that the same bytes give as a file, packed or not.
func TestReadIsLoad(t *testing.T) {
	path := filepath.Join(t.TempDir(), "wales.csv")
	if err := os.WriteFile(path, []byte(wales), 0o666); err != nil {
		t.Fatal(err)
	}
	want, _, err := Load(t.Context(), []string{path}, ImportOptions{MinDF: 1, MaxDF: 1})
	if err != nil {
		t.Fatal(err)
	}
	defer want.Close()
	var packed strings.Builder
	z := gzip.NewWriter(&packed)
	if _, err := z.Write([]byte(wales)); err != nil || z.Close() != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{"plain": wales, "packed": packed.String()} {
		o := ImportOptions{MinDF: 1, MaxDF: 1, Source: source.Options{Format: "csv"}}
		got, report, err := Read(t.Context(), strings.NewReader(text), o)
		if err != nil {
			t.Fatal(err)
		}
		defer got.Close()
		if got.Fingerprint() != want.Fingerprint() || report.Docs != 3 || got.Label(1) != "b" ||
			len(got.Columns()) != len(want.Columns()) {
			t.Errorf("%s: %s with %d documents, want %s", name, got.Fingerprint(), report.Docs, want.Fingerprint())
		}
	}
}

// named is a reader with a name.
type named struct{ *strings.Reader }

func (named) Name() string { return "upload.csv" }

// Faults of a reader are told by its name, and formats that are read at several places are refused.
func TestFaultsOfReaders(t *testing.T) {
	var fault *source.Error
	o := ImportOptions{Source: source.Options{Format: "jsonl"}}
	_, _, err := Read(t.Context(), named{strings.NewReader("{\"text\": \"whale\"}\n{\"text\": 7\n")}, o)
	if !errors.As(err, &fault) || fault.File != "upload.csv" || fault.Line != 2 || !strings.HasPrefix(err.Error(), "upload.csv:2: ") {
		t.Errorf("%v", err)
	}
	_, _, err = Read(t.Context(), strings.NewReader("PAR1"), ImportOptions{Source: source.Options{Format: "parquet"}})
	if !errors.As(err, &fault) || fault.File != "the input" {
		t.Errorf("%v", err)
	}
}

// rows yields documents, and then an error if there is one.
func rows(docs []Document, err error) iter.Seq2[Document, error] {
	return func(yield func(Document, error) bool) {
		for _, d := range docs {
			if !yield(d, nil) {
				return
			}
		}
		if err != nil {
			yield(Document{}, err)
		}
	}
}

// Rows of a database give the corpus that the table gives as a file, columns included.
func TestFromSeqIsLoad(t *testing.T) {
	o := ImportOptions{MinDF: 1, MaxDF: 1, Snippet: wholeText}
	want, _, err := Read(t.Context(), strings.NewReader(wales), o)
	if err != nil {
		t.Fatal(err)
	}
	defer want.Close()
	got, report, err := FromSeq(t.Context(), rows([]Document{
		{ID: "1", Label: "a", Text: "whale sea ship whale", Columns: map[string]string{"party": "red"}},
		{ID: "2", Label: "b", Text: "sea town town"},
		{ID: "3", Text: "ship sea", Columns: map[string]string{"party": "blue"}},
	}, nil), o)
	if err != nil {
		t.Fatal(err)
	}
	defer got.Close()
	if got.Fingerprint() != want.Fingerprint() || report.Docs != 3 || got.ID(1) != "2" || got.Text(2) != "ship sea" {
		t.Errorf("%s, want %s", got.Fingerprint(), want.Fingerprint())
	}
	i := slices.IndexFunc(got.Columns(), func(c column.Column) bool { return c.Name == "party" })
	if i < 0 || got.Columns()[i].Values.At(2) != "blue" {
		t.Errorf("columns %v", got.Columns())
	}
}

// Tokens are taken as they are; the sequence is pulled once and no further than to its first error.
func TestSequences(t *testing.T) {
	o := ImportOptions{}
	c, _, err := FromSeq(t.Context(), rows([]Document{{Tokens: []string{"The", "the"}}, {}, {Tokens: []string{"the"}}}, nil), o)
	if err != nil || c.NumDocs() != 3 || c.NumTokens() != 3 || c.Word(0) != "the" || len(c.Doc(1)) != 0 {
		t.Errorf("%v, %v", c, err)
	}
	gone := errors.New("the connection is gone")
	text := Document{Text: "whale"}
	for _, s := range []struct {
		docs iter.Seq2[Document, error]
		want string
	}{
		{rows([]Document{text, text}, gone), "document 2 of the sequence: the connection is gone"},
		{rows(nil, gone), "document 0 of the sequence: the connection is gone"},
		{rows([]Document{text, {Tokens: []string{"a"}}}, nil), "document 1 of the sequence has tokens"},
		{rows([]Document{{Tokens: []string{"a"}}, text}, nil), "document 1 of the sequence has a text"},
	} {
		if _, _, err := FromSeq(t.Context(), s.docs, o); err == nil || !strings.Contains(err.Error(), s.want) {
			t.Errorf("%v, want %s", err, s.want)
		}
	}
	ended := false
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, _, err = FromSeq(ctx, func(yield func(Document, error) bool) {
		defer func() { ended = true }()
		for yield(text, nil) {
		}
	}, o)
	if !errors.Is(err, context.Canceled) || !ended {
		t.Errorf("cancelled: %v, ended %t", err, ended)
	}
}
