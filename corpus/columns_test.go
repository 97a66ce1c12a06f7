package corpus

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// shown writes the columns of a corpus as lines.
func shown(c *Corpus) string {
	var b strings.Builder
	for _, col := range c.Columns() {
		fmt.Fprintf(&b, "%s %s:", col.Name, col.Kind)
		for d := range col.Values.Len() {
			fmt.Fprintf(&b, " %q", col.Values.At(d))
		}
		b.WriteString("\n")
	}
	return b.String()
}

const speeches = `id,datum,party,rating,text,notes
1,2017-09-24,SPD,3,taxes and health and taxes,
2,2018-01-01,CDU,4,health care for all,"said, loudly"
3,,SPD,,war and peace and taxes,
4,2019-05-05,FDP,5.5,peace at last,
`

// All columns of a table go along with its documents: through a file, a view, a selection
// and a corpus that is pruned anew. They do not change the fingerprint.
func TestColumnsGoAlong(t *testing.T) {
	dir := t.TempDir()
	table := filepath.Join(dir, "speeches.csv")
	if err := os.WriteFile(table, []byte(speeches), 0o600); err != nil {
		t.Fatal(err)
	}
	options := ImportOptions{MinDF: 1}
	options.Source.TimeField, options.Source.LabelField = "datum", "party"
	path := filepath.Join(dir, "c.topoi")
	if _, err := Import(t.Context(), []string{table}, path, options); err != nil {
		t.Fatal(err)
	}
	c := open(t, path)
	want := `rating number: "3" "4" "" "5.5"
notes category: "" "said, loudly" "" ""
datum date: "2017-09-24" "2018-01-01" "" "2019-05-05"
party category: "SPD" "CDU" "SPD" "FDP"
length number: `
	if got := shown(c); !strings.HasPrefix(got, want) {
		t.Errorf("columns are\n%swant\n%s", got, want)
	}
	saved := filepath.Join(dir, "saved.topoi")
	if err := c.Select([]uint32{3, 0}).Save(saved); err != nil {
		t.Fatal(err)
	}
	want = `rating number: "5.5" "3"
notes category: "" ""
datum date: "2019-05-05" "2017-09-24"
party category: "FDP" "SPD"
`
	if got := shown(open(t, saved)); !strings.HasPrefix(got, want) {
		t.Errorf("columns of a selection are\n%swant\n%s", got, want)
	}
	pruned := filepath.Join(dir, "pruned.topoi")
	if _, err := Import(t.Context(), []string{path}, pruned, ImportOptions{MinDF: 2}); err != nil {
		t.Fatal(err)
	}
	if got, all := shown(open(t, pruned)), shown(c); got[:strings.Index(got, "length")] != all[:strings.Index(all, "length")] {
		t.Errorf("columns of a pruned corpus are\n%swant\n%s", got, all)
	}
	options.Source.Columns = []string{}
	bare := filepath.Join(dir, "bare.topoi")
	if _, err := Import(t.Context(), []string{table}, bare, options); err != nil {
		t.Fatal(err)
	}
	if open(t, bare).Fingerprint() != c.Fingerprint() {
		t.Error("columns change the fingerprint")
	}
}

// A column of long texts is told and left out.
func TestLongColumnsAreLeftOut(t *testing.T) {
	table := filepath.Join(t.TempDir(), "t.csv")
	row := "x," + strings.Repeat("long ", 100) + ",word word\n"
	if err := os.WriteFile(table, []byte("kind,essay,text\n"+strings.Repeat(row, 3)), 0o600); err != nil {
		t.Fatal(err)
	}
	c, report, err := Load(t.Context(), []string{table}, ImportOptions{MinDF: 1})
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	if len(report.LongColumns) != 1 || report.LongColumns[0] != "essay" || strings.Contains(shown(c), "essay") {
		t.Errorf("left out %q, kept\n%s", report.LongColumns, shown(c))
	}
}

func open(t *testing.T, path string) *Corpus {
	t.Helper()
	c, err := Open(path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Close() })
	return c
}

// Fields of JSON lines go along as columns of tables do: numbers and booleans as written,
// arrays as lists.
func TestColumnsOfJSONLines(t *testing.T) {
	path := filepath.Join(t.TempDir(), "t.jsonl")
	lines := `{"text":"cats and dogs","stars":5,"good":true,"tags":["a","b \"c\""],"more":{"x":1},"party":"SPD"}
{"text":"dogs and mice","stars":null,"tags":[],"party":"CDU"}
{"text":"mice and cats","stars":1.5,"good":false,"tags":["b"],"party":"SPD"}
`
	if err := os.WriteFile(path, []byte(lines), 0o600); err != nil {
		t.Fatal(err)
	}
	options := ImportOptions{MinDF: 1}
	options.Source.LabelField = "party"
	c, _, err := Load(t.Context(), []string{path}, options)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	got := shown(c)
	for _, want := range []string{
		`stars number: "5" "" "1.5"`, `good category: "true" "" "false"`, `: "a|b \"c\"" "" "b"`, `party category: "SPD" "CDU" "SPD"`,
	} {
		if !strings.Contains(got, want) {
			t.Errorf("there is no %s in\n%s", want, got)
		}
	}
	if strings.Contains(got, "more") {
		t.Errorf("an object became a column:\n%s", got)
	}
}
