package corpus

import (
	"context"
	"io"

	"github.com/topoi-lda/topoi/corpus/source"
)

// FromTexts returns a corpus of the given texts, a document each, treated as [Load]
// treats files: cut into words by opts.Text, and pruned as the options say. Text d is
// document d, also where none of its words is left.
func FromTexts(texts []string, opts ImportOptions) (*Corpus, error) {
	c, _, err := LoadSource(context.Background(), &textsSource{texts: texts}, opts)
	return c, err
}

// textsSource gives texts as documents.
type textsSource struct {
	texts []string
	next  int
}

func (s *textsSource) Next(doc *source.Document) error {
	if s.next == len(s.texts) {
		return io.EOF
	}
	*doc = source.Document{Text: []byte(s.texts[s.next])}
	s.next++
	return nil
}

func (s *textsSource) Content() source.Content       { return source.ContentText }
func (s *textsSource) Vocabulary() ([]string, error) { return nil, nil }
func (s *textsSource) Close() error                  { return nil }
