package rank_test

import (
	"context"
	"fmt"
	"log"
	"strings"

	"github.com/topoi-lda/topoi"
	"github.com/topoi-lda/topoi/analysis/rank"
	"github.com/topoi-lda/topoi/corpus"
	"github.com/topoi-lda/topoi/train"
)

var pets = [][]string{
	strings.Fields("cat kitten purr whisker cat kitten pet"),
	strings.Fields("kitten purr whisker cat cat purr pet pet"),
	strings.Fields("dog puppy bark leash dog puppy pet"),
	strings.Fields("puppy bark leash dog dog bark pet pet"),
}

// The words that set a topic apart come first by relevance.
func Example() {
	m, err := train.Run(context.Background(), corpus.FromTokens(pets), topoi.Options{Topics: 2, Sampler: "gibbs", Iterations: 50})
	if err != nil {
		log.Fatal(err)
	}
	r := rank.New(m)
	for t := range r.Each(nil) {
		fmt.Printf("topic %d:", t.Topic)
		for _, w := range t.Top(rank.Order{Measure: "relevance", Weight: 0.3}, 3) {
			fmt.Printf(" %s (lift %.1f)", m.Words().At(w.Word), w.Lift)
		}
		fmt.Println()
	}
	// Output:
	// topic 0: cat (lift 1.7) kitten (lift 1.7) purr (lift 1.7)
	// topic 1: dog (lift 1.7) bark (lift 1.7) puppy (lift 1.7)
}
