package roles

// Guess holds the roles that columns of a table seem to have.
type Guess struct {
	Kinds  []Kind     // of all columns
	Column [Count]int // the column of each role, -1 where none fits
}

// chooser assigns columns to roles.
type chooser struct {
	columns  []Column
	measures []measure
	names    []string // made plain
	allowed  func(r Role, i int) bool
	used     []bool
	longest  float64 // characters of the longest column on average
	guess    Guess
}

// Choose assigns columns to roles. given tells for which roles no column is looked for, allowed whether what a column
// holds can serve a role at all.
func Choose(columns []Column, given func(Role) bool, allowed func(r Role, i int) bool) Guess {
	c := chooser{columns: columns, allowed: allowed, used: make([]bool, len(columns)), longest: 1}
	for _, col := range columns {
		m := look(col.Values)
		c.measures = append(c.measures, m)
		c.names = append(c.names, Plain(col.Name))
		c.longest = max(c.longest, m.length)
		c.guess.Kinds = append(c.guess.Kinds, m.kind)
	}
	for r := range c.guess.Column {
		c.guess.Column[r] = -1
	}
	for _, r := range []Role{Text, Tokens, Time, Label, ID, Title} {
		if given(r) || r == Tokens && c.guess.Column[Text] >= 0 {
			continue
		}
		best, most := -1, 0.0
		for i := range columns {
			if c.used[i] || !allowed(r, i) {
				continue
			}
			if s := c.score(r, i); s > most {
				best, most = i, s
			}
		}
		if c.guess.Column[r] = best; best >= 0 {
			c.used[best] = true
		}
	}
	return c.guess
}

// score returns how well a column fits a role; 0 or less: not at all.
func (c *chooser) score(r Role, i int) float64 {
	m, name := &c.measures[i], named(c.names[i], r)
	exact := name >= leastExact
	switch r {
	case Text:
		if s := c.textScore(m, name); s > 0 || m.kind != Other || m.words < 1.5 {
			return s
		}
		return named(c.names[i], Title) / 20 // a list of titles
	case Tokens:
		return name * float64(one(exact))
	case Time:
		switch {
		case m.kind == Date || m.dated && name > 0:
			return 5 + name
		case exact && m.kind != Prose && m.kind != Link && (m.n == 0 || mostlyTimes(c.columns[i].Values)):
			return name // not day 100, 104, …
		}
	case ID:
		return c.idScore(m, i, name)
	case Label:
		if m.kind != Category && named(c.names[i], Title) >= leastExact {
			return 0 // a subject
		}
		if m.numeric && counts().MatchString(c.names[i]) {
			return 0
		}
		if named(c.names[i], ID) > 0 {
			return labelScore(m, name) / 4 // numbers of things
		}
		return labelScore(m, name)
	case Title:
		label := m.kind == Category && (!exact || named(c.names[i], Label) >= leastExact)
		if (m.n == 0 || !m.numeric && m.kind != Date && m.kind != Link && !label) && name >= endOfName {
			return name
		}
		text := c.guess.Column[Text]
		if c.columns[i].Name == "" && text > i && m.kind != Key && m.words > 1.5 && m.distinct == m.n &&
			m.n >= enough && m.length < 150 {
			return 1 // a short text before a long one
		}
	}
	return 0
}

// textScore prefers names, and among them, or without them, long texts.
func (c *chooser) textScore(m *measure, name float64) float64 {
	share := 4 * m.length / c.longest
	switch {
	case m.n == 0:
		return name * float64(one(name >= leastExact)) / 2
	case m.numeric || m.kind == Date || m.kind == Link || m.kind == Key:
		return 0
	case name > exactName || name >= headOfName && m.kind != Category:
		return name + share
	case name >= leastExact:
		return name / 2
	case m.kind == Prose && m.words > fewWords:
		return share / 2
	}
	return 0
}

// idScore takes what is called id, or has another value in each row: keys, or an unnamed column that counts.
func (c *chooser) idScore(m *measure, i int, name float64) float64 {
	unique := m.n > 0 && m.distinct == m.n
	switch {
	case m.kind == Prose || m.kind == Date && name == 0:
		return 0
	case name >= leastExact && (unique || m.n == 0 || name == exactName):
		return name + float64(one(unique))
	case name > 0 && unique:
		return name
	case c.columns[i].Name == "" && unique && m.n >= enough && (m.kind == Key || m.kind == Number):
		return 2
	}
	return 0
}

// labelScore takes what is called a label, or has few distinct values.
func labelScore(m *measure, name float64) float64 {
	alone := m.n > 2 && m.distinct == m.n || m.distinct == 1 && m.n >= enough
	switch {
	case m.kind == Prose || m.kind == Date || m.kind == Link:
		return 0
	case name >= exactName-4*laterPlace: // called label, class or category
		return name
	case alone || m.kind == Number || m.kind == Key:
		return 0
	case name > 0 && (m.kind == Category || m.n < enough || 3*m.distinct <= 2*m.n):
		return name - float64(0.5*float64(one(m.numeric)))
	case m.kind == Category && m.distinct > 1 && (!m.numeric || m.distinct <= mostCodes):
		return 2 - float64(one(m.numeric))
	}
	return 0
}
