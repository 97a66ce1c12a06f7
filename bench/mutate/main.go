// Command mutate shows what the tests of packages would not notice. It changes one place of a package at a time
// (a condition turned, another operator, a bound off by one, a statement or a returned error dropped, another
// constant), runs the package's own short tests on the result, and those of its direct importers where these pass.
//
//	nice go -C bench run ./mutate -seed 7 -n 30 analysis/effects guide
//
// The tree itself is never changed: the Go tool gets the changed file as an overlay. The same seed and sources give
// the same mutants. Survivors that somebody has read, and that change nothing but speed or words, are recorded in
// judged.txt with the reason; the table counts them apart.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"log"
	"math/rand/v2"
	"os"
	"os/signal"
	"regexp"
	"strings"
	"time"

	"github.com/zeebo/xxh3"
)

// options say what to try.
type options struct {
	seed   uint64
	most   int            // mutants of a package that compile
	match  *regexp.Regexp // of keys of mutants
	again  map[string]bool
	judged map[string]verdict
	runner
}

func main() {
	log.SetFlags(0)
	var o options
	flag.Uint64Var(&o.seed, "seed", 1, "chooses the mutants")
	flag.IntVar(&o.most, "n", 30, "mutants of each package that compile")
	flag.Float64Var(&o.slower, "slower", 8, "a mutant may take `times` as long as the unchanged package")
	flag.DurationVar(&o.quick, "importers", time.Minute, "leave out importers whose short tests take `longer`")
	flag.IntVar(&o.importers, "most-importers", 8, "importers tried for each mutant")
	o.only = map[string]string{}
	const only = "run only the tests of an importer that match, `package=regexp`; may be repeated"
	flag.Func("only", only, func(s string) error {
		name, tests, ok := strings.Cut(s, "=")
		o.only[strings.TrimPrefix(name, "./")] = tests
		if !ok {
			return errors.New("want package=regexp")
		}
		return nil
	})
	judged := flag.String("judged", "bench/mutate/judged.txt", "`file` of mutants that do not matter")
	root := flag.String("root", "..",
		"`directory` of the module whose packages are changed, from which other paths are told")
	again := flag.String("again", "", "try only the survivors in `file`, an earlier output")
	match := flag.String("match", "",
		"try all mutants whose lines (package, function, change) match `regexp`, and no others")
	flag.Parse()
	if err := os.Chdir(*root); err != nil {
		log.Fatal(err)
	}
	if err := run(&o, *judged, *again, *match, flag.Args(), os.Stdout); err != nil {
		log.Fatal(err)
	}
}

// run tries mutants of packages and writes the table, then the survivors.
func run(o *options, judged, again, match string, packages []string, w io.Writer) (err error) {
	if o.judged, err = readJudged(judged); err != nil {
		return err
	}
	if o.again, err = readSurvivors(again); err != nil {
		return err
	}
	if o.match, err = regexp.Compile(match); err != nil {
		return err
	}
	if o.dir, err = os.MkdirTemp("", "mutate"); err != nil {
		return err
	}
	defer os.RemoveAll(o.dir)
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	var t table
	for _, name := range packages {
		if !strings.HasPrefix(name, ".") {
			name = "./" + name // as people write a directory
		}
		p, err := list(ctx, name)
		if err != nil {
			return err
		}
		results, err := o.try(ctx, p)
		t.add(p.name(), results)
		if ctx.Err() != nil {
			break // the table shows what was tried until now
		}
		if err != nil {
			return fmt.Errorf("%s: %w", p.ImportPath, err)
		}
	}
	return t.write(w, o.judged)
}

// try runs the tests on mutants of a package. With an error it returns the results until then.
func (o *options) try(ctx context.Context, p *pkg) (results []result, err error) {
	mutants, err := o.choose(p)
	if err != nil {
		return nil, err
	}
	own, err := o.measure(ctx, p, p.ImportPath, 0)
	if err != nil {
		return nil, err
	}
	compiled := 0
	for _, m := range mutants {
		if o.all() || compiled < o.most {
			fate, by, err := o.fate(ctx, p, own, m)
			if err != nil {
				return results, err
			}
			log.Printf("%s\t%s\t%s %s", fate, m.key(), m.place(), by)
			results = append(results, result{m, fate})
			if fate != broken {
				compiled++
			}
		}
	}
	return results, nil
}

// all reports whether mutants are chosen by what they are, not drawn.
func (o *options) all() bool { return o.again != nil || o.match.String() != "" }

// choose returns the mutants of a package in the order in which they are tried.
func (o *options) choose(p *pkg) ([]*mutant, error) {
	mutants, err := find(p)
	if err != nil {
		return nil, err
	}
	r := rand.New(rand.NewPCG(o.seed, xxh3.HashString(p.name())))
	r.Shuffle(len(mutants), func(i, j int) { mutants[i], mutants[j] = mutants[j], mutants[i] })
	var chosen []*mutant
	for _, m := range mutants {
		if o.match.MatchString(m.key()) && (o.again == nil || o.again[m.key()]) {
			chosen = append(chosen, m)
		}
	}
	return chosen, nil
}
