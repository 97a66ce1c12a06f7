package source

import (
	"bytes"
	"slices"
	"strings"

	"github.com/topoi-lda/topoi/corpus/source/internal/counts"
	"github.com/topoi-lda/topoi/corpus/source/internal/input"
	"github.com/topoi-lda/topoi/corpus/source/internal/roles"
)

// scalar appends the characters of a string, number or boolean field.
func (j *jsonl) scalar(to []byte, want int) ([]byte, error) {
	value := j.parse.wants[want].value
	if value == nil {
		return to, nil
	}
	j.found[want] = true
	switch value[0] {
	case '"':
		return j.unescape(to, value)
	case 'n':
		return to, nil
	case '[', '{':
		return nil, j.in.Errorf("the field %q is %s, expected a string or a number", j.name(want),
			input.Quote(value)).WithHint("choose another field, or flatten this one")
	}
	return append(to, value...), nil
}

// unescape appends the characters of a JSON string.
func (j *jsonl) unescape(to, value []byte) ([]byte, error) {
	begin := len(to)
	to = unescape(to, value[1:len(value)-1])
	if bytes.IndexByte(to[begin:], 0) < 0 {
		return to, nil
	}
	if !j.o.RepairUTF8 {
		return nil, j.in.Errorf(`a string holds \u0000, which text never holds`).WithHint("remove it, or replace it with Options.RepairUTF8")
	}
	fixed := bytes.ReplaceAll(to[begin:], []byte{0}, []byte("\uFFFD"))
	return append(to[:begin], fixed...), nil
}

// array fills a document from an array of tokens.
func (j *jsonl) array(want int, doc *Document) error {
	value := j.parse.wants[want].value
	if value[0] != '[' {
		return j.in.Errorf("the field %q is %s, expected an array of tokens", j.name(want),
			input.Quote(value)).WithHint("all objects must hold tokens in the same form as the first")
	}
	p := jsonParser{b: value}
	space := j.space[roles.Tokens][:0]
	j.ends = j.ends[:0]
	err := p.list(']', "", func() error {
		begin := p.i
		if err := p.skip(); err != nil {
			return err
		}
		item := value[begin:p.i]
		if item[0] != '"' {
			return j.in.Errorf("the array %q holds %s, expected tokens in quotation marks", j.name(want),
				input.Quote(item)).WithHint("every token must be a string")
		}
		var err error
		space, err = j.unescape(space, item)
		j.ends = append(j.ends, len(space))
		return err
	})
	if err != nil {
		return err
	}
	j.space[roles.Tokens], j.tokens = space, j.tokens[:0]
	begin := 0
	for _, end := range j.ends { // only now has space stopped moving
		if end > begin {
			j.tokens = append(j.tokens, space[begin:end:end])
		}
		begin = end
	}
	doc.Tokens = j.tokens
	return nil
}

// counts fills a document from an object that maps terms to counts.
func (j *jsonl) counts(want int, doc *Document) error {
	value := j.parse.wants[want].value
	if value[0] != '{' {
		return j.in.Errorf("the field %q is %s, expected an object of counts", j.name(want),
			input.Quote(value)).WithHint("all objects must hold counts in the same form as the first")
	}
	j.bag.Reset()
	p := jsonParser{b: value}
	err := p.members(func(key []byte) error {
		begin := p.i
		if err := p.skip(); err != nil {
			return err
		}
		n, err := counts.Count(j.in, value[begin:p.i], j.o.Round)
		if err != nil {
			return err
		}
		if len(key) == 0 || bytes.IndexByte(key, 0) >= 0 {
			return j.in.Errorf("the term %q is empty or holds \\u0000", key).WithHint("remove it")
		}
		j.bag.Add(j.terms.ID(key), n)
		return nil
	})
	doc.Words, doc.Counts = j.bag.Words, j.bag.Counts
	return err
}

