package text

import (
	"testing"
	"unicode"

	"pgregory.net/rapid"
)

// Every code point that the simple path accepts must come out as from the full
// path, alone and beside any other.
func TestSimpleEqualsFull(t *testing.T) {
	p := mustNew(t, everything)
	var accepted []rune
	for r := rune(1); r <= unicode.MaxRune; r++ {
		s := p.simple(r)
		if s < 0 {
			continue
		}
		accepted = append(accepted, r)
		if got := string(p.normalizeFully([]byte(string(r)))); got != string(s) {
			t.Errorf("%U %c: simple path gives %q, full path %q", r, r, string(s), got)
		}
		if p.simple(s) != s {
			t.Errorf("%U: normalised to %U, which is normalised to %U", r, s, p.simple(s))
		}
	}
	if len(accepted) < 30_000 {
		t.Errorf("the simple path accepts only %d code points", len(accepted))
	}
	rapid.Check(t, func(t *rapid.T) {
		b := []byte(rapid.StringOf(rapid.SampledFrom(accepted)).Draw(t, "text"))
		if !p.normalizeSimple(b) {
			t.Fatalf("%q: refused by the simple path", b)
		}
		got := string(p.text)
		if want := string(p.normalizeFully(b)); got != want {
			t.Fatalf("%q: simple path %q, full path %q", b, got, want)
		}
	})
}

// Normalising is idempotent for every code point, alone and between letters
// and marks it might combine with.
func TestNormalizeIsIdempotent(t *testing.T) {
	for _, c := range []struct {
		options Options
		end     rune
	}{
		{everything, 0x20000},
		{Options{StripAccents: true}, 0x2000}, // Latin and Greek lie below
		{Options{Languages: []string{"tr"}}, 0x300},
		{Options{Languages: []string{"fa"}}, 0x800},
	} {
		p := mustNew(t, c.options)
		for r := rune(1); r < c.end; r++ {
			for _, s := range []string{string(r), "e" + string(r) + "\u0301\u0345"} {
				once := string(p.normalize([]byte(s)))
				if twice := string(p.normalize([]byte(once))); once != twice {
					t.Errorf("%+q gives %+q, and that gives %+q", s, once, twice)
				}
			}
		}
	}
}
