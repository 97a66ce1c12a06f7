package effects

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/topoi-lda/topoi/internal/human"
)

// A formula is a sum of terms, as R writes it. A term is a product of variables; the empty product is the intercept.
//
//	~ party * s(date) + log(length)
//
// a + b adds terms, a:b is their interaction, a * b is a + b + a:b, (a + b)^2 has all
// interactions of two, - a takes a term away, 0 or - 1 leaves out the intercept.
type formula struct {
	text      string
	intercept bool
	terms     [][]*variable // sorted by the number of variables, as R does
}

// variable is a column as a formula uses it: by itself or through a function.
type variable struct {
	text   string // as written, in a standard form
	column string // name of the column
	call   string // s, log, log1p, sqrt, factor, I, or empty
	df     int    // degrees of freedom of s; 0: default
	power  int    // of I(x^2)
}

// calls are the functions of formulas with the largest number of arguments.
var calls = map[string]int{"s": 2, "log": 1, "log1p": 1, "sqrt": 1, "factor": 1, "I": 1}

// parseFormula reads a formula. What stands before ~ is ignored if it is empty.
func parseFormula(text string) (*formula, error) {
	left, right, found := strings.Cut(text, "~")
	if !found {
		left, right = "", text
	}
	if strings.TrimSpace(left) != "" {
		return nil, fmt.Errorf("cannot read the formula %q: nothing may come before ~, because the formula explains every topic; choose topics with Options.Topics", text)
	}
	p := &formulaParser{rest: right, variables: map[string]*variable{}}
	terms, err := p.sum()
	if err == nil && p.next() != "" {
		err = fmt.Errorf("%q is not expected there", p.next())
	}
	if err != nil {
		return nil, fmt.Errorf("cannot read the formula %q: %w", text, err)
	}
	f := &formula{text: "~ " + strings.TrimSpace(right)}
	for _, t := range p.finish(terms) {
		if len(t) == 0 {
			f.intercept = true
		} else {
			f.terms = append(f.terms, t)
		}
	}
	if !f.intercept && len(f.terms) == 0 {
		return nil, fmt.Errorf("the formula %q has no terms", text)
	}
	return f, nil
}

// formulaParser reads a formula by recursive descent. Terms are kept as sorted lists of
// the names of their variables; "-" begins the name of a term that is taken away.
type formulaParser struct {
	rest      string
	variables map[string]*variable // by text
	order     []string             // texts as they came
}

// next returns the next token without consuming it.
func (p *formulaParser) next() string {
	p.rest = strings.TrimSpace(p.rest)
	if p.rest == "" {
		return ""
	}
	if p.rest[0] == '`' {
		if end := strings.IndexByte(p.rest[1:], '`'); end >= 0 {
			return p.rest[:end+2]
		}
	}
	n := strings.IndexAny(p.rest, " \t\r\n+-*:^(),=`")
	switch {
	case n < 0:
		return p.rest
	case n == 0:
		return p.rest[:1]
	}
	return p.rest[:n]
}

// take consumes the next token if it is t.
func (p *formulaParser) take(t string) bool {
	if p.next() != t || t == "" {
		return false
	}
	p.rest = p.rest[len(t):]
	return true
}

// termSet is terms in the order in which they came; a term is the texts of its variables.
type termSet [][]string

func (s termSet) add(more termSet) termSet {
	for _, t := range more {
		if !slices.ContainsFunc(s, func(u []string) bool { return slices.Equal(t, u) }) {
			s = append(s, t)
		}
	}
	return s
}

// cross returns the interactions of every term of s with every one of t.
func (s termSet) cross(t termSet) termSet {
	var all termSet
	for _, a := range s {
		for _, b := range t {
			both := slices.Concat(a, b)
			slices.Sort(both)
			all = all.add(termSet{slices.Compact(both)})
		}
	}
	return all
}

// sum reads terms joined by + and -. The intercept is there unless it is taken away.
func (p *formulaParser) sum() (termSet, error) {
	all := termSet{{}}
	minus := p.take("-")
	for {
		t, err := p.product()
		if err != nil {
			return nil, err
		}
		if zero := len(t) == 1 && slices.Equal(t[0], []string{"0"}); zero {
			t, minus = termSet{{}}, true
		}
		if minus {
			all = slices.DeleteFunc(all, func(a []string) bool {
				return slices.ContainsFunc(t, func(b []string) bool { return slices.Equal(a, b) })
			})
		} else {
			all = all.add(t)
		}
		switch {
		case p.take("+"):
			minus = false
		case p.take("-"):
			minus = true
		default:
			return all, nil
		}
	}
}