// chooseOthers finds the fields that go along with the documents: those that the options
// name, or else all of the first object that serve no other purpose.
func (j *jsonl) chooseOthers() {
	names := j.o.Columns
	if names == nil {
		for _, name := range j.top {
			if !slices.ContainsFunc(j.chosen.fields[:], func(used []string) bool {
				return slices.Contains(used,
					name)
			}) {
				names = append(names, name)
			}
		}
	}
	for _, name := range names {
		j.along = append(j.along, Field{Name: name})
		j.alongWants = append(j.alongWants, j.want(name))
	}
}

// addColumns hands over the fields that go along with a document: strings, numbers and
// booleans as they are, the items of an array joined by |. Objects have no value.
func (j *jsonl) addColumns(doc *Document) {
	text, ends := j.alongText[:0], j.alongEnds[:0]
	for _, w := range j.alongWants {
		j.found[w] = true // a column may be empty everywhere
		text = appendValue(text, j.parse.wants[w].value)
		ends = append(ends, len(text))
	}
	begin := 0
	for i, end := range ends { // only now has text stopped moving
		j.along[i].Value = text[begin:end:end]
		begin = end
	}
	j.alongText, j.alongEnds, doc.Columns = text, ends, j.along
}

// appendValue appends a JSON value as a column holds it.
func appendValue(to, value []byte) []byte {
	switch {
	case len(value) == 0 || value[0] == 'n' || value[0] == '{':
		return to
	case value[0] == '"':
		return unescape(to, value[1:len(value)-1])
	case value[0] != '[':
		return append(to, value...)
	}
	p := jsonParser{b: value}
	return p.join(to)
}

// join steps over the array at p.i, which was parsed before, and appends its items.
func (p *jsonParser) join(to []byte) []byte {
	first := true
	_ = p.list(']', "", func() error {
		if !first {
			to = append(to, '|')
		}
		first = false
		if p.peek() == '[' {
			to = p.join(to)
			return nil
		}
		begin := p.i
		err := p.skip()
		to = appendValue(to, p.b[begin:p.i])
		return err
	})
	return to
}

// jsonl reads one JSON object a line. The content of a document is a string of text, an array of tokens, or an object
// that maps terms to counts; id, label, time and title may be strings, numbers or booleans. A null is an empty value.
// Blank lines are skipped.
type jsonl struct {
	in      *input.Scanner
	o       *Options
	parse   jsonParser // its wants are the distinct fields that are used
	content Content
	terms   *counts.Names // of maps from terms to counts
	begun   bool
	first   []byte         // the first line, which was read to find the fields
	top     []string       // keys of the first object
	wantAt  map[string]int // wants by their paths

	chosen   chosen
	wanted   [roles.Count][]int // indices of wants
	contents []int              // of those with text or tokens
	found    []bool             // wants that some object had
	space    [roles.Count][]byte
	joined   []byte // texts of all fields
	tokens   [][]byte
	ends     []int // ends of the tokens in space[roles.Tokens]
	bag      counts.Bag

	along      []Field // backing of Document.Columns
	alongWants []int   // indices of their wants
	alongText  []byte
	alongEnds  []int
}

func (j *jsonl) name(want int) string { return strings.Join(j.parse.wants[want].path, ".") }

// want returns the index of the want for a field: the key itself if the first
// object has it, else the parts between its dots.
func (j *jsonl) want(name string) int {
	path := []string{name}
	if _, ok := j.parse.topAt[name]; !ok {
		path = strings.Split(name, ".")
	}
	key := strings.Join(path, "\x00") // which no key holds unless it is written \u0000
	if i, ok := j.wantAt[key]; ok && slices.Equal(j.parse.wants[i].path, path) {
		return i
	}
	j.wantAt[key] = len(j.parse.wants)
	j.parse.wants = append(j.parse.wants, jsonWant{path: path})
	j.found = append(j.found, false)
	return len(j.found) - 1
}
