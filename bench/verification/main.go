//go:build unix

// Command verification measures what the checks of a training run cost: comparing the
// corpus with its checksums, and adding up the model's counts, beside sweeps on the same
// corpus. Both are measured in turns, as processor time, which other programs disturb least.
//
//	go run ./bench/verification CORPUS
package main

import (
	"context"
	"flag"
	"fmt"
	"log"
	"slices"
	"time"

	"golang.org/x/sys/unix"

	"github.com/topoi-lda/topoi"
	"github.com/topoi-lda/topoi/corpus"
)

func main() {
	log.SetFlags(0)
	sweeps := flag.Int("sweeps", 20, "sweeps of a run")
	topics := flag.Int("topics", 100, "topics")
	turns := flag.Int("turns", 3, "runs, each between two verifications")
	flag.Parse()
	if flag.NArg() != 1 {
		log.Fatal("name one corpus file")
	}
	c, err := corpus.Open(flag.Arg(0))
	if err != nil {
		log.Fatal(err)
	}
	defer c.Close()
	fmt.Printf("%d documents, %d words, %d tokens; %d topics, %d sweeps\n", c.NumDocs(), c.NumWords(), c.NumTokens(), *topics, *sweeps)
	fmt.Println("turn  training s  corpus s  model s  checks %")
	var ratios []float64
	for turn := range *turns {
		before := measure(c.Verify)
		var m *topoi.Model
		training := measure(func() (err error) {
			m, err = topoi.Train(context.Background(), c, topoi.Options{Topics: *topics, Iterations: *sweeps, Tolerance: 1e-12, Seed: 1, Device: "cpu"})
			return err
		})
		model := measure(m.Verify)
		file := (before + measure(c.Verify)) / 2
		ratios = append(ratios, 100*(file+model)/training)
		fmt.Printf("%4d  %10.2f  %8.3f  %7.3f  %8.2f\n", turn+1, training, file, model, ratios[turn])
	}
	slices.Sort(ratios)
	fmt.Printf("median %.2f %% of the processor time of training\n", ratios[len(ratios)/2])
}

// measure returns the processor time of f in seconds.
func measure(f func() error) float64 {
	begin := processorTime()
	if err := f(); err != nil {
		log.Fatal(err)
	}
	return (processorTime() - begin).Seconds()
}

// processorTime is what this process has used so far.
func processorTime() time.Duration {
	var u unix.Rusage
	if err := unix.Getrusage(unix.RUSAGE_SELF, &u); err != nil {
		log.Fatal(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
