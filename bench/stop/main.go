// Command stop measures two things that a user of the defaults relies on: that
// training stops neither too early nor much too late, and that learning the priors
// loses nothing against the best of three fixed choices. Scores are held-out ones
// (document completion, a random tenth of the documents), in nats per token.
//
//	stop -list            the cases, one a line
//	stop                  all of them
//	stop stop/kos/50      one of them
package main

import (
	"context"
	"flag"
	"fmt"
	"log"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/topoi-lda/topoi"
	"github.com/topoi-lda/topoi/corpus"
)

var (
	data   = flag.String("data", ".", "directory of corpus files NAME.topoi; those that are not there are left out")
	device = flag.String("device", "auto", "where to train")
	thread = flag.Int("threads", 0, "threads; 0: all cores")
	sweeps = flag.Int("sweeps", 1000, "length of the runs of which priors are compared")
	last   = flag.Bool("last", false, "hold out the last tenth of the documents instead of a sample")
)

func main() {
	log.SetFlags(0)
	list := flag.Bool("list", false, "list the cases")
	flag.Parse()
	names := flag.Args()
	if len(names) == 0 {
		names = cases()
	}
	if *list {
		fmt.Println(strings.Join(names, "\n"))
		return
	}
	for _, name := range names {
		line, err := measure(name)
		if err != nil {
			fmt.Fprintf(os.Stderr, "%s: left out: %v\n", name, err)
			continue
		}
		fmt.Println(line)
	}
}

// cases names what is measured: what/corpus/K, or what/corpus/K/sampler.
func cases() []string {
	var list []string
	for _, c := range []string{"kos", "20news", "bbc", "reuters", "dblp", "papers", "short", "long", "wide"} {
		for _, k := range []int{10, 50, 200, 1000} {
			list = append(list, fmt.Sprintf("stop/%s/%d", c, k))
		}
	}
	list = append(list, "stop/short/400", "stop/kos/50/warp", "stop/20news/50/warp", "stop/kos/100/sparse", "stop/bbc/50/light", "stop/kos/50/fixed")
	for _, c := range []string{"kos", "20news", "elife20"} {
		for _, k := range []int{50, 200, 1000} {
			list = append(list, fmt.Sprintf("priors/%s/%d", c, k))
		}
	}
	return list
}

// measure does one case and describes it in a line.
func measure(name string) (string, error) {
	parts := strings.Split(name, "/")
	if len(parts) < 3 {
		return "", fmt.Errorf("a case is stop or priors, a corpus, a number of topics and perhaps a sampler: try -list")
	}
	k, err := strconv.Atoi(parts[2])
	if err != nil {
		return "", err
	}
	o := topoi.Options{Topics: k, Device: *device, Threads: *thread, Holdout: 0.1, HoldoutLast: *last, HoldoutTokens: -1}
	if len(parts) == 4 && parts[3] == "fixed" {
		o.AlphaSum, o.OptimizeInterval = 50, -1
	} else if len(parts) == 4 {
		o.Sampler = parts[3]
	}
	c, err := corpus.Open(filepath.Join(*data, parts[1]+".topoi"))
	if err != nil {
		return "", err
	}
	defer c.Close()
	if parts[0] == "priors" {
		return comparePriors(name, c, o)
	}
	return findStop(name, c, o)
}

// heldoutAfter trains for so many sweeps and returns the held-out scores on the way.
func heldoutAfter(train func(topoi.Options) (*topoi.Model, error), o topoi.Options, sweeps int) ([]float64, error) {
	o.Iterations, o.Tolerance = sweeps, -1
	m, err := train(o)
	if err != nil {
		return nil, err
	}
	var scores []float64
	for _, s := range m.Manifest().History {
		scores = append(scores, *s.Heldout)
	}
	return scores, nil
}

// around averages the scores from lo to hi, as far as they are there: single
// sweeps differ by some thousandths.
func around(scores []float64, lo, hi int) float64 {
	scores = scores[max(0, lo):min(hi+1, len(scores))]
	sum := 0.0
	for _, s := range scores {
		sum += s
	}
	return sum / float64(len(scores))
}

// firstWithin returns the number of the first score that is within 0.01 of the last.
func firstWithin(scores []float64) int {
	end := around(scores, len(scores)-3, len(scores)-1)
	return slices.IndexFunc(scores, func(s float64) bool { return s >= end-0.01 }) + 1
}

var background = context.Background()
