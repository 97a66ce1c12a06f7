// Command cluster measures what it costs to train by workers around a store
// instead of by threads in one process, through the topoi binary. Machines are
// noisy: both ways are run in turn, several times, and the medians compared.
package main

import (
	"cmp"
	"flag"
	"fmt"
	"io"
	"log"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
)

// planned is a pair of runs to compare.
type planned struct {
	name       string
	sampler    string
	staleness  int
	iterations int // the first ten are left out
	repeats    int // times that each is run
}

var plan = []planned{
	{"warp-1", "warp", 1, 60, 3},
	{"warp-1-long", "warp", 1, 200, 3},
	{"warp-0", "warp", 0, 60, 1},
	{"batch-1", "batch", 1, 30, 1},
	{"batch-0", "batch", 0, 30, 1},
}

const (
	topics  = 1000
	workers = 2
	warmup  = 10 // sweeps that are not counted: topics are random at first
)

func main() {
	log.SetFlags(0)
	quick := flag.Bool("quick", false, "a small generated corpus, to see that everything works")
	data := flag.String("data", "../shared/data", "directory of the real corpus")
	only := flag.String("only", "", "names of the comparisons to do, separated by commas (default all)")
	repeats := flag.Int("repeats", 0, "times that each is run (default 3 for warp-1, 1 for the others)")
	out := flag.String("out", "bench/results/cluster.txt", "file for the results")
	flag.Parse()
	dir, err := os.MkdirTemp("", "topoi-bench-")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	if err := run(dir, *data, *only, *repeats, *quick, *out); err != nil {
		log.Fatal(err)
	}
}

func run(dir, data, only string, repeats int, quick bool, out string) error {
	b := &bench{dir: dir, topoi: filepath.Join(dir, "topoi")}
	if err := command("go", "build", "-o", b.topoi, "./cmd/topoi").Run(); err != nil {
		return err
	}
	var err error
	if b.corpus, b.name, err = b.makeCorpus(data, quick); err != nil {
		return err
	}
	var text strings.Builder
	w := io.MultiWriter(os.Stdout, &text)
	fmt.Fprintf(w, "%s, K = %d: %d workers of one thread against %d threads in one process, in turn, medians\n", b.name, topics, workers, workers)
	for _, p := range plan {
		if only != "" && !slices.Contains(strings.Split(only, ","), p.name) {
			continue
		}
		if repeats > 0 {
			p.repeats = repeats
		}
		if err := b.compare(w, p); err != nil {
			return fmt.Errorf("%s: %w", p.name, err)
		}
	}
	return os.WriteFile(out, []byte(text.String()), 0o644)
}

// makeCorpus makes the corpus file.
func (b *bench) makeCorpus(data string, quick bool) (path, name string, err error) {
	path = filepath.Join(b.dir, "corpus.topoi")
	if quick {
		return path, "a generated corpus", command(b.topoi, "generate", "--quiet", "--docs", "10000", "--words", "20000", "--mean-length", "200", "--topics", "100", "-o", path).Run()
	}
	source := filepath.Join(data, "elife/docword.elife20.txt.zst")
	if _, err := os.Stat(source); err != nil {
		return "", "", fmt.Errorf("the corpus is not there (%w): say where with -data, or try -quick", err)
	}
	vocab := filepath.Join(data, "elife/vocab.elife20.txt")
	return path, "elife20", command(b.topoi, "import", "--quiet", source, "--vocab", vocab, "--min-cf", "1", "--drop-empty", "-o", path).Run()
}

// compare runs one comparison and prints it. Threads run without staleness, which
// has no use in one process.
func (b *bench) compare(w io.Writer, p planned) error {
	var here, hereCPU, there, thereCPU []float64
	var runs []clusterRun
	for range p.repeats {
		plain := p
		plain.staleness = 0
		sweep, cpu, err := b.threads(plain)
		if err != nil {
			return err
		}
		r, err := b.cluster(p)
		if err != nil {
			return err
		}
		here, hereCPU = append(here, sweep), append(hereCPU, cpu)
		there, thereCPU = append(there, r.sweep), append(thereCPU, r.cpu)
		runs = append(runs, r)
	}
	slices.SortFunc(runs, func(a, b clusterRun) int { return cmp.Compare(a.sweep, b.sweep) })
	r := runs[len(runs)/2]
	fmt.Fprintf(w, "%s: %s, staleness %d, sweeps %d to %d\n", p.name, p.sampler, p.staleness, warmup+1, p.iterations)
	fmt.Fprintf(w, "  threads %.3f s a sweep, workers %.3f s: %.2f times; all runs %s against %s\n",
		median(here), median(there), median(there)/median(here), seconds(here), seconds(there))
	if median(hereCPU) > 0 && median(thereCPU) > 0 {
		fmt.Fprintf(w, "  processors' time, store included: %.3f s against %.3f s, %.2f times; all runs %s against %s\n",
			median(hereCPU), median(thereCPU), median(thereCPU)/median(hereCPU), seconds(hereCPU), seconds(thereCPU))
	}
	fmt.Fprintf(w, "  of a worker's time: sampling %.0f %%, coding %.0f %%, waiting %.0f %%\n", 100*r.sampling, 100*r.coding, 100*r.waiting)
	fmt.Fprintf(w, "  a worker sends %.1f MB and receives %.1f MB a sweep\n", r.sent/1e6, r.received/1e6)
	fmt.Fprintf(w, "  a worker samples %.1f M tokens/s and codes %.1f M entries/s; with these, predicted: %.3f s a sweep, %.1f MB sent\n",
		r.tokenRate/1e6, r.codeRate/1e6, r.predicted, r.predictedSent/1e6)
	return nil
}

// median returns the upper one of an even number.
func median(list []float64) float64 {
	sorted := slices.Sorted(slices.Values(list))
	return sorted[len(sorted)/2]
}

func seconds(list []float64) string {
	var words []string
	for _, s := range list {
		words = append(words, fmt.Sprintf("%.3f", s))
	}
	return strings.Join(words, ", ")
}

func command(name string, args ...string) *exec.Cmd {
	c := exec.Command(name, args...)
	c.Stderr = os.Stderr
	return c
}
