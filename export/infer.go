package export

import (
	"context"
	"fmt"
	"io"
	"slices"

	"github.com/topoi-lda/topoi"
	"github.com/topoi-lda/topoi/corpus"
	"github.com/topoi-lda/topoi/internal/human"
	"github.com/topoi-lda/topoi/internal/lists"
)

// inferFormat is a format of inferred topics.
type inferFormat struct {
	name  string
	text  bool
	dense dense
	write func(j *job, w io.Writer) error
}

var inferFormats = []inferFormat{
	{"csv", true, denseShares, csvDocTopics},
	{"csv-wide", true, denseDocTopics, csvDocTopicsWide},
	{"jsonl", true, denseShares, jsonlDocTopics},
	{"parquet", false, denseShares, parquetDocTopics},
	{"parquet-wide", false, denseTheta, parquetDocTopicsWide},
	{"npy", false, denseTheta, npyTheta},
	{"mallet", true, denseDocTopics, malletInferred},
	{"mallet-threshold", true, denseShares, malletDocTopicsThreshold},
}

// InferFormats returns the formats that [Infer] writes. The tables csv and parquet have a row for each
// document and topic; csv-wide and parquet-wide have a row for each document and a column for each topic.
// jsonl has one document per line. npy is θ alone, as a matrix for NumPy. mallet and mallet-threshold are
// the two layouts of MALLET's infer-topics.
func InferFormats() []string {
	return lists.Of(inferFormats, func(f inferFormat) string { return f.name })
}

func findInfer(name string) (inferFormat, error) {
	for _, f := range inferFormats {
		if f.name == name {
			return f, nil
		}
	}
	return inferFormat{}, fmt.Errorf("unknown format %q of inferred topics%s", name, human.Hint(name, InferFormats()))
}

// Infer finds the topics of documents that the model was not trained on, and writes them to path as they
// come, whole or not at all. "-" is standard output. It uses Top, MinTheta, Excel and Compress of the
// options, and all of how except for Progress. Memory does not grow with the number of documents.
func Infer(ctx context.Context, m *topoi.Model, docs *corpus.Corpus, format, path string, how topoi.InferOptions,
	o Options,
) error {
	f, err := findInfer(format)
	if err != nil {
		return err
	}
	j, err := newInference(ctx, m, docs, how, o)
	if err != nil {
		return err
	}
	if err := f.dense.checkSize(format, docs.NumDocs(), j); err != nil {
		return err
	}
	if slices.Contains([]string{"csv", "jsonl", "parquet"}, f.name) && m.Manifest().Covariates == nil {
		j.how.Top = o.Top // with covariates each document has its own prior, and another order
	}
	return writeFile(path, o.extension(path), f.text, j.threads(), func(w io.Writer) error { return f.write(j, w) })
}

// newInference returns the job that writes docs with inferred topics.
func newInference(ctx context.Context, m *topoi.Model, docs *corpus.Corpus, how topoi.InferOptions, o Options,
) (*job, error) {
	if err := o.Validate(); err != nil {
		return nil, err
	}
	how.Progress = nil // the writer reports progress instead
	o.Threads = how.Threads
	j := &job{modelJob: modelJob{ctx: ctx, model: m, options: o}, docs: docs, heldOut: docs, how: how}
	var err error
	j.labels, err = m.Labels()
	return j, err
}

func jsonlDocTopics(j *job, w io.Writer) error { return j.docText(w, j.topicsListed(), j.jsonLine) }

// jsonLine appends the line of one document: an object with doc, id, label and time if they are not empty, doc_tokens
// (N_d) and topics. Each topic has topic, theta, tokens (n_dk, averaged over sweeps) and, if not empty, topic_label.
func (j *modelJob) jsonLine(l *line, v *docView) {
	l.str(`{"doc":`)
	l.int(v.doc)
	l.str(`,"id":`)
	l.json(v.id)
	l.jsonMember(`,"label":`, orEmpty(v.label))
	l.jsonMember(`,"time":`, orEmpty(v.time))
	l.str(`,"doc_tokens":`)
	l.int(v.tokens)
	l.str(`,"topics":`)
	separator := byte('[')
	for _, s := range j.shares(v, 1) {
		l.byte(separator)
		separator = ','
		l.str(`{"topic":`)
		l.int(s.topic)
		l.str(`,"theta":`)
		l.jsonFloat(float32(s.theta))
		l.str(`,"tokens":`)
		l.jsonFloat(float32(v.counts[s.topic]))
		l.jsonMember(`,"topic_label":`, j.labels.Name(s.topic))
		l.byte('}')
	}
	if separator == '[' {
		l.byte('[')
	}
	l.str("]}\n")
}

func orEmpty(s *string) string {
	if s == nil {
		return ""
	}
	return *s
}
