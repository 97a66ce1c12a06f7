package source

import (
	"bytes"
)

// ldac reads Blei's LDA-C format. Every line is a document:
//
//	M id:count id:count …
//
// where M is the number of pairs and ids are 0-based. Blank lines are skipped.
type ldac struct {
	in     *scanner
	o      *Options
	vocab  []string
	limit  uint64 // largest id
	fields [][]byte
	bag    bag
}

func openLDAC(path string, in *scanner, o *Options) (Source, error) {
	l := &ldac{in: in, o: o, limit: maxWordID}
	if name := findVocabulary(o, path+".vocab", plainName(path)+".vocab"); name != "" {
		var err error
		if l.vocab, err = readVocabulary(name, o); err != nil {
			return nil, err
		}
		l.limit = uint64(len(l.vocab)) - 1
	}
	return l, nil
}

func (l *ldac) Content() Content              { return ContentIDs }
func (l *ldac) Vocabulary() ([]string, error) { return l.vocab, nil }
func (l *ldac) Close() error                  { return nil }
func (l *ldac) numWords() int                 { return len(l.vocab) }

func (l *ldac) Next(doc *Document) error {
	line, err := nextNonBlank(l.in)
	if err != nil {
		return err
	}
	l.fields = appendFields(l.fields[:0], line)
	promised, ok := digits(l.fields[0])
	if !ok {
		return l.in.errorf("found %s, expected the number of pairs on the line", quote(l.fields[0])).hint("if the first field is a label, use Options.Format = svmlight")
	}
	pairs := l.fields[1:]
	if promised != uint64(len(pairs)) {
		return l.in.errorf("found %s, but the first field promises %d", plural(len(pairs), "pair"), promised).hint("if the first field is a label, use Options.Format = svmlight")
	}
	l.bag.reset()
	for _, p := range pairs {
		key, value, ok := cutPair(p)
		if !ok {
			return l.in.errorf("found %s, expected id:count", quote(p)).hint("every field after the first must be a pair")
		}
		id, err := wordID(l.in, key, 0, l.limit, len(l.vocab))
		if err != nil {
			return err
		}
		n, err := count(l.in, value, l.o)
		if err != nil {
			return err
		}
		l.bag.add(id, n)
	}
	doc.Words, doc.Counts = l.bag.words, l.bag.counts
	return nil
}

// wordID parses the id of a word, which counts from base on, into a 0-based
// one. limit is the largest 0-based id, words the size of the vocabulary or 0.
func wordID(in *scanner, b []byte, base, limit uint64, words int) (uint32, error) {
	v, ok := digits(b)
	if ok && v >= base && v-base <= limit {
		return uint32(v - base), nil
	}
	if len(b) > 1 && b[0] == '-' && bytes.IndexFunc(b[1:], notDigit) < 0 {
		return 0, in.errorf("word id %s is negative", b).hint("ids count from %d", base)
	}
	if bytes.IndexFunc(b, notDigit) >= 0 || len(b) == 0 {
		return 0, in.errorf("word id is %s, which is not a whole number", quote(b)).hint("ids count from %d", base)
	}
	if ok && v < base {
		return 0, in.errorf("word id %d is below the first id, %d", v, base).hint("if ids count from %d, use Options.IndexBase = %d", v, v)
	}
	if words > 0 {
		return 0, in.errorf("word id %s is too large: the vocabulary has %s, so the largest is %d", b, plural(words, "word"), limit+base).hint("give the vocabulary that belongs to this file with Options.VocabPath")
	}
	return 0, in.errorf("word id %s is too large: the largest possible is %d", b, limit+base).hint("number the words from %d on", base)
}
