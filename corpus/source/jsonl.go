package source

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/topoi-lda/topoi/internal/nearest"
)

// jsonl reads one JSON object a line. The content of a document is a string of
// text, an array of tokens, or an object that maps terms to counts; id, label,
// time and title may be strings, numbers or booleans. A null is an empty value.
// Blank lines are skipped.
type jsonl struct {
	in      *scanner
	o       *Options
	parse   jsonParser
	content Content
	terms   *interner // of maps from terms to counts
	begun   bool
	first   []byte // the first line, which was read to find the fields

	found  [numWants]bool   // fields that some object had
	space  [numWants][]byte // unescaped values
	tokens [][]byte
	ends   []int // ends of the tokens in space[wantContent]
	bag    bag
}

// The fields in jsonParser.wants.
const (
	wantContent = iota
	wantID
	wantLabel
	wantTime
	wantTitle
	numWants
)

func openJSONL(_ string, in *scanner, o *Options) (Source, error) {
	j := &jsonl{in: in, o: o}
	line, err := j.line()
	if err == io.EOF {
		return nil, (&Error{File: in.name, Msg: "the file holds only blank lines"}).hint("a jsonl input needs at least one document")
	}
	if err != nil {
		return nil, err
	}
	j.first = bytes.Clone(line)
	j.parse.keepTop = true
	if err := j.object(j.first); err != nil {
		return nil, err
	}
	j.parse.keepTop = false
	j.parse.wants = make([]jsonWant, numWants)
	top := j.parse.top
	content := orDefault(o.TextField, o.TokensField)
	if content == "" {
		content = firstOf(top, append(slices.Clone(textNames), tokensNames...))
		if content == "" {
			return nil, in.errorf("no field is called %s or tokens; found %s", strings.Join(textNames, ", "), quoteList(top)).hint("name the field with --text-field or --tokens-field")
		}
	}
	j.want(wantContent, content, top)
	j.want(wantID, orDefault(o.IDField, firstOf(top, idNames)), top)
	j.want(wantLabel, orDefault(o.LabelField, firstOf(top, labelNames)), top)
	j.want(wantTime, orDefault(o.TimeField, firstOf(top, timeNames)), top)
	j.want(wantTitle, orDefault(o.TitleField, firstOf(top, titleNames)), top)
	return j, j.chooseContent(content, top)
}

// firstOf returns the key that equals one of the guesses, best guess first.
func firstOf(keys, guesses []string) string {
	for _, g := range guesses {
		for _, k := range keys {
			if strings.EqualFold(g, k) {
				return k
			}
		}
	}
	return ""
}

// want sets the path of a field: the key itself if the first object has it,
// else the parts between its dots. An empty name is never found.
func (j *jsonl) want(i int, name string, top []string) {
	switch {
	case name == "":
		j.found[i] = true
	case slices.Contains(top, name):
		j.parse.wants[i].path = []string{name}
	default:
		j.parse.wants[i].path = strings.Split(name, ".")
	}
}

// chooseContent looks at the first object to see which form the content has.
func (j *jsonl) chooseContent(name string, top []string) error {
	if err := j.object(j.first); err != nil {
		return err
	}
	value := j.parse.wants[wantContent].value
	switch {
	case value == nil:
		return j.in.errorf("no field is called %q%s", name, nearest.Hint(name, top))
	case value[0] == '[':
		j.content = ContentTokens
	case value[0] == '{':
		j.content = ContentIDs
		j.terms = j.o.names
	case j.o.TokensField != "" && value[0] == 'n':
		j.content = ContentTokens
	case j.o.TokensField != "":
		return j.in.errorf("the field %q is neither an array of tokens nor an object of counts", name).hint("read text with --text-field %s", name)
	}
	return nil
}

// line returns the next line that is not blank, checked to be UTF-8.
func (j *jsonl) line() ([]byte, error) {
	line, err := nextNonBlank(j.in)
	if err != nil {
		return nil, err
	}
	return checkText(line, j.in, 0, j.o)
}

// object parses a line into the wanted fields.
func (j *jsonl) object(line []byte) error {
	err := j.parse.object(line)
	var e *jsonError
	if errors.As(err, &e) {
		found := "the end of the line"
		if e.at < len(line) {
			found = quote(line[e.at:min(len(line), e.at+12)])
		}
		return j.in.errorf("byte %d: found %s, expected %s", e.at+1, found, e.expected).hint("every line must hold one JSON object (jq -c '.[]' makes such lines from an array)")
	}
	return err
}

func (j *jsonl) Content() Content { return j.content }
func (j *jsonl) Close() error     { return nil }

func (j *jsonl) Vocabulary() ([]string, error) {
	if j.terms == nil {
		return nil, nil
	}
	return j.terms.words, nil
}

