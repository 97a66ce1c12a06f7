package corpus

import (
	"context"
	"path/filepath"
	"testing"
)

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
