package source

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/topoi-lda/topoi/corpus/source/internal/input"
	"github.com/topoi-lda/topoi/corpus/source/internal/roles"
)

// namePattern reads what the names of text files tell: of {date}-{party}.txt a time and a label.
type namePattern struct {
	expr  *regexp.Regexp
	names []string
	role  []roles.Role // of each name; Count: it only goes along
}

// datesInNames are dates with and without separators, months and years.
const datesInNames = `(\d{4}(?:[-_.]?\d\d(?:[-_.]?\d\d)?)?|\d{1,2}[-.]\d{1,2}[-.]\d{4})`

var placeholder = regexp.MustCompile(`\{[^{}/]+\}`)

// newNamePattern makes a pattern ready; nil for none. A name that tells no other use is the label, if it is the first
// such.
func newNamePattern(pattern string) (*namePattern, error) {
	if pattern == "" {
		return nil, nil
	}
	p := &namePattern{}
	expr, at := "^", 0
	for _, m := range placeholder.FindAllStringIndex(pattern, -1) {
		name := pattern[m[0]+1 : m[1]-1]
		r, _ := roles.Best(name)
		value := "(.+?)"
		if r == roles.Time {
			value = datesInNames
		}
		expr += regexp.QuoteMeta(pattern[at:m[0]]) + value
		at = m[1]
		if r != roles.Time && r != roles.Title && r != roles.ID {
			r = roles.Label
		}
		if slices.Contains(p.role, r) {
			r = roles.Count
		}
		p.names, p.role = append(p.names, name), append(p.role, r)
	}
	if len(p.names) == 0 {
		return nil, fmt.Errorf("the pattern of file names %q has no {name} in it: write, for example, '{date}-{party}.txt'", pattern)
	}
	p.expr = regexp.MustCompile(expr + regexp.QuoteMeta(pattern[at:]) + "$")
	return p, nil
}

// tell adds which parts of the names are labels and times, under the names that the pattern gives them.
func (p *namePattern) tell(taken *Taken) {
	if p == nil || taken == nil {
		return
	}
	for i, name := range p.names {
		use := map[roles.Role]string{roles.Label: "label", roles.Time: "time"}[p.role[i]]
		known := slices.ContainsFunc(taken.Columns, func(c Column) bool { return c.Name == name })
		if use != "" && !known {
			taken.Columns = append(taken.Columns, Column{Name: name, Use: use})
		}
	}
}

// read fills what the name of a file tells, and reports whether it fits the pattern.
func (p *namePattern) read(path string, doc *Document) bool {
	if !strings.Contains(p.expr.String(), "/") {
		path = path[strings.LastIndexByte(path, '/')+1:]
	}
	m := p.expr.FindStringSubmatch(path)
	if m == nil {
		return false
	}
	for i, name := range p.names {
		switch value := []byte(m[i+1]); p.role[i] {
		case roles.Time:
			doc.Time = value
		case roles.Label:
			doc.Label = input.Tidy(value)
		case roles.Title:
			doc.Title = value
		default:
			doc.Columns = append(doc.Columns, Field{name, value})
		}
	}
	return true
}
