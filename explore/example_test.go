package explore_test

import (
	"bytes"
	"context"
	"fmt"
	"log"
	"strings"

	"github.com/topoi-lda/topoi"
	"github.com/topoi-lda/topoi/corpus"
	"github.com/topoi-lda/topoi/explore"
	"github.com/topoi-lda/topoi/train"
)

// From documents to a page.
func ExampleWrite() {
	ctx := context.Background()
	var b corpus.Builder
	for _, text := range []string{"cat kitten purr cat", "kitten purr cat cat", "dog puppy bark dog", "puppy bark dog dog"} {
		b.Add(corpus.Document{Title: "About the " + strings.Fields(text)[0], Tokens: strings.Fields(text)})
	}
	m, err := train.Run(ctx, b.Corpus(), topoi.Options{Topics: 2, Iterations: 20})
	if err != nil {
		log.Fatal(err)
	}
	var page bytes.Buffer
	if err := explore.Write(ctx, m, &page, explore.Options{Name: "pets"}); err != nil {
		log.Fatal(err)
	}
	fmt.Println(strings.HasPrefix(page.String(), "<!doctype html>"))
	// Output: true
}
