//go:build unix

// Command large measures what samplers need and give with very many topics: bytes
// in use after each stage, the largest the process ever was, and tokens per second.
package main

import (
	"context"
	"flag"
	"fmt"
	"log"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"runtime/pprof"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/topoi-lda/topoi/corpus"
	"github.com/topoi-lda/topoi/internal/hyper"
	"github.com/topoi-lda/topoi/internal/sampler"
	"github.com/topoi-lda/topoi/internal/sampler/registry"
)

var (
	path     = flag.String("corpus", "", "corpus file to train on (default: one is generated)")
	docs     = flag.Int("docs", 100_000, "documents of 100 tokens to generate over a million words")
	topics   = flag.String("topics", "1000,1000000", "numbers of topics, separated by commas")
	samplers = flag.String("samplers", "warp,light", "samplers, separated by commas")
	sweeps   = flag.Int("sweeps", 5, "sweeps of each run; the first does not count if there are more")
	threads  = flag.Int("threads", runtime.GOMAXPROCS(0), "threads")
	profile  = flag.String("cpuprofile", "", "file for a CPU profile of the sweeps")
)

func main() {
	log.SetFlags(0)
	flag.Parse()
	c, err := open()
	if err != nil {
		log.Fatal(err)
	}
	defer c.Close()
	if *profile != "" {
		f, err := os.Create(*profile)
		if err != nil {
			log.Fatal(err)
		}
		defer f.Close()
		if err := pprof.StartCPUProfile(f); err != nil {
			log.Fatal(err)
		}
		defer pprof.StopCPUProfile()
	}
	fmt.Printf("%d documents, %d words, %d tokens, %d threads\n", c.NumDocs(), c.NumWords(), c.NumTokens(), *threads)
	for _, k := range strings.Split(*topics, ",") {
		n, err := strconv.Atoi(k)
		if err != nil {
			log.Fatal(err)
		}
		for _, name := range strings.Split(*samplers, ",") {
			if err := measure(c, name, n); err != nil {
				log.Fatal(err)
			}
		}
	}
}

// open opens the corpus of the flags, or a generated one.
func open() (*corpus.Corpus, error) {
	if *path != "" {
		return corpus.Open(*path)
	}
	dir, err := os.MkdirTemp("", "topoi-large-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir) // the map stays
	file := filepath.Join(dir, "generated.topoi")
	options := corpus.GenerateOptions{Docs: *docs, Words: 1_000_000, MeanLength: 100, Topics: 10_000}
	if _, err := corpus.Generate(context.Background(), file, options); err != nil {
		return nil, err
	}
	return corpus.Open(file)
}

// measure runs one sampler and prints a line for every stage.
func measure(c *corpus.Corpus, name string, k int) error {
	ctx := context.Background()
	tokens := float64(c.NumTokens())
	tell := func(stage string, begin time.Time, note string) {
		runtime.GC()
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		fmt.Printf("%-6s K = %-8d %-12s %7.2f s  heap %7.1f MB  %5.1f bytes/token  %s\n",
			name, k, stage, time.Since(begin).Seconds(), float64(m.HeapAlloc)/1e6, float64(m.HeapAlloc)/tokens, note)
	}
	p := &sampler.Problem{Offsets: c.Offsets(), Words: c.Tokens(), V: c.NumWords(), K: k, Threads: *threads}
	priors := &sampler.Priors{Alpha: slices.Repeat([]float64{50 / float64(k)}, k), Beta: 0.01}
	begin := time.Now()
	s, err := registry.New(name, p)
	if err != nil {
		return err
	}
	tell("made", begin, "")
	begin = time.Now()
	if err := s.Start(nil, priors); err != nil {
		return err
	}
	tell("started", begin, "")
	var rates []float64
	began, least := time.Now(), math.Inf(1)
	for i := 1; i <= *sweeps; i++ {
		begin, busy := time.Now(), cpuSeconds()
		if err := s.Sweep(ctx, i, priors); err != nil {
			return err
		}
		if i > 1 || *sweeps == 1 {
			rates = append(rates, tokens/time.Since(begin).Seconds())
			least = min(least, cpuSeconds()-busy)
		}
	}
	slices.Sort(rates)
	tell("swept", began, fmt.Sprintf("%.2f M tokens/s (median of %d), at least %.1f ns of processor time per token", rates[len(rates)/2]/1e6, len(rates), least*1e9/tokens))
	begin = time.Now()
	h := s.Histograms()
	tell("histograms", begin, "")
	begin = time.Now()
	joint := hyper.JointLogLikelihood(h, priors.Alpha, priors.Beta, c.NumWords())
	tell("likelihood", begin, fmt.Sprintf("%.4f nats/token", joint/tokens))
	begin = time.Now()
	priors.Alpha = hyper.Alpha(priors.Alpha, h, runtime.GOMAXPROCS(0))
	priors.Beta = hyper.Beta(priors.Beta, h, c.NumWords())
	tell("priors", begin, "")
	h = nil
	begin = time.Now()
	for i := *sweeps + 1; i <= *sweeps+3; i++ {
		begin = time.Now()
		if err := s.Sweep(ctx, i, priors); err != nil {
			return err
		}
	}
	tell("asymmetric α", begin, fmt.Sprintf("%.2f M tokens/s", tokens/time.Since(begin).Seconds()/1e6))
	runtime.KeepAlive(s)
	fmt.Printf("%-6s K = %-8d peak %.1f MB\n", name, k, peak()/1e6)
	return nil
}

// cpuSeconds returns the processor time that the process has used.
func cpuSeconds() float64 {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		return 0
	}
	return float64(u.Utime.Nano()+u.Stime.Nano()) / 1e9
}

// peak returns the largest resident size of the process so far, in bytes, or 0
// where the system does not tell.
func peak() float64 {
	status, err := os.ReadFile("/proc/self/status")
	if err != nil {
		return 0
	}
	for _, line := range strings.Split(string(status), "\n") {
		if rest, ok := strings.CutPrefix(line, "VmHWM:"); ok {
			kb, _ := strconv.ParseFloat(strings.TrimSpace(strings.TrimSuffix(rest, "kB")), 64)
			return kb * 1024
		}
	}
	return 0
}
