package explore

import (
	"cmp"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
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

// Modules keep their names to themselves and run in the order of their imports.
func TestBundle(t *testing.T) {
	files := fstest.MapFS{
		"main.js": {Data: []byte("import { a, B } from \"./a.js\";\nimport { b } from \"./b.js\";\nconst hidden = a() + b + B.x;\n")},
		"a.js":    {Data: []byte("import { b } from \"./b.js\";\nconst hidden = 1;\nexport function a() {\n\treturn b + hidden;\n}\nexport class B {}\n")},
		"b.js":    {Data: []byte("export const b = 2;\n")},
	}
	script, err := bundle(files, "main.js")
	if err != nil {
		t.Fatal(err)
	}
	b, a, main := strings.Index(script, "const module_b ="), strings.Index(script, "const module_a ="), strings.Index(script, "const module_main =")
	if b < 0 || a < b || main < a || strings.Count(script, "const module_b =") != 1 {
		t.Errorf("the modules come in another order:\n%s", script)
	}
	if !strings.Contains(script, "return {B, a};") || strings.Contains(script, "export ") || strings.Contains(script, "import ") {
		t.Errorf("exports are not returned:\n%s", script)
	}
	for name, code := range map[string]string{
		"cannot join":           "export default 1;\n",
		"only plain names":      "import { a as c } from \"./a.js\";\n",
		"imports itself":        "import { a } from \"./main.js\";\n",
		"file does not exist":   "import { a } from \"./none.js\";\n",
		`cannot join "import "`: "import \"./a.js\";\n",
	} {
		files["main.js"] = &fstest.MapFile{Data: []byte(code)}
		want := strings.TrimSuffix(name, ` "import "`)
		if _, err := bundle(files, "main.js"); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q gives %v", code, err)
		}
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
