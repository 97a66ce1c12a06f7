// Command cvb measures zero-order cvb against exact sampling by batch on small
// corpora: how much sooner held-out documents are predicted as well as after 200
// sweeps of batch, with fixed priors and with learnt ones.
//
// Both run in turns, some sweeps each, so that whatever else the machine does
// slows both alike. Processor time stands beside wall time for the same reason.
package main

import (
	"context"
	"flag"
	"fmt"
	"log"
	"path/filepath"
	"strings"

	"github.com/topoi-lda/topoi/corpus"
	"github.com/topoi-lda/topoi/corpus/text"
	"github.com/topoi-lda/topoi/internal/sampler"
)

func main() {
	log.SetFlags(0)
	data := flag.String("data", "../shared/data", "directory of the real corpora")
	only := flag.String("corpora", "kos,20news,bbc,dblp", "corpora, separated by commas")
	topics := flag.String("topics", "50,100", "numbers of topics")
	priors := flag.String("priors", "fixed,learnt", "which priors: fixed, learnt or both")
	threads := flag.Int("threads", 2, "threads")
	seeds := flag.Int("seeds", 1, "seeds; with several, only the ends and coherence are compared")
	exact := flag.Int("exact", 40, "exact sweeps before cvb's own where priors are learnt")
	flag.Parse()
	for _, c := range load(*data, strings.Split(*only, ",")) {
		for _, k := range numbers(*topics) {
			for _, how := range strings.Split(*priors, ",") {
				l := newLab(c, k, *threads, how == "learnt")
				var err error
				if *seeds > 1 {
					err = l.compareSeeds(*seeds, *exact)
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

func numbers(list string) (numbers []int) {
	for _, x := range strings.Split(list, ",") {
		var n int
		if _, err := fmt.Sscan(x, &n); err != nil {
			log.Fatalf("%q is not a number of topics", x)
		}
		numbers = append(numbers, n)
	}
	return numbers
}

// named is a corpus to compare on.
type named struct {
	name string
	docs *corpus.Corpus
}

// load reads the corpora.
func load(data string, names []string) []named {
	plain := text.Options{Languages: text.DefaultLanguages(), KeepMarkup: true}
	files := map[string]struct {
		path string
		opts corpus.ImportOptions
	}{
		"kos":    {"kos/docword.kos.txt.gz", corpus.ImportOptions{}},
		"20news": {"20news/20news.tsv.zst", corpus.ImportOptions{Text: plain, MinDF: 5, MaxDF: 0.5, DropEmpty: true}},
		"bbc":    {"bbc", corpus.ImportOptions{}},
		"dblp":   {"dblp", corpus.ImportOptions{}},
	}
	var list []named
	for _, name := range names {
		file, ok := files[name]
		if !ok {
			log.Fatalf("no corpus is called %q", name)
		}
		c, _, err := corpus.Load(context.Background(), []string{filepath.Join(data, file.path)}, file.opts)
		if err != nil {
			log.Fatal(err)
		}
		list = append(list, named{name, c})
	}
	return list
}

// tuning is that of cvb for fixed or learnt priors.
func (l *lab) tuning(exact int) sampler.Tuning {
	if l.learnt {
		return sampler.Tuning{CVB: "zero", ExactSweeps: exact}
	}
	return sampler.Tuning{CVB: "zero"}
}
