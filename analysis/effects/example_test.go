package effects_test

import (
	"context"
	"fmt"
	"log"
	"strings"

	"github.com/topoi-lda/topoi"
	"github.com/topoi-lda/topoi/analysis/effects"
	"github.com/topoi-lda/topoi/corpus"
	"github.com/topoi-lda/topoi/train"
)

// How much more of a topic the documents of one group have.
func ExampleCompute() {
	ctx := context.Background()
	var b corpus.Builder
	for i := range 40 {
		text, label := "cat kitten purr whisker cat kitten", "indoors"
		if i%4 == 0 {
			text = "dog puppy bark leash dog puppy"
		}
		if i >= 20 {
			text, label = "dog puppy bark leash dog puppy", "outdoors"
		}
		b.Add(corpus.Document{Label: label, Tokens: strings.Fields(text)})
	}
	c := b.Corpus()
	m, err := train.Run(ctx, c, topoi.Options{Topics: 2, Sampler: "gibbs", Iterations: 50, AlphaSum: 0.2, OptimizeInterval: -1})
	if err != nil {
		log.Fatal(err)
	}
	r, err := effects.Compute(ctx, m, effects.Options{Formula: "~ label", Columns: c.Columns()})
	if err != nil {
		log.Fatal(err)
	}
	for i, name := range r.Names {
		e := r.Effects[0][i]
		fmt.Printf("%s: %.2f, %.2f to %.2f\n", name, e.Estimate, e.Low, e.High)
	}
	// Output:
	// (Intercept): 0.75, 0.61 to 0.89
	// label[outdoors]: -0.75, -0.95 to -0.55
}
