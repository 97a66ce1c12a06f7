package export

import (
	"context"
	"fmt"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"github.com/topoi-lda/topoi"
	"github.com/topoi-lda/topoi/corpus"
	"github.com/topoi-lda/topoi/corpus/column"
	"github.com/topoi-lda/topoi/internal/human"
	"github.com/topoi-lda/topoi/topic"
)

// Format describes one output format.
type Format struct {
	Name        string // what the user types
	Description string // one line
	Directory   bool   // whether it is a directory with several files
	Text        bool   // whether it is compressed if its name ends in .gz or .zst
	Docs        bool   // whether it needs the training documents
	HeldOut     bool   // whether it can hold held-out documents
	Columns     bool   // whether it has a table of documents, to which columns can be added
}

// Options adjust what is written. The zero value writes what the format's own program would write.
type Options struct {
	// Words is the number of words per topic. Default: 20 in MALLET's and GibbsLDA++'s files and in JSON,
	// 30 in pyLDAvis, 10 in tables of topics, 100 in workbooks, 1000 in tables of topics and words.
	// Negative: all words that occur in the topic.
	Words int

	// MinTheta leaves out topics whose share θ_dk of a document is smaller, in formats that list topics by
	// falling share. Tables keep at least the largest topic of every document. Default 0: leave out none.
	MinTheta float64

	// Top is the largest number of topics per document in formats that list topics by falling share, and
	// the number of documents per topic in mallet-topic-docs. Default: all topics; 100 documents.
	Top int

	// Documents describes which documents are written: "train" for the training documents, "heldout" for the
	// held-out documents with inferred topics, "all" for both in the order of the corpus. Formats without
	// Format.HeldOut support only "train". Default "train".
	Documents string

	// With names columns of the documents that are added to tables of documents. Formats without
	// Format.Columns refuse them.
	With []string

	// Excel writes CSV for Excel: with a byte order mark, and with an apostrophe before text that looks like a formula.
	Excel bool

	// Decimal is "comma" for CSV with decimal commas and with semicolons between cells. Excel expects this
	// in countries where people write 0,5. Default "point".
	Decimal string

	// Compress is "gzip" to compress text formats, or "none" not to, whatever the path. Default: by the
	// path's extension, .gz or .zst.
	Compress string

	// Threads is the number of goroutines; it never changes the result. Default: all cores.
	Threads int

	// Progress, if not nil, is called at least every few thousand units.
	Progress func(done, total int64)
}

// Validate returns the first fault of the options, or nil.
func (o Options) Validate() error {
	switch {
	case !(o.MinTheta >= 0 && o.MinTheta <= 1):
		return fmt.Errorf("the smallest share is %v: it must be between 0 and 1", o.MinTheta)
	case o.Top < 0:
		return fmt.Errorf("the number of topics per document is %d: it must not be negative", o.Top)
	case o.Threads < 0:
		return fmt.Errorf("the number of threads is %d: it must not be negative", o.Threads)
	case o.Documents != "" && !slices.Contains(documentChoices(), o.Documents):
		return fmt.Errorf("unknown choice of documents %q%s", o.Documents, human.Hint(o.Documents, documentChoices()))
	case o.Decimal != "" && o.Decimal != "point" && o.Decimal != "comma":
		return fmt.Errorf("unknown decimal mark %q: it is point or comma", o.Decimal)
	case o.Compress != "" && o.Compress != "gzip" && o.Compress != "none":
		return fmt.Errorf("unknown compression %q: it is gzip or none", o.Compress)
	}
	return nil
}

// extension returns the extension that says how a file is compressed.
func (o Options) extension(path string) string {
	switch o.Compress {
	case "gzip":
		return ".gz"
	case "none":
		return ""
	}
	return strings.ToLower(filepath.Ext(path))
}

// documentChoices lists the values of Options.Documents.
func documentChoices() []string { return []string{"train", "heldout", "all"} }

// modelJob is the work of an export of the model alone.
type modelJob struct {
	ctx     context.Context
	model   *topoi.Model
	labels  topic.Labels
	prior   *priors
	options Options
}

// priors are the α of a model.
type priors struct {
	alpha    []float64 // K: α_k
	alphaSum float64   // Σα
	byAlpha  []uint32  // K topics by falling α; equal ones by number
	runEnd   []uint32  // K: for each position in byAlpha, where the run of equal α ends
}

// mean returns the mean of all α.
func (p *priors) mean() float64 { return p.alphaSum / float64(len(p.alpha)) }

// job is one call of Write.
type job struct {
	modelJob
	docs    *corpus.Corpus // the training documents; nil for formats that do not need them
	heldOut *corpus.Corpus // the held-out documents, if they are written
	train   bool           // whether the training documents are written
	how     topoi.InferOptions
	with    map[*corpus.Corpus][]column.Column // Options.With of docs and heldOut
}

// threads returns the number of goroutines to use.
func (j *modelJob) threads() int {
	if j.options.Threads > 0 {
		return j.options.Threads
	}
	return runtime.GOMAXPROCS(0)
}

// words returns Options.Words, or the format's default.
func (j *modelJob) words(normal int) int {
	switch {
	case j.options.Words == 0:
		return normal
	case j.options.Words < 0:
		return j.model.NumWords()
	}
	return j.options.Words
}

// progressEvery is the number of units between reports.
const progressEvery = 4096

// step reports that unit i of n is about to be written. It returns an error if the work was cancelled.
func (j *modelJob) step(i, n int) error {
	if i%progressEvery == 0 || i == n {
		return j.advance(i, n)
	}
	return nil
}

// advance is step for every unit, for units that come in large groups.
func (j *modelJob) advance(i, n int) error {
	if j.options.Progress != nil {
		j.options.Progress(int64(i), int64(n))
	}
	return j.ctx.Err()
}
