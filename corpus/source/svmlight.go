package source

import (
	"bytes"

	"github.com/topoi-lda/topoi/corpus/source/internal/input"
)

// svmlight reads the format of SVMlight and libsvm. Every line is a document:
//
//	target feature:value feature:value … # comment
//
// The target, any word, becomes the label; the comment, if any, the id. Pairs
// called qid are skipped, and so are blank lines and lines that hold only a
// comment. Features are ids counting from 1, or from 0 with Options.IndexBase.
// If the first feature of the input is not a number, all features are words,
// numbered as they appear.
type svmlight struct {
	in     *input.Scanner
	o      *Options
	base   uint64
	vocab  []string
	limit  uint64    // largest 0-based id
	names  *interner // nil while features are numbers
	fields [][]byte
	bag    bag
}

func openSVMLight(path string, in *input.Scanner, o *Options) (Source, error) {
	s := &svmlight{in: in, o: o, base: 1, limit: maxWordID}
	if o.IndexBase == "0" {
		s.base = 0
	}
	if feature := firstFeature(in.Peek()); feature != nil {
		if len(feature) == 0 || bytes.IndexFunc(feature, input.NotDigit) >= 0 {
			s.names = o.names
			return s, nil
		}
	}
	if name := findVocabulary(o, path+".vocab", input.PlainName(path)+".vocab"); name != "" {
		var err error
		if s.vocab, err = readVocabulary(name, o); err != nil {
			return nil, err
		}
		s.limit = uint64(len(s.vocab)) - 1
	}
	return s, nil
}

// firstFeature returns the key of the first pair in head, or nil.
func firstFeature(head []byte) []byte {
	for _, line := range headLines(head) {
		line, _, _ = bytes.Cut(line, []byte("#"))
		fields := bytes.Fields(line)
		for i, f := range fields {
			if key, _, ok := input.CutPair(f); ok && i > 0 && string(key) != "qid" {
				return key
			}
		}
	}
	return nil
}

func (s *svmlight) Content() Content { return ContentIDs }
func (s *svmlight) Close() error     { return nil }
func (s *svmlight) numWords() int    { return len(s.vocab) }

func (s *svmlight) Vocabulary() ([]string, error) {
	if s.names != nil {
		return s.names.words, nil
	}
	return s.vocab, nil
}

func (s *svmlight) Next(doc *Document) error {
	for {
		line, err := s.in.NextNonBlank()
		if err != nil {
			return err
		}
		if line, err = input.CheckText(line, s.in, 0); err != nil {
			return err
		}
		line, comment, _ := bytes.Cut(line, []byte("#"))
		s.fields = input.AppendFields(s.fields[:0], line)
		if len(s.fields) == 0 {
			continue
		}
		doc.Label, doc.ID = s.fields[0], bytes.TrimSpace(comment)
		if bytes.IndexByte(doc.Label, ':') >= 0 {
			return s.in.Errorf("found %s, expected a target before the first pair", input.Quote(doc.Label)).WithHint("put a label or 0 at the beginning of every line")
		}
		if err := s.pairs(s.fields[1:]); err != nil {
			return err
		}
		doc.Words, doc.Counts = s.bag.words, s.bag.counts
		return nil
	}
}

func (s *svmlight) pairs(fields [][]byte) error {
	s.bag.reset()
	for _, f := range fields {
		key, value, ok := input.CutPair(f)
		if !ok || len(key) == 0 {
			return s.in.Errorf("found %s, expected feature:value", input.Quote(f)).WithHint("every field after the first must be a pair; a comment begins with #")
		}
		if string(key) == "qid" {
			continue
		}
		n, err := count(s.in, value, s.o)
		if err != nil {
			return err
		}
		if s.names != nil {
			s.bag.add(s.names.id(key), n)
			continue
		}
		id, err := wordID(s.in, key, s.base, s.limit, len(s.vocab))
		if err != nil {
			return err
		}
		s.bag.add(id, n)
	}
	return nil
}
