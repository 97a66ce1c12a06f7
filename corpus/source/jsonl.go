package source

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/topoi-lda/topoi/corpus/source/internal/input"
	"github.com/topoi-lda/topoi/corpus/source/internal/roles"
	"github.com/topoi-lda/topoi/internal/human"
)

func openJSONL(_ string, in *input.Scanner, o *Options) (Source, error) {
	j := &jsonl{in: in, o: o, wantAt: map[string]int{}}
	line, err := in.Checked(in.NextNonBlank())
	if err == io.EOF {
		return nil, (&input.Error{
			File: in.Name,
			Msg:  "the file holds only blank lines",
		}).WithHint("a jsonl input needs at least one document")
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
	j.top = j.parse.top
	kinds := j.parse.kinds
	columns := j.sample()
	j.chosen = o.choose(columns, func(r roles.Role, i int) bool {
		list := kinds[i] == '[' || kinds[i] == '{'
		return list == (r == roles.Tokens) && (r != roles.Text || kinds[i] == '"' || kinds[i] == 'n')
	})
	if len(j.chosen.content()) == 0 {
		return nil, in.Errorf("no field holds text or tokens; found %s",
			noText(columns, j.chosen.kinds)).WithHint("name the field with Options.TextFields or Options.TokensField")
	}
	for r, fields := range j.chosen.fields {
		for _, name := range fields {
			j.wanted[r] = append(j.wanted[r], j.want(name))
		}
	}
	j.chooseOthers()
	return j, j.chooseContent()
}

// sample returns the fields of the first object with their values in the first objects.
func (j *jsonl) sample() []roles.Column {
	columns := make([]roles.Column, len(j.top))
	p := jsonParser{wants: make([]jsonWant, len(j.top))}
	for i, name := range j.top {
		columns[i].Name, p.wants[i].path = name, []string{name}
	}
	var rest [][]byte
	if len(j.top) <= 1000 {
		rest = input.HeadLines(j.in.Peek()[:min(len(j.in.Peek()), input.HeadSize)])
	}
	for _, line := range append([][]byte{j.first}, rest...) {
		if p.object(line) != nil {
			continue // a line that is cut off, or one that is refused when it is its turn
		}
		for i, w := range p.wants {
			if len(w.value) > 1 && w.value[0] == '"' {
				columns[i].Values = append(columns[i].Values, string(unescape(nil, w.value[1:len(w.value)-1])))
			} else if len(w.value) > 0 && w.value[0] != '[' && w.value[0] != '{' && w.value[0] != 'n' {
				columns[i].Values = append(columns[i].Values, string(w.value))
			}
		}
	}
	return columns
}

// chooseContent looks at the first object to see which form the content has.
func (j *jsonl) chooseContent() error {
	if err := j.object(j.first); err != nil {
		return err
	}
	j.contents = append(j.wanted[roles.Text], j.wanted[roles.Tokens]...)
	if len(j.contents) > 1 {
		return nil // several fields are text
	}
	name := j.chosen.content()[0]
	value := j.parse.wants[j.contents[0]].value
	switch {
	case value == nil:
		return j.in.Errorf("no field is called %q%s", name, human.Hint(name, j.top))
	case value[0] == '[':
		j.content = ContentTokens
	case value[0] == '{':
		j.content = ContentIDs
		j.terms = j.o.names
	case j.o.TokensField != "" && value[0] == 'n':
		j.content = ContentTokens
	case j.o.TokensField != "":
		return j.in.Errorf("the field %q is neither an array of tokens nor an object of counts", name).WithHint("read text with Options.TextFields = %s", name)
	}
	return nil
}

// taken tells what the fields are used for.
func (j *jsonl) taken() Taken {
	content := j.content.String()
	if j.content == ContentIDs {
		content = useCounts
	}
	return Taken{Columns: j.chosen.columns(j.top, nameIndex(j.top), content)}
}

// object parses a line into the wanted fields.
func (j *jsonl) object(line []byte) error {
	err := j.parse.object(line)
	if e, ok := errors.AsType[*jsonError](err); ok {
		found := "the end of the line"
		if e.at < len(line) {
			found = input.Quote(line[e.at:min(len(line), e.at+12)])
		}
		return j.in.Errorf("byte %d: found %s, expected %s", e.at+1, found,
			e.expected).WithHint("every line must hold one JSON object (jq -c '.[]' turns an array into lines)")
	}
	return err
}

func (j *jsonl) Content() Content { return j.content }
func (j *jsonl) Close() error     { return nil }

func (j *jsonl) Vocabulary() ([]string, error) {
	if j.terms == nil {
		return nil, nil
	}
	return j.terms.Words, nil
}

func (j *jsonl) Next(doc *Document) error {
	line := j.first
	if j.begun {
		var err error
		if line, err = j.in.Checked(j.in.NextNonBlank()); err == io.EOF {
			return j.finish()
		} else if err != nil {
			return err
		}
	}
	j.begun = true
	if err := j.object(line); err != nil {
		return err
	}
	for r, into := range doc.carried() {
		if into == nil || len(j.wanted[r]) == 0 {
			continue
		}
		var err error
		if j.space[r], err = j.scalar(j.space[r][:0], j.wanted[r][0]); err != nil {
			return err
		}
		*into = j.space[r]
	}
	j.addColumns(doc)
	return j.fill(doc)
}

// fill sets the content of a document.
func (j *jsonl) fill(doc *Document) error {
	wants := j.contents
	if !slices.ContainsFunc(wants, func(w int) bool { return j.parse.wants[w].value != nil }) {
		return j.in.Errorf("the object has no field %q",
			j.name(wants[0])).WithHint("every object must have it; null stands for an empty document")
	}
	if j.content == ContentText {
		return j.text(wants, doc)
	}
	value := j.parse.wants[wants[0]].value
	j.found[wants[0]] = true
	switch {
	case string(value) == "null":
		return nil
	case j.content == ContentTokens:
		return j.array(wants[0], doc)
	}
	return j.counts(wants[0], doc)
}

// text fills a document from the strings of one or more fields.
func (j *jsonl) text(wants []int, doc *Document) error {
	j.joined = j.joined[:0]
	for _, w := range wants {
		value := j.parse.wants[w].value
		if value != nil && value[0] != '"' && value[0] != 'n' {
			return j.in.Errorf("the field %q is %s, expected a string", j.name(w),
				input.Quote(value)).WithHint("all objects must hold text in the same form as the first")
		}
		var err error
		if j.space[roles.Text], err = j.scalar(j.space[roles.Text][:0], w); err != nil {
			return err
		}
		j.joined = appendText(j.joined, j.space[roles.Text])
	}
	doc.Text = j.joined
	return nil
}

// finish reports fields that were asked for and that no object had.
func (j *jsonl) finish() error {
	for i, found := range j.found {
		if !found {
			e := &input.Error{File: j.in.Name, Msg: fmt.Sprintf("no object has the field %q", j.name(i))}
			return e.WithHint("correct the name of the field")
		}
	}
	return io.EOF
}
