package columns

import (
	"slices"
	"strings"
	"testing"

	"github.com/topoi-lda/topoi/corpus/column"
)

// list is values in memory.
type list []string

func (l list) Len() int        { return len(l) }
func (l list) At(i int) string { return l[i] }

func guessed(values ...string) column.Kind {
	var g Guesser
	for _, v := range values {
		g.Add([]byte(v))
	}
	return g.Kind()
}

// The kind follows from the values; one stray value among many changes nothing.
func TestKinds(t *testing.T) {
	repeat := func(n int, values ...string) []string { return slices.Repeat(values, n) }
	var speakers, sentences []string
	for i := range 300 {
		speakers = append(speakers, "Speaker "+string(rune('A'+i%26))+string(rune('a'+i/26%2)))
		sentences = append(sentences, strings.Repeat("every answer is its own ", 1+i%7)+string(rune('a'+i%26))+string(rune('a'+i/26)))
	}
	for name, c := range map[string]struct {
		want   column.Kind
		values []string
	}{
		"numbers":               {column.Number, []string{"1", "2.5", "", "-3e4", "NA"}},
		"decimal commas":        {column.Number, []string{"1,5", "2", "0,25"}},
		"years":                 {column.Number, []string{"2017", "2018", "2019"}},
		"postal codes":          {column.Category, []string{"01067", "01069", "01067", "80331"}},
		"days":                  {column.Date, []string{"2017-09-24", "2021-09-26", ""}},
		"days without marks":    {column.Date, []string{"20030219", "20030220"}},
		"slashes":               {column.Date, []string{"3/15/2024", "4/1/2024"}},
		"parties":               {column.Category, []string{"SPD", "CDU", "SPD", "", "CDU", "FDP"}},
		"speakers":              {column.Category, speakers},
		"answers":               {column.Text, sentences},
		"one stray number":      {column.Number, append(repeat(300, "5"), "five")},
		"half numbers":          {column.Category, []string{"5", "five", "5", "five"}},
		"lists":                 {column.List, repeat(5, "economy|tax", "tax|health", "health", "economy|health", "tax", "economy|tax|health", "health|tax")},
		"nothing":               {column.Text, []string{"", "NA"}},
		"ids":                   {column.Text, []string{"a1", "a2", "a3", "a4"}},
		"infinity is no number": {column.Category, []string{"Inf", "Inf", "Inf"}},
	} {
		if got := guessed(c.values...); got != c.want {
			t.Errorf("%s: %s, want %s", name, got, c.want)
		}
	}
}

func table() []column.Column {
	return []column.Column{
		{Name: "party", Kind: column.Category, Values: list{"SPD", "CDU", "DIE LINKE", "", "SPD"}},
		{Name: "date", Kind: column.Date, Values: list{"2016-12-31", "2017-01-01", "2017-06-01", "2018-01-01", ""}},
		{Name: "rating", Kind: column.Number, Values: list{"1", "2", "3", "4", "5"}},
		{Name: "topics", Kind: column.List, Values: list{"tax|health", "health", "", "tax", "war; tax"}},
		{Name: "The place", Kind: column.Category, Values: list{"a", "b", "a", "b", "a"}},
	}
}

func TestConditions(t *testing.T) {
	for condition, want := range map[string]string{
		`party = SPD`:                                "04",
		`party != SPD`:                               "12",
		`not party = SPD`:                            "123",
		`party in (SPD, CDU)`:                        "014",
		`party in (SPD, DIE LINKE)`:                  "024",
		`party not in (SPD, "CDU")`:                  "2",
		`party is missing`:                           "3",
		`party is not missing and rating>=3`:         "24",
		`date = 2017`:                                "12",
		`date >= 2017`:                               "123",
		`date > 2017`:                                "3",
		`date <= 2017-01`:                            "01",
		`date < 2017-06-01`:                          "01",
		`rating = 2 or rating = 4`:                   "13",
		`(rating < 2 or rating > 4) and party = SPD`: "04",
		`rating < 2 or rating > 4 and party = CDU`:   "0",
		`topics = tax`:                               "034",
		`topics in (war, health)`:                    "014",
		"`The place` = a AND PARTY = 'SPD'":          "04",
		`party >= "DIE"`:                             "024",
		`rating in (1, 2.0)`:                         "01",
		`NOT (rating <= 3)`:                          "34",
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

func TestConditionsThatCannotBeRead(t *testing.T) {
	for condition, want := range map[string]string{
		``:                "it is empty",
		`partei = SPD`:    `there is no column "partei"`,
		`party`:           "after party, expected one of",
		`party =`:         "a value is missing at the end",
		`party = = SPD`:   `a value is missing before "="`,
		`party in SPD`:    "expected values in parentheses",
		`party in (SPD`:   "not closed",
		`(party = SPD`:    "a parenthesis is not closed",
		`party = "SPD`:    "not closed",
		`party = SPD CDU`: `"CDU" is not expected there`,
		`rating > many`:   `column rating holds numbers, and "many" is not one`,
		`date > soon`:     `column date holds dates, and "soon" is not one`,
		`party is SPD`:    "expected missing or not missing",
		`party = SPD and`: "a column is missing at the end",
		`party ! SPD`:     `"!" is not an operator`,
	} {
		if _, err := Parse(condition, table()); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", condition, err, want)
		}
	}
}
