package source

import (
	"io"
	"strings"
	"testing"
	"time"

	"github.com/topoi-lda/topoi/corpus/source/internal/input"
)

// repeated yields n copies of a byte.
type repeated struct {
	b byte
	n int
}

func (r *repeated) Read(p []byte) (int, error) {
	if r.n == 0 {
		return 0, io.EOF
	}
	p = p[:min(len(p), r.n)]
	for i := range p {
		p[i] = r.b
	}
	r.n -= len(p)
	return len(p), nil
}

// TestHundredMegabyteLine reads a line of 100 MB with every reader that cuts
// lines. It takes well under a second unless growth is quadratic; the bound is
// generous for slow machines and the race detector.
func TestHundredMegabyteLine(t *testing.T) {
	if testing.Short() {
		t.Skip("needs half a gigabyte of memory")
	}
	const n = 100_000_000
	for _, c := range []struct {
		format, before, after string
		want                  string // error, if any
	}{
		{format: "lines"},
		{format: "mallet", before: "id label "},
		{format: "csv", before: "text\n\"", after: "\"\n"},
		{format: "jsonl", before: `{"text": "`, after: "\"}\n"},
		{format: "uci", before: "1\n1\n1\n1 1 ", want: "big:4: count is \"xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx\"…, which is not a whole number; expected a whole number from 0 to 4294967295"},
	} {
		begin := time.Now()
		in := input.NewScanner("big", io.MultiReader(strings.NewReader(c.before), &repeated{'x', n}, strings.NewReader(c.after)))
		if _, err := in.Head(); err != nil {
			t.Fatal(err)
		}
		src, err := formatByName(c.format).open("big", in, &Options{})
		if err != nil {
			t.Fatal(err)
		}
		var doc Document
		err = src.Next(&doc)
		if c.want != "" {
			if err == nil || err.Error() != c.want {
				t.Errorf("%s: got %.300v, want %s", c.format, err, c.want)
			}
		} else if err != nil || len(doc.Text) != n {
			t.Errorf("%s: %d bytes, %v", c.format, len(doc.Text), err)
		}
		if took := time.Since(begin); took > 30*time.Second {
			t.Errorf("%s: took %v", c.format, took)
		}
	}
}
