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

// shingles cuts a word into pieces of three letters: a tokenizer of our own.
func shingles(text string) (list []string) {
	for _, word := range strings.Fields(strings.ToLower(text)) {
		for i := 0; i+3 <= len(word); i++ {
			list = append(list, word[i:i+3])
		}
	}
	return list
}

// An own tokenizer, an own stop rule, and the matrices φ and θ.
func Example_tokenizer() {
	texts := []string{"cats scatter catnip", "catnip for a wildcat", "doghouse and hotdog", "dogma of dogs"}
	var docs [][]string
	for _, text := range texts {
		docs = append(docs, shingles(text))
	}
	c := corpus.FromTokens(docs)

	// Stop as soon as a sweep gains less than a thousandth of a nat per token, and keep the model.
	ctx, stop := context.WithCancelCause(context.Background())
	last := -100.0
	opts := topoi.Options{Topics: 2, Sampler: "gibbs", EvaluateEvery: 1, Seed: 2}
	opts.Events.Iteration = func(i topoi.IterationInfo) {
		if i.Score.LogLikelihood < last+0.001 && i.Iteration > 10 {
			stop(topoi.ErrStop)
		}
		last = i.Score.LogLikelihood
	}
	m, err := train.Run(ctx, c, opts)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println("stopped:", m.Manifest().Stopped)

	phi := make([][]float64, m.NumTopics()) // K × V
	for k, row := range m.Phi(nil) {
		phi[k] = append(phi[k], row...)
	}
	theta := make([][]float64, c.NumDocs()) // D × K
	for d := range theta {
		if theta[d], err = m.Theta(nil, d); err != nil {
			log.Fatal(err)
		}
	}
	fmt.Printf("φ is %d × %d, θ is %d × %d\n", len(phi), len(phi[0]), len(theta), len(theta[0]))

	found, err := m.InferTokens(context.Background(), shingles("bobcat"), topoi.InferOptions{})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println("a bobcat is nearest to", m.TopWords(found.Topics[0].Topic, 1)[0].Term)
	// Output:
	// stopped: asked
	// φ is 2 × 27, θ is 4 × 2
	// a bobcat is nearest to cat
}
