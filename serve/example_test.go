package serve_test

import (
	"fmt"
	"io"
	"log"
	"net/http/httptest"
	"path/filepath"

	"github.com/topoi-lda/topoi/serve"
)

// The server is an http.Handler, which a program can mount beside its own routes.
func ExampleNew() {
	model := filepath.Join("..", "internal", "modelfile", "testdata", "model-v1")
	s, err := serve.New(serve.Options{Models: []serve.Source{{Name: "news", Path: model}}})
	if err != nil {
		log.Fatal(err)
	}
	defer s.Close()
	h := httptest.NewServer(s)
	defer h.Close()
	answer, err := h.Client().Get(h.URL + "/readyz")
	if err != nil {
		log.Fatal(err)
	}
	defer answer.Body.Close()
	if _, err := io.Copy(io.Discard, answer.Body); err != nil {
		log.Fatal(err)
	}
	fmt.Println(answer.StatusCode)
	for _, m := range s.Models() {
		fmt.Println(m.Name, m.Topics, "topics")
	}
	// Output:
	// 200
	// news 3 topics
}
