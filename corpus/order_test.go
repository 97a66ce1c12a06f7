package corpus

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// rowsIn writes rows as tables with a heading, so many in each, and returns the paths of the tables.
func rowsIn(t *testing.T, heading string, rows []string, tables int) (paths []string) {
	t.Helper()
	for i := range tables {
		lo, hi := i*len(rows)/tables, (i+1)*len(rows)/tables
		path := filepath.Join(t.TempDir(), fmt.Sprintf("%d.csv", i))
		text := heading + "\n" + strings.Join(rows[lo:hi], "\n") + "\n"
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		paths = append(paths, path)
	}
	return paths
}

// somedayRows returns rows of a table: texts with an id or without, with repetitions of ids, texts and whole rows.
func somedayRows(ids bool) (heading string, rows []string) {
	words := strings.Fields("garden soil rain leaves compost train station track carriage ball team match coach fans")
	random := rand.New(rand.NewPCG(3, 4))
	for i := range 300 {
		text := "the"
		for range 3 + random.IntN(12) {
			text += " " + words[random.IntN(len(words))]
		}
		row := fmt.Sprintf("%s,p%d", text, i%3)
		if ids {
			row = fmt.Sprintf("d%d,%s", i/2, row)
		}
		rows = append(rows, row)
		if i%10 == 0 {
			rows = append(rows, row)
		}
	}
	if ids {
		return "id,text,party", rows
	}
	return "text,party", rows
}

// An order by hash gives the same file, to the byte, for any order of the input, cut into any parts, and in one step.
func TestOrderByHash(t *testing.T) {
	for _, ids := range []bool{true, false} {
		for name, o := range map[string]ImportOptions{
			"defaults": {}, "chosen": {MinDF: 60, MaxDF: 0.5, MaxWords: 9, DropEmpty: true}, "texts": {Snippet: -1},
		} {
			t.Run(fmt.Sprint(name, ids), func(t *testing.T) {
				heading, rows := somedayRows(ids)
				o.Text.Languages, o.Order = []string{"en"}, "hash"
				var want []byte
				for run, parts := range []int{0, 1, 2, 5, 0} {
					rand.New(rand.NewPCG(uint64(run), 5)).Shuffle(len(rows), func(i, j int) { rows[i], rows[j] = rows[j], rows[i] })
					got := filepath.Join(t.TempDir(), "corpus")
					inputs := rowsIn(t, heading, rows, max(1, parts))
					for i := range parts { // each by itself, as on machines that do not know of each other
						part := o
						part.Order, part.MinDF, part.MaxDF, part.MaxWords, part.DropEmpty = "", 1, 1, 0, false
						made := filepath.Join(t.TempDir(), "part")
						if _, err := Import(t.Context(), inputs[i:i+1], made, part); err != nil {
							t.Fatal(err)
						}
						inputs[i] = made
					}
					if _, err := Import(t.Context(), inputs, got, o); err != nil {
						t.Fatal(err)
					}
					b, err := os.ReadFile(got)
					if err != nil {
						t.Fatal(err)
					}
					if want == nil {
						want = b
					}
					if !bytes.Equal(b, want) {
						t.Errorf("%d parts give %d other bytes, of %d", parts, len(b), len(want))
					}
				}
			})
		}
	}
}

// The order by hash is none of those by which people sort, and the report tells of the input as without it.
func TestOrderByHashReport(t *testing.T) {
	heading, rows := somedayRows(true)
	inputs := rowsIn(t, heading, rows, 1)
	plain, first, err := Load(t.Context(), inputs, ImportOptions{})
	if err != nil {
		t.Fatal(err)
	}
	defer plain.Close()
	ordered, second, err := Load(t.Context(), inputs, ImportOptions{Order: "hash"})
	if err != nil {
		t.Fatal(err)
	}
	defer ordered.Close()
	if plain.Fingerprint() == ordered.Fingerprint() {
		t.Error("the order of documents has not changed")
	}
	if second.Copies.Groups == 0 || second.Copies.Groups > first.Copies.Groups {
		t.Errorf("%d groups of copies, and %d by all shingles", second.Copies.Groups, first.Copies.Groups)
	}
	first.Seconds, second.Seconds = 0, 0
	first.Copies = second.Copies // by hash, only documents with the same words are copies
	if a, b := fmt.Sprintf("%+v", first), fmt.Sprintf("%+v", second); a != b {
		t.Errorf("the report says\n%s\nand without the order\n%s", b, a)
	}
}

// Options that go by the order of the input are refused together with another order.
func TestOrderIsRefused(t *testing.T) {
	pieces := ImportOptions{Order: "hash"}
	pieces.Source.Pieces = 100
	for want, o := range map[string]ImportOptions{
		"it must be input or hash":         {Order: "random"},
		"phrases are found in the order":   {Order: "hash", Phrases: &PhraseOptions{}},
		"pieces of long documents keep":    pieces,
		"documents in a given vocabulary ": {Order: "hash", Vocabulary: MakeStrings([]string{"a"})},
	} {
		if err := o.Validate(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, want %q", err, want)
		}
	}
}
