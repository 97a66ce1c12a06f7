package seeds_test

import (
	"context"
	"fmt"
	"log"
	"strings"

	"github.com/topoi-lda/topoi"
	"github.com/topoi-lda/topoi/corpus"
	"github.com/topoi-lda/topoi/guide/seeds"
	"github.com/topoi-lda/topoi/train"
)

// A topic that is to be about dogs begins with words of the user's.
func ExampleIn() {
	c := corpus.FromTokens([][]string{
		strings.Fields("cat kitten purr whisker cat kitten"),
		strings.Fields("kitten purr whisker cat cat purr"),
		strings.Fields("dog puppy bark leash dog puppy"),
		strings.Fields("puppy bark leash dog dog bark"),
	})
	words := []seeds.Word{{Pattern: "dog"}, {Pattern: "pup*"}, {Pattern: "barks"}}
	found, err := seeds.In(c, []seeds.Topic{{Name: "dogs", Words: words}}, 2, seeds.DefaultWeight)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println("missing:", found.Missing)
	o := topoi.Options{Topics: 2, Sampler: "gibbs", Iterations: 50, Pseudo: found.Pseudo}
	o.Start = found.Start(c, o)
	m, err := train.Run(context.Background(), c, o)
	if err != nil {
		log.Fatal(err)
	}
	for t := range m.Summary([]int{0}, 4) {
		for _, w := range t.Words {
			fmt.Println(w.Term)
		}
	}
	// Output:
	// missing: ["barks" of topic "dogs" (did you mean "bark"?)]
	// dog
	// puppy
	// bark
	// leash
}
