// Command score measures what one score of a training run costs, part by part, in processor
// time: machines are shared, and wall time then says little. It sweeps a corpus for a while,
// with learned priors, and scores the state as a run without held-out documents does.
package main

import (
	"context"
	"flag"
	"fmt"
	"log"
	"os"
	"runtime/pprof"
	"slices"
	"time"

	"github.com/topoi-lda/topoi/corpus"
	"github.com/topoi-lda/topoi/eval"
	"github.com/topoi-lda/topoi/internal/counts"
	"github.com/topoi-lda/topoi/internal/holdout"
	"github.com/topoi-lda/topoi/internal/hyper"
	"github.com/topoi-lda/topoi/internal/sampler"
	"github.com/topoi-lda/topoi/internal/sampler/registry"
)

func main() {
	log.SetFlags(0)
	topics := flag.Int("k", 1000, "number of topics")
	name := flag.String("sampler", "warp", "sampler")
	sweeps := flag.Int("sweeps", 40, "sweeps before the state is scored")
	threads := flag.Int("threads", 1, "number of threads")
	tokens := flag.Int("tokens", 20_000, "tokens in the sample")
	profile := flag.String("profile", "", "file for a profile of the scores")
	flag.Parse()
	if flag.NArg() != 1 {
		log.Fatal("score: give one corpus file")
	}
	c, err := corpus.Open(flag.Arg(0))
	if err != nil {
		log.Fatal(err)
	}
	defer c.Close()
	state, err := train(c, *name, *topics, *threads, *sweeps)
	if err != nil {
		log.Fatal(err)
	}
	if *profile != "" {
		f, err := os.Create(*profile)
		if err != nil {
			log.Fatal(err)
		}
		if err := pprof.StartCPUProfile(f); err != nil {
			log.Fatal(err)
		}
		defer pprof.StopCPUProfile()
	}
	if err := state.measure(*tokens, *threads); err != nil {
		log.Fatal(err)
	}
}

// state is a model on its way.
type state struct {
	sampler.Sampler
	c      *corpus.Corpus
	priors *sampler.Priors
	sweep  time.Duration // the least processor time of a sweep
}

func (s *state) NumTopics() int   { return len(s.priors.Alpha) }
func (s *state) NumWords() int    { return s.c.NumWords() }
func (s *state) Alpha() []float64 { return s.priors.Alpha }
func (s *state) Beta() float64    { return s.priors.Beta }

// Concurrent says that rows may be read by several goroutines, as they are in a run.
func (s *state) Concurrent() {}

// train sweeps a corpus and learns priors as a run of default options does.
func train(c *corpus.Corpus, name string, topics, threads, sweeps int) (*state, error) {
	priors := &sampler.Priors{Alpha: slices.Repeat([]float64{5 / float64(topics)}, topics), Beta: 0.01}
	s, err := registry.New(name, &sampler.Problem{Offsets: c.Offsets(), Words: c.Tokens(), V: c.NumWords(), K: topics, Threads: threads})
	if err != nil {
		return nil, err
	}
	if err := s.Start(nil, priors); err != nil {
		return nil, err
	}
	sweep := part{}
	for i := 1; i <= sweeps; i++ {
		sweep.time(func() { err = s.Sweep(context.Background(), i, priors) })
		if err != nil {
			return nil, err
		}
		if i > 20 && i%5 == 0 {
			h := s.Histograms()
			priors = &sampler.Priors{Alpha: hyper.Alpha(priors.Alpha, h, threads), Beta: hyper.Beta(priors.Beta, h, c.NumWords())}
		}
	}
	return &state{s, c, priors, sweep.cpu}, nil
}

// measure scores the state several times over and prints the least of each part.
func (s *state) measure(tokens, threads int) error {
	sample, many := s.sample(tokens), s.sample(10*tokens)
	fmt.Printf("%d documents, %d tokens, %d different words, %d entries in their rows\n", sample.NumDocs(), sample.NumTokens(), s.distinct(sample), s.entries(sample))
	parts := []part{{name: "histograms"}, {name: "joint likelihood"}, {name: "sample"}, {name: "sample of those held out"}, {name: "priors"}}
	var h *counts.Histograms
	var joint, words float64
	var result, brief eval.CompletionResult
	for range 5 {
		parts[0].time(func() { h = s.Histograms() })
		parts[1].time(func() {
			joint, words = hyper.LogLikelihoods(h, s.priors.Alpha, s.priors.Beta, s.c.NumWords(), threads)
		})
		var err error
		parts[2].time(func() { result, err = eval.LeaveOut(context.Background(), s, sample, threads) })
		if err != nil {
			return err
		}
		parts[3].time(func() { brief, err = eval.BriefCompletion(context.Background(), s, many, threads) })
		if err != nil {
			return err
		}
		parts[4].time(func() {
			hyper.Alpha(s.priors.Alpha, h, threads)
			hyper.Beta(s.priors.Beta, h, s.c.NumWords())
		})
	}
	n := float64(s.c.NumTokens())
	fmt.Printf("joint %v, of words alone %v, sample %v, larger sample %v; counts n_wk up to %d\n", joint/n, words/n, result.PerToken, brief.PerToken, len(h.WordTopic)-1)
	fmt.Printf("%-25s %8.1f ms of processor time\n", "a sweep", 1e3*s.sweep.Seconds())
	for _, p := range parts {
		fmt.Printf("%-25s %8.1f ms of processor time, %5.2f %% of ten sweeps, %8.1f ms\n",
			p.name, 1e3*p.cpu.Seconds(), 10*p.cpu.Seconds()/s.sweep.Seconds(), 1e3*p.wall.Seconds())
	}
	return nil
}

// sample draws documents of about so many tokens.
func (s *state) sample(tokens int) *corpus.Corpus {
	docs := s.c.NumDocs()
	_, drawn := holdout.Sample(docs, min(docs, tokens*docs/s.c.NumTokens()+1), 1)
	return s.c.Select(drawn)
}

// distinct counts the different words of documents.
func (s *state) distinct(docs *corpus.Corpus) int {
	words := slices.Sorted(slices.Values(docs.Tokens()))
	return len(slices.Compact(words))
}

// entries counts the topics of these words.
func (s *state) entries(docs *corpus.Corpus) int {
	var rows []counts.Entry
	for _, w := range slices.Compact(slices.Sorted(slices.Values(docs.Tokens()))) {
		rows = s.AppendRow(rows, int(w))
	}
	return len(rows)
}

// part is a part of a score with the least time that it took.
type part struct {
	name      string
	cpu, wall time.Duration
}

func (p *part) time(f func()) {
	before, begin := processorTime(), time.Now()
	f()
	cpu, wall := processorTime()-before, time.Since(begin)
	if p.wall == 0 || cpu < p.cpu {
		p.cpu = cpu
	}
	if p.wall == 0 || wall < p.wall {
		p.wall = wall
	}
}
