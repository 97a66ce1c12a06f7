package explore

import (
	"cmp"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"
)

// Lists are cut so that the budget is kept, and no list that fits is cut.
func TestLimit(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	for range 500 {
		sizes := make([]int, 1+r.IntN(20))
		for i := range sizes {
			sizes[i] = r.IntN(50)
		}
		budget := len(sizes) + r.IntN(600)
		total := func(c int) (sum int) {
			for _, n := range sizes {
				sum += min(n, c)
			}
			return sum
		}
		c := limit(sizes, budget)
		if total(c) > budget {
			t.Fatalf("%v cut to %d exceed %d", sizes, c, budget)
		}
		if c < slices.Max(sizes) && total(c+1) <= budget {
			t.Fatalf("%v could be cut to %d instead of %d within %d", sizes, c+1, c, budget)
		}
	}
}

func TestCutRunes(t *testing.T) {
	for _, c := range []struct {
		text string
		n    int
		want string
	}{{"", 3, ""}, {"abc", 3, "abc"}, {"abcd", 3, "ab…"}, {"äöü", 3, "äöü"}, {"äöüß", 3, "äö…"}, {"😀😀", 1, "…"}} {
		if got := cutRunes(c.text, c.n); got != c.want {
			t.Errorf("%q cut to %d is %q, want %q", c.text, c.n, got, c.want)
		}
	}
	if s := shorten(strings.Repeat("ß", 5000)); utf8.RuneCountInString(s) != longestString {
		t.Errorf("%d characters are left", utf8.RuneCountInString(s))
	}
}

// A selection keeps the documents of the largest θ, whatever came in between.
func TestSelection(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 5))
	s := newSelection(1, 1, 4, nil)
	var all []candidate
	for d := range 100 {
		c := candidate{d, float64(r.IntN(30)+1) / 30}
		all = append(all, c)
		s.add(c.doc, 0, c.theta)
	}
	slices.SortFunc(all, func(x, y candidate) int { return cmp.Or(cmp.Compare(y.theta, x.theta), cmp.Compare(x.doc, y.doc)) })
	var want []int
	for _, c := range all[:4] {
		want = append(want, c.doc)
	}
	slices.Sort(want)
	if got := take([]*selection{s}, 10); !slices.Equal(got, want) {
		t.Errorf("chose %v, want %v", got, want)
	}
	if got := take([]*selection{s}, 2); len(got) != 2 {
		t.Errorf("chose %v, of which two were wanted", got)
	}
}

// Words of a text are found as the pipeline of the training text would make them.
func TestMarks(t *testing.T) {
	f := &finder{ids: map[string]uint32{"cat": 0, "😀": 1, "dog": 2}, known: map[string]uint32{}}
	got := f.find("😀  the cat, cat dog", map[uint32]uint32{0: 5, 1: 7})
	want := []mark{{0, 2, 7}, {11, 3, 5}} // "cat," is another word, and the document has no dog
	if !slices.Equal(got, want) {
		t.Errorf("marks are %v, want %v", got, want)
	}
}
