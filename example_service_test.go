package topoi_test

import (
	"context"
	"encoding/json"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"

	"github.com/topoi-lda/topoi"
	"github.com/topoi-lda/topoi/corpus"
	"github.com/topoi-lda/topoi/train"
)

// service answers with the topics of texts. Its model can be replaced while it runs.
type service struct {
	path  string
	lock  sync.RWMutex // held while the model is used, so that it is not closed then
	model *topoi.Model
}

// reload opens the model that is in the directory now, and closes the one before.
func (s *service) reload() error {
	m, err := topoi.Open(s.path)
	if err != nil {
		return err // the model before stays
	}
	s.lock.Lock()
	defer s.lock.Unlock()
	old := s.model
	s.model = m
	if old == nil {
		return nil
	}
	return old.Close()
}

func (s *service) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	text, err := io.ReadAll(http.MaxBytesReader(w, r.Body, 1<<20))
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	s.lock.RLock()
	defer s.lock.RUnlock()
	found, err := s.model.InferTokens(r.Context(), strings.Fields(string(text)), topoi.InferOptions{})
	if err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	var words []string
	for _, word := range s.model.TopWords(found.Topics[0].Topic, 2) {
		words = append(words, word.Term)
	}
	_ = json.NewEncoder(w).Encode(words) // the client may have gone
}

// A service that finds the topics of texts, and reloads its model. Package serve has one with a queue, limits and GPUs.
func Example_service() {
	dir, err := os.MkdirTemp("", "topoi-example-*")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	s := &service{path: filepath.Join(dir, "pets.model")}
	server := httptest.NewServer(s)
	defer server.Close()
	for _, docs := range [][][]string{pets, append(pets, strings.Fields("sled dog sled dog sled leash sled sled sled"))} {
		// Another program trains, now and then.
		o := topoi.Options{Topics: 2, Sampler: "gibbs", Iterations: 50}
		m, err := train.Run(context.Background(), corpus.FromTokens(docs), o)
		if err != nil {
			log.Fatal(err)
		}
		if err := m.Save(s.path, topoi.SaveOptions{Overwrite: true}); err != nil {
			log.Fatal(err)
		}
		if err := s.reload(); err != nil {
			log.Fatal(err)
		}
		answer, err := http.Post(server.URL, "text/plain", strings.NewReader("the dog has a leash"))
		if err != nil {
			log.Fatal(err)
		}
		_, _ = io.Copy(os.Stdout, answer.Body)
		_ = answer.Body.Close()
	}
	_ = s.model.Close()
	// Output:
	// ["dog","bark"]
	// ["dog","sled"]
}
