package text_test

import (
	"fmt"

	"github.com/topoi-lda/topoi/corpus/text"
)

func ExamplePipeline_Tokens() {
	p, err := text.New(text.Options{})
	if err != nil {
		panic(err)
	}
	for _, token := range p.Tokens(nil, []byte("The river's level rose by 3 metres; nobody knew why. 河水上涨。")) {
		fmt.Printf("%s ", token)
	}
	// Output: river level rose metres 河水 上涨
}

func ExampleOptions_Validate() {
	err := text.Options{Languages: []string{"englsh"}, CJK: "bigram"}.Validate()
	fmt.Println(err)
	// Output:
	// unknown language "englsh": did you mean "english"?
	// unknown treatment of CJK text "bigram": did you mean "bigrams"?
}

// The language of a few documents tells whose stop words to drop.
func ExampleDetect() {
	docs := []string{
		"Der Fluss war in der Nacht gestiegen.",
		"Am Morgen stand das Wasser unter der Brücke, und niemand sprach davon.",
	}
	found := text.Detect(func(yield func([]byte) bool) {
		for _, d := range docs {
			if !yield([]byte(d)) {
				return
			}
		}
	})
	fmt.Println(found.Found.Name)
	p, err := text.New(text.Options{Languages: found.Languages})
	if err != nil {
		panic(err)
	}
	fmt.Printf("%s\n", p.Tokens(nil, []byte(docs[1])))
	// Output:
	// german
	// [morgen stand wasser brücke sprach]
}
