// Command cvb measures zero-order cvb against exact sampling by batch on small
// corpora: how much sooner held-out documents are predicted as well as after 200
// sweeps of batch, with fixed priors and with learnt ones.
//
// Both run in turns, some sweeps each, so that whatever else the machine does
// slows both alike. Processor time stands beside wall time for the same reason.
package main

import (
	"flag"
	"log"
	"strings"

	bench "github.com/topoi-lda/topoi/bench/internal/lab"
	"github.com/topoi-lda/topoi/internal/sampler"
)

func main() {
	log.SetFlags(0)
	data := flag.String("data", "../shared/data", "directory of the real corpora")
	only := flag.String("corpora", "kos,20news,bbc,dblp", "corpora, separated by commas; 20news-10 has ten tokens of every document at most")
	topics := flag.String("topics", "50,100", "numbers of topics")
	priors := flag.String("priors", "fixed,learnt", "which priors: fixed, learnt or both")
	threads := flag.Int("threads", 2, "threads")
	seeds := flag.Int("seeds", 1, "seeds; with several, only the ends and coherence are compared")
	exact := flag.Int("exact", 40, "exact sweeps before cvb's own where priors are learnt")
	own := flag.Int("cvb", 0, "sweeps of cvb when seeds are compared; 0: 60, or 120 with learnt priors")
	batch := flag.Int("sweeps", 200, "sweeps of batch, a multiple of 20: its last score is the goal")
	flag.Parse()
	for _, c := range load(*data, strings.Split(*only, ",")) {
		for _, k := range bench.Numbers(*topics) {
			for _, how := range strings.Split(*priors, ",") {
				l := newLab(c, k, *threads, *batch, how == "learnt")
				var err error
				if *seeds > 1 {
					err = l.compareSeeds(*seeds, *exact, *own)
				} else {
					err = l.compareCurves(*exact)
				}
				if err != nil {
					log.Fatal(err)
				}
			}
		}
	}
}

// tuning is that of cvb for fixed or learnt priors.
func (l *lab) tuning(exact int) sampler.Tuning {
	if l.Learnt {
		return sampler.Tuning{CVB: "zero", ExactSweeps: exact}
	}
	return sampler.Tuning{CVB: "zero"}
}
