package serve_test

import (
	"context"
	"fmt"
	"log"
	"net"
	"net/http"
	"os"
	"path/filepath"

	"github.com/topoi-lda/topoi"
	"github.com/topoi-lda/topoi/corpus"
	"github.com/topoi-lda/topoi/serve"
	"github.com/topoi-lda/topoi/serve/client"
	"github.com/topoi-lda/topoi/train"
)

// publish trains a model and puts it in the place of the one that is served.
func publish(ctx context.Context, path string, texts []string, topics int) error {
	c, err := corpus.FromTexts(texts, corpus.ImportOptions{MinDF: 1, MaxDF: 1})
	if err != nil {
		return err
	}
	defer c.Close()
	m, err := train.Run(ctx, c, topoi.Options{Topics: topics, Sampler: "gibbs", Iterations: 50})
	if err != nil {
		return err
	}
	return m.Save(path, topoi.SaveOptions{Overwrite: true})
}

// A service with a route of its own that loads a new model while it answers.
func Example_service() {
	dir, err := os.MkdirTemp("", "service-*")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	ctx, path := context.Background(), filepath.Join(dir, "news.model")
	texts := []string{
		"The striker scored a goal, and the goalkeeper wept.", "A goal by the striker in extra time.",
		"The senate voted on the budget.", "The budget passed the senate by one vote.",
	}
	if err := publish(ctx, path, texts, 2); err != nil {
		log.Fatal(err)
	}

	// The server looks every two seconds whether the model has changed; Reload looks at once.
	s, err := serve.New(serve.Options{Models: []serve.Source{{Name: "news", Path: path}}})
	if err != nil {
		log.Fatal(err)
	}
	defer s.Close()
	mux := http.NewServeMux()
	mux.Handle("/", s)
	mux.HandleFunc("POST /published", func(http.ResponseWriter, *http.Request) { s.Reload() })
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		log.Fatal(err)
	}
	web := &http.Server{Handler: mux}
	go web.Serve(listener)
	defer web.Close()
	address := "http://" + listener.Addr().String()

	// Another program asks it, before and after somebody has published another model.
	c, err := client.New(address, client.Options{})
	if err != nil {
		log.Fatal(err)
	}
	ask := func() {
		answer, err := c.Infer(ctx, []client.Document{{Text: "A goal for the senate!"}}, client.InferOptions{})
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(len(answer.Documents[0].Topics), "topics,", answer.Unknown[0], "unknown words")
	}
	ask()
	texts = append(texts, "A storm flooded the harbour.", "The harbour is closed, the storm goes on.")
	if err := publish(ctx, path, texts, 3); err != nil {
		log.Fatal(err)
	}
	answer, err := http.Post(address+"/published", "", nil)
	if err != nil {
		log.Fatal(err)
	}
	defer answer.Body.Close()
	ask()
	// Output:
	// 2 topics, 0 unknown words
	// 3 topics, 0 unknown words
}
