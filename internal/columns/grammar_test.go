package columns

import (
	"slices"
	"strings"
	"testing"

	"github.com/topoi-lda/topoi/corpus/column"
)

// Every operator in each of its forms.
func TestOperators(t *testing.T) {
	for condition, want := range map[string]string{
		"rating == 2":                    "1",
		"rating <> 2":                    "0234",
		"rating != 2":                    "0234",
		"rating<=2":                      "01",
		"rating>=4":                      "34",
		"rating > 4":                     "4",
		"rating=1 || rating=5":           "04",
		"rating>1 && rating<3":           "1",
		"party is null":                  "3",
		"party is NA":                    "3",
		"party IS NOT NULL":              "0124",
		"date is not missing":            "0123",
		"not not rating = 1":             "0",
		"not (rating = 1 or rating = 2)": "234",
		"not rating = 1 and rating < 4":  "12",
		"rating = 1 or rating = 2 or rating = 3 and party = SPD": "01",
		"party in (DIE LINKE)":            "2",
		"party in ('DIE' \"LINKE\", CDU)": "12",
		"party not in (SPD)":              "12",
		"rating not in (1, 2)":            "234",
		"date not in (2017)":              "03",
		"date != 2017-06":                 "013",
		"topics != tax":                   "1",
		"topics not in (tax, health)":     "",
		"topics = 'tax|health'":           "0",
		"topics > tax":                    "04", // the text as a whole
		"party < DIE":                     "1",
		"party = 'and'":                   "",
		"'The place' = b":                 "13",
		"  rating\t=\n1 ":                 "0",
	} {
		f, err := Parse(condition, table())
		if err != nil {
			t.Errorf("%s: %v", condition, err)
			continue
		}
		got := ""
		for d := range 5 {
			if f(d) {
				got += string(rune('0' + d))
			}
		}
		if got != want {
			t.Errorf("%s holds for %s, want %s", condition, got, want)
		}
	}
}

// What is in quotes is a name or a value, even if it reads like an operator or a keyword.
func TestQuotedKeywords(t *testing.T) {
	columns := []column.Column{
		{Name: "not", Kind: column.Category, Values: list{"and", "(", "b"}},
		{Name: "is", Kind: column.Category, Values: list{"in", ")", "or"}},
		{Name: "=", Kind: column.Category, Values: list{"x", "y", "not"}},
	}
	for condition, want := range map[string]string{
		"'not' = b":                        "2",
		"not 'not' = b":                    "01",
		"'not' = 'and' and 'is' = 'in'":    "0",
		"`not` in (\"(\", 'and')":          "01",
		"\"is\" = ')' or 'is' = `or`":      "12",
		"'is' is not missing":              "012",
		"'=' = y":                          "1",
		"'=' not in ('not', x)":            "1",
		"('is' = 'in')":                    "0",
		"is = 'in'":                        "0", // a name comes first
		"is is not missing and not is = x": "012",
	} {
		f, err := Parse(condition, columns)
		if err != nil {
			t.Errorf("%s: %v", condition, err)
			continue
		}
		got := ""
		for d := range 3 {
			if f(d) {
				got += string(rune('0' + d))
			}
		}
		if got != want {
			t.Errorf("%s holds for %s, want %s", condition, got, want)
		}
	}
}

func TestMoreConditionsThatCannotBeRead(t *testing.T) {
	for condition, want := range map[string]string{
		"party not = SPD":           "after party, expected one of",
		"party not":                 "after party, expected one of",
		"not":                       "a column is missing at the end",
		"= 5":                       `a column is missing before "="`,
		"(":                         "a column is missing at the end",
		"(party = SPD))":            `")" is not expected there`,
		"party in ()":               `a value is missing before ")"`,
		"party in (SPD,)":           `a value is missing before ")"`,
		"party in (SPD":             "the list of values is not closed by a parenthesis",
		"party in (SPD = CDU)":      `a value is missing before "="`,
		"party in (":                "a value is missing at the end",
		"party = SPD or":            "a column is missing at the end",
		"party = SPD or or":         "after or, expected one of",
		"nothing = 1 or party = a":  `there is no column "nothing"`,
		"party = a and nothing = 1": `there is no column "nothing"`,
		"not nothing = 1":           `there is no column "nothing"`,
		"nothing is missing":        `there is no column "nothing"`,
		"rating in (1, many)":       `column rating holds numbers, and "many" is not one`,
		"party = 'SPD":              "the quotation mark ' is not closed",
		"party = `SPD":              "the quotation mark ` is not closed",
		"\"party":                   "the quotation mark \" is not closed",
	} {
		_, err := Parse(condition, table())
		if err == nil || !strings.Contains(err.Error(), want) ||
			!strings.HasPrefix(err.Error(), "cannot read the condition ") {
			t.Errorf("%s: %v, want %q", condition, err, want)
		}
	}
}

