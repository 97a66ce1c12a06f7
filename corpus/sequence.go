package corpus

import (
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"maps"
	"slices"

	"github.com/topoi-lda/topoi/corpus/source"
)

// FromSeq returns a corpus of the documents that a sequence yields, such as the rows of a database. It treats them as
// [Load] treats files: opts.Text cuts texts into words, and the options decide which words are dropped. Either all
// documents have Tokens, or all have Text. An error of the sequence ends it and is returned. Documents are read one by
// one and only once, so they need not fit in memory; the corpus has no name and vanishes when it is closed.
func FromSeq(ctx context.Context, docs iter.Seq2[Document, error], opts ImportOptions) (*Corpus, *Report, error) {
	if err := opts.Validate(); err != nil {
		return nil, nil, err
	}
	next, stop := iter.Pull2(docs)
	s := &sequence{next: next, stop: stop}
	s.first, s.err, s.more = next()
	if s.holds = source.ContentText; len(s.first.Tokens) > 0 {
		s.holds = source.ContentTokens
	}
	if err := opts.checkHonoured("the sequence", "documents", s.holds); err != nil {
		return nil, nil, errors.Join(err, s.Close())
	}
	return opts.uncut(loadSource(ctx, s, opts))
}

// sequence is a source of documents that are pulled from an iterator.
type sequence struct {
	next  func() (Document, error, bool)
	stop  func()
	holds source.Content
	read  int // documents handed over

	first Document // the document that comes next, which is read ahead
	err   error
	more  bool
}

// Next hands over the document that was read ahead.
func (s *sequence) Next(doc *source.Document) error {
	if !s.more {
		return io.EOF
	}
	if s.err != nil {
		return fmt.Errorf("document %d of the sequence: %w", s.read, s.err)
	}
	d := s.first
	*doc = source.Document{
		ID: []byte(d.ID), Label: []byte(d.Label), Time: []byte(d.Time), Title: []byte(d.Title), Snippet: []byte(d.Snippet),
	}
	for _, name := range slices.Sorted(maps.Keys(d.Columns)) {
		doc.Columns = append(doc.Columns, source.Field{Name: name, Value: []byte(d.Columns[name])})
	}
	switch {
	case s.holds == source.ContentText && len(d.Tokens) > 0:
		return fmt.Errorf("document %d of the sequence has tokens, and those before have texts: give one of both", s.read)
	case s.holds == source.ContentText:
		doc.Text = []byte(d.Text)
	case len(d.Tokens) == 0 && d.Text != "":
		return fmt.Errorf("document %d of the sequence has a text, and those before have tokens: give one of both", s.read)
	}
	for _, token := range d.Tokens {
		doc.Tokens = append(doc.Tokens, []byte(token))
	}
	s.read++
	s.first, s.err, s.more = s.next()
	return nil
}

func (s *sequence) Content() source.Content       { return s.holds }
func (s *sequence) Vocabulary() ([]string, error) { return nil, nil }

// Close lets the sequence end.
func (s *sequence) Close() error {
	s.stop()
	return nil
}
