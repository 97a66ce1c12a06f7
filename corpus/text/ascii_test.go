package text

import (
	"bytes"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// slow tokenises s with the general path alone.
func slow(p *Pipeline, s string) []string {
	var out []string
	for _, chunk := range bytes.FieldsFunc([]byte(s), func(r rune) bool { return r <= ' ' }) {
		for _, t := range p.unicode(nil, chunk) {
			out = append(out, string(t))
		}
	}
	return out
}

// tokens tokenises s and copies the result.
func tokens(p *Pipeline, s string) []string {
	var out []string
	for _, t := range p.Tokens(nil, []byte(s)) {
		out = append(out, string(t))
	}
	return out
}

// mustNew makes a pipeline or ends the test.
func mustNew(t testing.TB, o Options) *Pipeline {
	t.Helper()
	p, err := New(o)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// everything keeps all words, so that nothing hides a difference.
var everything = Options{Languages: []string{"none"}, MinLength: 1, MaxLength: 1000, KeepNumbers: true, KeepMarkup: true, CJK: cjkBigrams}

// The fast path must find exactly the words of UAX #29. Every ASCII string of
// up to four characters from one representative of each class settles it: no
// rule looks further than two characters ahead or back.
func TestASCIIEqualsUnicodeExhaustively(t *testing.T) {
	p := mustNew(t, everything)
	classes := []byte("aZ5_.':,;-\"@ s")
	var walk func(prefix []byte, depth int)
	walk = func(prefix []byte, depth int) {
		s := string(prefix)
		if got, want := tokens(p, s), slow(p, s); strings.Join(got, "|") != strings.Join(want, "|") {
			t.Fatalf("%q: fast path %q, general path %q", s, got, want)
		}
		if depth == 0 {
			return
		}
		for _, c := range classes {
			walk(append(prefix, c), depth-1)
		}
	}
	walk(nil, 4)
}

func TestASCIIEqualsUnicode(t *testing.T) {
	for name, o := range map[string]Options{
		"everything": everything,
		"default":    {KeepMarkup: true},
		"french":     {Languages: []string{"fr"}, KeepMarkup: true},
	} {
		t.Run(name, rapid.MakeCheck(func(t *rapid.T) {
			p, err := New(o)
			if err != nil {
				t.Fatal(err)
			}
			b := rapid.SliceOf(rapid.ByteRange(0, 127)).Draw(t, "text")
			s := string(b)
			if got, want := tokens(p, s), slow(p, s); strings.Join(got, "|") != strings.Join(want, "|") {
				t.Fatalf("%q: fast path %q, general path %q", s, got, want)
			}
		}))
	}
}
