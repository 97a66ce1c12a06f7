package export

import (
	"path/filepath"
	"runtime"
	"testing"

	"github.com/topoi-lda/topoi"
	"github.com/topoi-lda/topoi/corpus"
	"github.com/topoi-lda/topoi/train"
)

// TestMemoryDoesNotGrowWithDocuments exports all formats about documents from a
// model for which one array of D × K numbers would take 48 MB even as bytes, and
// allows 28 MB: the pieces that two threads have under way take up to 15 MB,
// whatever the number of documents. Row groups are made small, for what they take does not depend on
// the number of documents. (The wide table in Parquet is not here: it holds one row
// group, and a description of each column of all of them.)
func TestMemoryDoesNotGrowWithDocuments(t *testing.T) {
	defer func(n int) { parquetRowGroup = n }(parquetRowGroup)
	parquetRowGroup = 4096
	const d, k, limit = 48000, 1000, 28 << 20
	docs := make([][]uint32, d)
	for i := range docs {
		docs[i] = []uint32{uint32(i % 50), uint32(i % 7), uint32(i % 3)}
	}
	words := make([]string, 50)
	for w := range words {
		words[w] = string(rune('a' + w))
	}
	m, err := train.Run(t.Context(), corpus.FromIDs(words, docs), topoi.Options{Topics: k, Iterations: 1, Sampler: "sparse", OptimizeInterval: -1})
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range []string{
		"mallet-state", "mallet-topic-docs", "parquet-doc-topics", "parquet-assignments",
		"npz-doc-topics", "csv-doc-topics", "mallet-doc-topics-threshold", "parquet-doc-topics-list", "npy-doc-topics",
	} {
		var before, now runtime.MemStats
		runtime.GC()
		runtime.ReadMemStats(&before)
		peak := uint64(0)
		err := Write(t.Context(), m, f, filepath.Join(t.TempDir(), "out"), Options{MinTheta: 0.01, Threads: 2, Progress: func(done, total int64) {
			runtime.GC() // what is left is in use
			runtime.ReadMemStats(&now)
			peak = max(peak, now.HeapAlloc)
		}})
		if err != nil {
			t.Fatal(err)
		}
		if peak > before.HeapAlloc+limit {
			t.Errorf("%s: the heap grew by %d bytes", f, peak-before.HeapAlloc)
		}
	}
}
