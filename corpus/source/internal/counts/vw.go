package counts

import (
	"bytes"

	"github.com/topoi-lda/topoi/corpus/source/internal/input"
)

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
			return at.where.Errorf("found %s, expected word:count", input.Quote(f)).WithHint("write a colon between a word and its count")
		}
		at.bag.Add(v.o.Names.ID(word), n)
	}
	return nil
}
