// Package columns guesses the kind of columns, and compiles conditions over them such as
//
//	party in (SPD, CDU) and date >= 2017
//
// for documents whose columns are known ([Parse]), and for rows that are read one by one ([Condition]).
package columns

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/topoi-lda/topoi/corpus/column"
	"github.com/topoi-lda/topoi/internal/dates"
	"github.com/topoi-lda/topoi/internal/tablecell"
)

// Filter reports whether a condition holds for document d.
type Filter func(d int) bool

// Parse compiles a condition over columns:
//
//	party in (SPD, "DIE LINKE") and (date >= 2017 or rating < 3) and not speaker is missing
//
// Comparisons are =, !=, <, <=, >, >=, in, not in, is missing and is not missing. Names and values that
// contain blanks or punctuation must be in quotes or backquotes. A missing value satisfies no comparison
// except "is missing". A list satisfies = and in if one of its items does. Dates may be given as years,
// months or days: date = 2017 holds for all of 2017.
func Parse(condition string, columns []column.Column) (f Filter, err error) {
	e, err := parse(condition)
	if err == nil {
		f, err = e.filter(columns)
	}
	if err != nil {
		return nil, fmt.Errorf("cannot read the condition %q: %w", condition, err)
	}
	return f, nil
}

// expression is a condition as it was parsed.
type expression struct {
	op     string // and, or, not, missing, =, <, <=, >, >=
	not    bool   // of missing and =: the opposite, for documents with a value
	sides  []*expression
	column string
	values []string
	meant  []value // values, if the kind of the column is not known
}

func parse(condition string) (*expression, error) {
	p := &parser{}
	if err := p.scan(condition); err != nil {
		return nil, err
	}
	e, err := p.either()
	if err == nil && p.at < len(p.tokens) {
		err = fmt.Errorf("%q is not expected there: join conditions by and, or", p.tokens[p.at].text)
	}
	return e, err
}

// filter compiles an expression over columns.
func (e *expression) filter(columns []column.Column) (Filter, error) {
	var sides [2]Filter
	for i, side := range e.sides {
		var err error
		if sides[i], err = side.filter(columns); err != nil {
			return nil, err
		}
	}
	f, g := sides[0], sides[1]
	switch e.op {
	case "and":
		return func(d int) bool { return f(d) && g(d) }, nil
	case "or":
		return func(d int) bool { return f(d) || g(d) }, nil
	case "not":
		return func(d int) bool { return !f(d) }, nil
	}
	c, err := column.Find(columns, e.column)
	if err != nil {
		return nil, err
	}
	if e.op == "missing" {
		return func(d int) bool { return tablecell.IsMissing(c.Values.At(d)) != e.not }, nil
	}
	literals := make([]value, len(e.values))
	for i, v := range e.values {
		if literals[i], err = meaning(c, v); err != nil {
			return nil, err
		}
	}
	if c.Kind != column.Number && c.Kind != column.Date {
		return func(d int) bool {
			s := c.Values.At(d)
			return !tablecell.IsMissing(s) && e.test(value{text: s, kind: column.Text}, literals, c.Kind == column.List)
		}, nil
	}
	numbers, _ := c.Numbers()
	return func(d int) bool {
		x := numbers[d]
		return !math.IsNaN(x) && e.test(value{number: x, first: x, kind: c.Kind}, literals, false)
	}, nil
}

// token is a word, an operator or a quoted text of a condition.
type token struct {
	text   string
	quoted bool // a quoted text is never an operator or a keyword
}

// is reports whether the token is the given keyword or operator.
func (t token) is(word string) bool { return !t.quoted && strings.EqualFold(t.text, word) }

// parser reads a condition by recursive descent.
type parser struct {
	tokens []token
	at     int
}

var operators = []string{"<=", ">=", "!=", "<>", "==", "<", ">", "=", "(", ")", ","}

// scan cuts a condition into tokens.
func (p *parser) scan(s string) error {
	for s = strings.TrimSpace(s); s != ""; s = strings.TrimSpace(s) {
		if quote := s[0]; quote == '"' || quote == '\'' || quote == '`' {
			end := strings.IndexByte(s[1:], quote)
			if end < 0 {
				return fmt.Errorf("the quotation mark %c is not closed", quote)
			}
			p.tokens = append(p.tokens, token{s[1 : 1+end], true})
			s = s[end+2:]
			continue
		}
		i := slices.IndexFunc(operators, func(op string) bool { return strings.HasPrefix(s, op) })
		n := strings.IndexAny(s, " \t\r\n<>=!(),\"'`")
		switch {
		case i >= 0:
			n = len(operators[i])
		case n < 0:
			n = len(s)
		case n == 0:
			return fmt.Errorf("%q is not an operator", s[:1])
		}
		p.tokens = append(p.tokens, token{text: s[:n]})
		s = s[n:]
	}
	if len(p.tokens) == 0 {
		return errors.New("it is empty; write one such as party = SPD")
	}
	return nil
}

// take consumes the next token if it is one of the given words.
func (p *parser) take(words ...string) (string, bool) {
	if p.at < len(p.tokens) {
		for _, w := range words {
			if p.tokens[p.at].is(w) {
				p.at++
				return w, true
			}
		}
	}
	return "", false
}

