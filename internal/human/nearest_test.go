package human

import "testing"

func TestHint(t *testing.T) {
	valid := []string{"auto", "gibbs", "sparse"}
	for name, want := range map[string]string{
		"gibs":    `: did you mean "gibbs"?`,
		"spares":  `: did you mean "sparse"?`,
		"quantum": ": it must be one of auto, gibbs, sparse",
		"":        ": it must be one of auto, gibbs, sparse",
	} {
		if got := Hint(name, valid); got != want {
			t.Errorf("%q: got %q, want %q", name, got, want)
		}
	}
}

func TestLevenshtein(t *testing.T) {
	for _, c := range []struct {
		a, b string
		want int
	}{{"", "", 0}, {"", "abc", 3}, {"kitten", "sitting", 3}, {"ä", "a", 1}} {
		if got := levenshtein(c.a, c.b); got != c.want {
			t.Errorf("%q, %q: %d, want %d", c.a, c.b, got, c.want)
		}
	}
}
