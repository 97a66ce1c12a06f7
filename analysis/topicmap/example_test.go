package topicmap_test

import (
	"context"
	"fmt"
	"log"
	"strings"

	"github.com/topoi-lda/topoi"
	"github.com/topoi-lda/topoi/analysis/topicmap"
	"github.com/topoi-lda/topoi/corpus"
	"github.com/topoi-lda/topoi/train"
)

// Two topics are two points on a line, as far apart as they differ.
func ExampleMap() {
	ctx := context.Background()
	docs := corpus.FromTokens([][]string{
		strings.Fields("cat kitten purr whisker cat kitten"),
		strings.Fields("kitten purr whisker cat cat purr"),
		strings.Fields("dog puppy bark leash dog puppy"),
		strings.Fields("puppy bark leash dog dog bark"),
	})
	m, err := train.Run(ctx, docs, topoi.Options{Topics: 2, Sampler: "gibbs", Iterations: 50})
	if err != nil {
		log.Fatal(err)
	}
	d, err := topicmap.Between(ctx, m, 0)
	if err != nil {
		log.Fatal(err)
	}
	layout, err := d.Map()
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%.2f nats apart\n", d.At(0, 1))
	for k, p := range layout.Points {
		fmt.Printf("topic %d at %.2f, %.2f\n", k, p.X, p.Y)
	}
	// Output:
	// 0.25 nats apart
	// topic 0 at 0.13, 0.00
	// topic 1 at -0.13, 0.00
}
