package topoi

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"time"

	"github.com/topoi-lda/topoi/internal/claim"
	"github.com/topoi-lda/topoi/internal/labelsfile"
	"github.com/topoi-lda/topoi/topic"
)

// labelStore holds the labels of a model once they have been read.
type labelStore struct {
	dir         string        // of the model; "" if it is in memory
	topics      int           // K
	fingerprint func() string // of the model

	mutex  sync.Mutex
	known  bool
	labels topic.Labels
	err    error
}

// Labels returns the labels that are stored with the model. They belong to the model; to change them, use
// [topic.Labels.Clone]. A model without labels returns empty ones. The error says what is wrong with
// labels.json in the model's directory.
func (s *labelStore) Labels() (topic.Labels, error) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	if !s.known {
		s.known = true
		s.labels, s.err = s.read()
	}
	return s.labels, s.err
}

// Label returns the name of topic k. It is "" if the topic has none, or if the labels cannot be read;
// [Model.Labels] returns that error.
func (s *labelStore) Label(k int) string {
	l, _ := s.Labels()
	return l.Name(k)
}

// read reads labels.json in the model's directory.
func (s *labelStore) read() (topic.Labels, error) {
	if s.dir == "" {
		return topic.Labels{}, nil
	}
	path := filepath.Join(s.dir, labelsfile.Name)
	if _, err := os.Lstat(path); errors.Is(err, os.ErrNotExist) {
		return topic.Labels{}, labelsfile.Lost(s.dir)
	}
	l, err := labelsfile.Read(path)
	if err != nil {
		return topic.Labels{}, fmt.Errorf("%w; correct or remove that file", err)
	}
	if l, err = s.accept(l); err != nil {
		return topic.Labels{}, fmt.Errorf("%s: %w; correct or remove that file", path, err)
	}
	return l, nil
}

// accept returns l in the form in which the model stores it.
func (s *labelStore) accept(l topic.Labels) (topic.Labels, error) {
	fingerprint := s.fingerprint()
	if l.Fingerprint != "" && l.Fingerprint != fingerprint {
		return topic.Labels{}, fmt.Errorf("%w: they were made for the model with fingerprint %s, and this one has %s",
			topic.ErrOtherModel, l.Fingerprint, fingerprint)
	}
	l, err := l.Checked(s.topics)
	l.Fingerprint = fingerprint
	return l, err
}

// labelPatience is how long SetLabels waits for another process that is changing labels of the same model.
const labelPatience = 10 * time.Second

// SetLabels replaces the labels of the model. A model that was opened from a directory writes them to
// labels.json there, whole or not at all, and removes the file if l is empty. Any other model writes its
// labels when it is saved. SetLabels refuses labels that carry another model's fingerprint with
// [topic.ErrOtherModel]; clear the fingerprint to set them anyway.
func (s *labelStore) SetLabels(l topic.Labels) error {
	l.FromTraining = false
	return s.storeLabels(l)
}

// storeLabels is SetLabels that keeps Labels.FromTraining.
func (s *labelStore) storeLabels(l topic.Labels) error {
	l, err := s.accept(l)
	if err != nil {
		return err
	}
	if s.dir != "" {
		owned, err := claim.Wait(context.Background(), labelPatience, claim.At(s.dir))
		if err != nil {
			return err
		}
		defer owned.Release()
		if err := labelsfile.Save(l, s.dir); err != nil {
			return err
		}
	}
	s.mutex.Lock()
	defer s.mutex.Unlock()
	s.known, s.labels, s.err = true, l, nil
	return nil
}
