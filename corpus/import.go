package corpus

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"time"

	"github.com/topoi-lda/topoi/corpus/internal/intern"
	"github.com/topoi-lda/topoi/corpus/internal/spool"
	"github.com/topoi-lda/topoi/corpus/source"
	"github.com/topoi-lda/topoi/corpus/text"
	"github.com/topoi-lda/topoi/internal/human"
	"github.com/topoi-lda/topoi/internal/wholefile"
)

// Import reads inputs and writes the corpus file out, whole or not at all. Inputs are files, patterns,
// directories or "-" for standard input, in any format of package source, or one corpus file.
//
// Words of text and tokens are numbered by falling number of occurrences, and in bytewise order if these are
// equal. Formats with a vocabulary of their own keep its order. The bytes of the file do not depend on the
// number of threads. Memory depends on the vocabulary, the largest document and a few megabytes per thread,
// not on the size of the input: documents are kept in a temporary file between counting and numbering.
func Import(ctx context.Context, inputs []string, out string, opts ImportOptions) (*Report, error) {
	src, err := openInputs(inputs, &opts)
	if err != nil {
		return nil, err
	}
	return ImportSource(ctx, src, out, opts)
}

// Load does what [Import] and [Open] do, for a corpus that is needed once: the file has no name and vanishes
// when the corpus is closed. If the input is a corpus file that no option changes, Load opens that file.
func Load(ctx context.Context, inputs []string, opts ImportOptions) (*Corpus, *Report, error) {
	if err := opts.Validate(); err != nil {
		return nil, nil, err
	}
	if opts.Vocabulary.Len() > 0 && opts.Text.Pieces > 0 {
		opts.Source.Pieces = opts.Text.Pieces
	}
	if len(inputs) == 1 && IsCorpus(inputs[0]) {
		c, report, err := openAsIs(inputs[0])
		if err != nil || !opts.changes(c.words) {
			return opts.uncut(c, report, err)
		}
		if err := c.Close(); err != nil {
			return nil, nil, err
		}
	}
	src, err := openInputs(inputs, &opts)
	if err != nil {
		return nil, nil, err
	}
	return opts.uncut(LoadSource(ctx, src, opts))
}

// openInputs opens the inputs of Import and Load.
func openInputs(inputs []string, opts *ImportOptions) (source.Source, error) {
	if err := opts.Validate(); err != nil {
		return nil, err
	}
	for _, path := range inputs {
		switch {
		case !IsCorpus(path):
		case len(inputs) > 1:
			return nil, fmt.Errorf("%s is already a corpus file; it cannot be combined with other inputs", path)
		default:
			c, err := Open(path)
			if err != nil {
				return nil, err
			}
			return &corpusSource{corpus: c, size: int64(len(c.file.Data))}, nil
		}
	}
	opts.Source.TempDir = cmp.Or(opts.Source.TempDir, opts.TempDir)
	opts.Source.Threads = cmp.Or(opts.Source.Threads, opts.Threads)
	return source.Open(inputs, opts.Source)
}

// ImportSource is [Import] for a source that the caller provides. It closes src.
func ImportSource(ctx context.Context, src source.Source, out string, opts ImportOptions) (*Report, error) {
	opts.TempDir = cmp.Or(opts.TempDir, filepath.Dir(out))
	f, err := wholefile.Create(out)
	if err != nil {
		return nil, errors.Join(err, src.Close())
	}
	defer f.Abort()
	report, err := importTo(ctx, src, f, f.Commit, &opts)
	if err != nil {
		return nil, explainWrite(out, err)
	}
	return report, nil
}

// LoadSource is [Load] for a source that the caller provides. It closes src.
func LoadSource(ctx context.Context, src source.Source, opts ImportOptions) (*Corpus, *Report, error) {
	opts.TempDir = cmp.Or(opts.TempDir, os.TempDir())
	path := filepath.Join(opts.TempDir, "temporary-corpus.topoi")
	f, err := wholefile.CreateShared(path) // nobody else can own a name that never appears
	if err != nil {
		return nil, nil, errors.Join(err, src.Close())
	}
	defer f.Abort() // the memory map, or the copy, outlives the name
	var c *Corpus
	open := func() error {
		if _, err := f.Seek(0, io.SeekStart); err != nil {
			return err
		}
		var err error
		c, err = openFile(f.File, path)
		return err
	}
	report, err := importTo(ctx, src, f, open, &opts)
	if err != nil {
		return nil, nil, explainWrite(path, err)
	}
	return c, report, nil
}

// explainWrite adds the output's name to errors of writing. It returns other errors as they are.
func explainWrite(out string, err error) error {
	if w, ok := errors.AsType[*writeError](err); ok {
		return wholefile.Explain(out, w.err)
	}
	return err
}

// writeError marks an error that occurred while writing the output or a temporary file.
type writeError struct{ err error }

func (e *writeError) Error() string { return e.err.Error() }
func (e *writeError) Unwrap() error { return e.err }

