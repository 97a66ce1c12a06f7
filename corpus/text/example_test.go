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
	// Output: river level rose metres 河水 水上 上涨
}

func ExampleOptions_Validate() {
	err := text.Options{Languages: []string{"englsh"}, CJK: "bigram"}.Validate()
	fmt.Println(err)
	// Output:
	// unknown language "englsh": did you mean "english"?
	// unknown treatment of CJK text "bigram": did you mean "bigrams"?
}
