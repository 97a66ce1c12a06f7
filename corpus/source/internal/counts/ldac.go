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
	in *input.Scanner
	o  *Options
	words
	limit  uint64 // largest id
	fields [][]byte
	bag    Bag
}

// OpenLDAC opens Blei's LDA-C.
func OpenLDAC(path string, in *input.Scanner, o *Options) (Reader, error) {
	l := &ldac{in: in, o: o}
	var err error
	if l.limit, err = l.read(o, path+".vocab", input.PlainName(path)+".vocab"); err != nil {
		return nil, err
	}
	return l, nil
}

func (l *ldac) Next(doc *Document) error {
	line, err := l.in.NextNonBlank()
	if err != nil {
		return err
	}
	l.fields = input.AppendFields(l.fields[:0], line)
	promised, ok := input.Digits(l.fields[0])
	if !ok {
		return l.in.Errorf("found %s, expected the number of pairs on the line", input.Quote(l.fields[0])).WithHint("if the first field is a label, use Options.Format = svmlight")
	}
	pairs := l.fields[1:]
	if promised != uint64(len(pairs)) {
		return l.in.Errorf("found %s, but the first field promises %d", input.Plural(len(pairs), "pair"), promised).WithHint("if the first field is a label, use Options.Format = svmlight")
	}
	l.bag.Reset()
	for _, p := range pairs {
		key, value, ok := input.CutPair(p)
		if !ok {
			return l.in.Errorf("found %s, expected id:count", input.Quote(p)).WithHint("every field after the first must be a pair")
		}
		id, err := wordID(l.in, key, 0, l.limit, len(l.vocab))
		if err != nil {
			return err
		}
		n, err := Count(l.in, value, l.o.Round)
		if err != nil {
			return err
		}
		l.bag.Add(id, n)
	}
	doc.Words, doc.Counts = l.bag.Words, l.bag.Counts
	return nil
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
