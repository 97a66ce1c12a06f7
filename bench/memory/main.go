// Command memory measures training within a memory budget: peak resident memory,
// tokens per second and fingerprints of runs in memory and from files, on a corpus
// that it generates, and of a run that is killed again and again.
package main

import (
	"errors"
	"flag"
	"fmt"
	"log"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"time"

	"github.com/topoi-lda/topoi/internal/human"
)

func main() {
	log.SetFlags(0)
	var b bench
	dir := flag.String("dir", os.TempDir(), "`directory` for corpus, models and work files; 5 GB for 100 M tokens")
	corpus := flag.String("corpus", "", "corpus `file` to use instead of a generated one")
	millions := flag.Int("tokens", 100, "`millions` of tokens to generate")
	words := flag.Int("words", 1_000_000, "`number` of words to generate")
	flag.IntVar(&b.sweeps, "sweeps", 4, "`number` of sweeps of a run")
	rounds := flag.Int("rounds", 4, "`number` of turns of the comparison in memory and from files; 0: compare runs one after the other")
	flag.StringVar(&b.sampler, "sampler", "warp", "warp or light")
	large := flag.Int("k", 1_000_000, "`number` of topics of the large model; 0: none")
	memory := flag.String("memory", "6GiB", "its budget")
	less := flag.String("less", "3GiB", "a smaller one, that needs files; empty: none")
	kills := flag.Int("kills", 5, "`number` of times to kill the run with K = 1,000 from files; 0: no such run")
	flag.Parse()
	work, err := os.MkdirTemp(*dir, "topoi-memory-*")
	check(err)
	defer os.RemoveAll(work)
	b.dir = work
	b.topoi = filepath.Join(work, "topoi")
	command("go", "build", "-o", b.topoi, "./cmd/topoi")
	b.corpus = *corpus
	if b.corpus == "" {
		b.corpus = filepath.Join(work, "corpus.topoi")
		command(b.topoi, "generate", "--docs", strconv.Itoa(*millions*10_000), "--mean-length", "100", "--words", strconv.Itoa(*words),
			"--topics", "10000", "--quiet", "-o", b.corpus)
	}
	fmt.Printf("%-40s %10s %10s  %s\n", "run", "peak", "tokens/s", "model")
	inMemory := b.run(1000, "", 0)
	quarter := inMemory.peak / 4
	if *rounds > 0 {
		b.compare(1000, quarter, *rounds)
	} else {
		fromFiles := b.run(1000, fmt.Sprint(quarter), 0)
		fmt.Printf("  a quarter of the memory: %.2f times the time per sweep, same model: %v, within the budget: %v\n",
			inMemory.rate/fromFiles.rate, inMemory.fingerprint == fromFiles.fingerprint, fromFiles.peak <= quarter)
	}
	if *kills > 0 {
		killed := b.run(1000, fmt.Sprint(quarter), *kills)
		fmt.Printf("  killed %d times: same model: %v\n", killed.kills, inMemory.fingerprint == killed.fingerprint)
	}
	if *large == 0 {
		return
	}
	whole := b.run(*large, *memory, 0)
	fmt.Printf("  K = %s: %.2f of the rate at K = 1,000 in memory, within the budget: %v\n", human.Count(*large), whole.rate/inMemory.rate, whole.peak <= bytes(*memory))
	if *less != "" {
		small := b.run(*large, *less, 0)
		fmt.Printf("  in %s: %.2f of the rate, same model: %v, within the budget: %v\n", *less, small.rate/inMemory.rate,
			whole.fingerprint == small.fingerprint, small.peak <= bytes(*less))
	}
}

// bench is what all runs have in common.
type bench struct {
	dir, topoi, corpus, sampler string
	sweeps                      int
}

// result is one run.
type result struct {
	peak        int64   // largest resident memory, bytes
	rate        float64 // tokens per second of the sweeps but the first, median
	kills       int
	fingerprint string
}

