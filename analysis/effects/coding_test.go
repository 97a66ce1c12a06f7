package effects

import (
	"encoding/json"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/topoi-lda/topoi/corpus/column"
)

// A coding gives documents the rows that the regression has, also after it was written and read, and gives new documents the same
// ones. Values that are missing or not known have no row; numbers beyond the knots are taken as the last one.
func TestCoding(t *testing.T) {
	_, columns := study(1, 200)
	const text = "~ party + s(x, 5) + log(x) + party:x"
	c, err := NewCoding(text, columns, 200)
	if err != nil {
		t.Fatal(err)
	}
	b, err := json.Marshal(c)
	if err != nil {
		t.Fatal(err)
	}
	var read Coding
	if err := json.Unmarshal(b, &read); err != nil {
		t.Fatal(err)
	}
	names, rows, err := read.Rows(columns, 200)
	if err != nil {
		t.Fatal(err)
	}
	f, err := parseFormula(text)
	if err != nil {
		t.Fatal(err)
	}
	x, err := newDesign(f, columns, 200, nil, nil)
	if err != nil || !slices.Equal(x.names, names) {
		t.Fatalf("names %q, want %q: %v", names, x.names, err)
	}
	want, scratch := make([]float64, len(names)), x.newScratch()
	for d, row := range rows {
		x.row(want, d, scratch, nil)
		if known := slices.Contains(x.docs, uint32(d)); known && !slices.Equal(row, want) || !known && row != nil {
			t.Fatalf("document %d: %v, want %v", d, row, want)
		}
	}

	party, number := values{"c", "a", "d", "b", "b"}, values{"0.5", "7", "0.5", "", "0.25"}
	_, rows, err = read.Rows([]column.Column{{Name: "x", Kind: column.Number, Values: number}, {Name: "party", Kind: column.Category, Values: party}}, 5)
	if err != nil || rows[2] != nil || rows[3] != nil || rows[0] == nil || rows[4] == nil {
		t.Fatalf("rows %v: %v", rows, err)
	}
	if at := slices.Index(names, "party[c]"); rows[0][at] != 1 || rows[1][at] != 0 || rows[0][0] != 1 {
		t.Errorf("rows %v", rows)
	}
	last := slices.IndexFunc(names, func(name string) bool { return strings.HasSuffix(name, ".5") })
	if last < 0 || math.Abs(rows[1][last]-1) > 1e-12 {
		t.Errorf("a number beyond the knots has %v of %q", rows[1], names)
	}
	if _, rows, err := read.Rows(nil, 2); err != nil || rows[0] != nil || rows[1] != nil {
		t.Errorf("documents without columns have rows %v: %v", rows, err)
	}
	if _, err := NewCoding("~ party - 1", columns, 200); err == nil {
		t.Error("a formula without intercept is accepted")
	}
}

// A variable that several terms have is coded once.
func TestCodingHasVariablesOnce(t *testing.T) {
	_, columns := study(1, 60)
	c, err := NewCoding("~ party*x + party:date + x:date", columns, 60)
	if err != nil {
		t.Fatal(err)
	}
	if len(c.Variables) != 3 || len(c.Variables[0].Levels) != 3 || c.Variables[1].Levels != nil || c.Variables[2].Levels != nil {
		t.Errorf("%+v", c.Variables)
	}
}
