package corpus

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/topoi-lda/topoi/corpus/source"
)

// writeTables writes tables with columns in folders, and returns their folder.
func writeTables(t *testing.T, files, rows int) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "data")
	words := strings.Fields("garden soil rain leaves compost train station track carriage ball team match coach fans river bank")
	for f := range files {
		var b strings.Builder
		b.WriteString("id,text,party\n")
		for i := range rows + f {
			fmt.Fprintf(&b, "d%d-%d,the %s", f, i, words[(i*7+f)%len(words)])
			if i < 6 { // as often as each other, met in falling order
				fmt.Fprintf(&b, " tie%c tie%c", 'z'-f, 'z'-f)
			}
			for j := range 9 {
				fmt.Fprint(&b, " ", words[(i*j+f*f+j)%len(words)], " word", (i*rows+j)%37, "x")
			}
			fmt.Fprintf(&b, ",p%d\n", i%3)
		}
		b.WriteString("empty,,p0\n")
		path := filepath.Join(dir, fmt.Sprintf("day=%d", f/2), fmt.Sprintf("part-%d.csv", f))
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(b.String()), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// Parts of a data set that were imported apart become the file that one import writes, to the byte. Its documents are
// near copies of each other, which are found within a part only.
func TestParts(t *testing.T) {
	data := writeTables(t, 7, 40)
	for _, n := range []int{1, 2, 3, 7} {
		for name, o := range map[string]ImportOptions{
			"defaults": {}, "chosen": {MinDF: 2, MaxDF: 0.4, MaxWords: 20, DropEmpty: true}, "snippets": {Snippet: 20},
		} {
			t.Run(fmt.Sprint(name, n), func(t *testing.T) {
				o.Duplicates = keepCopies
				dir := t.TempDir()
				whole, joined := filepath.Join(dir, "whole"), filepath.Join(dir, "joined")
				if _, err := Import(t.Context(), []string{data}, whole, o); err != nil {
					t.Fatal(err)
				}
				var parts []string
				for i := range n {
					part := ImportOptions{MinDF: 1, MaxDF: 1, Snippet: o.Snippet, Duplicates: keepCopies, Source: source.Options{Part: i + 1, Parts: n}}
					parts = append(parts, filepath.Join(dir, fmt.Sprint("part", i)))
					if _, err := Import(t.Context(), []string{data}, parts[i], part); err != nil {
						t.Fatal(err)
					}
				}
				if n == 1 {
					return // one corpus file keeps the order of its words
				}
				if _, err := Import(t.Context(), parts, joined, o); err != nil {
					t.Fatal(err)
				}
				a, _ := os.ReadFile(whole)
				b, _ := os.ReadFile(joined)
				if len(a) == 0 || !bytes.Equal(a, b) {
					t.Errorf("%d bytes, %d from parts", len(a), len(b))
				}
			})
		}
	}
	for want, run := range map[string]func(dir string) error{
		"9 parts are more than the 7 files": func(dir string) error {
			for i := range 9 {
				if _, err := Import(t.Context(), []string{data}, filepath.Join(dir, "x"), ImportOptions{Source: source.Options{Part: i + 1, Parts: 9}}); err != nil {
					return err
				}
			}
			return nil
		},
		"were cut into words differently": func(dir string) error {
			a, b := filepath.Join(dir, "a"), filepath.Join(dir, "b")
			o := ImportOptions{Source: source.Options{Part: 1, Parts: 2}}
			if _, err := Import(t.Context(), []string{data}, a, o); err != nil {
				return err
			}
			o.Source.Part, o.Text.Stem = 2, true
			if _, err := Import(t.Context(), []string{data}, b, o); err != nil {
				return err
			}
			_, err := Import(t.Context(), []string{a, b}, filepath.Join(dir, "c"), ImportOptions{})
			return err
		},
		"combined with other corpus files only": func(dir string) error {
			a := filepath.Join(dir, "a")
			if _, err := Import(t.Context(), []string{data}, a, ImportOptions{}); err != nil {
				return err
			}
			_, err := Import(t.Context(), []string{data, a}, filepath.Join(dir, "c"), ImportOptions{})
			return err
		},
	} {
		if err := run(t.TempDir()); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, want …%s…", err, want)
		}
	}
}
