package text

import (
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"
)

// words returns the tokens of a text as strings.
func tokensOf(t testing.TB, o Options, s string) []string {
	t.Helper()
	p, err := New(o)
	if err != nil {
		t.Fatal(err)
	}
	var list []string
	for _, w := range p.Tokens(nil, []byte(s)) {
		list = append(list, string(w))
	}
	return list
}

func TestCase(t *testing.T) {
	const s = "The ﬁnal STRAßE of chr1:10-20, Σίσυφος THE end"
	words := func(kind, languages, expression string) string {
		o := Options{Case: kind, Languages: []string{languages}, TokenRegexp: expression, MinLength: 1, KeepMarkup: true}
		return strings.Join(tokensOf(t, o, s), " ")
	}
	for _, c := range []struct{ kind, languages, expression, want string }{
		{caseKeep, "none", `\S+`, "The ﬁnal STRAßE of chr1:10-20, Σίσυφος THE end"},
		{caseKeep, "en", `\S+`, "ﬁnal STRAßE chr1:10-20, Σίσυφος end"}, // stop words in any case of letters
		{caseLower, "none", `\S+`, "the ﬁnal straße of chr1:10-20, σίσυφος the end"},
		{caseFold, "none", `\S+`, "the final straße of chr1:10-20, σίσυφος the end"},
		{caseKeep, "none", malletWord, "The ﬁnal STRAßE chr Σίσυφος THE end"},
		{caseKeep, "none", `[a-z]+`, "he nal of chr end"},
	} {
		if got := words(c.kind, c.languages, c.expression); got != c.want {
			t.Errorf("%s, %s, %s: %q, want %q", c.kind, c.languages, c.expression, got, c.want)
		}
	}
}

func TestCaseFaults(t *testing.T) {
	for o, want := range map[string]string{
		"upper": `unknown treatment of capitals "upper"`,
		"keep":  `case "keep" needs a token expression`,
	} {
		if err := (Options{Case: o}).Validate(); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%s: %v", o, err)
		}
	}
}

// FuzzExpressions compares the loops for two expressions with the expressions.
func FuzzExpressions(f *testing.F) {
	for _, s := range []string{"it's a test-case, e.g. A.B.C. a-b ab' 'x'", "l'été\u00a0à  ﬁn\t\v\f\r\nx", "-- a.. ..b a..b 1a2 \u0301", "日本語、テスト。"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		if !utf8.ValidString(s) {
			return
		}
		for _, e := range []string{notBlank, malletWord} {
			o := Options{Case: caseKeep, Languages: []string{"none"}, TokenRegexp: e, MinLength: 1, MaxLength: 1 << 20, KeepMarkup: true}
			want := regexp.MustCompile(e).FindAllString(s, -1)
			if got := tokensOf(t, o, s); !slices.Equal(got, want) {
				t.Fatalf("%s in %q: %q, want %q", e, s, got, want)
			}
		}
	})
}
