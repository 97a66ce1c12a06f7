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

// pets returns documents about three kinds of pets, and a model of them.
func pets() (*corpus.Corpus, *topoi.Model) {
	c := corpus.FromTokens([][]string{
		strings.Fields("cat kitten purr whisker cat kitten"),
		strings.Fields("kitten purr whisker cat cat purr"),
		strings.Fields("dog puppy bark leash dog puppy"),
		strings.Fields("puppy bark leash dog dog bark"),
		strings.Fields("fish tank fin gill fish tank"),
		strings.Fields("tank fin gill fish fish fin"),
	})
	m, err := train.Run(context.Background(), c, topoi.Options{
		Topics: 3, Sampler: "gibbs", Iterations: 50, AlphaSum: 0.3, OptimizeInterval: -1,
	})
	if err != nil {
		log.Fatal(err)
	}
	return c, m
}

// Topics that mean the same become one.
func ExampleEdit() {
	_, m := pets()
	edited, err := guide.Edit(context.Background(), m, guide.Edits{Merge: [][]int{{0, 2}}, Renumber: true})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(m.NumTopics(), "topics became", edited.NumTopics())
	// Output:
	// 3 topics became 2
}

// New documents change a model whose topics keep their numbers.
func ExampleUpdate() {
	_, m := pets()
	news := corpus.FromTokens([][]string{
		strings.Fields("dog puppy kennel bark dog"), strings.Fields("kennel dog leash puppy"),
	})
	u, err := guide.Update(context.Background(), m, news, guide.UpdateOptions{Options: topoi.Options{Sampler: "gibbs", Iterations: 20}})
	if err != nil {
		log.Fatal(err)
	}
	defer u.Docs.Close()
	fmt.Println(u.NewWords, "new word;", u.Model.NumTopics(), "topics")
	// Output:
	// 1 new word; 3 topics
}
