package train_test

import (
	"context"
	"fmt"
	"log"
	"os"
	"path/filepath"
	"strings"

	"github.com/topoi-lda/topoi"
	"github.com/topoi-lda/topoi/analysis/compare"
	"github.com/topoi-lda/topoi/analysis/eval"
	"github.com/topoi-lda/topoi/corpus"
	"github.com/topoi-lda/topoi/export"
	"github.com/topoi-lda/topoi/topic"
	"github.com/topoi-lda/topoi/train"
)

// An experiment: several trainings, held-out scores, coherence, comparison and export.
func Example_experiment() {
	ctx := context.Background()
	var texts [][]string
	for range 20 {
		texts = append(texts, strings.Fields("cat kitten purr whisker cat"), strings.Fields("dog puppy bark leash dog"))
	}
	c := corpus.FromTokens(texts)
	var models []topic.Model
	for seed := range uint64(3) {
		m, err := train.Run(ctx, c, topoi.Options{Topics: 2, Seed: seed, Holdout: 0.1, Sampler: "gibbs", Iterations: 50})
		if err != nil {
			log.Fatal(err)
		}
		heldout, err := m.Heldout()
		if err != nil {
			log.Fatal(err)
		}
		score, err := eval.Completion(ctx, m, heldout, eval.Options{})
		if err != nil {
			log.Fatal(err)
		}
		var top [][]int
		for t := range m.Summary(nil, 4) {
			var words []int
			for _, w := range t.Words {
				words = append(words, w.Word)
			}
			top = append(top, words)
		}
		docs, err := m.Docs()
		if err != nil {
			log.Fatal(err)
		}
		coherence, err := eval.Coherence(ctx, docs, top)
		if err != nil {
			log.Fatal(err)
		}
		fmt.Printf("seed %d: %.2f nats per token of %d, NPMI %.2f\n", seed, score.PerToken, score.Scored, coherence.NPMI[0])
		models = append(models, m)
	}

	agreement, err := compare.Runs(ctx, models, compare.Options{})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("agreement %.2f\n", agreement.Mean)

	dir, err := os.MkdirTemp("", "topoi-example-*")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	typical := models[agreement.Typical].(*topoi.Model)
	path := filepath.Join(dir, "topics.csv")
	if err := export.Write(ctx, typical, "csv-topics", path, export.Options{Words: 3}); err != nil {
		log.Fatal(err)
	}
	table, err := os.ReadFile(path)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Print(strings.SplitAfter(string(table), "\n")[0])
	// Output:
	// seed 0: -1.37 nats per token of 8, NPMI 1.00
	// seed 1: -1.37 nats per token of 8, NPMI 1.00
	// seed 2: -1.37 nats per token of 8, NPMI 1.00
	// agreement 1.00
	// topic,topic_label,alpha,tokens,docs_dominant,prevalence,npmi,umass,exclusivity,entropy,top_terms
}
