package topoi

import (
	"errors"
	"fmt"
	"io/fs"
	"math"
	"path/filepath"
	"slices"
	"sync"

	"github.com/topoi-lda/topoi/corpus"
	"github.com/topoi-lda/topoi/internal/counts"
	"github.com/topoi-lda/topoi/internal/guard"
	"github.com/topoi-lda/topoi/internal/mapfile"
	"github.com/topoi-lda/topoi/internal/topics"
	"github.com/topoi-lda/topoi/internal/wholefile"
)

// Open opens the model in dir and maps its arrays into memory: the time it
// takes does not grow with the number of tokens, and pages are read when they
// are first used. The documents are opened when first asked for ([Model.Docs]).
//
// Open checks that the files are there, that they have their lengths, and that
// rows, words and topic totals agree with each other; up to 64 MiB of arrays it
// also does all that [Model.Verify] does, documents aside.
//
// Errors wrap [ErrNotModel], [ErrModelVersion], [ErrModelDamaged] or an error
// of package os. Close the model when it is no longer needed.
func Open(dir string) (m *Model, err error) {
	defer guard.Files(&err)()
	manifest, err := readManifest(dir)
	if err != nil {
		return nil, err
	}
	s := &storedModel{dir: dir, manifest: manifest}
	m, err = s.open()
	if err == nil && s.bytes <= verifyOnOpenBytes {
		err = s.verify(m)
	}
	if err != nil {
		return nil, errors.Join(s.damaged(err), s.close())
	}
	s.docs, s.heldout = s.documents()
	return m, nil
}

// storedModel is the directory behind a model.
type storedModel struct {
	dir      string
	manifest *manifestFile
	files    []*mapfile.File // the mapped arrays, in the order of arraySpecs
	bytes    uint64          // mapped in all

	docs    func() (*corpus.Corpus, error) // the training documents, opened at most once
	heldout func() (*corpus.Corpus, error) // those left out; nil if the model knows them itself
	whole   *corpus.Corpus                 // what was opened, to be closed

	temporary *wholefile.Dir // above dir, to be removed; nil: dir stays
}

// damaged names the model and the remedy.
func (s *storedModel) damaged(err error) error {
	return fmt.Errorf("%s: %w: %w; copy the model again", s.dir, ErrModelDamaged, err)
}

func (s *storedModel) close() error {
	var errs []error
	for _, f := range s.files {
		errs = append(errs, f.Close())
	}
	if s.whole != nil {
		errs = append(errs, s.whole.Close())
	}
	if s.temporary != nil {
		s.temporary.Abort()
	}
	return errors.Join(errs...)
}

// open maps all arrays and checks the cheap part of their structure.
func (s *storedModel) open() (*Model, error) {
	data := make(map[string][]byte)
	for i, spec := range s.manifest.arraySpecs() {
		b, err := s.mapArray(s.manifest.Arrays[i])
		if err != nil {
			return nil, err
		}
		data[spec.Name] = b
	}
	m := &Model{
		manifest: s.manifest.Manifest,
		alpha:    mapfile.View[float64](data[arrayAlpha]),
		totals:   mapfile.View[uint64](data[arrayTotals]),
		ends:     mapfile.View[uint64](data[arrayRowEnds]),
		entries:  counts.ViewEntries(data[arrayRows]),
		topics:   topics.View(data[topicsArray(s.manifest.Topics).Name], s.manifest.Topics),
		stored:   s,
	}
	m.manifest.Pipeline = data[arrayPipeline]
	var err error
	if m.words, err = corpus.StringsOver(mapfile.View[uint64](data[arrayWordEnds]), data[arrayWords]); err != nil {
		return nil, fmt.Errorf("%s does not fit %s", arrayWordEnds, arrayWords)
	}
	if err := m.checkSizes(); err != nil || m.manifest.PseudoTokens == 0 {
		return m, err
	}
	return m, m.readPseudo(mapfile.View[uint64](data[arrayPseudoEnds]), counts.ViewEntries(data[arrayPseudo]))
}

// mapArray maps one array file and returns its bytes.
func (s *storedModel) mapArray(info arrayInfo) ([]byte, error) {
	f, err := mapfile.Open(filepath.Join(s.dir, info.Name))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("the file %s is missing", info.Name)
	}
	if err != nil {
		return nil, err
	}
	s.files = append(s.files, f)
	have, size := uint64(len(f.Data)), elementBytes[info.Type]
	if have%size != 0 || have/size != info.Length {
		return nil, fmt.Errorf("the file %s has %d bytes, not %d elements of %d bytes", info.Name, have, info.Length, size)
	}
	s.bytes += have
	return f.Data, nil
}

// checkSizes checks what costs O(K + V).
func (m *Model) checkSizes() error {
	end := uint64(0)
	if len(m.ends) > 0 {
		end = m.ends[len(m.ends)-1]
	}
	if end != uint64(len(m.entries)) || !slices.IsSorted(m.ends) {
		return fmt.Errorf("%s does not fit %s", arrayRowEnds, arrayRows)
	}
	sum := uint64(0)
	for _, n := range m.totals {
		sum += n
	}
	if want := uint64(m.manifest.Tokens) + m.manifest.PseudoTokens; sum != want {
		return fmt.Errorf("%s adds up to %d tokens, not %d", arrayTotals, sum, want)
	}
	for k, a := range m.alpha {
		if !(a > 0) || math.IsInf(a, 0) {
			return fmt.Errorf("α of topic %d is %v", k, a)
		}
	}
	return nil
}

// documents returns what opens the documents that lie beside the arrays, once for
// both: those of training, and those left out.
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
	c, err := corpus.Open(filepath.Join(s.dir, documentsName))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil, fmt.Errorf("%s: the model's documents are not there: put the training corpus at %s", s.dir, filepath.Join(s.dir, documentsName))
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

// splitDocs checks that c is the corpus of the model and splits it: into the sample
// that its options describe, or the first documents and those that come after them.
func (s *storedModel) splitDocs(c *corpus.Corpus) (docs, heldout *corpus.Corpus, err error) {
	if got, want := c.Fingerprint(), s.manifest.Documents.Fingerprint; got != want {
		return nil, nil, fmt.Errorf("%s has fingerprint %s, not %s", documentsName, got, want)
	}
	n := s.manifest.Docs
	if s.manifest.Options.sampled() {
		docs, heldout, err = s.manifest.Options.split(c)
	} else if docs = c; n < c.NumDocs() {
		docs, heldout = c.Docs(0, n), c.Docs(n, c.NumDocs())
	}
	if err == nil && (c.NumWords() != s.manifest.Words || docs.NumDocs() != n || docs.NumTokens() != s.manifest.Tokens) {
		err = fmt.Errorf("%s does not hold the %d documents of the model", documentsName, n)
	}
	return docs, heldout, err
}
