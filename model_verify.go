package topoi

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/topoi-lda/topoi/corpus"
	"github.com/topoi-lda/topoi/internal/guard"
	"github.com/topoi-lda/topoi/internal/modelfile"
)

// Verify reads everything: it compares all checksums, checks that rows and assignments
// add up, and, if the documents are there, that they are the ones of the manifest, whole,
// and have each word as often as its row says. Of a model that was not opened from a
// directory it checks the counts.
func (m *Model) Verify() (err error) {
	defer guard.Files(&err)()
	s := m.stored
	if s == nil {
		return m.has.Check()
	}
	if err := s.Verify(m.has); err != nil {
		return s.damaged(err)
	}
	if _, err := os.Stat(filepath.Join(s.Dir, modelfile.Documents)); errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	docs, err := corpus.Open(filepath.Join(s.Dir, modelfile.Documents)) // which compares its checksums
	if err != nil {
		return err
	}
	training, _, err := s.splitDocs(docs)
	if err == nil {
		err = m.has.CheckWords(training)
	}
	if err != nil {
		err = s.damaged(err)
	}
	return errors.Join(err, docs.Close())
}
