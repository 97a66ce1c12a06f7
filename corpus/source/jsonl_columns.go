package source

import "slices"

// chooseOthers finds the fields that go along with the documents: those that the options
// name, or else all of the first object that serve no other purpose.
func (j *jsonl) chooseOthers() {
	names := j.o.Columns
	if names == nil {
		for _, name := range j.top {
			if !slices.ContainsFunc(j.chosen.fields[:], func(used []string) bool { return slices.Contains(used, name) }) {
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
