package counts

import (
	"bytes"
	"fmt"
	"io"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/topoi-lda/topoi/corpus/source/internal/input"
)

// A format as lines of text: every document's words, then a way to write them.
func manyDocuments(rng *rand.Rand) (docs [][]uint32) {
	for range 6000 {
		doc := make([]uint32, rng.IntN(12))
		for i := range doc {
			doc[i] = rng.Uint32N(5000)
		}
		docs = append(docs, doc)
	}
	return docs
}

// inChunks reads a little more at a time than makes a piece of its own.
type inChunks struct{ r io.Reader }

func (c inChunks) Read(p []byte) (int, error) { return c.r.Read(p[:min(len(p), smallPiece+999)]) }

// all reads everything into one text that ends with the error.
func all(t *testing.T, open func(string, *input.Scanner, *Options) (Reader, error), text string, threads int) string {
	t.Helper()
	r, err := open("file", input.NewScanner("file", inChunks{strings.NewReader(text)}), &Options{Threads: threads, TempDir: t.TempDir(), Orientation: "docs-rows"})
	if err != nil {
		return err.Error()
	}
	defer r.Close()
	var b strings.Builder
	for {
		var d Document
		if err := r.Next(&d); err != nil {
			if err != io.EOF {
				fmt.Fprintln(&b, err)
			}
			return b.String()
		}
		fmt.Fprintln(&b, d.Words, d.Counts)
	}
}

// However many goroutines parse, and wherever the pieces are cut, the documents are those that were written, and a
// fault has its line.
func TestPieces(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 7))
	docs := manyDocuments(rng)
	entries := 0
	var want strings.Builder
	uci, mm, ldac, svm := new(bytes.Buffer), new(bytes.Buffer), new(bytes.Buffer), new(bytes.Buffer)
	for d, doc := range docs {
		fmt.Fprint(ldac, len(doc))
		fmt.Fprint(svm, "a")
		counts := make([]uint32, len(doc))
		for i, w := range doc {
			counts[i] = 1 + w%9
			fmt.Fprintf(uci, "%d %d %d\n", d+1, w+1, counts[i])
			fmt.Fprintf(mm, "%d %d %d\n", d+1, w+1, counts[i])
			fmt.Fprintf(ldac, " %d:%d", w, counts[i])
			fmt.Fprintf(svm, " %d:%d", w+1, counts[i])
			entries++
		}
		ldac.WriteByte('\n')
		svm.WriteByte('\n')
		fmt.Fprintln(&want, doc, counts)
	}
	for _, f := range []struct {
		name   string
		open   func(string, *input.Scanner, *Options) (Reader, error)
		header string
		body   string
		fault  string // a line that no format takes, and what is said of it
		said   string
	}{
		{"uci", OpenUCI, fmt.Sprintf("%d\n5000\n%d\n", len(docs), entries), uci.String(), "1 x 1\n", `word id is "x"`},
		{"matrix-market", OpenMatrixMarket, fmt.Sprintf("%%%%MatrixMarket matrix coordinate integer general\n%d 5000 %d\n", len(docs), entries), mm.String(), "1 x 1\n", `column is "x"`},
		{"lda-c", OpenLDAC, "", ldac.String(), "1 x:1\n", `word id is "x"`},
		{"svmlight", OpenSVMLight, "", svm.String(), "a x:1\n", `word id is "x"`},
	} {
		blank := strings.Replace(f.body, "\n", "\n\n \r\n", 1000)
		for _, threads := range []int{1, 5} {
			for what, body := range map[string]string{"plain": f.body, "blank lines": blank, "windows": strings.ReplaceAll(f.body, "\n", "\r\n")} {
				if got := all(t, f.open, f.header+body, threads); got != want.String() {
					t.Fatalf("%s, %s, %d threads: %.300s", f.name, what, threads, got)
				}
			}
		}
		lines := strings.SplitAfter(blank, "\n")
		at := 3000 + rng.IntN(len(lines)-3000)
		text := f.header + strings.Join(lines[:at], "") + f.fault + strings.Join(lines[at:], "")
		place := fmt.Sprintf("file:%d: %s", strings.Count(f.header, "\n")+at+1, f.said)
		one := all(t, f.open, text, 1)
		if !strings.Contains(one, place) {
			t.Errorf("%s: the end is %s, not %s", f.name, one[max(0, len(one)-200):], place)
		}
		if five := all(t, f.open, text, 5); five != one {
			t.Errorf("%s: five threads read other documents or say another fault", f.name)
		}
	}
}

// The number of entries and the order of documents are looked at where pieces meet, too.
func TestUCIFaultsBehindPieces(t *testing.T) {
	const n = 40_000
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "%d 1 1\n", i/2+1)
	}
	for _, c := range []struct{ header, behind, want string }{
		{fmt.Sprintf("%d\n1\n%d\n", n/2, n+1), "", fmt.Sprintf("file:%d: the file ends after %d entries, but line 3 announces %d; the file is incomplete; copy or download it again\n", n+3, n, n+1)},
		{fmt.Sprintf("%d\n1\n%d\n", n/2, n-1), "", fmt.Sprintf("file:%d: found more entries than the %d that line 3 announces; correct the number of entries on line 3\n", n+3, n-1)},
		{fmt.Sprintf("%d\n1\n%d\n", n/2+1, n+1), "7 1 1\n", fmt.Sprintf("file:%d: document 7 comes after document %d; sort the entries by document, keeping the three lines of the header\n", n+4, n/2)},
	} {
		for _, threads := range []int{1, 4} {
			got := all(t, OpenUCI, c.header+b.String()+c.behind, threads)
			if !strings.HasSuffix(got, c.want) {
				t.Errorf("%d threads: %s, want %s", threads, got[max(0, len(got)-200):], c.want)
			}
		}
	}
}
