// Command cvb measures zero-order collapsed variational Bayes against exact
// sampling on small corpora: seconds until held-out documents are predicted as
// well as after 200 sweeps of batch, with fixed priors and with learnt ones.
package main

import (
	"context"
	"flag"
	"fmt"
	"log"
	"math"
	"os"
	"path/filepath"
	"strings"
	"time"

	"golang.org/x/sys/unix"

	"github.com/topoi-lda/topoi/corpus"
	"github.com/topoi-lda/topoi/corpus/text"
	"github.com/topoi-lda/topoi/eval"
	"github.com/topoi-lda/topoi/internal/counts"
	"github.com/topoi-lda/topoi/internal/hyper"
	"github.com/topoi-lda/topoi/internal/sampler"
	"github.com/topoi-lda/topoi/internal/sampler/cvb"
)

var (
	every = flag.Int("score", 10, "score every")
	learnFrom = flag.Int("from", 10, "first")
	learnEvery = flag.Int("every", 5, "every")
	learnBy = flag.String("by", "none", "how")
	threads = flag.Int("threads", 2, "threads")
	seed    = flag.Uint64("seed", 0, "seed")
	relay   = flag.Int("relay", 30, "sweeps of cvb before batch")
	annealN = flag.Int("anneal", 15, "sweeps with small alpha")
	annealS = flag.Float64("scale", 0.1, "alpha scale")
)

func main() {
	log.SetFlags(0)
	data := flag.String("data", "../shared/data", "directory of the real corpora")
	only := flag.String("corpus", "", "only this corpus")
	topics := flag.Int("topics", 0, "only this K")
	mode := flag.String("mode", "fixed", "fixed or learned")
	runs := flag.String("runs", "batch,cvb", "what to run")
	sweeps := flag.Int("sweeps", 60, "sweeps of cvb")
	flag.Parse()
	for _, c := range load(*data, *only) {
		for _, k := range []int{50, 100} {
			if *topics != 0 && k != *topics {
				continue
			}
			l := newLab(c, k, *mode == "fixed")
			for _, r := range strings.Split(*runs, ",") {
				fmt.Printf("## %s K=%d %s %s\n", c.name, k, *mode, r)
				switch r {
				case "batch":
					l.batch(nil, 1, 200)
				case "cvb":
					l.cvb(*sweeps)
				case "reverse":
					z := l.batch(nil, 1, *relay)
					l.cvbFrom(z, *sweeps)
				case "relay":
					z := l.cvb(*relay)
					l.batch(z, 1, 200)
				}
			}
		}
	}
}

type named struct {
	name string
	docs *corpus.Corpus
}

func load(data, only string) []named {
	plain := text.Options{Languages: text.DefaultLanguages(), KeepMarkup: true}
	var list []named
	for _, x := range []struct {
		name, path string
		opts       corpus.ImportOptions
	}{
		{"kos", "kos/docword.kos.txt.gz", corpus.ImportOptions{}},
		{"20news", "20news/20news.tsv.zst", corpus.ImportOptions{Text: plain, MinDF: 5, MaxDF: 0.5, DropEmpty: true}},
		{"bbc", "bbc", corpus.ImportOptions{}},
		{"dblp", "dblp", corpus.ImportOptions{}},
	} {
		if only != "" && only != x.name {
			continue
		}
		c, _, err := corpus.Load(context.Background(), []string{filepath.Join(data, x.path)}, x.opts)
		if err != nil {
			log.Fatal(err)
		}
		list = append(list, named{x.name, c})
	}
	return list
}

type lab struct {
	p       *sampler.Problem
	priors  *sampler.Priors
	fixed   bool
	heldout *corpus.Corpus
	cpu     time.Duration
	least   float64
}

func newLab(c named, k int, fixed bool) *lab {
	n := c.docs.NumDocs()
	train, held := c.docs.Docs(0, n-n/10), c.docs.Docs(n-n/10, n)
	off := train.Offsets()
	l := &lab{fixed: fixed, heldout: held}
	l.p = &sampler.Problem{Offsets: off, Words: train.Tokens(), V: c.docs.NumWords(), K: k, Seed: *seed, Threads: *threads}
	l.least = min(math.Sqrt(float64(k)), float64(train.NumTokens())/float64(train.NumDocs())) / 2
	return l
}

func (l *lab) start() {
	sum := 5.0
	if l.fixed {
		sum = 50
	}
	l.priors = &sampler.Priors{Alpha: make([]float64, l.p.K), Beta: 0.01}
	for k := range l.priors.Alpha {
		l.priors.Alpha[k] = sum / float64(l.p.K)
	}
	l.cpu = 0
}