// A condition names its columns once each, in their order, and says nothing sure of a column that is not known.
func TestNamesOfConditions(t *testing.T) {
	c, err := NewCondition("b = 1 and (a = 2 or not b = 3) and `c d` is missing")
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(c.Names, []string{"b", "a", "c d"}) {
		t.Errorf("names %q", c.Names)
	}
	for _, k := range []struct {
		condition string
		known     map[string]string
		some, all bool
	}{
		{"a = 1", nil, true, false},
		{"not a = 1", nil, true, false},
		{"a is missing", nil, true, false},
		{"a = 1 or b = 1", map[string]string{"a": "1"}, true, true},
		{"a = 1 or b = 1", map[string]string{"a": "2"}, true, false},
		{"a = 1 and b = 1", map[string]string{"a": "2"}, false, false},
		{"a = 1 and b = 1", map[string]string{"a": "1"}, true, false},
		{"b is missing", map[string]string{"b": ""}, true, true},
		{"b is not missing", map[string]string{"b": ""}, false, false},
		{"b != 1", map[string]string{"b": ""}, false, false},
	} {
		c, err := NewCondition(k.condition)
		if err != nil {
			t.Fatal(err)
		}
		some, all := c.Over(func(name string) (Range, bool) { s, known := k.known[name]; return Value(s, false), known })
		if some != k.some || all != k.all {
			t.Errorf("%s with %v: %t, %t", k.condition, k.known, some, all)
		}
	}
}

// What is said of ranges: of numbers and dates that lie on a bound, of texts, and of values that may be missing.
func TestRanges(t *testing.T) {
	number := Range{Low: "2", High: "10", Kind: column.Number, Present: true}
	date := Range{Low: "2020-02-01", High: "2020-02-20", Kind: column.Date, Present: true}
	text := Range{Low: "b", High: "d", Kind: column.Text, Present: true}
	gaps := number
	gaps.Missing = true
	for _, k := range []struct {
		condition string
		r         Range
		some, all bool
	}{
		{"x = 2", number, true, false},
		{"x = 10", number, true, false},
		{"x = 1.9", number, false, false},
		{"x = 10.1", number, false, false},
		{"x in (1, 5)", number, true, false},
		{"x in (5, 1)", number, true, false},
		{"x not in (1, 11)", number, true, true},
		{"x != 5", number, true, false},
		{"x >= 2", number, true, true},
		{"x > 2", number, true, false},
		{"x <= 10", number, true, true},
		{"x < 10", number, true, false},
		{"x > 10", number, false, false},
		{"x < 2", number, false, false},
		{"x = b", number, true, false}, // not known of what is between
		{"x >= 2", gaps, true, false},
		{"x is missing", gaps, true, false},
		{"x is missing", number, false, false},
		{"x is not missing", number, true, true},
		{"x = 2020-02", date, true, true},
		{"x = 2020", date, true, true},
		{"x = 2020-02-01", date, true, false},
		{"x = 2020-02-21", date, false, false},
		{"x = 2020-01", date, false, false},
		{"x in (2020-01, 2020-02)", date, true, true},
		{"x in (2020-02, 2020-01)", date, true, true},
		{"x != 2020-02", date, false, false},
		{"x > 2019", date, true, true},
		{"x >= 2020-02-20", date, true, false},
		{"x < 2020-03", date, true, true},
		{"x = a", text, false, false},
		{"x = b", text, true, false},
		{"x = d", text, true, false},
		{"x = e", text, false, false},
		{"x = 5", text, true, false}, // may be among texts in another form
		{"x > e", text, true, false},
		{"x != a", text, true, true},
	} {
		c, err := NewCondition(k.condition)
		if err != nil {
			t.Fatal(err)
		}
		some, all := c.Over(func(string) (Range, bool) { return k.r, true })
		if some != k.some || all != k.all {
			t.Errorf("%s of %s to %s: %t, %t; want %t, %t", k.condition, k.r.Low, k.r.High, some, all, k.some, k.all)
		}
	}
}

// Texts of more than 40 bytes are neither numbers nor dates.
func TestLongNumbers(t *testing.T) {
	if got := read("1" + strings.Repeat("0", 39)).kind; got != column.Number {
		t.Error(got)
	}
	if got := read("1" + strings.Repeat("0", 40)).kind; got != column.Text {
		t.Error(got)
	}
}
