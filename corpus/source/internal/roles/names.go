// Package roles guesses what the columns of a table are for, from their names and from what their first rows hold.
package roles

import (
	_ "embed"
	"strings"
	"sync"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

//go:embed names.txt
var namesFile string

// Role is the use of a column.
type Role int

// The roles.
const (
	Text Role = iota
	Tokens
	ID
	Label
	Time
	Title
	Count
)

// Uses names the roles for people.
var Uses = [Count]string{"text", "tokens", "id", "label", "time", "title"}

// longestName is the largest length of a listed name, in bytes.
var longestName int

// known gives the place of each name in the list of a role, from 0.
var known = sync.OnceValue(func() [Count]map[string]int {
	var table [Count]map[string]int
	for line := range strings.Lines(namesFile) {
		fields := strings.Fields(line)
		for r, use := range Uses {
			if len(fields) == 0 || fields[0] != use {
				continue
			}
			if table[r] == nil {
				table[r] = make(map[string]int)
			}
			for _, name := range fields[1:] {
				name = Plain(name)
				longestName = max(longestName, len(name))
				if _, ok := table[r][name]; !ok {
					table[r][name] = len(table[r])
				}
			}
		}
	}
	return table
})

// Plain returns a name in small letters without accents, its parts separated by _: "Review Text" and
// "reviewText" are review_text.
func Plain(name string) string {
	var b strings.Builder
	before := '_'
	b.Grow(len(name) + 4)
	if strings.IndexFunc(name, func(r rune) bool { return r >= 0x80 }) >= 0 {
		name = norm.NFD.String(name)
	}
	for _, r := range name {
		switch {
		case unicode.Is(unicode.Mn, r) && before < 0x250 && before != '_':
			continue // an accent of a Latin letter
		case !unicode.IsLetter(r) && !unicode.IsDigit(r) && !unicode.Is(unicode.M, r):
			r = '_'
		case unicode.IsUpper(r) && unicode.IsLower(before):
			b.WriteByte('_')
		}
		if r != '_' || before != '_' {
			b.WriteRune(unicode.ToLower(r))
		}
		before = r
	}
	return strings.Trim(b.String(), "_")
}

// The points that a name gives: for one that is listed, less for later places; for one that ends, or begins,
// with a listed one.
const (
	exactName  = 10.0
	laterPlace = 0.015
	leastExact = 7.5
	endOfName  = 7.0
	headOfName = 4.0

	// The first names of texts, as far as transcript, are better than any other, however long that column is.
	coreTexts = 16
	coreName  = 20.0
	laterCore = 0.3
)

// named returns how well a name, made plain, fits a role, 0 if not at all.
func named(name string, r Role) float64 {
	table := known()[r]
	if place, ok := table[name]; ok && r == Text && place < coreTexts {
		return coreName - float64(laterCore*float64(place))
	} else if ok {
		return max(leastExact, exactName-float64(laterPlace*float64(place)))
	}
	head, end, _ := strings.Cut(name, "_")
	if tail := len(end) - longestName - 1; tail >= 0 { // longer ends are not listed; texts have very many
		_, end, _ = strings.Cut(end[tail:], "_")
	}
	for end != "" {
		if _, ok := table[end]; ok && end != "name" {
			return endOfName
		}
		_, end, _ = strings.Cut(end, "_")
	}
	if _, ok := table[head]; ok && r != ID {
		return headOfName
	}
	return 0
}

// Best returns the role that a name fits best, and whether it is listed for it. The role is Count if there is none.
func Best(name string) (role Role, exact bool) {
	role, most := Count, 0.0
	name = Plain(name)
	for r := range Count {
		if s := named(name, r); s > most {
			role, most = r, s
		}
	}
	return role, most >= leastExact
}
