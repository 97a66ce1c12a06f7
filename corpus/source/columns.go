package source

import (
	"slices"
	"strings"
)

// role is what a column of a table, or a field of a JSON object, is used for.
type role int

const (
	roleText role = iota
	roleTokens
	roleID
	roleLabel
	roleTime
	roleTitle
	numRoles
)

// uses names the roles for people.
var uses = [numRoles]string{"text", "tokens", "id", "label", "time", "title"}

// useCounts is the use of a field that maps terms to counts.
const useCounts = "counts"

// knownNames are the names that columns and fields are guessed by, in any case
// of letters, best first.
var knownNames = [numRoles][]string{
	roleText: {
		"text", "content", "contents", "body", "document", "full_text", "fulltext", "article", "abstract", "review",
		"comment", "message", "post", "tweet", "speech", "transcript", "description", "summary",
	},
	roleTokens: {"tokens"},
	roleID:     {"id", "doc_id", "docid", "document_id"},
	roleLabel:  {"label", "class", "category"},
	roleTime:   {"time", "date", "timestamp", "datetime", "year", "published", "published_at", "created_at"},
	roleTitle:  {"title", "headline", "subject"},
}

// Column says what became of a column of a table or a field of a JSON object.
type Column struct {
	Name    string // as the header has it; without a header its number, from 1
	Use     string // text, tokens, counts, id, label, time or title; empty when it is left out
	Guessed bool   // used because of its name or place, not because an option says so
	Rival   string // of a column left out: the use that its name fits, too, but that another column has
}

// chosen are the columns that serve each role, by name.
type chosen struct {
	fields  [numRoles][]string
	guessed [numRoles]bool
}

// asked returns the fields that the options name for a role.
func (o *Options) asked(r role) []string {
	if r == roleText {
		return o.TextFields
	}
	name := [numRoles]string{
		roleTokens: o.TokensField, roleID: o.IDField, roleLabel: o.LabelField, roleTime: o.TimeField, roleTitle: o.TitleField,
	}[r]
	if name == "" {
		return nil
	}
	return []string{name}
}

// choose decides which of the columns called names serve which role: those that
// the options ask for, else the one with the best known name. Tokens are looked
// for only where there is no text. fits, if not nil, tells whether what column i
// holds could serve; content that does not fit is taken where nothing else is.
func (o *Options) choose(names []string, fits func(r role, i int) bool) chosen {
	c := o.guess(names, fits)
	if len(c.content()) == 0 && fits != nil {
		return o.guess(names, func(r role, i int) bool { return r == roleText || r == roleTokens || fits(r, i) })
	}
	return c
}

func (o *Options) guess(names []string, fits func(r role, i int) bool) chosen {
	var c chosen
	for r := range numRoles {
		c.fields[r] = o.asked(r)
		skip := r == roleText && o.TokensField != "" || r == roleTokens && len(c.fields[roleText]) > 0
		if len(c.fields[r]) > 0 || skip {
			continue
		}
		if name := firstOf(names, knownNames[r], func(i int) bool { return fits == nil || fits(r, i) }); name != "" {
			c.fields[r], c.guessed[r] = []string{name}, true
		}
	}
	return c
}

// content returns the fields that hold text, or else tokens.
func (c *chosen) content() []string {
	if len(c.fields[roleText]) > 0 {
		return c.fields[roleText]
	}
	return c.fields[roleTokens]
}

// columns describes the columns called names. index finds the one that a field
// means, -1 for a field inside of one; content is the use of the content.
func (c *chosen) columns(names []string, index func(field string) int, content string) []Column {
	serves := make([][]Column, len(names))
	inside := make([]bool, len(names)) // a field inside is used
	var inner []Column
	for r, fields := range c.fields {
		use := uses[r]
		if role(r) == roleText || role(r) == roleTokens {
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
			serves[i] = []Column{{Name: name, Rival: c.rival(name)}}
		}
		list = append(list, serves[i]...)
	}
	return append(list, inner...)
}

// rival returns the use that the name of a column left out would fit.
func (c *chosen) rival(name string) string {
	for r := range numRoles {
		known := func(k string) bool { return strings.EqualFold(k, name) }
		if slices.ContainsFunc(knownNames[r], known) {
			return uses[r]
		}
	}
	return ""
}

// nameIndex finds a field in a list of names.
func nameIndex(names []string) func(string) int {
	return func(field string) int { return slices.Index(names, field) }
}

// textHint lists the first few names that text is guessed by.
func textHint() string { return strings.Join(knownNames[roleText][:5], ", ") + " or the like" }

// firstOf returns the name that fits and equals one of the guesses, best guess
// first.
func firstOf(names, guesses []string, fits func(i int) bool) string {
	for _, g := range guesses {
		for i, n := range names {
			if strings.EqualFold(g, n) && fits(i) {
				return n
			}
		}
	}
	return ""
}
