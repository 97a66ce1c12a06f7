package columns

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/topoi-lda/topoi/corpus/column"
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
		want   column.Kind
	}{
		{"50 values, two of them twice", numbered(52, 50), column.Category},
		{"51 values, 4.98 documents each", numbered(254, 51), column.Text},
		{"51 values, 5 documents each", numbered(255, 51), column.Category},
		{"one value", []string{"a"}, column.Category},
		{"two different values", []string{"a", "b"}, column.Category},
		{"three different values", []string{"a", "b", "c"}, column.Text},
		{"three values, two different", []string{"a", "b", "a"}, column.Category},
		{"80 runes", long(80), column.Category},
		{"81 runes", long(81), column.Text},
		{"one of 200 is no number", with(fives(199), "five"), column.Number},
		{"one of 199 is no number", with(fives(198), "five"), column.Category},
		{"two of 400 are no numbers", with(fives(398), "five", "six"), column.Number},
		{"one of 200 is no date", with(slices.Repeat([]string{"2024-05-06"}, 199), "soon"), column.Date},
		{"one of 199 is no date", with(slices.Repeat([]string{"2024-05-06"}, 198), "soon"), column.Category},
		{"one number has leading zeros", with(fives(9), "05"), column.Category},
		{"numbers below 1", []string{"0.5", "0,5", "0", "00"[:1]}, column.Number},
		{"eight digits that are no date", []string{"20241399", "20249913", "99999999"}, column.Number},
		{"seven digits", []string{"2024131", "2024132"}, column.Number},
		{"eight digits with a point", []string{"202401.1", "202402.1"}, column.Number},
		{"dates and years", []string{"2024-01-05", "2024-01-06", "2024"}, column.Text},
		{"a tenth are lists", with(slices.Repeat([]string{"a"}, 52), lists...), column.List},
		{"less than a tenth are lists", with(slices.Repeat([]string{"a"}, 55), lists...), column.Category},
		{"half as many items as lists", lists, column.List},
		{"more than half as many items as lists", with(lists, "c|d|e", "c|d|e"), column.Category},
		{"long lists", with(lists, strings.Repeat("a|", 300), strings.Repeat("b|", 300)), column.Text},
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
	for n, want := range map[int]column.Kind{65535: column.Category, 65536: column.Text} { // distinct values, as many as are kept
		if got := (&Guesser{values: 5 * n, distinct: some(n)}).Kind(); got != want {
			t.Errorf("%d values: %s, want %s", n, got, want)
		}
	}
	for n, want := range map[int]column.Kind{4095: column.List, 4096: column.Category} { // items, likewise
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
func TestKindsWithMissingValues(t *testing.T) {
	for _, s := range []string{"", "NA", "#N/A", "None"} {
		if got := guessed("7", s, " 8 ", " "+s+" "); got != column.Number {
			t.Errorf("with %q: %s", s, got)
		}
	}
}
