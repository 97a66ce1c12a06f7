package topoi

import (
	"errors"

	"github.com/topoi-lda/topoi/internal/guard"
	"github.com/topoi-lda/topoi/internal/modelfile"
	"github.com/topoi-lda/topoi/internal/training"
)

// Open opens the model in dir and maps its arrays into memory. The time it takes does not grow with the
// number of tokens; pages are read when they are first used. The documents are opened by the first call of
// [Model.Docs].
//
// Open checks that the files exist, that they have their lengths, and that rows, words and topic totals
// agree. If the arrays have at most 64 MiB, it also does all that [Model.Verify] does, except for the
// documents.
//
// Errors wrap [ErrNotModel], [ErrModelVersion], [ErrModelDamaged] or an error
// of package os. Close the model when it is no longer needed.
func Open(dir string) (m *Model, err error) {
	defer guard.Files(&err)()
	manifest, err := readManifest(dir)
	if err != nil {
		return nil, err
	}
	s := &storedModel{Files: modelfile.Files{Dir: dir, Arrays: manifest.Arrays}, manifest: manifest}
	m, err = s.open(training.Documents{})
	if err == nil && s.Bytes <= verifyOnOpenBytes {
		err = s.Verify(m.has)
	}
	if err != nil {
		return nil, errors.Join(s.damaged(err), s.close())
	}
	s.docs, s.heldout = s.documents()
	return m, nil
}

// verifyOnOpenBytes is the size up to which Open verifies models.
const verifyOnOpenBytes = 64 << 20

// open maps all arrays and checks the cheap part of their structure. docs is empty unless the model was just trained.
func (s *storedModel) open(docs training.Documents) (*Model, error) {
	has, err := s.Map(s.manifest.Topics, s.manifest.Tokens, s.manifest.PseudoTokens)
	if err != nil {
		return nil, err
	}
	s.manifest.Pipeline = has.Pipeline
	return newModel(s.manifest.Manifest, has, docs, s), nil
}
