package source

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/topoi-lda/topoi/corpus/source/internal/input"
	"github.com/topoi-lda/topoi/corpus/source/internal/roles"
)

// useCounts is the use of a field that maps terms to counts.
const useCounts = "counts"

// Column describes what became of a column of a table or a field of a JSON object.
type Column struct {
	Name    string // as the header has it; without a header its number, from 1
	Use     string // text, tokens, counts, id, label, time or title; empty when it is left out
	Guessed bool   // used because of its name or place, not because an option says so
	Rival   string // of a column left out: the use that its name or its values fit, too

	// Kind is the kind of the first values: text, category, date, number, id, link, other; empty if none was seen.
	Kind string
}

// chosen are the columns that serve each role, by name.
type chosen struct {
	fields  [roles.Count][]string
	guessed [roles.Count]bool
	kinds   []roles.Kind // of all columns
}

// asked returns the fields that the options name for a role.
func (o *Options) asked(r roles.Role) []string {
	if r == roles.Text {
		return o.TextFields
	}
	name := [roles.Count]string{
		roles.Tokens: o.TokensField, roles.ID: o.IDField, roles.Label: o.LabelField, roles.Time: o.TimeField,
		roles.Title: o.TitleField,
	}[r]
	if name == "" {
		return nil
	}
	return []string{name}
}

// carried returns the fields of a document that hold one column each, by role; nil for other roles.
func (d *Document) carried() [roles.Count]*[]byte {
	return [roles.Count]*[]byte{roles.ID: &d.ID, roles.Label: &d.Label, roles.Time: &d.Time, roles.Title: &d.Title}
}

// choose decides which of the columns serve which role: those that the options ask for, else what
// names and values suggest. fits, if not nil, tells whether what column i holds could serve; content that does
// not fit is taken where nothing else is.
func (o *Options) choose(columns []roles.Column, fits func(r roles.Role, i int) bool) chosen {
	if fits == nil {
		fits = func(roles.Role, int) bool { return true }
	}
	c := o.guess(columns, fits)
	if len(c.content()) == 0 {
		return o.guess(columns, func(r roles.Role, i int) bool {
			return r == roles.Text || r == roles.Tokens ||
				fits(r, i)
		})
	}
	return c
}

func (o *Options) guess(columns []roles.Column, fits func(r roles.Role, i int) bool) chosen {
	var c chosen
	given := func(r roles.Role) bool {
		return len(o.asked(r)) > 0 || r == roles.Text && o.TokensField != "" || r == roles.Tokens &&
			len(o.TextFields) > 0
	}
	for r := range roles.Count {
		c.fields[r] = o.asked(r)
	}
	g := roles.Choose(columns, given, fits)
	c.kinds = g.Kinds
	for r, i := range g.Column {
		if i >= 0 {
			c.fields[r], c.guessed[r] = []string{fieldName(columns, i)}, true
		}
	}
	return c
}

// fieldName returns the name by which a column is asked for: its own, or its number.
func fieldName(columns []roles.Column, i int) string {
	return cmp.Or(columns[i].Name, strconv.Itoa(i+1))
}

// noText returns the error that no column holds text, and what each holds.
func noText(columns []roles.Column, kinds []roles.Kind) string {
	var list []string
	for i := range columns {
		if i == 8 {
			list = append(list, fmt.Sprintf("and %d more", len(columns)-i))
			break
		}
		name := input.Quote([]byte(fieldName(columns, i)))
		if kinds[i] != roles.Unknown {
			name += fmt.Sprintf(" (%s)", kinds[i])
		}
		list = append(list, name)
	}
	return strings.Join(list, ", ")
}

// content returns the fields that hold text, or those that hold tokens: never are there both.
func (c *chosen) content() []string {
	return slices.Concat(c.fields[roles.Text], c.fields[roles.Tokens])
}

// columns describes the columns called names. index finds the one that a field
// means, -1 for a field inside of one; content is the use of the content.
func (c *chosen) columns(names []string, index func(field string) int, content string) []Column {
	serves := make([][]Column, len(names))
	inside := make([]bool, len(names)) // a field inside is used
	var inner []Column
	for r, fields := range c.fields {
		use := roles.Uses[r]
		if roles.Role(r) == roles.Text || roles.Role(r) == roles.Tokens {
			use = content
		}
		for _, field := range fields {
			if i := index(field); i >= 0 {
				serves[i] = append(serves[i], Column{Name: names[i], Use: use, Guessed: c.guessed[r]})
				continue
			}
			top, _, _ := strings.Cut(field, ".")
			if i := slices.Index(names, top); i >= 0 {
				inside[i] = true
			}
			inner = append(inner, Column{Name: field, Use: use})
		}
	}
	var list []Column
	for i, name := range names {
		if len(serves[i]) == 0 && !inside[i] {
			serves[i] = []Column{{Name: name, Rival: c.rival(name, i)}}
		}
		for k := range serves[i] {
			if i < len(c.kinds) {
				serves[i][k].Kind = string(c.kinds[i])
			}
		}
		list = append(list, serves[i]...)
	}
	return append(list, inner...)
}

// rival returns the use that a column left out would fit.
func (c *chosen) rival(name string, i int) string {
	if r, exact := roles.Best(name); exact {
		return roles.Uses[r]
	}
	if i < len(c.kinds) {
		return map[roles.Kind]string{roles.Date: "time", roles.Category: "label", roles.Key: "id"}[c.kinds[i]]
	}
	return ""
}

// nameIndex finds a field in a list of names.
func nameIndex(names []string) func(string) int {
	return func(field string) int { return slices.Index(names, field) }
}

// isHeader reports whether the first of the rows names columns.
func isHeader(rows [][]string, o *Options) bool {
	for r := range roles.Count {
		for _, name := range o.asked(r) {
			if !isNumber(name) && slices.ContainsFunc(rows[0],
				func(f string) bool { return strings.TrimSpace(f) == name }) {
				return true
			}
		}
	}
	return roles.HasHeader(rows)
}
