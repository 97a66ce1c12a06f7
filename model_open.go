package topoi

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"sync"

	"github.com/topoi-lda/topoi/corpus"
	"github.com/topoi-lda/topoi/internal/guard"
	"github.com/topoi-lda/topoi/internal/join"
	"github.com/topoi-lda/topoi/internal/labelsfile"
	"github.com/topoi-lda/topoi/internal/modelfile"
	"github.com/topoi-lda/topoi/internal/training"
)

// Open opens the model in dir and maps its arrays into memory, whose pages are read when they are first used. The
// documents are opened by the first call of [Model.Docs].
//
// Open checks the checksum of the manifest and the length of every file, that the ends of rows and words fit what they
// divide, that the topic totals add up to the number of tokens, and that every α_k is positive. It reads pseudo-counts
// and compares them with the rows. If the arrays have at most 64 MiB, it also compares their checksums, and adds up the
// rows and the topics of tokens, as [Model.Verify] does for models of any size. A larger model takes time for its
// topics, words and pseudo-counts, but not for its tokens and rows.
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
		err = labelsfile.Lost(dir)
	}
	if err != nil {
		return nil, errors.Join(s.damaged(err), s.close())
	}
	s.docs, s.heldout = s.documents()
	return m, nil
}

// OpenFS opens a model whose files are in the root of fsys: an [embed.FS] (by [fs.Sub]), a [zip.Reader], or any other. It
// reads the arrays into memory and verifies them, as [Model.Verify] does.
//
// The documents are left out: [Model.Docs] and all methods that need documents return an error. The labels of topics
// are read; [Model.SetLabels] changes them in memory only.
func OpenFS(fsys fs.FS) (*Model, error) {
	var manifest manifestFile
	if err := modelfile.ReadManifestFS(fsys, &manifest); err != nil {
		return nil, err
	}
	if err := manifest.check(); err != nil {
		return nil, fmt.Errorf("%w: %s: %w", ErrModelDamaged, modelfile.Manifest, err)
	}
	s := &storedModel{Files: modelfile.Files{FS: fsys, Arrays: manifest.Arrays}, manifest: &manifest}
	s.docs = func() (*corpus.Corpus, error) { return nil, errNoDocuments }
	s.heldout = s.docs
	m, err := s.open(training.Documents{})
	if err == nil {
		err = s.Verify(m.has)
	}
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrModelDamaged, err)
	}
	text, err := fs.ReadFile(fsys, labelsfile.Name)
	if errors.Is(err, fs.ErrNotExist) {
		return m, nil
	}
	if err != nil {
		return nil, err
	}
	l, err := labelsfile.Parse(text)
	if err == nil {
		err = m.storeLabels(l)
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w; correct or remove that file", labelsfile.Name, err)
	}
	return m, nil
}

var errNoDocuments = errors.New("OpenFS leaves out the documents of a model: open its directory with Open")

// verifyOnOpenBytes is the size of all arrays up to which Open verifies them, and leaves larger ones to Verify.
const verifyOnOpenBytes = 64 << 20

// open maps all arrays and makes the checks that do not read them whole. docs is empty unless the model was just trained.
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
// Where reads every token of the documents once, and stops when ctx ends. The result cannot be saved. Closing it
// closes m.
func (m *Model) Where(ctx context.Context, condition string) (*Model, error) {
	if condition == "" {
		return m, nil
	}
	all, err := m.Docs()
	if err != nil {
		return nil, err
	}
	docs, numbers, err := training.Choose(ctx, all, condition)
	if err != nil {
		return nil, err
	}
	if docs.NumDocs() == 0 {
		return nil, fmt.Errorf("no document satisfies the condition %q", condition)
	}
	z := make([]uint32, 0, docs.NumTokens())
	for i, d := range numbers {
		if i&0xfff == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		z = m.AppendTopics(z, int(all.Offsets()[d]), int(all.Offsets()[d+1]))
	}
	has, err := m.has.Of(ctx, docs, z)
	if err != nil {
		return nil, err
	}
	part := m.view(has, training.Documents{Train: docs}, nil)
	part.condition = condition
	part.manifest.Docs, part.manifest.Tokens = docs.NumDocs(), docs.NumTokens()
	heldout, err := m.Heldout()
	if err == nil && heldout != nil {
		part.docs.Heldout, _, err = training.Choose(ctx, heldout, condition)
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

// Verify reads the whole model. It compares all checksums and checks that rows and assignments add up. If the
// documents are there, it also checks that they are complete, that they are those of the manifest, and that each
// word occurs as often as its row says. For a model that was not opened from a directory it checks the counts.
func (m *Model) Verify() (err error) {
	defer guard.Files(&err)()
	if err := m.open(); err != nil {
		return err
	}
	s := m.stored
	if s == nil {
		return m.has.Check()
	}
	if err := s.Verify(m.has); err != nil {
		return s.damaged(err)
	}
	if s.FS != nil {
		return nil
	}
	if _, err := os.Stat(filepath.Join(s.Dir, modelfile.Documents)); errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	docs, err := corpus.Open(filepath.Join(s.Dir, modelfile.Documents)) // compares the checksums of the corpus
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
