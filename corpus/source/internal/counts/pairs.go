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
		return doc, false, at.where.Errorf("found %s, expected a target before the first pair",
			input.Quote(doc.label)).WithHint("put a label or 0 at the beginning of every line")
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
		return at.where.Errorf("found %s, expected feature:value",
			input.Quote(field)).WithHint("every field after the first must be a pair; a comment begins with #")
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

// ldac reads Blei's LDA-C format. Every line is a document:
//
//	M id:count id:count …
//
// where M is the number of pairs and ids are 0-based. Blank lines are skipped.
type ldac struct {
	lineReader
	words
	o     *Options
	limit uint64 // largest id
}

// OpenLDAC opens Blei's LDA-C.
func OpenLDAC(path string, in *input.Scanner, o *Options) (Reader, error) {
	l := &ldac{o: o}
	var err error
	if l.limit, err = l.read(o, path+".vocab", input.PlainName(path)+".vocab"); err != nil {
		return nil, err
	}
	l.lineReader = newLineReader(in, o.Threads, l.parse)
	return l, nil
}

// parse reads a line.
func (l *ldac) parse(at *lines, line []byte) (doc lineDoc, ok bool, err error) {
	at.fields = input.AppendFields(at.fields[:0], line)
	promised, ok := input.Digits(at.fields[0])
	if !ok {
		return doc, false, at.where.Errorf("found %s, expected the number of pairs on the line", input.Quote(at.fields[0])).WithHint("if the first field is a label, use Options.Format = svmlight")
	}
	pairs := at.fields[1:]
	if promised != uint64(len(pairs)) {
		return doc, false, at.where.Errorf("found %s, but the first field announces %d", input.Plural(len(pairs), "pair"), promised).WithHint("if the first field is a label, use Options.Format = svmlight")
	}
	for _, p := range pairs {
		key, value, ok := input.CutPair(p)
		if !ok {
			return doc, false, at.where.Errorf("found %s, expected id:count",
				input.Quote(p)).WithHint("every field after the first must be a pair")
		}
		id, err := wordID(at.where, key, 0, l.limit, len(l.vocab))
		if err != nil {
			return doc, false, err
		}
		n, err := Count(at.where, value, l.o.Round)
		if err != nil {
			return doc, false, err
		}
		at.bag.Add(id, n)
	}
	return doc, true, nil
}

// wordID parses the id of a word, which counts from base on, into a 0-based
// one. limit is the largest 0-based id, words the size of the vocabulary or 0.
func wordID(in *input.Scanner, b []byte, base, limit uint64, words int) (uint32, error) {
	v, ok := input.Digits(b)
	if ok && v >= base && v-base <= limit {
		return uint32(v - base), nil
	}
	if len(b) > 1 && b[0] == '-' && bytes.IndexFunc(b[1:], input.NotDigit) < 0 {
		return 0, in.Errorf("word id %s is negative", b).WithHint("ids count from %d", base)
	}
	if bytes.IndexFunc(b, input.NotDigit) >= 0 || len(b) == 0 {
		return 0, in.Errorf("word id is %s, which is not a whole number", input.Quote(b)).WithHint("ids count from %d",
			base)
	}
	if ok && v < base {
		return 0, in.Errorf("word id %d is below the first id, %d", v, base).WithHint("if ids count from %d, use Options.IndexBase = %d", v, v)
	}
	if words > 0 {
		return 0, in.Errorf("word id %s is too large: the vocabulary has %s, so the largest is %d", b,
			input.Plural(words, "word"),
			limit+base).WithHint("give the vocabulary that belongs to this file with Options.VocabPath")
	}
	return 0, in.Errorf("word id %s is too large: the largest possible is %d", b,
		limit+base).WithHint("number the words from %d on", base)
}

// vw reads the text format of Vowpal Wabbit as it is used for topic models:
//
//	tag |namespace word:count word word:count |namespace …
//
// What stands before the first bar names the document: a single word is its id (a leading apostrophe is dropped); of
// several the first is the label and the last the id. Names of namespaces, which touch their bar, are ignored; a word
// without a count occurs once. Words are numbered as they appear. Blank lines are skipped.
type vw struct {
	lineReader
	words
	o *Options
}

// OpenVW opens the text format of Vowpal Wabbit.
func OpenVW(_ string, in *input.Scanner, o *Options) (Reader, error) {
	v := &vw{o: o}
	v.lineReader = newLineReader(in, 1, v.parse) // words get their numbers in order
	return v, nil
}

// Vocabulary returns the words met.
func (v *vw) Vocabulary() []string { return v.o.Names.Words }

// parse reads a line.
func (v *vw) parse(at *lines, line []byte) (doc lineDoc, ok bool, err error) {
	if line, err = input.CheckText(line, at.where, 0); err != nil {
		return doc, false, err
	}
	head, rest, ok := bytes.Cut(line, []byte("|"))
	if !ok {
		return doc, false, at.where.Errorf("found no | on the line, expected: tag | word:count word …").WithHint("put a | before the words of every line")
	}
	at.fields = input.AppendFields(at.fields[:0], head)
	if n := len(at.fields); n > 0 {
		doc.id = bytes.TrimPrefix(at.fields[n-1], []byte("'"))
		if n > 1 {
			doc.label = at.fields[0]
		}
	}
	for ok {
		var part []byte
		part, rest, ok = bytes.Cut(rest, []byte("|"))
		if err := v.namespace(at, part); err != nil {
			return doc, false, err
		}
	}
	return doc, true, nil
}

// namespace adds the words behind one bar.
func (v *vw) namespace(at *lines, part []byte) error {
	if len(part) > 0 && part[0] != ' ' && part[0] != '\t' {
		_, part = input.FirstWord(part)
	}
	at.fields = input.AppendFields(at.fields[:0], part)
	for _, f := range at.fields {
		word, value, ok := input.CutPair(f)
		n := uint32(1)
		if ok {
			var err error
			if n, err = Count(at.where, value, v.o.Round); err != nil {
				return err
			}
		}
		if len(word) == 0 {
			return at.where.Errorf("found %s, expected word:count",
				input.Quote(f)).WithHint("write a colon between a word and its count")
		}
		at.bag.Add(v.o.Names.ID(word), n)
	}
	return nil
}
