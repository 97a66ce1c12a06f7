package source

import (
	"bytes"
	"fmt"
	"io"
	"math/rand/v2"
	"testing"

	"github.com/topoi-lda/topoi/corpus/source/internal/counts"
	"github.com/topoi-lda/topoi/corpus/source/internal/input"
)

// sampleUCI makes a bag-of-words file of about 10 MB in the shape of a real
// one: 100 ascending words a document out of 50,000, counts mostly 1.
func sampleUCI(docs int) []byte {
	rng := rand.New(rand.NewPCG(1, 2))
	var b bytes.Buffer
	fmt.Fprintf(&b, "%d\n50000\n%d\n", docs, docs*100)
	for d := range docs {
		for i := range 100 {
			fmt.Fprintf(&b, "%d %d %d\n", d+1, i*500+1+rng.IntN(500), 1+rng.IntN(10)/8)
		}
	}
	return b.Bytes()
}

func benchmarkReader(b *testing.B, format string, data []byte) {
	b.SetBytes(int64(len(data)))
	b.ReportAllocs()
	for b.Loop() {
		in := input.NewScanner("bench", bytes.NewReader(data))
		src, err := formatByName(format).open("bench", in, &Options{names: counts.NewNames()})
		if err != nil {
			b.Fatal(err)
		}
		var doc Document
		for {
			doc = Document{}
			if err := src.Next(&doc); err == io.EOF {
				break
			} else if err != nil {
				b.Fatal(err)
			}
		}
		src.Close()
	}
}

func BenchmarkUCI(b *testing.B) { benchmarkReader(b, "uci", sampleUCI(8000)) }

func BenchmarkMatrixMarket(b *testing.B) {
	_, entries, _ := bytes.Cut(sampleUCI(8000), []byte("800000\n"))
	benchmarkReader(b, "matrix-market", append([]byte("%%MatrixMarket matrix coordinate integer general\n8000 50000 800000\n"), entries...))
}

func BenchmarkLDAC(b *testing.B) {
	line := []byte("5 10:1 200:2 3000:1 40000:1 50000:3\n")
	benchmarkReader(b, "lda-c", bytes.Repeat(line, 200_000))
}

func BenchmarkText(b *testing.B) {
	words := bytes.Repeat([]byte("some words of a long text, "), 200)
	for _, c := range []struct{ format, before, after string }{
		{"lines", "", "\n"},
		{"mallet", "id\tlabel\t", "\n"},
		{"csv", "7,label,\"", " \"\"quoted\"\"\"\n"},
		{"jsonl", `{"id": 7, "label": "x", "text": "`, " \\\"quoted\\\"\"}\n"},
	} {
		b.Run(c.format, func(b *testing.B) {
			line := append(append([]byte(c.before), words...), c.after...)
			benchmarkReader(b, c.format, bytes.Repeat(line, 2000))
		})
	}
}
