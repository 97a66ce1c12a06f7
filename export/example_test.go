package export_test

import (
	"context"
	"fmt"
	"log"
	"path/filepath"

	"github.com/topoi-lda/topoi"
	"github.com/topoi-lda/topoi/export"
)

func ExampleWrite() {
	m, err := topoi.Open(filepath.Join("..", "internal", "modelfile", "testdata", "model-v1"))
	if err != nil {
		log.Fatal(err)
	}
	defer m.Close()
	err = export.Write(context.Background(), m, "mallet-doc-topics", "-", export.Options{})
	if err != nil {
		log.Fatal(err)
	}
	// Output:
	// 0	doc-0	0.4914004914004914	0.3316953316953317	0.1769041769041769
	// 1	doc-1	0.4034582132564842	0.38904899135446686	0.207492795389049
	// 2	doc-2	0.4255319148936171	0.31914893617021284	0.25531914893617025
	// 3	doc-3	0.26565464895635676	0.4838709677419355	0.2504743833017078
	// 4	doc-4	0.48780487804878053	0.2613240418118467	0.2508710801393728
}

func ExampleFind() {
	_, err := export.Find("malet-state")
	fmt.Println(err)
	// Output: unknown export format "malet-state": did you mean "mallet-state"?
}