func cpu() time.Duration {
	var u unix.Rusage
	unix.Getrusage(unix.RUSAGE_SELF, &u)
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

func (l *lab) timed(f func()) {
	b := cpu()
	f()
	l.cpu += cpu() - b
}

type modelOf struct {
	eval.Model
	l    *lab
	rows counts.Rows
	nk   []uint64
}

func (m modelOf) NumTopics() int                                         { return m.l.p.K }
func (m modelOf) NumWords() int                                          { return m.l.p.V }
func (m modelOf) Alpha() []float64                                       { return m.l.priors.Alpha }
func (m modelOf) Beta() float64                                          { return m.l.priors.Beta }
func (m modelOf) TopicTotals() []uint64                                  { return m.nk }
func (m modelOf) AppendRow(dst []counts.Entry, w int) []counts.Entry      { return m.rows.AppendRow(dst, w) }

func (l *lab) score(rows counts.Rows, nk []uint64) float64 {
	r, err := eval.Completion(context.Background(), modelOf{l: l, rows: rows, nk: nk}, l.heldout, *threads)
	if err != nil {
		log.Fatal(err)
	}
	return r.PerToken
}

func (l *lab) learn(h *counts.Histograms) {
	a := hyper.Alpha(l.priors.Alpha, h, *threads)
	sum := 0.0
	for _, x := range a {
		sum += x
	}
	if sum < l.least {
		for k := range a {
			a[k] *= l.least / sum
		}
	}
	l.priors = &sampler.Priors{Alpha: a, Beta: hyper.Beta(l.priors.Beta, h, l.p.V)}
}

func (l *lab) asum() float64 {
	s := 0.0
	for _, x := range l.priors.Alpha {
		s += x
	}
	return s
}

func (l *lab) batch(z []uint32, from, to int) []uint32 {
	if z == nil {
		l.start()
	}
	var s sampler.Sampler
	l.timed(func() {
		var err error
		s, err = sampler.New("batch", l.p)
		if err != nil {
			log.Fatal(err)
		}
		s.Start(z, l.priors)
	})
	base := 0
	if z != nil {
		base = 10
	}
	for i := from; i <= to; i++ {
		l.timed(func() {
			s.Sweep(context.Background(), i+base, l.priors)
			if !l.fixed && (z != nil && i%2 == 0 || z == nil && i > 20 && i%5 == 0) {
				l.learn(s.Histograms())
			}
		})
		if i == 10 || i == 20 || i == 40 || i == 60 || i == 100 || i == 150 || i == 200 {
			fmt.Printf("batch %4d  cpu %7.3f  %.4f  alpha %.2f beta %.3f\n", i, l.cpu.Seconds(), l.score(s, s.TopicTotals()), l.asum(), l.priors.Beta)
		}
	}
	out := make([]uint32, l.p.N())
	s.Topics(out)
	return out
}

func (l *lab) cvb(sweeps int) []uint32 { return l.cvbFrom(nil, sweeps) }

func (l *lab) cvbFrom(start []uint32, sweeps int) []uint32 {
	if start == nil {
		l.start()
	}
	var s *cvb.State
	l.timed(func() {
		var err error
		s, err = cvb.New(&cvb.Corpus{Offsets: l.p.Offsets, Words: l.p.Words, V: l.p.V, K: l.p.K, Seed: l.p.Seed, Threads: l.p.Threads})
		if err != nil {
			log.Fatal(err)
		}
		s.Start(start)
	})
	fmt.Printf("cvb     0  cpu %7.3f\n", l.cpu.Seconds())
	z := make([]uint32, l.p.N())
	for i := 1; i <= sweeps; i++ {
		l.timed(func() {
			alpha := append([]float64(nil), l.priors.Alpha...)
			if i <= *annealN {
				for k := range alpha {
					alpha[k] *= *annealS
				}
			}
			s.Sweep(context.Background(), alpha, l.priors.Beta)
		})
		if !l.fixed && i >= *learnFrom && i%*learnEvery == 0 {
			switch *learnBy {
			case "drawn":
				s.Topics(z)
				g, _ := sampler.New("gibbs", l.p)
				g.Start(z, l.priors)
				l.learn(g.Histograms())
			}
		}
		if i%*every == 0 || i == sweeps {
			b := cpu()
			s.Topics(z)
			fmt.Println("draw", cpu()-b)
			g, _ := sampler.New("gibbs", l.p)
			g.Start(z, l.priors)
			fmt.Printf("cvb %5d  cpu %7.3f  %.4f (exp %.4f) alpha %.2f beta %.4f\n", i, l.cpu.Seconds(), l.score(g, g.TopicTotals()), l.score(expected(s, l)), l.asum(), l.priors.Beta)
		}
	}
	return z
}

type rounded struct{ rows [][]counts.Entry }

func (r rounded) AppendRow(dst []counts.Entry, w int) []counts.Entry { return append(dst, r.rows[w]...) }

func expected(s *cvb.State, l *lab) (counts.Rows, []uint64) {
	nk := make([]uint64, l.p.K)
	r := rounded{make([][]counts.Entry, l.p.V)}
	row := make([]float64, l.p.K)
	for w := range l.p.V {
		s.WordCounts(row, w)
		for k, x := range row {
			n := uint32(math.Round(x))
			if n > 0 {
				nk[k] += uint64(n)
				r.rows[w] = append(r.rows[w], counts.Entry{Topic: uint32(k), Count: n})
			}
		}
	}
	return r, nk
}

var _ = os.Args
