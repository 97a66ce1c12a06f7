package house

import (
	"os"
	"regexp"
	"strings"
	"testing"
)

var kindOfColumn = regexp.MustCompile(`(?m)^\t\w+ +Kind = "(\w+)"`)

// The packages for Python and R give columns of every kind a type of their own. They would show those of a kind that
// they do not know as text.
func TestKindsOfColumnsInOtherLanguages(t *testing.T) {
	goToRoot(t)
	read := func(file string) string {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		return string(text)
	}
	kinds := kindOfColumn.FindAllStringSubmatch(read("corpus/column/column.go"), -1)
	if len(kinds) < 5 {
		t.Fatalf("column.go has %d kinds", len(kinds))
	}
	for file, branch := range map[string]string{
		"python/src/topoi/_columns.py": `(?m)^ +if kind == "%"`,
		"r/R/columns.R":                `(?m)^ +% = `,
	} {
		text := read(file)
		for _, k := range kinds {
			known := regexp.MustCompile(strings.Replace(branch, "%", k[1], 1))
			if k[1] != "text" && !known.MatchString(text) {
				t.Errorf("%s shows columns of the kind %s as text", file, k[1])
			}
		}
	}
}
