package tablecell

import (
	"slices"
	"testing"
)

// Missing values are no values, of lists neither.
func TestWhatIsMissing(t *testing.T) {
	for _, s := range []string{"", "NA", "N/A", "#N/A", "n/a", "<NA>", "NaN", "nan", "NULL", "null", "None"} {
		if !IsMissing(s) {
			t.Errorf("%q is a value", s)
		}
	}
	for _, s := range []string{"na", "0", "-", "none", " ", "no"} {
		if IsMissing(s) {
			t.Errorf("%q is missing", s)
		}
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
