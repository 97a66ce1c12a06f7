package prevalence_test

import (
	"context"
	"fmt"
	"log"
	"strings"

	"github.com/topoi-lda/topoi"
	"github.com/topoi-lda/topoi/analysis/prevalence"
	"github.com/topoi-lda/topoi/corpus"
	"github.com/topoi-lda/topoi/train"
)

// How much of what two groups wrote a topic makes up, and what they differ by.
func ExampleCompute() {
	ctx := context.Background()
	var b corpus.Builder
	for i, text := range []string{
		"cat kitten purr whisker cat kitten", "kitten purr whisker cat cat purr", "cat purr dog bark",
		"dog puppy bark leash dog puppy", "puppy bark leash dog dog bark", "puppy leash cat purr",
	} {
		b.Add(corpus.Document{Label: []string{"indoors", "outdoors"}[i/3], Tokens: strings.Fields(text)})
	}
	m, err := train.Run(ctx, b.Corpus(), topoi.Options{Topics: 2, Sampler: "gibbs", Iterations: 50, AlphaSum: 0.2, OptimizeInterval: -1})
	if err != nil {
		log.Fatal(err)
	}
	r, err := prevalence.Compute(ctx, m, prevalence.Options{Labels: []string{"indoors", "outdoors"}, Difference: true, Seed: 1})
	if err != nil {
		log.Fatal(err)
	}
	for c, cell := range r.Cells {
		fmt.Printf("%s: %.0f %% of topic 0 in %d documents\n", cell.Label, 100*r.Shares[c][0].Share, cell.Docs)
	}
	d := r.Differences[0].Changes[0]
	fmt.Printf("the difference is %.0f points, %.0f to %.0f\n", 100*d.Difference, 100*d.Low, 100*d.High)
	// Output:
	// indoors: 12 % of topic 0 in 3 documents
	// outdoors: 88 % of topic 0 in 3 documents
	// the difference is -75 points, -100 to -30
}
