package topoi_test

import (
	"context"
	"fmt"
	"log"
	"os"
	"path/filepath"
	"strings"

	"github.com/topoi-lda/topoi"
	"github.com/topoi-lda/topoi/corpus"
	"github.com/topoi-lda/topoi/topic"
	"github.com/topoi-lda/topoi/train"
)

var pets = [][]string{
	strings.Fields("cat kitten purr whisker cat kitten"),
	strings.Fields("kitten purr whisker cat cat purr"),
	strings.Fields("dog puppy bark leash dog puppy"),
	strings.Fields("puppy bark leash dog dog bark"),
}

// Saving a model, opening it again, and finding the topics of a new document.
func ExampleModel_Infer() {
	ctx := context.Background()
	m, err := train.Run(ctx, corpus.FromTokens(pets), topoi.Options{Topics: 2, Sampler: "gibbs", Iterations: 50})
	if err != nil {
		log.Fatal(err)
	}
	dir, err := os.MkdirTemp("", "topoi-example-*")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	path := filepath.Join(dir, "pets.model")
	if err := m.Save(path, topoi.SaveOptions{}); err != nil {
		log.Fatal(err)
	}
	if m, err = topoi.Open(path); err != nil {
		log.Fatal(err)
	}
	defer m.Close()

	input := filepath.Join(dir, "new.csv")
	if err := os.WriteFile(input, []byte("id,text\nn1,A kitten and a hamster purr\n"), 0o644); err != nil {
		log.Fatal(err)
	}
	options, err := m.ImportOptions()
	if err != nil {
		log.Fatal(err)
	}
	docs, report, err := corpus.Load(ctx, []string{input}, options)
	if err != nil {
		log.Fatal(err)
	}
	defer docs.Close()
	fmt.Println("never seen:", report.UnknownWords, "word")
	err = m.Infer(ctx, docs, topoi.InferOptions{}, func(d *topoi.DocTopics) error {
		best := d.Topics[0]
		fmt.Printf("%s is mostly about %s\n", docs.ID(d.Doc), m.TopWords(best.Topic, 1)[0].Term)
		return nil
	})
	if err != nil {
		log.Fatal(err)
	}
	// Output:
	// never seen: 1 word
	// n1 is mostly about cat
}

// From texts to the topics of another text.
func ExampleModel_InferText() {
	ctx := context.Background()
	c, err := corpus.FromTexts([]string{
		"The cat and the kitten purr. A cat has whiskers, a kitten too.",
		"Kitten, cat: both purr, and their whiskers twitch when they purr.",
		"The dog and the puppy bark. A dog has a leash, a puppy too.",
		"Puppy, dog: both bark, and their leash is short when they bark.",
	}, corpus.ImportOptions{MinDF: 1, MaxDF: 1})
	if err != nil {
		log.Fatal(err)
	}
	defer c.Close()
	m, err := train.Run(ctx, c, topoi.Options{Topics: 2, Sampler: "gibbs", Iterations: 50})
	if err != nil {
		log.Fatal(err)
	}
	d, err := m.InferText(ctx, "My kitten likes to purr.", topoi.InferOptions{})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%d known words, mostly about %s\n", d.Tokens, m.TopWords(d.Topics[0].Topic, 1)[0].Term)
	// Output:
	// 2 known words, mostly about cat
}

// The topics of a training document.
func ExampleModel_Theta() {
	m, err := train.Run(context.Background(), corpus.FromTokens(pets), topoi.Options{Topics: 2, Sampler: "gibbs", Iterations: 50})
	if err != nil {
		log.Fatal(err)
	}
	theta, err := m.Theta(nil, 0)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%.2f\n", theta)
	// Output:
	// [0.06 0.94]
}

// The probabilities of words, topic by topic.
func ExampleModel_Phi() {
	m, err := train.Run(context.Background(), corpus.FromTokens(pets), topoi.Options{Topics: 2, Sampler: "gibbs", Iterations: 50})
	if err != nil {
		log.Fatal(err)
	}
	for k, phi := range m.Phi(nil) {
		fmt.Printf("topic %d:", k)
		for w, p := range phi {
			if p > 0.2 {
				fmt.Printf(" %s %.2f", m.Words().At(w), p)
			}
		}
		fmt.Println()
	}
	// Output:
	// topic 0: dog 0.26 bark 0.20 puppy 0.20
	// topic 1: cat 0.23 kitten 0.23 purr 0.23
}

// Naming topics. A model opened from a directory keeps the names there.
func ExampleModel_SetLabels() {
	m, err := train.Run(context.Background(), corpus.FromTokens(pets), topoi.Options{Topics: 2, Sampler: "gibbs", Iterations: 50})
	if err != nil {
		log.Fatal(err)
	}
	if err := m.SetLabels(topic.Labels{Names: map[int]string{0: "cats"}}); err != nil {
		log.Fatal(err)
	}
	for k := range m.NumTopics() {
		fmt.Printf("%d %q\n", k, m.Label(k))
	}
	// Output:
	// 0 "cats"
	// 1 ""
}

// The documents that were held out of training.
func ExampleModel_Heldout() {
	m, err := train.Run(context.Background(), corpus.FromTokens(pets), topoi.Options{Topics: 2, Sampler: "gibbs", Iterations: 20, Holdout: 0.25})
	if err != nil {
		log.Fatal(err)
	}
	held, err := m.Heldout()
	if err != nil {
		log.Fatal(err)
	}
	for d := range held.NumDocs() {
		fmt.Println("document", held.Number(d), "was not trained on")
	}
	// Output:
	// document 3 was not trained on
}
