package columns

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/topoi-lda/topoi/corpus/column"
	"github.com/topoi-lda/topoi/internal/tablecell"
)

func TestCondition(t *testing.T) {
	row := map[string]string{"n": "7.5", "d": "2017-09-24", "s": "SPD", "l": "a|b", "e": "", "x": "3/5/2024", "t": "2026-11-01T10:00:00Z"}
	for condition, want := range map[string]bool{
		"n = 7.50": true, "n > 7 and n < 8": true, "n in (1, 7,5)": false, "n != 7.5": false, "n >= 8 or s = SPD": true,
		"d = 2017": true, "d >= 2017-10": false, "d < 2018": true, "d != 2017-09": false, "t = 2026-11-01": true,
		"s in (CDU, SPD)": true, "s not in (CDU)": true, "s > CDU": true, "not s = SPD": false,
		"l = b": true, "l = c": false, "e is missing": true, "e = 1": false, "e != 1": false, "not e = 1": true, "n is not missing": true,
		"x > 2020": false, "s > 5": false, "s = 5": false, "x = '3/5/2024'": true,
	} {
		c, err := NewCondition(condition)
		if err != nil {
			t.Fatal(err)
		}
		some, all := c.Over(func(name string) (Range, bool) { return Value(row[name], true), true })
		if some != want || all != want {
			t.Errorf("%s: %t, %t, want %t", condition, some, all, want)
		}
	}
	if _, err := NewCondition("a ="); err == nil || !strings.Contains(err.Error(), `cannot read the condition "a ="`) {
		t.Error(err)
	}
}

// What is said about many rows never contradicts what is said about each, and what is said about each is what the
// conditions of models say.
func TestConditionOverRows(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	draw := map[string]func() string{
		"n": func() string { return fmt.Sprint(random.IntN(20) - 10) },
		"d": func() string { return fmt.Sprintf("2026-%02d-%02d", 1+random.IntN(12), 1+random.IntN(28)) },
		"s": func() string { return string(rune('a'+random.IntN(6))) + string(rune('a'+random.IntN(3))) },
	}
	kinds := map[string]column.Kind{"n": column.Number, "d": column.Date, "s": column.Text}
	compare := func() string {
		name := []string{"n", "d", "s"}[random.IntN(3)]
		value := draw[name]()
		if name == "d" {
			value = value[:[]int{4, 7, 10}[random.IntN(3)]]
		}
		text := name + " " + []string{"=", "!=", "<", "<=", ">", ">="}[random.IntN(6)] + " " + value
		switch random.IntN(6) {
		case 0:
			text = "not " + text
		case 1:
			text = name + " is missing"
		}
		return text
	}
	pruned := 0
	for range 4000 {
		condition := compare() + " " + []string{"and", "or"}[random.IntN(2)] + " " + compare()
		c, err := NewCondition(condition)
		if err != nil {
			t.Fatal(err)
		}
		var columns []column.Column
		ranges := map[string]Range{}
		n := 1 + random.IntN(3)
		for _, name := range []string{"n", "d", "s"} {
			v := make(list, n)
			r := Range{Kind: kinds[name]}
			var has []string
			for i := range v {
				if random.IntN(8) > 0 {
					v[i] = draw[name]()
					has = append(has, v[i])
				}
			}
			r.Missing, r.Present = len(has) < n, len(has) > 0
			if r.Present {
				slices.SortFunc(has, tablecell.Compare)
				r.Low, r.High = has[0], has[len(has)-1]
			}
			ranges[name] = r
			columns = append(columns, column.Column{Name: name, Kind: kinds[name], Values: v})
		}
		filter, err := Parse(condition, columns)
		if err != nil {
			t.Fatal(err)
		}
		some, all := c.Over(func(name string) (Range, bool) { return ranges[name], true })
		if !some {
			pruned++
		}
		for d := range n {
			is, _ := c.Over(func(name string) (Range, bool) {
				return Value(columns[slices.IndexFunc(columns, func(c column.Column) bool { return c.Name == name })].Values.At(d), false), true
			})
			if is != filter(d) || is && !some || !is && all {
				t.Fatalf("%s: row %d of %v: %t, of a model %t, of all rows %t, %t", condition, d, columns, is, filter(d), some, all)
			}
		}
	}
	if pruned < 500 {
		t.Errorf("only %d of 4000 conditions were refuted by ranges", pruned)
	}
}