func (j *jsonl) Next(doc *Document) error {
	line := j.first
	if j.begun {
		var err error
		if line, err = j.line(); err == io.EOF {
			return j.finish()
		} else if err != nil {
			return err
		}
	}
	j.begun = true
	if err := j.object(line); err != nil {
		return err
	}
	for i, into := range []*[]byte{nil, &doc.ID, &doc.Label, &doc.Time, &doc.Title} {
		if into == nil {
			continue
		}
		var err error
		if *into, err = j.scalar(i); err != nil {
			return err
		}
	}
	value := j.parse.wants[wantContent].value
	if value == nil {
		return j.in.errorf("the object has no field %q", j.name(wantContent)).hint("every object must have it; null stands for an empty document")
	}
	j.found[wantContent] = true
	if string(value) == "null" {
		return nil
	}
	switch j.content {
	case ContentTokens:
		return j.array(value, doc)
	case ContentIDs:
		return j.counts(value, doc)
	}
	if value[0] != '"' {
		return j.in.errorf("the field %q is %s, expected a string", j.name(wantContent), quote(value)).hint("all objects must hold text in the same form as the first")
	}
	var err error
	doc.Text, err = j.scalar(wantContent)
	return err
}

// finish reports fields that were asked for and that no object had.
func (j *jsonl) finish() error {
	for i, found := range j.found {
		if !found {
			e := &Error{File: j.in.name, Msg: fmt.Sprintf("no object has the field %q", j.name(i))}
			return e.hint("correct the name of the field")
		}
	}
	return io.EOF
}

func (j *jsonl) name(want int) string { return strings.Join(j.parse.wants[want].path, ".") }

// scalar returns the characters of a string, number or boolean field.
func (j *jsonl) scalar(want int) ([]byte, error) {
	value := j.parse.wants[want].value
	if value == nil {
		return nil, nil
	}
	j.found[want] = true
	switch value[0] {
	case '"':
		var err error
		j.space[want], err = j.unquote(j.space[want][:0], value)
		return j.space[want], err
	case 'n':
		return nil, nil
	case '[', '{':
		return nil, j.in.errorf("the field %q is %s, expected a string or a number", j.name(want), quote(value)).hint("choose another field, or flatten this one")
	}
	return value, nil
}

// unquote appends the characters of a JSON string.
func (j *jsonl) unquote(to, value []byte) ([]byte, error) {
	begin := len(to)
	to = unescape(to, value[1:len(value)-1])
	if bytes.IndexByte(to[begin:], 0) < 0 {
		return to, nil
	}
	if !j.o.RepairUTF8 {
		return nil, j.in.errorf(`a string holds \u0000, which text never holds`).hint("remove it, or replace it with --repair-utf8")
	}
	fixed := bytes.ReplaceAll(to[begin:], []byte{0}, []byte("\uFFFD"))
	return append(to[:begin], fixed...), nil
}

// array fills a document from an array of tokens.
func (j *jsonl) array(value []byte, doc *Document) error {
	if value[0] != '[' {
		return j.in.errorf("the field %q is %s, expected an array of tokens", j.name(wantContent), quote(value)).hint("all objects must hold tokens in the same form as the first")
	}
	p := jsonParser{b: value}
	space := j.space[wantContent][:0]
	j.ends = j.ends[:0]
	err := p.list(']', "", func() error {
		begin := p.i
		if err := p.skip(); err != nil {
			return err
		}
		item := value[begin:p.i]
		if item[0] != '"' {
			return j.in.errorf("the array %q holds %s, expected tokens in quotation marks", j.name(wantContent), quote(item)).hint("every token must be a string")
		}
		var err error
		space, err = j.unquote(space, item)
		j.ends = append(j.ends, len(space))
		return err
	})
	if err != nil {
		return err
	}
	j.space[wantContent], j.tokens = space, j.tokens[:0]
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
func (j *jsonl) counts(value []byte, doc *Document) error {
	if value[0] != '{' {
		return j.in.errorf("the field %q is %s, expected an object of counts", j.name(wantContent), quote(value)).hint("all objects must hold counts in the same form as the first")
	}
	j.bag.reset()
	p := jsonParser{b: value}
	err := p.members(func(key []byte) error {
		begin := p.i
		if err := p.skip(); err != nil {
			return err
		}
		n, err := count(j.in, value[begin:p.i], j.o)
		if err != nil {
			return err
		}
		if len(key) == 0 || bytes.IndexByte(key, 0) >= 0 {
			return j.in.errorf("the term %q is empty or holds \\u0000", key).hint("remove it")
		}
		j.bag.add(j.terms.id(key), n)
		return nil
	})
	doc.Words, doc.Counts = j.bag.words, j.bag.counts
	return err
}
