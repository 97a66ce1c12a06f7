package compare_test

import (
	"context"
	"fmt"
	"log"
	"strings"

	"github.com/topoi-lda/topoi"
	"github.com/topoi-lda/topoi/analysis/compare"
	"github.com/topoi-lda/topoi/corpus"
	"github.com/topoi-lda/topoi/train"
)

// The same corpus trained with two seeds gives the same topics under other numbers.
func ExampleModels() {
	ctx := context.Background()
	docs := corpus.FromTokens([][]string{
		strings.Fields("cat kitten purr whisker cat kitten"),
		strings.Fields("kitten purr whisker cat cat purr"),
		strings.Fields("dog puppy bark leash dog puppy"),
		strings.Fields("puppy bark leash dog dog bark"),
	})
	var models []*topoi.Model
	for _, seed := range []uint64{1, 2} {
		m, err := train.Run(ctx, docs, topoi.Options{Topics: 2, Sampler: "gibbs", Iterations: 50, Seed: seed})
		if err != nil {
			log.Fatal(err)
		}
		models = append(models, m)
	}
	r, err := compare.Models(ctx, models[0], models[1], compare.Options{})
	if err != nil {
		log.Fatal(err)
	}
	for _, p := range r.Matches {
		fmt.Printf("topic %d is topic %d (%s)\n", p.A, p.B, r.A[p.A])
	}
	// Output:
	// topic 0 is topic 1 (kept)
	// topic 1 is topic 0 (kept)
}