// product reads terms joined by * and :, with : and ^ binding closer.
func (p *formulaParser) product() (termSet, error) {
	return p.chain("*", p.interaction, func(t, u termSet) termSet { return t.add(u).add(t.cross(u)) })
}

func (p *formulaParser) interaction() (termSet, error) { return p.chain(":", p.power, termSet.cross) }

// chain reads terms joined by an operator.
func (p *formulaParser) chain(operator string, next func() (termSet, error), join func(t, u termSet) termSet,
) (termSet, error) {
	t, err := next()
	for err == nil && p.take(operator) {
		var u termSet
		if u, err = next(); err == nil {
			t = join(t, u)
		}
	}
	return t, err
}

func (p *formulaParser) power() (termSet, error) {
	t, err := p.atom()
	if err != nil || !p.take("^") {
		return t, err
	}
	n, err := strconv.Atoi(p.next())
	if err != nil || n < 1 || n > 9 {
		return nil, fmt.Errorf("after ^, expected a number between 1 and 9, not %q", p.next())
	}
	p.take(p.next())
	all := t
	for range n - 1 {
		all = all.add(all.cross(t))
	}
	return all, nil
}

// atom reads a name, a call, a number or a sum in parentheses.
func (p *formulaParser) atom() (termSet, error) {
	if p.take("(") {
		t, err := p.sum()
		if err == nil && !p.take(")") {
			err = errors.New("a parenthesis is not closed")
		}
		return slices.DeleteFunc(t, func(a []string) bool { return len(a) == 0 }), err // no second intercept
	}
	name := p.next()
	switch {
	case name == "":
		return nil, errors.New("a term is missing at the end")
	case strings.ContainsAny(name[:1], "+-*:^(),="):
		return nil, fmt.Errorf("a term is missing before %q", name)
	case name == ".":
		return nil, errors.New(". for all columns is not supported: name the columns")
	case name == "1":
		p.take(name)
		return termSet{{}}, nil
	case name == "0":
		p.take(name)
		return termSet{{"0"}}, nil
	}
	p.take(name)
	v := &variable{column: strings.Trim(name, "`")}
	if name[0] != '`' && p.take("(") {
		if err := p.call(v, name); err != nil {
			return nil, err
		}
	}
	v.text = v.String()
	if _, known := p.variables[v.text]; !known {
		p.variables[v.text] = v
		p.order = append(p.order, v.text)
	}
	return termSet{{v.text}}, nil
}

// call reads the arguments of a function.
func (p *formulaParser) call(v *variable, name string) error {
	most, known := calls[name]
	if !known {
		names := slices.Sorted(maps.Keys(calls))
		return fmt.Errorf("unknown function %s()%s; the functions are %s", name, human.Hint(name, names), strings.Join(names, ", "))
	}
	v.call, v.column = name, strings.Trim(p.next(), "`")
	if v.column == "" || v.column == ")" || !p.take(p.next()) {
		return fmt.Errorf("%s() needs the name of a column", name)
	}
	if most > 1 && p.take(",") {
		if p.take("df") {
			p.take("=")
		}
		n, err := strconv.Atoi(p.next())
		if err != nil || n < 3 || n > 100 {
			return fmt.Errorf("the second argument of %s() is a whole number between 3 and 100, not %q", name, p.next())
		}
		v.df = n
		p.take(p.next())
	}
	if name == "I" {
		p.take("^")
		n, err := strconv.Atoi(p.next())
		if err != nil || n < 2 || n > 9 {
			return fmt.Errorf("I() needs a power between 2 and 9, such as I(%s^2)", v.column)
		}
		v.power = n
		p.take(p.next())
	}
	if !p.take(")") {
		return fmt.Errorf("%s( is not closed, or has more arguments than it takes", name)
	}
	return nil
}

// String returns the variable as a formula writes it.
func (v *variable) String() string {
	switch {
	case v.call == "":
		return v.column
	case v.power > 0:
		return fmt.Sprintf("I(%s^%d)", v.column, v.power)
	case v.df > 0:
		return fmt.Sprintf("%s(%s, %d)", v.call, v.column, v.df)
	}
	return fmt.Sprintf("%s(%s)", v.call, v.column)
}

// finish puts terms into the order of R: by the number of their variables, then as they
// came; variables of a term as they came in the formula.
func (p *formulaParser) finish(terms termSet) [][]*variable {
	all := make([][]*variable, len(terms))
	for i, t := range terms {
		slices.SortFunc(t, func(a, b string) int { return slices.Index(p.order, a) - slices.Index(p.order, b) })
		for _, text := range t {
			all[i] = append(all[i], p.variables[text])
		}
	}
	slices.SortStableFunc(all, func(a, b []*variable) int { return len(a) - len(b) })
	return all
}
