package counts

import (
	"bytes"

	"github.com/topoi-lda/topoi/corpus/source/internal/input"
)

// vw reads the text format of Vowpal Wabbit as it is used for topic models:
//
//	tag |namespace word:count word word:count |namespace …
//
// What stands before the first bar names the document: a single word is its
// id (a leading apostrophe is dropped); of several the first is the label and
// the last the id. Names of namespaces, which touch their bar, are ignored;
// a word without a count occurs once. Words are numbered as they appear.
// Blank lines are skipped.
type vw struct {
	in    *input.Scanner
	o     *Options
	names *Names
	words
	fields [][]byte
	bag    Bag
}

// OpenVW opens the text format of Vowpal Wabbit.
func OpenVW(_ string, in *input.Scanner, o *Options) (Reader, error) {
	return &vw{in: in, o: o, names: o.Names}, nil
}

func (v *vw) Vocabulary() []string { return v.names.Words }

func (v *vw) Next(doc *Document) error {
	line, err := v.in.NextNonBlank()
	if err != nil {
		return err
	}
	if line, err = input.CheckText(line, v.in, 0); err != nil {
		return err
	}
	head, rest, ok := bytes.Cut(line, []byte("|"))
	if !ok {
		return v.in.Errorf("found no | on the line, expected: tag | word:count word …").WithHint("put a | before the words of every line")
	}
	v.fields = input.AppendFields(v.fields[:0], head)
	if n := len(v.fields); n > 0 {
		doc.ID = bytes.TrimPrefix(v.fields[n-1], []byte("'"))
		if n > 1 {
			doc.Label = v.fields[0]
		}
	}
	v.bag.Reset()
	for ok {
		var part []byte
		part, rest, ok = bytes.Cut(rest, []byte("|"))
		if err := v.namespace(part); err != nil {
			return err
		}
	}
	doc.Words, doc.Counts = v.bag.Words, v.bag.Counts
	return nil
}

// namespace adds the words behind one bar.
func (v *vw) namespace(part []byte) error {
	if len(part) > 0 && part[0] != ' ' && part[0] != '\t' {
		_, part = input.FirstWord(part)
	}
	v.fields = input.AppendFields(v.fields[:0], part)
	for _, f := range v.fields {
		word, value, ok := input.CutPair(f)
		n := uint32(1)
		if ok {
			var err error
			if n, err = Count(v.in, value, v.o.Round); err != nil {
				return err
			}
		}
		if len(word) == 0 {
			return v.in.Errorf("found %s, expected word:count", input.Quote(f)).WithHint("a colon must stand between a word and its count")
		}
		v.bag.Add(v.names.ID(word), n)
	}
	return nil
}
