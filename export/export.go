// Package export writes trained models in the formats of other programs: MALLET, GibbsLDA++, WarpLDA,
// gensim, pyLDAvis, NumPy and SciPy, Parquet, CSV and JSON.
//
// Everything is streamed. Memory grows with the vocabulary, with K times the number of threads, and for
// coherence with the words in documents, but never with the product of any two of documents, words and
// topics. Formats that hold all of such a product are refused beyond 256 GB. Several goroutines make the
// text, which is written in order. Outputs appear whole or not at all and hold no times or machine names,
// so the same model gives the same bytes for any number of threads. Topics and documents keep their
// numbers, counted from 0, and documents their ids, labels and times.
//
// docs/formats.md has the grammar of every format.
package export

import (
	"context"
	"fmt"
	"io"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"github.com/topoi-lda/topoi"
	"github.com/topoi-lda/topoi/column"
	"github.com/topoi-lda/topoi/corpus"
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

	// Documents says which documents are written: "train" for the training documents, "heldout" for the
	// held-out documents with inferred topics, "all" for both in the order of the corpus. Formats without
	// Format.HeldOut support only "train". Default "train".
	Documents string

	// With names columns of the documents that are added to tables of documents. Formats without
	// Format.Columns refuse them.
	With []string

	// Excel writes CSV for Excel: with a byte order mark, and with an apostrophe before text that looks
	// like a formula.
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
	case o.Documents != "" && !slices.Contains(Documents(), o.Documents):
		return fmt.Errorf("unknown choice of documents %q%s", o.Documents, human.Hint(o.Documents, Documents()))
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

// Documents lists the values of Options.Documents.
func Documents() []string { return []string{"train", "heldout", "all"} }

// Formats lists all formats in the order in which help texts show them.
func Formats() []Format {
	list := make([]Format, len(registry))
	for i, e := range registry {
		list[i] = e.Format
	}
	return list
}

// Names lists the names of all formats.
func Names() []string {
	list := make([]string, len(registry))
	for i, e := range registry {
		list[i] = e.Name
	}
	return list
}

// Find returns the format with the given name. The error suggests the most similar name.
func Find(name string) (Format, error) {
	e, err := find(name)
	return e.Format, err
}

func find(name string) (entry, error) {
	for _, e := range registry {
		if e.Name == name {
			return e, nil
		}
	}
	return entry{}, fmt.Errorf("unknown export format %q%s", name, human.Hint(name, Names()))
}

// Write writes the model to path in the named format. It replaces a file that is already there, but not a
// directory. Text formats are compressed if path ends in .gz or .zst. Path "-" writes a single file to
// standard output.
func Write(ctx context.Context, m *topoi.Model, format, path string, o Options) error {
	e, err := find(format)
	if err != nil {
		return err
	}
	if err := o.Validate(); err != nil {
		return err
	}
	j := &job{modelJob: modelJob{ctx: ctx, model: m, options: o}}
	if j.labels, err = m.Labels(); err != nil {
		return err
	}
	for _, d := range e.dense {
		if err := d.check(format, j); err != nil {
			return err
		}
	}
	if e.Docs {
		if j.docs, err = m.Docs(); err != nil {
			return err
		}
	}
	if err := j.chooseDocs(e.Format); err != nil {
		return err
	}
	if err := j.chooseColumns(e.Format); err != nil {
		return err
	}
	if e.Directory {
		return writeDirectory(j, e.files, path)
	}
	return writeFile(path, o.extension(path), e.Text, j.threads(),
		func(w io.Writer) error { return e.files[0].write(j, w) })
}

// modelJob is what an export of the model alone works on.
type modelJob struct {
	ctx     context.Context
	model   *topoi.Model
	labels  topic.Labels
	prior   *priors
	options Options
}

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

// entry is a format with its files. The file of a format that is not a directory has no name.
type entry struct {
	Format
	files []file
	dense []dense // matrices that it writes with all zeros
}

// heldOut marks a format that can hold documents with inferred topics.
func (e entry) heldOut() entry {
	e.HeldOut = true
	return e
}

// columns marks a format that has a table of documents.
func (e entry) columns() entry {
	e.Columns = true
	return e
}

// with adds the matrices that a format writes with all zeros.
func (e entry) with(matrices ...dense) entry {
	e.dense = matrices
	return e
}

type file struct {
	name  string
	write func(j *job, w io.Writer) error
}

func text(name, description string, docs bool, write func(*job, io.Writer) error) entry {
	return entry{Format{Name: name, Description: description, Text: true, Docs: docs}, []file{{"", write}}, nil}
}

func packed(name, description string, docs bool, write func(*job, io.Writer) error) entry {
	return entry{Format{Name: name, Description: description, Docs: docs}, []file{{"", write}}, nil}
}

func directory(name, description string, docs bool, files ...file) entry {
	return entry{Format{Name: name, Description: description, Directory: true, Docs: docs}, files, nil}
}

// registry lists every format. To add one, write a function and add a line here.
var registry = []entry{
	text("mallet-state", "MALLET's state: the topic of every token", true, malletState),
	text("mallet-topic-keys", "MALLET's topic keys: the top words of every topic", false, malletTopicKeys),
	text("mallet-doc-topics", "MALLET's document topics: all shares of every document", true,
		malletDocTopics).with(denseDocTopics).heldOut(),
	text("mallet-doc-topics-threshold", "MALLET's older document topics: the largest shares of every document", true,
		malletDocTopicsThreshold).with(denseShares).heldOut(),
	text("mallet-topic-word-weights", "MALLET's weight of every word in every topic", false,
		malletTopicWordWeights).with(denseTopicWords),
	text("mallet-word-topic-counts", "MALLET's topic counts of every word", false, malletWordTopicCounts),
	text("mallet-topic-docs", "MALLET's top documents of every topic", true, malletTopicDocs),
	text("mallet-diagnostics", "MALLET's topic diagnostics as XML", true, malletDiagnostics),
	text("mallet-topic-report", "MALLET's report of topics as XML", false, malletTopicReport),
	directory("gibbslda", "the five files of GibbsLDA++ and its word map", true,
		file{"model-final.theta", gibbsTheta}, file{"model-final.phi", gibbsPhi},
		file{"model-final.tassign", gibbsAssignments},
		file{"model-final.others", gibbsOthers}, file{"model-final.twords", gibbsTopWords},
		file{"wordmap.txt", gibbsWordMap}).with(denseDocTopics, denseTopicWords),
	text("warplda", "WarpLDA's model: the topic counts of every word", false, warpModel),
	directory("parquet", "Parquet tables: topics, topic words, document topics, vocabulary", true,
		file{"topics.parquet", parquetTopics}, file{"topic_words.parquet", parquetTopicWords},
		file{"doc_topics.parquet", parquetDocTopics},
		file{"vocab.parquet", parquetVocab}).with(denseShares).heldOut().columns(),
	packed("parquet-topics", "Parquet table of topics", true, parquetTopics),
	packed("parquet-topic-words", "Parquet table of topics and words", false, parquetTopicWords),
	packed("parquet-doc-topics", "Parquet table of documents and topics, one row per pair", true,
		parquetDocTopics).with(denseShares).heldOut().columns(),
	packed("parquet-doc-topics-wide", "Parquet table of documents × topics, one column per topic", true,
		parquetDocTopicsWide).with(denseTheta).heldOut().columns(),
	packed("parquet-doc-topics-list", "Parquet table of documents, their topics in lists", true,
		parquetDocTopicsList).with(denseLists).heldOut().columns(),
	packed("parquet-vocab", "Parquet table of words", true, parquetVocab),
	packed("parquet-assignments", "Parquet table of all tokens with their topics", true, parquetAssignments),
	packed("npz-topic-words", "n_wk as a SciPy sparse matrix, topics × words", false, npzTopicWords),
	packed("npz-doc-topics", "n_dk as a SciPy sparse matrix, documents × topics", true, npzDocTopics),
	directory("npy-doc-topics", "θ as a NumPy array, documents × topics, and the documents' ids beside it", true,
		file{"theta.npy", npyTheta}, file{"docs.csv", csvDocs}).with(denseTheta).heldOut().columns(),
	directory("npy-topic-words", "φ as a NumPy array, topics × words, and the words beside it", false,
		file{"phi.npy", npyPhi}, file{"words.csv", csvWords}).with(densePhi),
	directory("gensim", "arrays, dictionary and corpus for gensim and scikit-learn, with a script that loads them", true,
		file{"lambda.npy", npyLambda}, file{"alpha.npy", npyAlpha}, file{"id2word.txt", gensimDictionary},
		file{"corpus.mm", gensimCorpus}, file{"load.py", gensimScript}).with(denseLambda),
	text("csv-topics", "CSV table of topics", true, csvTopics),
	text("csv-topic-words", "CSV table of topics and words", false, csvTopicWords),
	text("csv-doc-topics", "CSV table of documents and topics, one row per pair", true,
		csvDocTopics).with(denseShares).heldOut().columns(),
	text("csv-doc-topics-wide", "CSV table of documents × topics, one column per topic", true,
		csvDocTopicsWide).with(denseDocTopics).heldOut().columns(),
	packed("xlsx", "Excel workbook: documents, topics, words and groups as sheets", true,
		xlsx).with(denseDocTopics).heldOut().columns(),
	text("json", "topics with their top words as JSON", false, jsonTopics),
	text("pyldavis", "the data of a pyLDAvis picture as JSON", false, pyLDAvis),
}
