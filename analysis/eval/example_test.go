package eval_test

import (
	"context"
	"fmt"
	"log"
	"path/filepath"

	"github.com/topoi-lda/topoi"
	"github.com/topoi-lda/topoi/analysis/eval"
)

func ExampleCompletion() {
	m, err := topoi.Open(filepath.Join("..", "..", "internal", "modelfile", "testdata", "model-v1"))
	if err != nil {
		log.Fatal(err)
	}
	defer m.Close()
	docs, err := m.Docs() // any corpus over the model's vocabulary will do
	if err != nil {
		log.Fatal(err)
	}
	r, err := eval.Completion(context.Background(), m, docs, eval.Options{Threads: 2})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%.3f nats per token over %d tokens\n", r.PerToken, r.Scored)
	// Output: -2.980 nats per token over 11 tokens
}