// word consumes the next token, which must be a name or a value.
func (p *parser) word(what string) (string, error) {
	if p.at == len(p.tokens) {
		return "", fmt.Errorf("%s is missing at the end", what)
	}
	t := p.tokens[p.at]
	if !t.quoted && slices.Contains(operators, t.text) {
		return "", fmt.Errorf("%s is missing before %q", what, t.text)
	}
	p.at++
	return t.text, nil
}

// either parses conditions joined by or.
func (p *parser) either() (*expression, error) { return p.chain(p.both, "or", "||") }

// both parses conditions joined by and.
func (p *parser) both() (*expression, error) { return p.chain(p.one, "and", "&&") }

// chain parses conditions joined by one of the words.
func (p *parser) chain(next func() (*expression, error), words ...string) (*expression, error) {
	e, err := next()
	for err == nil {
		if _, ok := p.take(words...); !ok {
			return e, nil
		}
		var other *expression
		other, err = next()
		e = &expression{op: words[0], sides: []*expression{e, other}}
	}
	return nil, err
}

// one parses a comparison, a negation or a condition in parentheses.
func (p *parser) one() (*expression, error) {
	if _, ok := p.take("not"); ok {
		e, err := p.one()
		return &expression{op: "not", sides: []*expression{e}}, err
	}
	if _, ok := p.take("("); ok {
		e, err := p.either()
		if err != nil {
			return nil, err
		}
		if _, ok := p.take(")"); !ok {
			return nil, errors.New("a parenthesis is not closed")
		}
		return e, nil
	}
	name, err := p.word("a column")
	if err != nil {
		return nil, err
	}
	return p.comparison(name)
}

// comparison parses what follows the name of a column.
func (p *parser) comparison(column string) (*expression, error) {
	e := &expression{column: column}
	if _, ok := p.take("is"); ok {
		_, e.not = p.take("not")
		if _, ok := p.take("missing", "null", "na"); !ok {
			return nil, fmt.Errorf("after is, expected missing or not missing")
		}
		e.op = "missing"
		return e, nil
	}
	_, not := p.take("not")
	op, ok := p.take("<=", ">=", "!=", "<>", "==", "<", ">", "=", "in")
	if !ok || not && op != "in" {
		return nil, fmt.Errorf("after %s, expected one of =, !=, <, <=, >, >=, in, is missing", column)
	}
	var err error
	if op == "in" {
		e.op, e.not = "=", not
		e.values, err = p.list()
		return e, err
	}
	value, err := p.word("a value")
	e.op, e.values = op, []string{value}
	if strings.Trim(op, "=!") == "" || op == "<>" {
		e.op, e.not = "=", op == "!=" || op == "<>"
	}
	return e, err
}

// list parses values in parentheses.
func (p *parser) list() ([]string, error) {
	if _, ok := p.take("("); !ok {
		return nil, errors.New("after in, expected values in parentheses, such as (SPD, CDU)")
	}
	var values []string
	for {
		v, err := p.word("a value")
		if err != nil {
			return nil, err
		}
		for p.at < len(p.tokens) && !p.tokens[p.at].is(",") && !p.tokens[p.at].is(")") { // DIE LINKE without quotes
			more, err := p.word("a value")
			if err != nil {
				return nil, err
			}
			v += " " + more
		}
		values = append(values, v)
		if _, ok := p.take(")"); ok {
			return values, nil
		}
		if _, ok := p.take(","); !ok {
			return nil, errors.New("the list of values is not closed by a parenthesis")
		}
	}
}

// test reports whether a comparison with literals holds for a value, which may be a list.
func (e *expression) test(x value, literals []value, list bool) bool {
	if e.op != "=" {
		return alike(x, literals[0]) && holds(e.op, literals[0].compare(x))
	}
	return slices.ContainsFunc(literals, func(v value) bool {
		return alike(x, v) && v.compare(x) == 0 || x.text != "" && x.text == v.text ||
			list && slices.Contains(tablecell.Items(x.text), v.text)
	}) != e.not
}

// holds reports whether a comparison with the given sign satisfies op.
func holds(op string, sign int) bool {
	switch op {
	case "<":
		return sign < 0
	case "<=":
		return sign <= 0
	case ">":
		return sign > 0
	}
	return sign >= 0
}

// meaning returns what a value of a condition means for a column: a number, the seconds of a day, month or year, or a
// text.
func meaning(c *column.Column, s string) (v value, err error) {
	v = value{text: s, kind: column.Text}
	switch c.Kind {
	case column.Number:
		x, ok := tablecell.ParseNumber(s)
		if v.number, v.kind = x, column.Number; !ok {
			err = fmt.Errorf("column %s holds numbers, and %q is not one", c.Name, s)
		}
	case column.Date:
		clock := dates.Clock{Order: dates.TellOrder(c.Values.Len(), c.Values.At)}
		m, ok := clock.Read(s)
		if v.first, v.end, v.kind = float64(m.Seconds), float64(m.End()), column.Date; !ok {
			err = fmt.Errorf("column %s holds dates, and %q is not one; write it as 2017, 2017-09 or 2017-09-24",
				c.Name, s)
		}
	}
	return v, err
}
