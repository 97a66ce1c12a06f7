// Command memory measures training within a memory budget: peak resident memory,
// tokens per second and fingerprints of runs in memory and from files, on a corpus
// that it generates, and of a run that is killed again and again.
package main

import (
	"bufio"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"log"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
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
	flag.IntVar(&b.sweeps, "sweeps", 4, "`number` of sweeps of each run")
	flag.StringVar(&b.sampler, "sampler", "warp", "warp or light")
	large := flag.Int("k", 1_000_000, "`number` of topics of the large model")
	memory := flag.String("memory", "6GiB", "its budget")
	less := flag.String("less", "3GiB", "a smaller one, that needs files; empty: none")
	kills := flag.Int("kills", 5, "`number` of times to kill the run with K = 1,000 from files")
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
	fromFiles := b.run(1000, fmt.Sprint(quarter), 0)
	fmt.Printf("  a quarter of the memory: %.2f times the time per sweep, same model: %v, within the budget: %v\n",
		inMemory.rate/fromFiles.rate, inMemory.fingerprint == fromFiles.fingerprint, fromFiles.peak <= quarter)
	killed := b.run(1000, fmt.Sprint(quarter), *kills)
	fmt.Printf("  killed %d times: same model: %v\n", *kills, inMemory.fingerprint == killed.fingerprint)
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
	fingerprint string
}

// run trains k topics within a budget, killing the process so many times.
func (b *bench) run(k int, memory string, kills int) result {
	model := filepath.Join(b.dir, "model")
	args := []string{
		"train", b.corpus, "-k", strconv.Itoa(k), "--sampler", b.sampler, "--iterations", strconv.Itoa(b.sweeps),
		"--evaluate-every", strconv.Itoa(b.sweeps), "--tolerance", "0", "--json", "--device", "cpu", "-o", model, "--resume",
	}
	name := fmt.Sprintf("%s, K = %s, in memory", b.sampler, human.Count(k))
	if memory != "" {
		args = append(args, "--memory", memory)
		name = fmt.Sprintf("%s, K = %s, --memory %s", b.sampler, human.Count(k), human.Bytes(bytes(memory)))
	}
	var r result
	var rates []float64
	for {
		done := b.once(args, kills > 0, &r, &rates)
		kills--
		if done {
			break
		}
	}
	slices.Sort(rates)
	if len(rates) > 0 {
		r.rate = rates[len(rates)/2]
	}
	check(os.RemoveAll(model))
	fmt.Printf("%-40s %10s %10s  %s\n", name, human.Bytes(r.peak), human.Rate(r.rate), r.fingerprint)
	return r
}

// once runs the command, kills it some time later if asked to, and says whether it
// came to its end.
func (b *bench) once(args []string, kill bool, r *result, rates *[]float64) bool {
	c := exec.Command(b.topoi, args...)
	c.Stderr = os.Stderr
	out, err := c.StdoutPipe()
	check(err)
	check(c.Start())
	if kill {
		timer := time.AfterFunc(time.Duration(1+rand.IntN(15_000))*time.Millisecond, func() { c.Process.Kill() })
		defer timer.Stop()
	}
	stop := make(chan bool)
	go watch(c.Process.Pid, &r.peak, stop)
	lines := bufio.NewScanner(out)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		var event struct {
			Event           string
			Iteration       int
			TokensPerSecond float64 `json:"tokens_per_second"`
			Fingerprint     string
		}
		check(json.Unmarshal(lines.Bytes(), &event))
		if event.Event == "iteration" && event.Iteration > 1 {
			*rates = append(*rates, event.TokensPerSecond)
		}
		if event.Fingerprint != "" {
			r.fingerprint = event.Fingerprint
		}
	}
	err = c.Wait()
	stop <- true
	if kill && err != nil {
		return false
	}
	check(err)
	return true
}

// watch notes the largest resident memory of a process, as the system keeps it.
func watch(pid int, peak *int64, stop <-chan bool) {
	ticker := time.NewTicker(20 * time.Millisecond)
	defer ticker.Stop()
	for {
		select {
		case <-stop:
			return
		case <-ticker.C:
			status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
			if err != nil {
				continue
			}
			for _, line := range strings.Split(string(status), "\n") {
				var kB int64
				if _, err := fmt.Sscanf(line, "VmHWM: %d kB", &kB); err == nil {
					*peak = max(*peak, kB*1024)
				}
			}
		}
	}
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
