// Command bench compares training runs. It runs commands of topoi one after the other,
// round after round, so that whatever else the machine does slows all of them alike, and
// prints what each took and the ratios of runs of the same round.
//
//	go run ./bench                       lists the comparisons that have a name
//	go run ./bench cluster memory        does some of them
//	go run ./bench -rounds 5 'train kos -k 50 --sampler batch' 'train kos -k 50 --sampler warp'
//	go run ./bench ./old,./new 'train kos -k 50'      the same command by two builds
//	go run ./bench stop/kos/50           when training stops, and what learned priors bring
//
// The corpus of a command is a file, or a name that bench/corpora.sh knows. What the
// documentation cites is kept in bench/results.
package main

import (
	"flag"
	"fmt"
	"log"
	"os"
	"path/filepath"
	"strings"

	"github.com/topoi-lda/topoi/bench/internal/process"
)

var (
	rounds    = flag.Int("rounds", 3, "how often every command runs")
	data      = flag.String("data", "../shared/data", "`directory` of real corpora")
	picture   = flag.String("svg", "", "`file` for a picture of scores over training time")
	yardstick = flag.String("yardstick", "", "`directory` of a program that tells how fast the machine is")
)

func main() {
	log.SetFlags(0)
	flag.Parse()
	dir, err := os.MkdirTemp("", "topoi-bench-*")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	l := &lab{dir: dir, rounds: *rounds, yardstick: *yardstick}
	if err := l.do(flag.Args()); err != nil {
		os.RemoveAll(dir)
		log.Fatal(err)
	}
}

// do does what the arguments ask for.
func (l *lab) do(args []string) error {
	if len(args) == 0 {
		list()
		return nil
	}
	if strings.Contains(args[len(args)-1], " ") {
		return l.compare(comparison{runs: byPrograms(args)})
	}
	for _, name := range args {
		if strings.Contains(name, "/") {
			if err := l.stop(name); err != nil {
				return fmt.Errorf("%s: %w", name, err)
			}
			continue
		}
		c, ok := comparisons[name]
		if !ok {
			return fmt.Errorf("there is no comparison %q: go run ./bench lists them", name)
		}
		fmt.Printf("## %s: %s\n", name, c.about)
		if err := l.compare(c); err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
	}
	return nil
}

// byPrograms puts each of the programs of a first argument OLD,NEW before every command.
func byPrograms(args []string) (runs []string) {
	if strings.Contains(args[0], " ") {
		return args
	}
	for _, command := range args[1:] {
		for program := range strings.SplitSeq(args[0], ",") {
			runs = append(runs, program+" "+command)
		}
	}
	return runs
}

// lab is where commands run.
type lab struct {
	dir       string // for the program, corpora and models
	rounds    int
	yardstick string
}

// corpus returns the file of a corpus, made when it is first asked for. The program is built with it.
func (l *lab) corpus(name string) (string, error) {
	if _, err := os.Stat(name); err == nil {
		return name, nil
	}
	_, err := process.Corpora(l.dir, *data, name)
	return filepath.Join(l.dir, name+".topoi"), err
}
