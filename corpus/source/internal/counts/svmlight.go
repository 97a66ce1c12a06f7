package counts

import (
	"bytes"

	"github.com/topoi-lda/topoi/corpus/source/internal/input"
)

// svmlight reads the format of SVMlight and libsvm. Every line is a document:
//
//	target feature:value feature:value … # comment
//
// The target, any word, becomes the label; the comment, if any, the id. Pairs called qid are skipped, and so are
// blank lines and lines that hold only a comment. Features are ids counting from 1, or from 0 with Options.IndexBase.
// If the first feature of the input is not a number, all features are words, numbered as they appear.
type svmlight struct {
	lineReader
	words
	o     *Options
	base  uint64
	limit uint64 // largest 0-based id
	names *Names // nil while features are numbers
}

// OpenSVMLight opens the format of SVMlight and libsvm.
func OpenSVMLight(path string, in *input.Scanner, o *Options) (Reader, error) {
	s := &svmlight{o: o, base: 1}
	if o.IndexBase == "0" {
		s.base = 0
	}
	threads := o.Threads
	feature := firstFeature(in.Peek())
	if feature != nil && (len(feature) == 0 || bytes.IndexFunc(feature, input.NotDigit) >= 0) {
		s.names, threads = o.Names, 1 // words get their numbers in order
	} else {
		var err error
		if s.limit, err = s.read(o, path+".vocab", input.PlainName(path)+".vocab"); err != nil {
			return nil, err
		}
	}
	s.lineReader = newLineReader(in, threads, s.parse)
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

// parse reads a line.
func (s *svmlight) parse(at *lines, line []byte) (doc lineDoc, ok bool, err error) {
	if line, err = input.CheckText(line, at.where, 0); err != nil {
		return doc, false, err
	}
	line, comment, _ := bytes.Cut(line, []byte("#"))
	at.fields = input.AppendFields(at.fields[:0], line)
	if len(at.fields) == 0 {
		return doc, false, nil
	}
	doc.label, doc.id = at.fields[0], bytes.TrimSpace(comment)
	if bytes.IndexByte(doc.label, ':') >= 0 {
		return doc, false, at.where.Errorf("found %s, expected a target before the first pair", input.Quote(doc.label)).WithHint("put a label or 0 at the beginning of every line")
	}
	for _, f := range at.fields[1:] {
		if err := s.pair(at, f); err != nil {
			return doc, false, err
		}
	}
	return doc, true, nil
}

// pair takes a feature.
func (s *svmlight) pair(at *lines, field []byte) error {
	key, value, ok := input.CutPair(field)
	if !ok || len(key) == 0 {
		return at.where.Errorf("found %s, expected feature:value", input.Quote(field)).WithHint("every field after the first must be a pair; a comment begins with #")
	}
	if string(key) == "qid" {
		return nil
	}
	n, err := Count(at.where, value, s.o.Round)
	if err != nil {
		return err
	}
	if s.names != nil {
		at.bag.Add(s.names.ID(key), n)
		return nil
	}
	id, err := wordID(at.where, key, s.base, s.limit, len(s.vocab))
	if err != nil {
		return err
	}
	at.bag.Add(id, n)
	return nil
}
