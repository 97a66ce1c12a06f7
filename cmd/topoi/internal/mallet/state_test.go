package mallet

import (
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/topoi-lda/topoi/corpus"
)

// writeState packs lines as a state.
func writeState(t *testing.T, name string, lines ...string) {
	t.Helper()
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	if _, err := z.Write([]byte(strings.Join(lines, "\n") + "\n")); err != nil {
		t.Fatal(err)
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	write(t, name, b.String())
}

// stateDocs returns three documents, the second without words. In the corpus tokens are sorted by word: cat, cat, dog;
// soup, cat.
func stateDocs() *corpus.Corpus {
	return corpus.FromIDs([]string{"soup", "cat", "dog"}, [][]uint32{{1, 2, 1}, {}, {0, 1}})
}

// Tokens of a state get to those of the corpus by document and word; the same words keep the order of the lines.
func TestReadState(t *testing.T) {
	t.Chdir(t.TempDir())
	writeState(t, "s.gz", "#doc source pos typeindex type topic", "#alpha : 0.5 1.5 2 ", "#beta : 0.25",
		"0 a 0 7 dog 2", "0 a 1 8 cat 1", "0 a 2 8 cat 0", "2 c 0 8 cat 2", "2 c 1 9 soup 1")
	s, err := readState("s.gz", stateDocs())
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(s.Topics, []uint32{1, 0, 2, 1, 2}) || !slices.Equal(s.Alpha, []float64{0.5, 1.5, 2}) ||
		s.Beta != 0.25 || s.Iteration != 0 {
		t.Errorf("%+v", s)
	}
}

func TestBrokenState(t *testing.T) {
	t.Chdir(t.TempDir())
	const alpha = "#alpha : 1 1"
	first := []string{"0 a 0 0 cat 0", "0 a 1 0 cat 1", "0 a 2 1 dog 0"}
	last := []string{"2 c 0 0 cat 0", "2 c 1 2 soup 0"}
	const bounds = "documents must be in order and below 3, topics below 2"
	other := fmt.Sprint(errOtherDocuments)
	for _, c := range []struct {
		want  string
		lines []string
	}{
		{`s.gz:1: found "x", expected α of every topic`, []string{"#alpha : 1 x"}},
		{`s.gz:2: found "y", expected β`, []string{alpha, "#beta : y"}},
		{`s.gz:2: found "0 a 0 0 cat", expected document, source, position, `, []string{alpha, "0 a 0 0 cat"}},
		{"s.gz:2: found document x and topic 0: " + bounds, []string{alpha, "x a 0 0 cat 0"}},
		{"s.gz:2: found document 0 and topic -1: " + bounds, []string{alpha, "0 a 0 0 cat -1"}},
		{"s.gz:2: found document 0 and topic 2: " + bounds, []string{alpha, "0 a 0 0 cat 2"}},
		{"s.gz:2: found document 3 and topic 0: " + bounds, []string{alpha, "3 a 0 0 cat 0"}},
		{
			"s.gz:6: found document 0 and topic 1: " + bounds,
			slices.Concat([]string{alpha}, first, last[:1], []string{"0 a 2 1 dog 1"}),
		},
		{
			"s.gz:2: " + other + ": document 0 has 0 tokens in the state and 3 in the corpus",
			slices.Concat([]string{alpha}, last),
		},
		{
			"s.gz:4: " + other + ": document 0 has 2 tokens in the state and 3 in the corpus",
			slices.Concat([]string{alpha}, first[:2], last),
		},
		{
			"s.gz:5: " + other + `: document 0 has the word "dog" less often in the state`,
			slices.Concat([]string{alpha}, first[:2], []string{"0 a 2 0 cat 0"}, last),
		},
		{
			"--input-state s.gz: " + other + ": document 2 has 1 tokens in the state",
			slices.Concat([]string{alpha}, first, last[:1]),
		},
	} {
		writeState(t, "s.gz", c.lines...)
		_, err := readState("s.gz", stateDocs())
		if err == nil || !strings.HasPrefix(err.Error(), c.want) {
			t.Errorf("%v, want %s", err, c.want)
		}
		if strings.Contains(c.want, "do not match") != errors.Is(err, errOtherDocuments) {
			t.Errorf("%v: other documents", err)
		}
	}
	if _, err := readState("none.gz", stateDocs()); !errors.Is(err, os.ErrNotExist) ||
		!strings.HasPrefix(err.Error(), "--input-state: ") {
		t.Error(err)
	}
	write(t, "plain.gz", "#alpha : 1\n")
	if _, err := readState("plain.gz", stateDocs()); err == nil ||
		!strings.Contains(err.Error(), "this is not a state that --output-state wrote") {
		t.Error(err)
	}
	writeState(t, "s.gz", slices.Concat([]string{alpha}, first, last)...)
	b, err := os.ReadFile("s.gz")
	if err != nil {
		t.Fatal(err)
	}
	write(t, "cut.gz", string(b[:len(b)-9]))
	if _, err := readState("cut.gz", stateDocs()); err == nil ||
		!strings.HasPrefix(err.Error(), "--input-state cut.gz: unexpected EOF") {
		t.Error(err)
	}
}
