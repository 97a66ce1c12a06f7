package counts

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
	in   *input.Scanner
	o    *Options
	base uint64
	words
	limit  uint64 // largest 0-based id
	names  *Names // nil while features are numbers
	fields [][]byte
	bag    Bag
}

// OpenSVMLight opens the format of SVMlight and libsvm.
func OpenSVMLight(path string, in *input.Scanner, o *Options) (Reader, error) {
	s := &svmlight{in: in, o: o, base: 1}
	if o.IndexBase == "0" {
		s.base = 0
	}
	if feature := firstFeature(in.Peek()); feature != nil {
		if len(feature) == 0 || bytes.IndexFunc(feature, input.NotDigit) >= 0 {
			s.names = o.Names
			return s, nil
		}
	}
	var err error
	if s.limit, err = s.read(o, path+".vocab", input.PlainName(path)+".vocab"); err != nil {
		return nil, err
	}
	return s, nil
}

// firstFeature returns the key of the first pair in head, or nil.
func firstFeature(head []byte) []byte {
	for _, line := range input.HeadLines(head) {
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

func (s *svmlight) Vocabulary() []string {
	if s.names != nil {
		return s.names.Words
	}
	return s.vocab
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
		doc.Words, doc.Counts = s.bag.Words, s.bag.Counts
		return nil
	}
}

func (s *svmlight) pairs(fields [][]byte) error {
	s.bag.Reset()
	for _, f := range fields {
		key, value, ok := input.CutPair(f)
		if !ok || len(key) == 0 {
			return s.in.Errorf("found %s, expected feature:value", input.Quote(f)).WithHint("every field after the first must be a pair; a comment begins with #")
		}
		if string(key) == "qid" {
			continue
		}
		n, err := Count(s.in, value, s.o.Round)
		if err != nil {
			return err
		}
		if s.names != nil {
			s.bag.Add(s.names.ID(key), n)
			continue
		}
		id, err := wordID(s.in, key, s.base, s.limit, len(s.vocab))
		if err != nil {
			return err
		}
		s.bag.Add(id, n)
	}
	return nil
}
