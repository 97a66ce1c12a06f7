package join

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/topoi-lda/topoi/corpus"
	"github.com/topoi-lda/topoi/corpus/column"
	"github.com/topoi-lda/topoi/internal/piece"
)

// named returns documents with ids.
func named(ids ...string) *corpus.Corpus {
	var b corpus.Builder
	for _, id := range ids {
		b.Add(corpus.Document{ID: id, Tokens: []string{"word"}})
	}
	return b.Corpus()
}

// write writes a table and returns its path.
func write(t *testing.T, name string, lines ...string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, []byte(strings.Join(lines, "\n")+"\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	return path
}

// joined joins tables with documents.
func joined(t *testing.T, c *corpus.Corpus, o corpus.JoinOptions, tables ...string) *corpus.JoinReport {
	t.Helper()
	r, err := Columns(t.Context(), c, tables, o)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// shown lists a report's columns: name, kind and the values of all documents.
func shown(r *corpus.JoinReport) (list []string) {
	for _, c := range r.Columns {
		s := fmt.Sprintf("%s (%s)", c.Name, c.Kind)
		for d := range c.Values.Len() {
			s += " " + fmt.Sprintf("%q", c.Values.At(d))
		}
		list = append(list, s)
	}
	return list
}

func check(t *testing.T, r *corpus.JoinReport, want ...string) {
	t.Helper()
	if got := shown(r); !slices.Equal(got, want) {
		t.Errorf("columns %s\nwant %s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

// Documents have the values of the row with their id, whatever the order of rows; those without a row have none.
func TestRowsGoToTheirDocuments(t *testing.T) {
	table := write(t, "t.csv", "id,party,year", "c,left,1990", "a,right,2001", "x,left,1985", "b,left,")
	r := joined(t, named("a", "b", "c", "d"), corpus.JoinOptions{}, table)
	check(t, r, `party (category) "right" "left" "left" ""`, `year (number) "2001" "" "1990" ""`)
	if r.Documents != 4 || r.Matched != 3 || r.DocsLeft != 1 || !slices.Equal(r.Docs, []string{"d"}) || r.RowsLeft != 1 || !slices.Equal(r.Rows, []string{"x"}) {
		t.Errorf("%+v", r)
	}
}

// Documents without ids are counted from 0, or from 1 where the table has the last of these numbers and no 0.
func TestRowsByNumber(t *testing.T) {
	c := corpus.FromIDs([]string{"w"}, [][]uint32{{0}, {0}, {0}})
	for name, rows := range map[string][]string{
		"from 0":                  {"2,c", "0,a", "1,b"},
		"from 1":                  {"1,a", "3,c", "2,b"},
		"from 1, some":            {"3,c", "1,a", "2,b"},
		"from 0, with one beyond": {"0,a", "1,b", "2,c", "3,d"},
	} {
		r := joined(t, c, corpus.JoinOptions{}, write(t, "t.csv", append([]string{"id,value"}, rows...)...))
		if got := shown(r); !slices.Equal(got, []string{`value (text) "a" "b" "c"`}) {
			t.Errorf("%s: %q", name, got)
		}
	}
	r := joined(t, c, corpus.JoinOptions{}, write(t, "t.csv", "id,value", "1,b", "2,c")) // the last number from 1 is missing
	check(t, r, `value (category) "" "b" "c"`)

	r = joined(t, named("3", "1", "2"), corpus.JoinOptions{}, write(t, "t.csv", "id,value", "1,a", "3,c")) // these are ids
	check(t, r, `value (category) "c" "a" ""`)
}

// A text file is found by its path, its path without extension, its name, or its name without extension; the longest
// that the table has counts. Windows writes paths with \.
func TestRowsOfFiles(t *testing.T) {
	c := named("x/a.txt", "x/b.txt", "y/c.txt", "y/d.tar.gz", "e")
	r := joined(t, c, corpus.JoinOptions{}, write(t, "t.csv", "file,n", `x\a.txt,1`, "x/b,2", "c.txt,3", "d.tar,4", "e.txt,5", "b,6", "a,7"))
	check(t, r, `n (number) "1" "2" "3" "4" ""`)
	if r.Matched != 4 || !slices.Equal(r.Rows, []string{"e.txt", "b", "a"}) || r.RowsLeft != 3 {
		t.Errorf("%+v", r)
	}
	_, err := Columns(t.Context(), named("x/a.txt", "y/a.txt"), []string{write(t, "t.csv", "file,n", "a,1")}, corpus.JoinOptions{})
	if err == nil || err.Error() != `row "a" of the table matches documents "x/a.txt" and "y/a.txt": write their paths relative to the folder` {
		t.Error(err)
	}
}

// Pieces of a document have the document's row.
func TestRowsOfPieces(t *testing.T) {
	c := named("a"+piece.Mark+"1", "a"+piece.Mark+"2", "b"+piece.Mark+"1")
	r := joined(t, c, corpus.JoinOptions{}, write(t, "t.csv", "id,n", "b,2", "a,1"))
	check(t, r, `n (number) "1" "1" "2"`)
	if r.Documents != 2 || r.Matched != 2 || r.DocsLeft != 0 {
		t.Errorf("pieces are counted as documents: %+v", r)
	}
	c = named("a"+piece.Mark+"1", "a"+piece.Mark+"2", "b"+piece.Mark+"1", "b"+piece.Mark+"2")
	r = joined(t, c, corpus.JoinOptions{}, write(t, "t.csv", "id,n", "a,1"))
	if r.Documents != 2 || r.Matched != 1 || r.DocsLeft != 1 || !slices.Equal(r.Docs, []string{"b"}) {
		t.Errorf("pieces without a row are counted as documents: %+v", r)
	}
}

// A table that breaks off, or has a row that cannot be read, is an error, whatever was read before.
func TestBrokenTables(t *testing.T) {
	c := named("a", "b", "c")
	for name, lines := range map[string][]string{
		"quote":      {"id,n", "a,1", "b,2", `c,"3`},
		"fields":     {"id,n", "a,1", "b,2,3,4", "c,3"},
		"twice":      {"id,n", "a,1", "b,2", "a,3"},
		"not text":   {"id,n", "a,1", "b,2", "c,\xff\xfe\x00\x01"},
		"only names": {"id,n"},
	} {
		r, err := Columns(t.Context(), c, []string{write(t, "t.csv", lines...)}, corpus.JoinOptions{})
		t.Logf("%s: %v", name, err)
		if err == nil {
			t.Errorf("%s: joined as %+v %q", name, r, shown(r))
		}
	}
	_, err := Columns(t.Context(), c, []string{write(t, "t.csv", "id,n", "a,1", "a,3")}, corpus.JoinOptions{})
	if err == nil || err.Error() != `the table has two rows for document "a" in column id: remove one of them` {
		t.Error(err)
	}
}

// The column with ids is the first of the usual names that exists, or the one that is asked for.
func TestColumnOfIDs(t *testing.T) {
	c := named("a", "b")
	table := write(t, "t.csv", "name,key,filename,n", "p,b,a,1", "q,a,b,2")
	r := joined(t, c, corpus.JoinOptions{}, table)
	slices.SortFunc(r.Columns, func(a, b column.Column) int { return strings.Compare(a.Name, b.Name) })
	check(t, r, `key (category) "b" "a"`, `n (number) "1" "2"`, `name (category) "p" "q"`)
	check(t, joined(t, c, corpus.JoinOptions{On: "key", Columns: []string{"n"}}, table), `n (number) "2" "1"`)
	for want, o := range map[string]corpus.JoinOptions{
		`the table has no column "m"`: {Columns: []string{"n", "m"}},
		`no row matches a document: column name of the table has ids such as ["p" "q"], the documents such as ["a" "b"]`: {On: "name"},
		`other`: {On: "other"},
	} {
		if _, err := Columns(t.Context(), c, []string{table}, o); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %s", err, want)
		}
	}
	twice := write(t, "t.csv", "id,name,n", "a,a,1", "a,b,2") // the column of ids exists, so no other is tried
	if _, err := Columns(t.Context(), c, []string{twice}, corpus.JoinOptions{}); err == nil || !strings.Contains(err.Error(), "two rows for document \"a\" in column id") {
		t.Error(err)
	}
	if _, err := Columns(t.Context(), c, []string{write(t, "t.csv", "key,n", "a,1")}, corpus.JoinOptions{}); err == nil || !strings.Contains(err.Error(), "id") {
		t.Errorf("a table without a column of ids: %v", err)
	}
}

// Columns that stand for roles, such as a date, are joined as columns; a column that only later rows have is empty before.
// In JSON the first object of a file says which columns it has.
func TestColumnsOfSeveralTables(t *testing.T) {
	first := write(t, "1.jsonl", `{"id": "a", "n": 1, "date": ""}`, `{"id": "b", "n": 2, "date": "2001-02-03"}`)
	second := write(t, "2.jsonl", `{"id": "c", "label": "x"}`)
	r := joined(t, named("a", "b", "c", "d"), corpus.JoinOptions{}, first, second)
	check(t, r, `n (number) "1" "2" "" ""`, `date (date) "" "2001-02-03" "" ""`, `label (category) "" "" "x" ""`)
	if k := r.Columns[1].Kind; k != column.Date {
		t.Errorf("dates are %s", k)
	}
}

// At most five ids without a match are listed; all are counted.
func TestManyWithoutAMatch(t *testing.T) {
	r := joined(t, named("1", "2", "3", "4", "5", "6", "a"), corpus.JoinOptions{}, write(t, "t.csv", "id,n", "a,1", "p,1", "q,1", "r,1", "s,1", "t,1", "u,1", "v,1"))
	if r.DocsLeft != 6 || !slices.Equal(r.Docs, []string{"1", "2", "3", "4", "5"}) || r.RowsLeft != 7 || !slices.Equal(r.Rows, []string{"p", "q", "r", "s", "t"}) {
		t.Errorf("%+v", r)
	}
}

// A join that is cancelled ends with an error.
func TestCancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if r, err := Columns(ctx, named("a"), []string{write(t, "t.csv", "id,n", "a,1")}, corpus.JoinOptions{}); err == nil {
		t.Errorf("%+v", r)
	}
}