// writing marks err, if any, as a writeError.
func writing(err error) error {
	if err == nil {
		return nil
	}
	return &writeError{err}
}

// importer is one import in progress. Its methods are the passes: gather reads the source into the spool
// and counts words, choose decides on the vocabulary, emit writes the corpus.
type importer struct {
	opts *ImportOptions
	src  source.Source

	// Filled by gather.
	spool   *spool.Spool  // blocks of documents with provisional word ids
	words   *intern.Table // provisional ids of text and tokens
	counts  []count       // by provisional id, or by the given id if the format has ids
	docs    int64
	tokens  int64
	tagged  tags
	columns columnSet
	largest wordUse  // the largest word id of a format with word ids
	table   []uint32 // memory for countWords

	text     text.Options // opts.Text with the languages that were found
	pipeline []byte       // the text options as JSON; empty if the input is not text

	// Filled by choose.
	vocabulary Strings  // final id to word
	final      []uint32 // provisional id to final id, or none
	monotone   bool     // final ids rise with provisional ids

	report Report
	meter
}

// wordUse is a word id with a document that contains it, for messages.
type wordUse struct {
	word uint32
	doc  int64
	seen bool
}

// none marks words that have no final id.
const none = ^uint32(0)

func newImporter(src source.Source, opts *ImportOptions) *importer {
	im := &importer{opts: opts, src: src, text: opts.Text, spool: spool.New(opts.TempDir), words: intern.New(1 << 16)}
	im.meter = meter{tell: opts.Progress, bytes: func() (read, total int64) { return bytesRead(src) }}
	return im
}

// wordsOf returns the words of a table, by their ids.
func wordsOf(table *intern.Table) Strings {
	ends, bytes := table.Words()
	return Strings{ends: ends, bytes: bytes}
}

// number reads the source into the spool, closes it, and gives every word its final id.
func (im *importer) number(ctx context.Context) error {
	if err := im.gather(ctx); err != nil {
		return err
	}
	if err := im.join(ctx); err != nil {
		im.src.Close()
		return err
	}
	return im.choose()
}

// importTo writes the corpus to f, then calls finish, whose time counts as part of the import.
func importTo(ctx context.Context, src source.Source, f *wholefile.File, finish func() error, opts *ImportOptions) (*Report, error) {
	if err := opts.Validate(); err != nil {
		return nil, errors.Join(err, src.Close())
	}
	im := newImporter(src, opts)
	defer func() { im.spool.Close() }() // joining phrases replaces it
	defer im.run(PhaseRead)()
	if err := im.number(ctx); err != nil {
		return nil, err
	}
	if err := im.emit(ctx, f); err != nil {
		return nil, err
	}
	if im.report.Tokens == 0 && opts.Vocabulary.Len() == 0 && !opts.AllowEmpty {
		return nil, im.noWords()
	}
	if err := finish(); err != nil {
		return nil, err
	}
	im.describe()
	im.report.Seconds = time.Since(im.start).Seconds()
	return &im.report, nil
}

// outOfVocabulary returns the error for a format whose word ids exceed its vocabulary.
func (u wordUse) outOfVocabulary(words int) error {
	return fmt.Errorf("document %d (counted from 0) has word id %d (counted from 0), but the vocabulary has only %d words; give the vocabulary that belongs to the documents",
		u.doc, u.word, words)
}

// noWords returns the error that says why a corpus would be empty.
func (im *importer) noWords() error {
	switch {
	case im.docs == 0:
		return fmt.Errorf("%w: the input has no documents", ErrNoWords)
	case im.tokens > 0:
		return fmt.Errorf("%w: all %d were dropped by frequency; allow rarer or more frequent words", ErrNoWordLeft, im.report.DroppedWords)
	case im.src.Content() == source.ContentText:
		return fmt.Errorf("%w: nothing is left of %s after numbers, stop words and the like were dropped; check that the right column or field is read", ErrNoWords, human.Of(im.docs, "document"))
	}
	return fmt.Errorf("%w in any of %s", ErrNoWords, human.Of(im.docs, "document"))
}

// bytesRead returns how many bytes of the input have been read and how many there are. Both are 0 if the
// source does not know.
func bytesRead(src source.Source) (read, total int64) {
	if r, ok := src.(interface{ Progress() (read, total int64) }); ok {
		return r.Progress()
	}
	return 0, 0
}

// describe adds what the source knows about itself to the report.
func (im *importer) describe() {
	im.report.Bytes, _ = bytesRead(im.src)
	switch r := im.src.(type) {
	case *source.Reader:
		im.report.Format, im.report.Guessed = r.Format().Name, r.Guessed()
		im.report.RepeatedIDs = int64(r.Repeats())
		im.report.Input, im.report.Wholes = r.Taken(), r.Wholes()
	case *corpusSource:
		im.report.Format, im.report.Guessed, im.report.Bytes = formatCorpus, true, r.size
	}
}
