package train_test

import (
	"context"
	"fmt"
	"log"
	"strings"

	"github.com/topoi-lda/topoi"
	"github.com/topoi-lda/topoi/corpus"
	"github.com/topoi-lda/topoi/train"
)

// From documents to topics.
func ExampleRun() {
	pets := [][]string{
		strings.Fields("cat kitten purr whisker cat kitten"),
		strings.Fields("kitten purr whisker cat cat purr"),
		strings.Fields("dog puppy bark leash dog puppy"),
		strings.Fields("puppy bark leash dog dog bark"),
	}
	m, err := train.Run(context.Background(), corpus.FromTokens(pets), topoi.Options{Topics: 2, Sampler: "gibbs", Iterations: 50})
	if err != nil {
		log.Fatal(err)
	}
	for t := range m.Summary(nil, 2) {
		fmt.Printf("topic %d: %.0f %% of the tokens, %s and %s\n", t.Topic, 100*t.Share, t.Words[0].Term, t.Words[1].Term)
	}
	// Output:
	// topic 0: 54 % of the tokens, dog and bark
	// topic 1: 46 % of the tokens, cat and kitten
}

// Choices inside a sampler are checked with the other options of a run.
func ExampleValidate() {
	o := topoi.Options{Topics: 20, Sampler: "light", Tuning: topoi.Tuning{MHSteps: 8}}
	fmt.Println(train.Validate(o))
	o.Tuning.MHSteps = 300
	fmt.Println(train.Validate(o) != nil)
	// Output:
	// <nil>
	// true
}
