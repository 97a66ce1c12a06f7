// Package export writes trained models in the formats of other programs: MALLET, GibbsLDA++, WarpLDA,
// gensim, pyLDAvis, NumPy and SciPy, Parquet, CSV and JSON.
//
// Everything is streamed. Memory grows with the vocabulary, with K times the number of threads, and for coherence with
// the words in documents, but never with the product of any two of documents, words and topics. Formats that hold all
// of such a product are refused beyond 256 GB. Several goroutines make the text, which is written in order. Outputs
// appear whole or not at all and hold no times or machine names, so the same model gives the same bytes for any number
// of threads. Topics and documents keep their numbers, counted from 0, and documents their ids, labels and times.
//
// docs/formats.md has the grammar of every format.
package export

import (
	"context"
	"fmt"
	"io"

	"github.com/topoi-lda/topoi"
	"github.com/topoi-lda/topoi/internal/human"
	"github.com/topoi-lda/topoi/internal/lists"
)

// Formats lists all formats in the order in which help texts show them.
func Formats() []Format {
	return lists.Of(registry, func(e entry) Format { return e.Format })
}

// formatNames lists the names of all formats.
func formatNames() []string {
	return lists.Of(registry, func(e entry) string { return e.Name })
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
	return entry{}, fmt.Errorf("unknown export format %q%s", name, human.Hint(name, formatNames()))
}

// Write writes the model to path in the named format. It replaces a file that is already there, but not a directory.
// Text formats are compressed if path ends in .gz or .zst. Path "-" writes a single file to standard output.
func Write(ctx context.Context, m *topoi.Model, format, path string, o Options) error {
	e, err := find(format)
	if err != nil {
		return err
	}
	if err := o.Validate(); err != nil {
		return err
	}
	if e.last {
		m = m.LastDraw()
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

// entry is a format with its files. The file of a format that is not a directory has no name.
type entry struct {
	Format
	files []file
	dense []dense // matrices that it writes with all zeros
	last  bool    // it holds whole counts, which only those of one draw are
}

// lastDraw marks a format of whole counts.
func (e entry) lastDraw() entry {
	e.last = true
	return e
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

func text(name, description string, docs bool, write func(*job, io.Writer) error) entry {
	return entry{Format{Name: name, Description: description, Text: true, Docs: docs}, []file{{"", write}}, nil, false}
}

func packed(name, description string, docs bool, write func(*job, io.Writer) error) entry {
	return entry{Format{Name: name, Description: description, Docs: docs}, []file{{"", write}}, nil, false}
}

func directory(name, description string, docs bool, files ...file) entry {
	return entry{Format{Name: name, Description: description, Directory: true, Docs: docs}, files, nil, false}
}

// registry lists every format. To add one, write a function and add a line here.
var registry = []entry{
	text("mallet-state", "MALLET's state: the topic of every token", true, malletState).lastDraw(),
	text("mallet-topic-keys", "MALLET's topic keys: the top words of every topic", false, malletTopicKeys),
	text("mallet-doc-topics", "MALLET's document topics: all shares of every document", true,
		malletDocTopics).with(denseDocTopics).heldOut(),
	text("mallet-doc-topics-threshold", "MALLET's older document topics: the largest shares of every document", true,
		malletDocTopicsThreshold).with(denseShares).heldOut(),
	text("mallet-topic-word-weights", "MALLET's weight of every word in every topic", false,
		malletTopicWordWeights).with(denseTopicWords),
	text("mallet-word-topic-counts", "MALLET's topic counts of every word", false, malletWordTopicCounts).lastDraw(),
	text("mallet-topic-docs", "MALLET's top documents of every topic", true, malletTopicDocs),
	text("mallet-diagnostics", "MALLET's topic diagnostics as XML", true, malletDiagnostics).lastDraw(),
	text("mallet-topic-report", "MALLET's report of topics as XML", false, malletTopicReport).lastDraw(),
	directory("gibbslda", "the five files of GibbsLDA++ and its word map", true,
		file{"model-final.theta", gibbsTheta}, file{"model-final.phi", gibbsPhi},
		file{"model-final.tassign", gibbsAssignments},
		file{"model-final.others", gibbsOthers}, file{"model-final.twords", gibbsTopWords},
		file{"wordmap.txt", gibbsWordMap}).with(denseDocTopics, denseTopicWords).lastDraw(),
	text("warplda", "WarpLDA's model: the topic counts of every word", false, warpModel).lastDraw(),
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
	packed("npz-topic-words", "n_wk as a SciPy sparse matrix, topics × words", false, npzTopicWords).lastDraw(),
	packed("npz-doc-topics", "n_dk as a SciPy sparse matrix, documents × topics", true, npzDocTopics),
	directory("npy-doc-topics", "θ as a NumPy array, documents × topics, and the documents' ids beside it", true,
		file{"theta.npy", npyTheta}, file{"docs.csv", csvDocs}).with(denseTheta).heldOut().columns(),
	directory("npy-topic-words", "φ as a NumPy array, topics × words, and the words beside it", false,
		file{"phi.npy", npyPhi}, file{"words.csv", csvWords}).with(densePhi),
	directory("gensim", "arrays, dictionary and corpus for gensim and scikit-learn, with a script that loads them",
		true,
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
	text("openlineage", "inputs, options, program and machine of the run as an OpenLineage event", false, openLineage),
	directory("mlflow", "the model in a folder that mlflow.pyfunc.load_model opens", true,
		file{"MLmodel", mlflowModel}, file{"requirements.txt", constant("topoi\nnumpy\npandas\nscipy\n")},
		file{"python_env.yaml", constant("python: 3.11\ndependencies:\n- -r requirements.txt\n")}, file{"model", nil}),
}
