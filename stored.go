package topoi

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"sync"

	"github.com/topoi-lda/topoi/corpus"
	"github.com/topoi-lda/topoi/internal/modelfile"
	"github.com/topoi-lda/topoi/internal/training"
)

// storedModel is the directory behind a model.
type storedModel struct {
	modelfile.Files
	manifest *manifestFile

	docs    func() (*corpus.Corpus, error) // the training documents, opened at most once
	heldout func() (*corpus.Corpus, error) // held-out documents; nil if the model has them itself
	whole   *corpus.Corpus                 // the corpus that was opened and must be closed

	temporary training.WorkDir // the directory above dir, to be removed; empty if dir stays
}

// damaged returns an error that names the model and the remedy.
func (s *storedModel) damaged(err error) error {
	return fmt.Errorf("%s: %w: %w; copy the model again", s.Dir, ErrModelDamaged, err)
}

func (s *storedModel) close() error {
	err := s.Close()
	if s.whole != nil {
		err = errors.Join(err, s.whole.Close())
	}
	s.temporary.Close()
	return err
}

// documents returns two functions that open the documents beside the arrays, once for both: the training
// documents and the held-out ones.
func (s *storedModel) documents() (docs, heldout func() (*corpus.Corpus, error)) {
	var left *corpus.Corpus
	docs = sync.OnceValues(func() (training *corpus.Corpus, err error) {
		training, left, err = s.openDocs()
		return training, err
	})
	return docs, func() (*corpus.Corpus, error) {
		_, err := docs()
		return left, err
	}
}

// openDocs opens the documents and splits them.
func (s *storedModel) openDocs() (docs, heldout *corpus.Corpus, err error) {
	c, err := corpus.Open(filepath.Join(s.Dir, modelfile.Documents))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil, fmt.Errorf("%s: the model's documents are missing: put the training corpus at %s", s.Dir,
			filepath.Join(s.Dir, modelfile.Documents))
	}
	if err != nil {
		return nil, nil, err
	}
	docs, heldout, err = s.splitDocs(c)
	if err != nil {
		return nil, nil, errors.Join(s.damaged(err), c.Close())
	}
	s.whole = c
	return docs, heldout, nil
}

// splitDocs checks that c is the model's corpus and splits it: either by the sample that the options
// describe, or into the first documents and the rest.
func (s *storedModel) splitDocs(c *corpus.Corpus) (docs, heldout *corpus.Corpus, err error) {
	if got, want := c.Fingerprint(), s.manifest.Documents.Fingerprint; got != want {
		return nil, nil, fmt.Errorf("%s has fingerprint %s, not %s", modelfile.Documents, got, want)
	}
	n := s.manifest.Docs
	if s.manifest.Options.sampled() {
		docs, heldout, err = s.manifest.Options.split().Split(c)
	} else if docs = c; n < c.NumDocs() {
		docs, heldout = c.Docs(0, n), c.Docs(n, c.NumDocs())
	}
	if err == nil && (c.NumWords() != s.manifest.Words || docs.NumDocs() != n ||
		docs.NumTokens() != s.manifest.Tokens) {
		err = fmt.Errorf("%s does not hold the %d documents of the model", modelfile.Documents, n)
	}
	return docs, heldout, err
}
