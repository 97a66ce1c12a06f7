package source_test

import (
	"errors"
	"fmt"
	"io"
	"log"
	"strings"

	"github.com/topoi-lda/topoi/corpus/source"
)

func ExampleOpen() {
	r, err := source.Open([]string{"testdata/quotes.csv"}, source.Options{})
	if err != nil {
		log.Fatal(err)
	}
	defer r.Close()
	fmt.Printf("reading as %s\n", r.Format().Name)
	var doc source.Document
	for {
		err := r.Next(&doc)
		if err == io.EOF {
			break
		}
		if err != nil {
			log.Fatal(err)
		}
		fmt.Printf("%s, %s: %d bytes of %v\n", doc.ID, doc.Label, len(doc.Text), r.Content())
	}
	// Output:
	// reading as csv
	// 1, a: 25 bytes of text
	// 2, b: 13 bytes of text
	// 3, : 0 bytes of text
	// 4, d: 10 bytes of text
}

// Which column is what is guessed by name, and told.
func ExampleReader_Taken() {
	r, err := source.Open([]string{"testdata/titles.csv"}, source.Options{})
	if err != nil {
		log.Fatal(err)
	}
	defer r.Close()
	for _, c := range r.Taken().Columns {
		fmt.Printf("%s: %q\n", c.Name, c.Use)
	}
	// Output:
	// HEADLINE: ""
	// body: "text"
	// title: "title"
	// date: "time"
}

func ExampleOptions_Validate() {
	o := source.Options{Format: "uic", Orientation: "rows"}
	fmt.Println(o.Validate())
	// Output:
	// unknown format "uic": did you mean "uci"?
	// unknown orientation "rows": it must be one of auto, docs-rows, docs-cols
}

// Faults of the input say where they are, so that a program can show the place.
func ExampleError() {
	r, err := source.OpenStream("upload.jsonl", strings.NewReader(`{"text": "whale"}`+"\n"+`{"text": 7`), source.Options{Format: "jsonl"})
	if err != nil {
		log.Fatal(err)
	}
	defer r.Close()
	for err == nil {
		err = r.Next(new(source.Document))
	}
	var fault *source.Error
	if errors.As(err, &fault) {
		fmt.Println(fault.File, fault.Line)
	}
	// Output:
	// upload.jsonl 2
}
