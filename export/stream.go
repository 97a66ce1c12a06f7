package export

import (
	"bufio"
	"context"
	"fmt"
	"io"

	"github.com/topoi-lda/topoi"
	"github.com/topoi-lda/topoi/corpus"
)

// Stream writes the topics of documents that come a few at a time, as soon as they
// are known: for pipes and connections. What it writes is what [Infer] would write
// of the same documents.
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

// Write finds the topics of docs, and has written them when it returns. The numbers of
// documents are those of [corpus.Corpus.Number].
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
