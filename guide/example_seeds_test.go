package guide_test

import (
	"context"
	"fmt"
	"log"
	"strings"

	"github.com/topoi-lda/topoi"
	"github.com/topoi-lda/topoi/corpus"
	"github.com/topoi-lda/topoi/guide"
	"github.com/topoi-lda/topoi/train"
)

// A topic that is to be about dogs begins with words of the user's.
func ExampleFindSeeds() {
	c := corpus.FromTokens([][]string{
		strings.Fields("cat kitten purr whisker cat kitten"),
		strings.Fields("kitten purr whisker cat cat purr"),
		strings.Fields("dog puppy bark leash dog puppy"),
		strings.Fields("puppy bark leash dog dog bark"),
	})
	words := []guide.SeedWord{{Pattern: "dog"}, {Pattern: "pup*"}, {Pattern: "barks"}}
	found, err := guide.FindSeeds(c, []guide.SeedTopic{{Name: "dogs", Words: words}}, 2, 0)
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
