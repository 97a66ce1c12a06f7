package all_test

import (
	"context"
	"fmt"
	"log"
	"os"
	"path/filepath"

	"github.com/parquet-go/parquet-go"

	"github.com/topoi-lda/topoi/corpus"
	_ "github.com/topoi-lda/topoi/corpus/source/all"
)

// With this package imported, a Parquet file is read as any table is.
func Example() {
	dir, err := os.MkdirTemp("", "example")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	type novel struct{ Title, Text string }
	path := filepath.Join(dir, "novels.parquet")
	err = parquet.WriteFile(path, []novel{
		{"Moby-Dick", "Call me Ishmael. Some years ago I went to sea."},
		{"Emma", "Emma Woodhouse, handsome, clever, and rich."},
	})
	if err != nil {
		log.Fatal(err)
	}
	c, report, err := corpus.Load(context.Background(), []string{path}, corpus.ImportOptions{MinDF: 1})
	if err != nil {
		log.Fatal(err)
	}
	defer c.Close()
	fmt.Println(report.Format, c.Title(0), c.Title(1))
	// Output: parquet Moby-Dick Emma
}
