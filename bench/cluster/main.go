// Command cluster measures what it costs to train by workers around a store
// instead of by threads in one process, through the topoi binary. Machines are
// noisy, and their speed changes within minutes: both ways run at the same time, one
// stopped while the other goes on, in turns of ten sweeps.
package main

import (
	"cmp"
	"errors"
	"flag"
	"fmt"
	"io"
	"log"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/topoi-lda/topoi/bench/internal/process"
	"github.com/topoi-lda/topoi/corpus"
	"github.com/topoi-lda/topoi/internal/sampler"
)

// planned is a pair of runs to compare.
type planned struct {
	name       string
	sampler    string
	staleness  int
	parts      int // 0: the default
	iterations int // the first ten are left out
}

var plan = []planned{
	{"warp-1", "warp", 1, workers, 200},
	{"warp-0", "warp", 0, workers, 120},
	{"warp-1-default", "warp", 1, 0, 80},
	{"warp-1-eight-parts", "warp", 1, 8, 80},
	{"batch-1", "batch", 1, workers, 60},
	{"batch-0", "batch", 0, workers, 60},
}

const (
	topics     = 1000
	workers    = 2
	turnSweeps = 10 // a cluster tells of its iterations at barriers
)

func main() {
	log.SetFlags(0)
	quick := flag.Bool("quick", false, "a small generated corpus, to see that everything works")
	data := flag.String("data", "../shared/data", "directory of the real corpus")
	only := flag.String("only", "", "names of the comparisons to do, separated by commas (default all)")
	out := flag.String("out", "bench/results/cluster.txt", "file for the results")
	flag.Parse()
	dir, err := os.MkdirTemp("", "topoi-bench-")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	if err := run(dir, *data, *only, *quick, *out); err != nil {
		log.Fatal(err)
	}
}

func run(dir, data, only string, quick bool, out string) error {
	b := &bench{dir: dir, name: "elife20"}
	if quick {
		b.name = "short"
	}
	var err error
	if b.topoi, err = process.Corpora(dir, data, b.name); err != nil {
		return fmt.Errorf("the corpus is not there (%w): say where with -data, or try -quick", err)
	}
	b.corpus = filepath.Join(dir, b.name+".topoi")
	c, err := corpus.Open(b.corpus)
	if err != nil {
		return err
	}
	b.tokens = c.NumTokens()
	if err := c.Close(); err != nil {
		return err
	}
	var text strings.Builder
	w := io.MultiWriter(os.Stdout, &text)
	fmt.Fprintf(w, "%s, K = %d: %d workers of one thread against %d threads in one process, in turns\n", b.name, topics, workers, workers)
	for _, p := range plan {
		if only != "" && !slices.Contains(strings.Split(only, ","), p.name) {
			continue
		}
		if err := b.compare(w, p); err != nil {
			return fmt.Errorf("%s: %w", p.name, err)
		}
	}
	switch {
	case quick:
		return nil
	case only != "":
		return appendTo(out, fmt.Sprintf("\n%s, bench/cluster.sh -only %s\n%s", time.Now().UTC().Format("2 January 2006, 15:04 MST"), only, text.String()))
	}
	return os.WriteFile(out, []byte(text.String()), 0o644)
}

// appendTo adds text to a file, in which other results stay.
func appendTo(path, text string) error {
	f, err := os.OpenFile(path, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o644)
	if err != nil {
		return err
	}
	_, err = f.WriteString(text)
	return errors.Join(err, f.Close())
}

// parts is the number of parts of a comparison's job.
func (b *bench) parts(p planned) int { return cmp.Or(p.parts, sampler.DefaultParts(b.tokens)) }

// compare runs one comparison and prints it.
func (b *bench) compare(w io.Writer, p planned) error {
	list, err := b.turns(p)
	if err != nil {
		return err
	}
	r, err := b.alone(p)
	if err != nil {
		return err
	}
	fmt.Fprintf(w, "%s: %s, staleness %d, %d parts, sweeps %d to %d in turns of %d\n", p.name, p.sampler, p.staleness, b.parts(p),
		turnSweeps+1, turnSweeps*(len(list)+1), turnSweeps)
	b.print(w, "by the clock", list, func(t turn) (float64, float64) { return t.threads, t.workers })
	b.print(w, "of processors, the store's included", list, func(t turn) (float64, float64) { return t.threadsCPU, t.workersCPU })
	fmt.Fprintf(w, "  of a worker's time: sampling %.0f %%, coding %.0f %%, waiting %.0f %%\n", 100*r.sampling, 100*r.coding, 100*r.waiting)
	fmt.Fprintf(w, "  a worker sends %.1f MB and receives %.1f MB a sweep\n", r.sent/1e6, r.received/1e6)
	fmt.Fprintf(w, "  a worker samples %.1f M tokens/s and codes %.1f M entries/s; with these, predicted: %.3f s a sweep, %.1f MB sent\n",
		r.tokenRate/1e6, r.codeRate/1e6, r.predicted, r.predictedSent/1e6)
	return nil
}

// print prints what turns took and the ratios of those that followed each other.
func (b *bench) print(w io.Writer, what string, list []turn, times func(turn) (threads, workers float64)) {
	var threads, workers, ratios []float64
	for _, t := range list {
		x, y := times(t)
		threads, workers, ratios = append(threads, x), append(workers, y), append(ratios, y/x)
	}
	fmt.Fprintf(w, "  a sweep, %s: threads %.3f s, workers %.3f s, %.2f times (median of turns; %.2f of all, %.2f to %.2f)\n",
		what, median(threads), median(workers), median(ratios), sum(workers)/sum(threads), slices.Min(ratios), slices.Max(ratios))
}

func sum(list []float64) (s float64) {
	for _, x := range list {
		s += x
	}
	return s
}

// median returns the upper one of an even number.
func median(list []float64) float64 {
	sorted := slices.Sorted(slices.Values(list))
	return sorted[len(sorted)/2]
}
