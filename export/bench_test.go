package export

import (
	"fmt"
	"path/filepath"
	"testing"
)

// BenchmarkExport writes tables of documents with one thread and with more. The ratios are
// what counts:
//
//	go test ./export -run '^$' -bench Export -benchtime 3x
func BenchmarkExport(b *testing.B) {
	m := manyTopics(b, 20_000, 200)
	for _, format := range []string{"csv-doc-topics", "mallet-doc-topics", "mallet-doc-topics.gz", "parquet-doc-topics"} {
		for _, threads := range []int{1, 2, 4, 8, 16} {
			b.Run(fmt.Sprintf("%s/threads=%d", format, threads), func(b *testing.B) {
				name, extension := format, filepath.Ext(format)
				name = name[:len(name)-len(extension)]
				o := Options{Threads: threads}
				if extension == "" {
					o.Top = 20
				}
				for range b.N {
					if err := Write(b.Context(), m, name, filepath.Join(b.TempDir(), "out"+extension), o); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	}
}
