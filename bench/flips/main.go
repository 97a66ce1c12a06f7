// Command flips flips bits in the files that topoi leaves on a disk, one at a time, and uses
// them: each must be refused with a sentence, or give what it gave before.
//
//	go run ./bench/flips -flips 6000 -seed 1
package main

import (
	"flag"
	"fmt"
	"log"
	"math/rand/v2"
	"os"
	"text/tabwriter"
)

func main() {
	log.SetFlags(0)
	flips := flag.Int("flips", 6000, "bits to flip")
	seed := flag.Uint64("seed", 1, "chooses files and bits")
	dir := flag.String("dir", "", "`directory` to work in (default: the system's temporary files)")
	flag.Parse()
	table, err := run(*dir, *flips, *seed)
	if err != nil {
		log.Fatal(err)
	}
	tell(table)
	for _, row := range table {
		if row.silent+row.trace > 0 {
			os.Exit(1)
		}
	}
}

// row is what became of the flips in one kind of files.
type row struct {
	kind  string
	files int
	bytes int
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

func tell(table []row) {
	w := tabwriter.NewWriter(os.Stdout, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(w, "files at rest\tfiles\tbytes\tflips\trefused\tharmless\tsilent\ttrace\t")
	total := row{kind: "all"}
	for _, r := range append(table, total) {
		if r.kind == "all" {
			r = total
		}
		fmt.Fprintf(w, "%s\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t\n", r.kind, r.files, r.bytes, r.flips, r.refused, r.harmless, r.silent, r.trace)
		total.files += r.files
		total.bytes += r.bytes
		total.flips += r.flips
		total.refused += r.refused
		total.harmless += r.harmless
		total.silent += r.silent
		total.trace += r.trace
	}
	w.Flush()
}

// run makes all subjects and flips bits in them.
func run(dir string, flips int, seed uint64) ([]row, error) {
	dir, err := os.MkdirTemp(dir, "topoi-flips-*")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	subjects, err := makeSubjects(dir)
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
		table = append(table, r)
	}
	return table, nil
}
