// Command threads measures what a second thread gains. Machines are noisy over
// minutes, so it keeps two equal runs, one with one thread and one with two, and
// sweeps them in turn: every pair of sweeps is over in seconds.
package main

import (
	"context"
	"flag"
	"fmt"
	"log"
	"slices"
	"strings"
	"time"

	"github.com/topoi-lda/topoi/corpus"
	"github.com/topoi-lda/topoi/internal/sampler"
	"github.com/topoi-lda/topoi/internal/sampler/registry"
)

func main() {
	log.SetFlags(0)
	topics := flag.Int("k", 1000, "number of topics")
	names := flag.String("samplers", "warp,batch", "samplers, separated by commas")
	steps := flag.Int("mh-steps", 0, "proposals per token (default the sampler's own)")
	sweeps := flag.Int("sweeps", 15, "pairs of sweeps to time, after two that are not")
	flag.Parse()
	if flag.NArg() != 1 {
		log.Fatal("threads: give one corpus file")
	}
	c, err := corpus.Open(flag.Arg(0))
	if err != nil {
		log.Fatal(err)
	}
	defer c.Close()
	for _, name := range strings.Split(*names, ",") {
		if err := measure(c, name, *topics, *steps, *sweeps); err != nil {
			log.Fatal(err)
		}
	}
}

// measure times pairs of sweeps and prints the quartiles of their ratio.
func measure(c *corpus.Corpus, name string, topics, steps, sweeps int) error {
	priors := &sampler.Priors{Alpha: slices.Repeat([]float64{50 / float64(topics)}, topics), Beta: 0.01}
	var runs [2]sampler.Sampler
	for i := range runs {
		var err error
		runs[i], err = registry.New(name, &sampler.Problem{
			Offsets: c.Offsets(), Words: c.Tokens(), V: c.NumWords(), K: topics, Threads: i + 1,
			Tuning: sampler.Tuning{MHSteps: steps},
		})
		if err != nil {
			return err
		}
		if err := runs[i].Start(nil, priors); err != nil {
			return err
		}
	}
	const unmeasured = 2 // first touch of memory
	var ratios []float64
	var total [2]time.Duration
	for iteration := 1; iteration <= sweeps+unmeasured; iteration++ {
		var took [2]time.Duration
		for i, run := range runs {
			begin := time.Now()
			if err := run.Sweep(context.Background(), iteration, priors); err != nil {
				return err
			}
			took[i] = time.Since(begin)
		}
		if iteration > unmeasured {
			ratios = append(ratios, took[0].Seconds()/took[1].Seconds())
			total[0] += took[0]
			total[1] += took[1]
		}
	}
	slices.Sort(ratios)
	n := len(ratios)
	fmt.Printf("%s, K = %d%s: one thread %.3f s a sweep, two %.3f s; gain %.2f overall, quartiles of %d pairs %.2f %.2f %.2f\n",
		name, topics, proposals(steps), total[0].Seconds()/float64(n), total[1].Seconds()/float64(n), total[0].Seconds()/total[1].Seconds(),
		n, ratios[n/4], ratios[n/2], ratios[3*n/4])
	return nil
}

// proposals names the number of proposals if it was chosen.
func proposals(steps int) string {
	if steps == 0 {
		return ""
	}
	return fmt.Sprintf(", %d proposal(s)", steps)
}