// args are those of a run with k topics, within a budget unless that is empty.
func (b *bench) args(k int, memory, model string, sweeps int) []string {
	args := []string{
		"train", b.corpus, "-k", strconv.Itoa(k), "--sampler", b.sampler, "--iterations", strconv.Itoa(sweeps),
		"--evaluate-every", strconv.Itoa(sweeps), "--tolerance", "0", "--json", "--device", "cpu", "-o", model, "--resume",
	}
	if memory != "" {
		args = append(args, "--memory", memory)
	}
	return args
}

// name describes a run.
func (b *bench) name(k int, memory string) string {
	if memory == "" {
		return fmt.Sprintf("%s, K = %s, in memory", b.sampler, human.Count(k))
	}
	return fmt.Sprintf("%s, K = %s, --memory %s", b.sampler, human.Count(k), human.Bytes(bytes(memory)))
}

// run trains k topics within a budget, killing the process so many times.
func (b *bench) run(k int, memory string, kills int) result {
	model := filepath.Join(b.dir, "model")
	var r result
	var rates []float64
	for {
		p := start(b.topoi, b.args(k, memory, model, b.sweeps))
		kill := r.kills < kills
		// Later ones come later: the run is to come to its end, however long it takes to start.
		timer := time.AfterFunc(time.Duration(1+rand.IntN(15_000*(1+r.kills)))*time.Millisecond, func() {
			if kill {
				p.Process.Kill()
			}
		})
		for {
			s, ok := p.next()
			if !ok {
				break
			}
			if s.iteration > 1 {
				rates = append(rates, s.rate)
			}
		}
		err := p.wait()
		timer.Stop()
		r.peak, r.fingerprint = max(r.peak, p.peak), p.fingerprint
		if err == nil {
			break
		}
		if !kill {
			check(err)
		}
		r.kills++
	}
	r.rate = median(rates)
	check(os.RemoveAll(model))
	fmt.Printf("%-40s %10s %10s  %s\n", b.name(k, memory), human.Bytes(r.peak), human.Rate(r.rate), r.fingerprint)
	return r
}

// compare trains k topics in memory and within a budget, in turns.
func (b *bench) compare(k int, budget int64, rounds int) {
	memories := []string{"", fmt.Sprint(budget)}
	var args [][]string
	for i, memory := range memories {
		args = append(args, b.args(k, memory, filepath.Join(b.dir, fmt.Sprint("model", i)), sweepsOf(rounds)))
	}
	runs, measured := turns(b.topoi, args, rounds)
	inMemory, fromFiles := summarize(measured[0]), summarize(measured[1])
	for i, s := range []summary{inMemory, fromFiles} {
		fmt.Printf("%-40s %10s %10s  %s\n", b.name(k, memories[i]), human.Bytes(runs[i].peak), human.Rate(s.rate), runs[i].fingerprint)
		fmt.Printf("  %d turns of %d sweeps: %.2f s a sweep (%.2f to %.2f), %.2f s of processors\n", rounds, turnSweeps-1, s.wall, s.least, s.most, s.cpu)
	}
	least, most := ratios(fromFiles.turns, inMemory.turns)
	fmt.Printf("  a quarter of the memory: %.2f times the time per sweep (%.2f to %.2f from turn to turn), %.2f times the processors' time, same model: %v, within the budget: %v\n",
		fromFiles.wall/inMemory.wall, least, most, fromFiles.cpu/inMemory.cpu, runs[0].fingerprint == runs[1].fingerprint, runs[1].peak <= budget)
}

// bytes reads a size as topoi does.
func bytes(size string) int64 {
	n, err := human.ParseBytes(size)
	check(err)
	return n
}

// command runs a command that must succeed.
func command(name string, args ...string) {
	out, err := exec.Command(name, args...).CombinedOutput()
	if err != nil {
		check(errors.New(string(out)))
	}
}

func check(err error) {
	if err != nil {
		log.Fatal("memory: ", err)
	}
}
