package topoi

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"

	"github.com/topoi-lda/topoi/corpus"
	"github.com/topoi-lda/topoi/internal/guard"
	"github.com/topoi-lda/topoi/internal/join"
	"github.com/topoi-lda/topoi/internal/modelfile"
	"github.com/topoi-lda/topoi/internal/training"
	"github.com/topoi-lda/topoi/topic"
)

// Open opens the model in dir and maps its arrays into memory. The time it takes does not grow with the number of
// tokens; pages are read when they are first used. The documents are opened by the first call of [Model.Docs].
//
// Open checks that the files exist, that they have their lengths, and that rows, words and topic totals agree. If the
// arrays have at most 64 MiB, it also does all that [Model.Verify] does, except for the documents.
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
	if err == nil {
		err = topic.LabelsLost(dir)
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

// Where returns a view of the model that is restricted to the training documents that satisfy a condition on
// their columns (see [column.Parse]). Documents, counts, shares and top words are those of these documents
// alone, and held-out documents are selected in the same way. The topics stay those of m: numbers, α, β,
// labels and fingerprint do not change, and inference uses the counts of m. An empty condition returns m.
//
// Where reads every token of the documents once. The result cannot be saved. Closing it closes m.
func (m *Model) Where(condition string) (*Model, error) {
	if condition == "" {
		return m, nil
	}
	all, err := m.Docs()
	if err != nil {
		return nil, err
	}
	docs, numbers, err := training.Choose(all, condition)
	if err != nil {
		return nil, err
	}
	if docs.NumDocs() == 0 {
		return nil, fmt.Errorf("no document satisfies the condition %q", condition)
	}
	z := make([]uint32, 0, docs.NumTokens())
	for _, d := range numbers {
		z = m.AppendTopics(z, int(all.Offsets()[d]), int(all.Offsets()[d+1]))
	}
	part := m.view(m.has.Of(docs, z), training.Documents{Train: docs}, nil)
	part.manifest.Docs, part.manifest.Tokens = docs.NumDocs(), docs.NumTokens()
	heldout, err := m.Heldout()
	if err == nil && heldout != nil {
		part.docs.Heldout, _, err = training.Choose(heldout, condition)
	}
	return part, err
}

// LastDraw returns a view of a model that adds up several draws: that of its last draw alone, whose counts are those of
// the topics of tokens. Labels and fingerprint are those of m, and inference uses the counts of m. It returns m if that
// has one draw. The view is valid until m is closed, and is not closed itself.
func (m *Model) LastDraw() *Model {
	if m.manifest.Draws == 0 || m.open() != nil {
		return m
	}
	return m.view(m.has.LastDraw(), m.docs, m.stored)
}

// view returns a model with other counts, those of one draw.
func (m *Model) view(has *modelfile.Content, docs training.Documents, stored *storedModel) *Model {
	manifest := m.manifest
	manifest.Beta, manifest.Draws, manifest.PseudoTokens = manifest.BetaPerDraw(), 0, 0
	v := newModel(manifest, has, docs, stored)
	v.of, v.labelStore, v.closed = m, m.labelStore, m.closed
	return v
}

// Join adds columns of tables to the documents of the model in dir. The model keeps its fingerprint,
// because nothing that was trained depends on columns. The documents are replaced whole or not at all.
func Join(ctx context.Context, dir string, tables []string, o corpus.JoinOptions) (*corpus.JoinReport, error) {
	if _, err := readManifest(dir); err != nil {
		return nil, err
	}
	path := filepath.Join(dir, modelfile.Documents)
	c, err := corpus.Open(path)
	if err != nil {
		return nil, fmt.Errorf("the model has no documents, so columns cannot be added: %w", err)
	}
	report, err := join.Columns(ctx, c, tables, o)
	if err == nil {
		var joined *corpus.Corpus
		if joined, err = c.WithColumns(report.Columns); err == nil {
			err = joined.Save(path)
		}
	}
	return report, errors.Join(err, c.Close())
}
