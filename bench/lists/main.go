// Command lists measures the sampler lists against batch and warp: what a sweep costs, and how much sooner
// held-out documents are predicted as well as after some sweeps of the sampler that is the
// faster of the two for so many topics.
//
// Samplers run in turns, some sweeps each, so that whatever else the machine does slows all alike, and
// processor time is what is compared, for the same reason. Scoring is not counted.
package main

import (
	"flag"
	"log"
	"path/filepath"
	"strings"

	"github.com/topoi-lda/topoi/bench/internal/lab"
	"github.com/topoi-lda/topoi/corpus"
)

func main() {
	log.SetFlags(0)
	data := flag.String("data", ".", "directory of corpus files NAME.topoi")
	only := flag.String("corpora", "elife20,20news,generated", "corpora, separated by commas")
	topics := flag.String("topics", "100,300,1000,4000", "numbers of topics")
	names := flag.String("samplers", "warp,batch,lists", "samplers, separated by commas; the last is compared with the first")
	steps := flag.String("steps", "10,3,3", "sweeps of each between scores")
	docs := flag.Int("docs", 0, "use the first documents only; 0: all")
	rounds := flag.Int("rounds", 10, "scores of the first")
	threads := flag.Int("threads", 2, "threads")
	learnt := flag.Bool("learnt", false, "learn priors, from Σα = 5 on, instead of keeping Σα = 50 and β = 0.01")
	flag.Parse()
	for _, name := range strings.Split(*only, ",") {
		c, err := corpus.Open(filepath.Join(*data, name+".topoi"))
		if err != nil {
			log.Fatal(err)
		}
		for _, k := range lab.Numbers(*topics) {
			l := lab.New(name, first(c, *docs), k, *threads, *learnt)
			if err := compare(l, strings.Split(*names, ","), lab.Numbers(*steps), *rounds); err != nil {
				log.Fatal(err)
			}
		}
	}
}

// first is the first documents of a corpus, or all.
func first(c *corpus.Corpus, docs int) *corpus.Corpus {
	if docs == 0 {
		return c
	}
	return c.Docs(0, min(docs, c.NumDocs()))
}
