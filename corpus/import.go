package corpus

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/topoi-lda/topoi/corpus/source"
	"github.com/topoi-lda/topoi/internal/conveyor"
	"github.com/topoi-lda/topoi/internal/wholefile"
)

// Import reads inputs and writes the corpus file out, whole or not at all. Inputs are files, patterns,
// directories or "-" for standard input, in any format of package source, or corpus files. Several corpus
// files are parts of one input ([source.Options.Part]), made with all words; the result is that of the whole.
// Programs that read Parquet files, or objects at s3:// and the like, import corpus/source/all.
//
// Words of text and tokens are numbered by falling number of occurrences, and in bytewise order if these are
// equal. Formats with a vocabulary of their own keep its order. The bytes of the file do not depend on the
// number of threads. Memory depends on the vocabulary, the largest document and a few megabytes per thread,
// not on the size of the input: documents are kept in a temporary file between counting and numbering. Only finding
// copies takes up to 36 bytes a document, and more for those that may be copies; see ImportOptions.Duplicates.
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
	opts.cutAsModel()
	if len(inputs) == 1 && IsCorpus(inputs[0]) {
		if err := opts.checkCorpusFiles(inputs); err != nil {
			return nil, nil, err
		}
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
	return opts.uncut(loadSource(ctx, src, opts))
}

// Read is [Load] for an input that is no file: an upload, an entry of an archive, an answer over HTTP. It reads r to its
// end, in any format of package source that standard input may have. opts.Source.Format says which, and is guessed from
// the content if it is empty. Messages call the input by its Name method, if it has one, as files do.
func Read(ctx context.Context, r io.Reader, opts ImportOptions) (*Corpus, *Report, error) {
	if err := opts.Validate(); err != nil {
		return nil, nil, err
	}
	opts.cutAsModel()
	opts.prepareSource()
	name := "the input"
	if n, ok := r.(interface{ Name() string }); ok {
		name = n.Name()
	}
	src, err := source.OpenReader(name, r, opts.Source)
	if err != nil {
		return nil, nil, err
	}
	if err := opts.checkHonoured(name, src.Format().Name, src.Content()); err != nil {
		return nil, nil, errors.Join(err, src.Close())
	}
	return opts.uncut(loadSource(ctx, src, opts))
}

// cutAsModel cuts new documents into pieces as those of the model were whose vocabulary they get.
func (o *ImportOptions) cutAsModel() {
	if o.Vocabulary.Len() > 0 && o.Text.Pieces > 0 {
		o.Source.Pieces = o.Text.Pieces
	}
}

// prepareSource completes the options of the source from those of the import.
func (o *ImportOptions) prepareSource() {
	o.Source.TempDir = cmp.Or(o.Source.TempDir, o.TempDir)
	o.Source.Threads = cmp.Or(o.Source.Threads, o.Threads)
}

