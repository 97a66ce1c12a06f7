package export

import (
	"bufio"
	"cmp"
	"context"
	"fmt"
	"io"
	"strconv"

	"github.com/topoi-lda/topoi"
	"github.com/topoi-lda/topoi/corpus"
)

// Stream writes the topics of documents that come a few at a time, as soon as they are known. It is for
// pipes and connections. Its output is the same as that of [Infer] for the same documents.
type Stream struct {
	j    *job
	out  *bufio.Writer
	text func(l *line, v *docView)
	view *docView
	line line
}

// NewStream returns a stream that writes to w in the format csv or jsonl.
func NewStream(m *topoi.Model, format string, w io.Writer, how topoi.InferOptions, o Options) (*Stream, error) {
	j, err := newInference(context.Background(), m, nil, how, o)
	if err != nil {
		return nil, err
	}
	s := &Stream{j: j, out: bufio.NewWriterSize(w, 1<<16), view: j.newView()}
	switch format {
	case "csv":
		s.text = j.csvDocRows
		return s, j.csvHeader(s.out, docTopicsHeader)
	case "jsonl":
		s.text = j.jsonLine
		return s, nil
	}
	return nil, fmt.Errorf("%s cannot be written document by document: a stream is csv or jsonl", format)
}

// Write finds the topics of docs and writes them before it returns. Documents have the numbers of
// [corpus.Corpus.Number].
func (s *Stream) Write(ctx context.Context, docs *corpus.Corpus) error {
	err := s.j.model.Infer(ctx, docs, s.j.how, func(d *topoi.DocTopics) error {
		s.j.show(s.view, docItem{docs: docs, doc: d.Doc, inferred: d})
		s.line = s.line[:0]
		s.text(&s.line, s.view)
		_, err := s.out.Write(s.line)
		return err
	})
	if err != nil {
		return err
	}
	return s.out.Flush()
}

// Lines makes the jsonl lines that [Infer] and [Stream] write, from topics that were inferred elsewhere. It
// is for servers. It belongs to one goroutine and takes 8 bytes a topic.
type Lines struct {
	j    *job
	view *docView
}

// NewLines returns the lines for a model's documents. It reads the model's labels.
func NewLines(m *topoi.Model) (*Lines, error) {
	j := &job{modelJob: modelJob{model: m}}
	var err error
	if j.labels, err = m.Labels(); err != nil {
		return nil, err
	}
	return &Lines{j: j, view: j.newView()}, nil
}

// Clone returns lines for another goroutine. It does not sort the model's priors again.
func (l *Lines) Clone() *Lines {
	j := *l.j
	return &Lines{j: &j, view: j.newView()}
}

// Append appends the line of a document, which contains the number and ID, Label and Time of head; an empty ID becomes
// the number. It uses Options.Top and Options.MinTheta of o, and ignores other options and d.Doc.
func (l *Lines) Append(dst []byte, number int, head corpus.Document, d *topoi.DocTopics, o Options) []byte {
	l.j.options = o
	v := l.view
	v.doc, v.id, v.tokens = number, cmp.Or(head.ID, strconv.Itoa(number)), d.Tokens
	v.label, v.time = &head.Label, &head.Time
	v.take(d)
	out := line(dst)
	l.j.jsonLine(&out, v)
	return out
}
