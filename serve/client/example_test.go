package client_test

import (
	"context"
	"fmt"
	"log"
	"net/http/httptest"
	"path/filepath"

	"github.com/topoi-lda/topoi/serve"
	"github.com/topoi-lda/topoi/serve/client"
)

// A program asks a server for the topics of a text.
func ExampleClient_Infer() {
	model := filepath.Join("..", "..", "internal", "modelfile", "testdata", "model-v1")
	s, err := serve.New(serve.Options{Models: []serve.Source{{Name: "news", Path: model}}})
	if err != nil {
		log.Fatal(err)
	}
	defer s.Close()
	h := httptest.NewServer(s)
	defer h.Close()
	c, err := client.New(h.URL, client.Options{})
	if err != nil {
		log.Fatal(err)
	}
	models, err := c.Models(context.Background())
	if err != nil {
		log.Fatal(err)
	}
	answer, err := c.Infer(context.Background(), []client.Document{{Tokens: []string{"sea", "ship"}}}, client.InferOptions{Top: 1})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(models[0].Name, len(answer.Documents[0].Topics), "topic")
	// Output:
	// news 1 topic
}
