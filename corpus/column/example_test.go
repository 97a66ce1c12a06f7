package column_test

import (
	"context"
	"fmt"
	"log"
	"strings"

	"github.com/topoi-lda/topoi/corpus"
	"github.com/topoi-lda/topoi/corpus/column"
)

// What a table says about documents besides their words.
func ExampleFind() {
	table := "text,party,year\nwhale sea ship,red,2017\nsea town,blue,2021\nship town sea,red,2019\n"
	c, _, err := corpus.Read(context.Background(), strings.NewReader(table), corpus.ImportOptions{MinDF: 1, MaxDF: 1})
	if err != nil {
		log.Fatal(err)
	}
	defer c.Close()
	party, err := column.Find(c.Columns(), "party")
	if err != nil {
		log.Fatal(err)
	}
	levels, of := party.Levels()
	fmt.Println(party.Kind, levels, of)
	_, err = column.Find(c.Columns(), "prty")
	fmt.Println(err)
	// Output:
	// category [blue red] [1 0 1]
	// there is no column "prty": did you mean "party"?
}
