package train_test

import (
	"bytes"
	"context"
	"fmt"
	"log"
	"strings"

	"github.com/topoi-lda/topoi"
	"github.com/topoi-lda/topoi/corpus"
	"github.com/topoi-lda/topoi/train"
)

// The events of a run as lines of JSON.
func ExampleProgress() {
	var lines bytes.Buffer
	c := corpus.FromTokens([][]string{strings.Fields("cat kitten purr"), strings.Fields("dog puppy bark")})
	o := topoi.Options{Topics: 2, Iterations: 20, Events: train.Progress(&lines, "json")}
	_, err := train.Run(context.Background(), c, o)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(strings.Contains(lines.String(), `"event":"done"`))
	// Output: true
}