// openInputs opens the inputs of Import and Load.
func openInputs(inputs []string, opts *ImportOptions) (source.Source, error) {
	if err := opts.Validate(); err != nil {
		return nil, err
	}
	if len(inputs) > 0 && IsCorpus(inputs[0]) {
		if err := opts.checkCorpusFiles(inputs); err != nil {
			return nil, err
		}
		return openParts(inputs)
	}
	if i := slices.IndexFunc(inputs, IsCorpus); i >= 0 {
		return nil, fmt.Errorf("%s is already a corpus file; it can be combined with other corpus files only",
			inputs[i])
	}
	opts.prepareSource()
	src, err := source.Open(inputs, opts.Source)
	if err != nil {
		return nil, err
	}
	if err := opts.checkHonoured(inputs[0], src.Format().Name, src.Content()); err != nil {
		return nil, errors.Join(err, src.Close())
	}
	return src, nil
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

// loadSource is [Load] for a source that the caller provides. It closes src.
func loadSource(ctx context.Context, src source.Source, opts ImportOptions) (*Corpus, *Report, error) {
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

// number reads the source into the spool, closes it, and gives every word its final id.
func (im *importer) number(ctx context.Context) error {
	if err := im.gather(ctx); err != nil {
		return err
	}
	err := im.findCopies(ctx)
	if err == nil {
		err = im.join(ctx)
	}
	if err != nil {
		im.src.Close()
		return err
	}
	return im.choose()
}

// inOrder returns a source with the documents of src in the order that the options ask for. If that is by hash, it
// reads src to its end and closes it, keeps the documents with all words in a corpus without a name, and reports on
// that; the report is nil if there was nothing to read. If it fails, it closes src.
func (o *ImportOptions) inOrder(ctx context.Context, src source.Source) (source.Source, *Report, error) {
	if o.Order != orderHash || o.Validate() != nil {
		return src, nil, nil
	}
	if files, ok := src.(*corpusSource); ok {
		files.byHash()
		return files, nil, nil
	}
	whole := *o
	whole.Order, whole.MinDF, whole.MaxDF, whole.MinCF, whole.MaxWords = "", 1, 1, 0, 0
	whole.DropEmpty, whole.AllowEmpty, whole.Duplicates = false, true, keepCopies
	c, report, err := loadSource(ctx, src, whole)
	if err != nil {
		return nil, nil, err
	}
	files := newCorpusSource([]*Corpus{c})
	files.byHash()
	return files, report, nil
}

// follow adds what a report says about the input to that of the import that read its documents in another order.
func (r *Report) follow(first *Report) {
	r.Format, r.Guessed, r.Bytes, r.Input = first.Format, first.Guessed, first.Bytes, first.Input
	r.RepeatedIDs, r.Wholes = first.RepeatedIDs, first.Wholes
	r.LongColumns = append(first.LongColumns, r.LongColumns...)
	t, f := &r.Text, &first.Text
	t.Languages, t.Detected, t.Detection, t.SampleDocs = f.Languages, f.Detected, f.Detection, f.SampleDocs
}

// importTo writes the corpus to f, then calls finish, whose time counts as part of the import.
func importTo(ctx context.Context, src source.Source, f *wholefile.File, finish func() error,
	opts *ImportOptions,
) (*Report, error) {
	if err := opts.Validate(); err != nil {
		return nil, errors.Join(err, src.Close())
	}
	src, first, err := opts.inOrder(ctx, src)
	if err != nil {
		return nil, err
	}
	im := newImporter(src, opts)
	defer closeFiles(im)
	defer im.run(phaseRead)()
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
	if first != nil {
		im.report.follow(first)
	}
	im.report.Seconds = time.Since(im.start).Seconds()
	return &im.report, nil
}

// EachText reads inputs, which must be text or tokens, and calls f with the words of every document in reading order:
// ids of opts.Vocabulary, which is required, and the largest uint32 for all other words. Calls for several documents run at once,
// in any order. Each is made by a worker 0, …, opts.Threads-1 that makes one call at a time. f must not keep words.
//
// EachText refuses corpus files, because they do not keep the order of words.
func EachText(ctx context.Context, inputs []string, opts ImportOptions, f func(worker int, words []uint32)) error {
	if opts.Vocabulary.Len() == 0 {
		return errors.New("EachText needs the vocabulary whose ids it is to give")
	}
	for _, path := range inputs {
		if IsCorpus(path) {
			return fmt.Errorf("%s is a corpus file, which does not keep the order of words: give the text it was made from", path)
		}
	}
	opts.TempDir = cmp.Or(opts.TempDir, os.TempDir())
	opts.Source.Ordered = true
	src, err := openInputs(inputs, &opts)
	if err != nil {
		return err
	}
	if src.Content() == source.ContentIDs {
		return errors.Join(errors.New("this input has counts, which do not keep the order of words: give text or tokens"), src.Close())
	}
	im := newImporter(src, &opts)
	defer closeFiles(im)
	defer im.run(phaseRead)()
	if err := im.number(ctx); err != nil {
		return explainWrite(opts.TempDir, err)
	}
	return im.eachText(ctx, f)
}

// eachText passes the documents of the spool with their final ids to f.
func (im *importer) eachText(ctx context.Context, f func(worker int, words []uint32)) error {
	return im.eachBlock(ctx, phaseWrite, conveyor.Conveyor[*docBlock]{
		Work: func(worker int, b *docBlock) error {
			rest := b.Payload
			for range b.Docs {
				rest = b.next(rest)
				for i, id := range b.doc {
					b.doc[i] = im.final[id]
				}
				f(worker, b.doc)
			}
			return nil
		},
		Drain: func(b *docBlock) error {
			im.advance(b.Docs, 0)
			return nil
		},
	})
}
