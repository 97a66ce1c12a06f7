package column

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"
)

// numbered returns n values of which so many are distinct, the first ones most often.
func numbered(n, distinct int) []string {
	var list []string
	for i := range distinct {
		list = append(list, fmt.Sprint("v", i))
	}
	return slices.Repeat(list, n/distinct+1)[:n]
}

// Each limit of a guess, on both sides.
func TestLimitsOfKinds(t *testing.T) {
	with := func(list []string, more ...string) []string { return append(slices.Clone(list), more...) }
	fives := func(n int) []string { return slices.Repeat([]string{"5"}, n) }
	long := func(n int) []string { // 4 values with a mean of n runes
		return []string{
			strings.Repeat("ä", n-1), strings.Repeat("ä", n-1), strings.Repeat("b", n+1),
			strings.Repeat("b", n+1),
		}
	}
	lists := []string{"a|b", "b|a", "a;b", "b;a", "a", "b", "a | b", "b | a"} // 8 values with 2 items
	for _, c := range []struct {
		name   string
		values []string
		want   Kind
	}{
		{"50 values, two of them twice", numbered(52, 50), Category},
		{"51 values, 4.98 documents each", numbered(254, 51), Text},
		{"51 values, 5 documents each", numbered(255, 51), Category},
		{"one value", []string{"a"}, Category},
		{"two different values", []string{"a", "b"}, Category},
		{"three different values", []string{"a", "b", "c"}, Text},
		{"three values, two different", []string{"a", "b", "a"}, Category},
		{"80 runes", long(80), Category},
		{"81 runes", long(81), Text},
		{"one of 200 is no number", with(fives(199), "five"), Number},
		{"one of 199 is no number", with(fives(198), "five"), Category},
		{"two of 400 are no numbers", with(fives(398), "five", "six"), Number},
		{"one of 200 is no date", with(slices.Repeat([]string{"2024-05-06"}, 199), "soon"), Date},
		{"one of 199 is no date", with(slices.Repeat([]string{"2024-05-06"}, 198), "soon"), Category},
		{"one number has leading zeros", with(fives(9), "05"), Category},
		{"numbers below 1", []string{"0.5", "0,5", "0", "00"[:1]}, Number},
		{"eight digits that are no date", []string{"20241399", "20249913", "99999999"}, Number},
		{"seven digits", []string{"2024131", "2024132"}, Number},
		{"eight digits with a point", []string{"202401.1", "202402.1"}, Number},
		{"dates and years", []string{"2024-01-05", "2024-01-06", "2024"}, Text},
		{"a tenth are lists", with(slices.Repeat([]string{"a"}, 52), lists...), List},
		{"less than a tenth are lists", with(slices.Repeat([]string{"a"}, 55), lists...), Category},
		{"half as many items as lists", lists, List},
		{"more than half as many items as lists", with(lists, "c|d|e", "c|d|e"), Category},
		{"long lists", with(lists, strings.Repeat("a|", 300), strings.Repeat("b|", 300)), Text},
	} {
		if got := guessed(c.values...); got != c.want {
			t.Errorf("%s: %s, want %s", c.name, got, c.want)
		}
	}
	some := func(n int) map[string]verdict {
		m := map[string]verdict{}
		for i := range n {
			m[fmt.Sprint(i)] = 1 << isListed
		}
		return m
	}
	for n, want := range map[int]Kind{65535: Category, 65536: Text} { // distinct values, as many as are kept
		if got := (&Guesser{values: 5 * n, distinct: some(n)}).Kind(); got != want {
			t.Errorf("%d values: %s, want %s", n, got, want)
		}
	}
	for n, want := range map[int]Kind{4095: List, 4096: Category} { // items, likewise
		g := Guesser{values: 50_000, distinct: some(10_000), items: map[string]struct{}{}}
		g.sums[isListed] = 50_000
		for i := range n {
			g.items[fmt.Sprint(i)] = struct{}{}
		}
		if got := g.Kind(); got != want {
			t.Errorf("%d items: %s, want %s", n, got, want)
		}
	}
	var g Guesser
	for i := range 70_000 {
		g.Add([]byte(fmt.Sprint("a|", i)))
	}
	if len(g.distinct) != 65536 || len(g.items) != 4096 || g.values != 70_000 {
		t.Errorf("%d values and %d items are kept of %d", len(g.distinct), len(g.items), g.values)
	}
}

// Blanks about values do not count, and missing values are no values.
func TestWhatIsMissing(t *testing.T) {
	for _, s := range []string{"", "NA", "N/A", "#N/A", "n/a", "<NA>", "NaN", "nan", "NULL", "null", "None"} {
		if !IsMissing(s) {
			t.Errorf("%q is a value", s)
		}
		if got := guessed("7", s, " 8 ", " "+s+" "); got != Number {
			t.Errorf("with %q: %s", s, got)
		}
	}
	for _, s := range []string{"na", "0", "-", "none", " ", "no"} {
		if IsMissing(s) {
			t.Errorf("%q is missing", s)
		}
	}
	c := Column{Kind: Number, Values: list{" 7 ", " NA ", "x"}}
	if got, unread := c.Numbers(); got[0] != 7 || !math.IsNaN(got[1]) || unread != 1 {
		t.Errorf("%v, %d unread", got, unread)
	}
	if got := Items(" a ;|b c|NA;; d"); !slices.Equal(got, []string{"a", "b c", "d"}) {
		t.Errorf("%q", got)
	}
}

func TestParseNumber(t *testing.T) {
	for s, want := range map[string]float64{
		"1": 1, "-2.5": -2.5, "1e3": 1000, "1,5": 1.5, "-0,25": -0.25, ",5": 0.5,
		"1,5e2": 150,
	} {
		if x, ok := ParseNumber(s); !ok || x != want {
			t.Errorf("%s: %v, %t", s, x, ok)
		}
	}
	for _, s := range []string{
		"", "x", "1,000,000", "1.000,5", "1,000.5", "inf", "-Inf", "NaN", "1e400", "1 000", ",",
		"1,x",
	} {
		if x, ok := ParseNumber(s); ok {
			t.Errorf("%q: %v", s, x)
		}
	}
}

// Numbers come before all other values, and by size; the same number in another form by its letters.
func TestCompare(t *testing.T) {
	order := []string{"-1", "2", "2,0", "2.0", "10", "", "A", "a", "b1", "ä"}
	for i, a := range order {
		for j, b := range order {
			if got := Compare(a, b); got != max(-1, min(1, i-j)) {
				t.Errorf("%q and %q: %d", a, b, got)
			}
		}
	}
}

func TestFind(t *testing.T) {
	columns := []Column{{Name: "Party"}, {Name: "year"}, {Name: "Year"}, {Name: "YEAR"}}
	for name, want := range map[string]string{
		"Party": "Party", "PARTY": "Party", "year": "year", "Year": "Year",
		"YEAR": "YEAR",
	} {
		if c, err := Find(columns, name); err != nil || c.Name != want {
			t.Errorf("%s: %v, %v", name, c, err)
		}
	}
	for _, c := range []struct {
		columns    []Column
		name, want string
	}{
		{columns, "yEar", `there is no column "yEar"`},
		{columns, "Parti", `there is no column "Parti": did you mean "Party"?`},
		{columns, "something else", `there is no column "something else": it must be one of Party, year, Year, YEAR`},
		{nil, "year", `there is no column "year": the documents have no columns`},
	} {
		if _, err := Find(c.columns, c.name); err == nil || !strings.HasPrefix(err.Error(), c.want) {
			t.Errorf("%s: %v, want %s", c.name, err, c.want)
		}
	}
}
