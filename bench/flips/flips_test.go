// Package flips flips bits in the files that topoi leaves on a disk, one at a time, and uses
// them: each must be refused with a sentence, or give what it gave before.
//
//	go -C bench test ./flips -v -flips 6000 -seed 1
package flips

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"strings"
	"testing"
	"text/tabwriter"
)

var (
	flips = flag.Int("flips", 56, "bits to flip")
	swaps = flag.Int("swaps", 9, "files to put in the place of others")
	seed  = flag.Uint64("seed", 7, "chooses files and bits")
	dir   = flag.String("dir", "/dev/shm", "`directory` to work in, if it is there; nothing here needs to survive")
)

// A few bits of every kind, or as many as are asked for.
func TestFlips(t *testing.T) {
	if _, err := os.Stat(*dir); err != nil {
		*dir = t.TempDir()
	}
	table, err := run(t, *dir, *flips, *swaps, *seed)
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("\n%s", tell(table))
	for _, row := range table {
		if row.flips < *flips/len(table) || row.refused+row.harmless != row.flips || row.refused == 0 {
			t.Errorf("%+v", row)
		}
	}
}

// row counts the outcomes of the flips in one kind of files.
type row struct {
	kind  string
	files int
	bytes int
	swaps int // of the flips: files in the place of others
	outcome
}

// outcome counts flips.
type outcome struct {
	flips    int
	refused  int // with one sentence
	harmless int // the result is the same
	silent   int // another result, and no word
	trace    int // a panic, or an error of several lines
}

// tell lays out the table.
func tell(table []row) string {
	var text strings.Builder
	w := tabwriter.NewWriter(&text, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(w, "files at rest\tfiles\tbytes\tflips\tswaps\trefused\tharmless\tsilent\ttrace\t")
	total := row{kind: "all"}
	for _, r := range append(table, total) {
		if r.kind == "all" {
			r = total
		}
		fmt.Fprintf(w, "%s\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t\n", r.kind, r.files, r.bytes, r.flips-r.swaps, r.swaps, r.refused, r.harmless, r.silent, r.trace)
		total.files += r.files
		total.bytes += r.bytes
		total.flips += r.flips
		total.swaps += r.swaps
		total.refused += r.refused
		total.harmless += r.harmless
		total.silent += r.silent
		total.trace += r.trace
	}
	w.Flush()
	return text.String()
}

// run makes all subjects and flips bits in them.
func run(t *testing.T, dir string, flips, swaps int, seed uint64) ([]row, error) {
	dir, err := os.MkdirTemp(dir, "topoi-flips-*")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	subjects, err := makeSubjects(t, dir)
	if err != nil {
		return nil, err
	}
	random := rand.New(rand.NewPCG(seed, 0))
	var table []row
	for i, s := range subjects {
		r := row{kind: s.kind, files: len(s.names)}
		for _, name := range s.names {
			r.bytes += len(s.content[name])
		}
		for range flips*(i+1)/len(subjects) - flips*i/len(subjects) {
			if err := s.flip(random, &r.outcome); err != nil {
				return nil, err
			}
		}
		for range swaps*(i+1)/len(subjects) - swaps*i/len(subjects) {
			if s.twin == nil {
				break
			}
			if err := s.swap(random, &r.outcome); err != nil {
				return nil, err
			}
			r.swaps++
		}
		table = append(table, r)
	}
	return table, nil
}
