package sweep_test

import (
	"context"
	"fmt"
	"log"
	"os"
	"path/filepath"

	"github.com/topoi-lda/topoi"
	"github.com/topoi-lda/topoi/corpus"
	"github.com/topoi-lda/topoi/sweep"
)

// Several numbers of topics, each with two seeds.
func ExampleBegin() {
	ctx := context.Background()
	dir, err := os.MkdirTemp("", "example")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	path := filepath.Join(dir, "docs.topoi")
	if _, err := corpus.Generate(ctx, path, corpus.GenerateOptions{Docs: 60, Words: 50, Topics: 3}); err != nil {
		log.Fatal(err)
	}
	c, err := corpus.Open(path)
	if err != nil {
		log.Fatal(err)
	}
	defer c.Close()
	s, err := sweep.Begin(filepath.Join(dir, "small.sweep"), c, sweep.Options{
		Topics: []int{2, 3}, Seeds: 2, Keep: "none", Pages: "none",
		Train: topoi.Options{Sampler: "gibbs", Iterations: 10, Holdout: 0.1},
	}, false)
	if err != nil {
		log.Fatal(err)
	}
	r, err := s.Run(ctx)
	if err != nil {
		log.Fatal(err)
	}
	for _, g := range r.Groups {
		fmt.Println(g.Topics, "topics:", len(g.Records), "runs")
	}
	// Output:
	// 2 topics: 2 runs
	// 3 topics: 2 runs
}
