package counts

import (
	"bytes"

	"github.com/topoi-lda/topoi/corpus/source/internal/input"
)

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
			return doc, false, at.where.Errorf("found %s, expected id:count", input.Quote(p)).WithHint("every field after the first must be a pair")
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
		return 0, in.Errorf("word id is %s, which is not a whole number", input.Quote(b)).WithHint("ids count from %d", base)
	}
	if ok && v < base {
		return 0, in.Errorf("word id %d is below the first id, %d", v, base).WithHint("if ids count from %d, use Options.IndexBase = %d", v, v)
	}
	if words > 0 {
		return 0, in.Errorf("word id %s is too large: the vocabulary has %s, so the largest is %d", b, input.Plural(words, "word"), limit+base).WithHint("give the vocabulary that belongs to this file with Options.VocabPath")
	}
	return 0, in.Errorf("word id %s is too large: the largest possible is %d", b, limit+base).WithHint("number the words from %d on", base)
}
