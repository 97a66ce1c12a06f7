package corpus

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/klauspost/compress/zstd"
)

// benchCorpus is a generated corpus for benchmarks.
func benchCorpus(b *testing.B) *Corpus {
	return generate(b, GenerateOptions{Docs: 10000, Words: 50_000, MeanLength: 300, Topics: 100})
}

// writeUCI writes c as UCI bag-of-words with its vocabulary beside it.
func writeUCI(b *testing.B, c *Corpus) string {
	dir := b.TempDir()
	path := filepath.Join(dir, "docword.bench.txt")
	f, err := os.Create(path)
	if err != nil {
		b.Fatal(err)
	}
	defer f.Close()
	lines := 0
	var body []byte
	for d := range c.NumDocs() {
		doc := c.Doc(d)
		for i := 0; i < len(doc); {
			n := 1
			for i+n < len(doc) && doc[i+n] == doc[i] {
				n++
			}
			body = fmt.Appendf(body, "%d %d %d\n", d+1, doc[i]+1, n)
			lines++
			i += n
		}
	}
	w := bufio.NewWriter(f)
	fmt.Fprintf(w, "%d\n%d\n%d\n", c.NumDocs(), c.NumWords(), lines)
	w.Write(body)
	if err := w.Flush(); err != nil {
		b.Fatal(err)
	}
	vocabulary := strings.Join(c.Words().List(), "\n") + "\n"
	if err := os.WriteFile(filepath.Join(dir, "vocab.bench.txt"), []byte(vocabulary), 0o666); err != nil {
		b.Fatal(err)
	}
	return path
}

// benchImport imports input once per iteration and reports MB/s of its bytes.
func benchImport(b *testing.B, input string, bytes int64, opts ImportOptions) {
	out := filepath.Join(b.TempDir(), "out.topoi")
	b.SetBytes(bytes)
	for b.Loop() {
		if _, err := Import(context.Background(), []string{input}, out, opts); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkImportUCI(b *testing.B) {
	path := writeUCI(b, benchCorpus(b))
	info, err := os.Stat(path)
	if err != nil {
		b.Fatal(err)
	}
	benchImport(b, path, info.Size(), ImportOptions{})
}

// BenchmarkImportText imports real English text when the shared data are beside
// the repository. MB/s are of the text, not of the compressed file.
func BenchmarkImportText(b *testing.B) {
	const input = "../../shared/data/elife/papers600.tsv.zst"
	f, err := os.Open(input)
	if err != nil {
		b.Skip("no ../shared/data/elife beside the repository")
	}
	defer f.Close()
	plain, err := zstd.NewReader(f)
	if err != nil {
		b.Fatal(err)
	}
	defer plain.Close()
	size, err := io.Copy(io.Discard, plain)
	if err != nil {
		b.Fatal(err)
	}
	b.Run("words", func(b *testing.B) { benchImport(b, input, size, ImportOptions{}) })
	b.Run("phrases", func(b *testing.B) { benchImport(b, input, size, ImportOptions{Phrases: &PhraseOptions{}}) })
}

// BenchmarkOpen reports the speed of Open's checks.
func BenchmarkOpen(b *testing.B) {
	c := benchCorpus(b)
	b.SetBytes(int64(len(c.file.data.Data)))
	for b.Loop() {
		o, err := Open(c.file.path)
		if err != nil {
			b.Fatal(err)
		}
		o.Close()
	}
}

// BenchmarkGenerate reports tokens/s with all cores, disk included.
func BenchmarkGenerate(b *testing.B) {
	path := filepath.Join(b.TempDir(), "g.topoi")
	tokens := int64(0)
	for b.Loop() {
		report, err := Generate(context.Background(), path, GenerateOptions{Docs: 20000, Words: 100_000, MeanLength: 300, Topics: 1000})
		if err != nil {
			b.Fatal(err)
		}
		tokens += report.Tokens
	}
	b.ReportMetric(float64(tokens)/b.Elapsed().Seconds(), "tokens/s")
}
