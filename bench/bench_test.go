// Package bench compares training runs. It runs commands of topoi one after the other,
// round after round, so that whatever else the machine does slows all of them alike, and
// prints what each took and the ratios of runs of the same round.
//
//	go -C bench test . -v -timeout 0 list                 lists the comparisons that have a name
//	go -C bench test . -v -timeout 0 cluster memory       does some of them
//	go -C bench test . -v -timeout 0 -rounds 5 'train kos -k 50 --sampler batch' 'train kos -k 50 --sampler warp'
//	go -C bench test . -v -timeout 0 ./old,./new 'train kos -k 50'      the same command by two builds
//	go -C bench test . -v -timeout 0 stop/kos/50          when training stops, and what learned priors bring
//	go -C bench test . -v -timeout 0 grid/kos/50          the default beside all samplers; bench/grid.sh does many
//	go -C bench test . -v -timeout 0 infer/kos/50         expected topics of new documents beside draws
//
// Without names a small corpus is trained on once. The corpus of a command is a file, or a name that bench/corpora.sh
// knows. Files are looked for from the root of the repository. What the documentation cites is kept in bench/results.
package bench

import (
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

var (
	rounds    = flag.Int("rounds", 3, "how often every command runs")
	data      = flag.String("data", "../shared/data", "`directory` of real corpora")
	picture   = flag.String("svg", "", "`file` for a picture of scores over training time")
	limit     = flag.Duration("limit", 0, "longest `time` of each rival of the default in a grid; 0: any")
	seed      = flag.Uint64("seed", 0, "`number` of a grid's runs and of its held-out documents")
	yardstick = flag.String("yardstick", "", "`directory` of a program that tells how fast the machine is")
)

// The comparisons that are named, or one of a small corpus.
func TestCompare(t *testing.T) {
	t.Chdir("..")
	l := &lab{dir: t.TempDir(), rounds: *rounds, yardstick: *yardstick}
	names := flag.Args()
	if len(names) == 0 {
		if testing.Short() {
			t.Skip("it builds the program and trains")
		}
		names, l.rounds = []string{"quick"}, 1
	}
	if err := l.do(names); err != nil {
		t.Fatal(err)
	}
}

// do does what the arguments ask for.
func (l *lab) do(args []string) error {
	if args[0] == "list" {
		list()
		return nil
	}
	if strings.Contains(args[len(args)-1], " ") {
		return l.compare(comparison{runs: byPrograms(args)})
	}
	for _, name := range args {
		if corpus, ok := strings.CutPrefix(name, "avx2/"); ok {
			if err := l.avx2(corpus); err != nil {
				return fmt.Errorf("%s: %w", name, err)
			}
			continue
		}
		if strings.Contains(name, "/") {
			if err := l.stop(name); err != nil {
				return fmt.Errorf("%s: %w", name, err)
			}
			continue
		}
		c, ok := comparisons[name]
		if !ok {
			return fmt.Errorf("there is no comparison %q: the name list shows all", name)
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
	_, err := corpora(l.dir, *data, name)
	return filepath.Join(l.dir, name+".topoi"), err
}

// command returns a command whose complaints are seen.
func command(name string, args ...string) *exec.Cmd {
	c := exec.Command(name, args...)
	c.Stderr = os.Stderr
	return c
}

// corpora builds topoi into a directory and makes corpus files there, from real data below another one or drawn from the
// model: see bench/corpora.sh. It returns the path of the program.
func corpora(dir, data string, names ...string) (topoi string, err error) {
	c := command("bench/corpora.sh", append([]string{dir}, names...)...)
	c.Env = append(os.Environ(), "DATA="+data)
	return filepath.Join(dir, "topoi"), c.Run()
}
