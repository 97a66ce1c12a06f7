// Command listsgpu measures samplers on a GPU with a corpus that it generates: milliseconds of a sweep, and the held-out score over the seconds
// spent in sweeps. Runs are samplers with numbers of sweeps, such as
//
//	lists:40  warp:200  warp:100+lists:20
//
// of which the last goes on with the other sampler from the topics that the first has found.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"log"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"time"

	"github.com/topoi-lda/topoi/corpus"
	"github.com/topoi-lda/topoi/eval"
	"github.com/topoi-lda/topoi/internal/counts"
	"github.com/topoi-lda/topoi/internal/device"
	"github.com/topoi-lda/topoi/internal/sampler"
	"github.com/topoi-lda/topoi/internal/sampler/registry"
)

func main() {
	log.SetFlags(0)
	docs := flag.Int("docs", 270000, "documents")
	words := flag.Int("words", 102660, "words")
	length := flag.Float64("length", 346, "mean length of documents")
	topics := flag.String("topics", "1024,4096,16384", "numbers of topics")
	runs := flag.String("runs", "lists:30", "runs, separated by commas")
	every := flag.Int("score", 0, "sweeps from one score to the next; 0: no scores")
	out := flag.Int("holdout", 1000, "documents to score, the last ones")
	file := flag.String("corpus", "", "the corpus file, which is generated if there is none")
	flag.Parse()
	c, err := open(*file, corpus.GenerateOptions{Docs: *docs, Words: *words, MeanLength: *length, Topics: 500})
	if err != nil {
		log.Fatal(err)
	}
	d, err := device.Open(0)
	if err != nil {
		log.Fatal(err)
	}
	n := c.NumDocs() - *out
	b := &bench{device: d, train: c.Docs(0, n), heldout: c.Docs(n, c.NumDocs()), every: *every}
	b.note()
	for _, k := range strings.Split(*topics, ",") {
		if b.k, err = strconv.Atoi(k); err != nil {
			log.Fatal(err)
		}
		for _, run := range strings.Split(*runs, ",") {
			if err := b.run(run); err != nil {
				log.Fatal(err)
			}
		}
	}
	if err := d.Close(); err != nil {
		log.Fatal(err)
	}
}

// open opens a corpus file, and makes it before if there is none.
func open(path string, options corpus.GenerateOptions) (*corpus.Corpus, error) {
	if path == "" {
		dir, err := os.MkdirTemp("", "lists")
		if err != nil {
			return nil, err
		}
		defer os.RemoveAll(dir) // what is open stays
		path = filepath.Join(dir, "c.topoi")
	}
	if _, err := os.Stat(path); errors.Is(err, os.ErrNotExist) {
		if _, err := corpus.Generate(context.Background(), path, options); err != nil {
			return nil, err
		}
	}
	return corpus.Open(path)
}

// bench is what all runs share.
type bench struct {
	device         *device.Device
	train, heldout *corpus.Corpus
	words          []uint32 // of heldout
	k              int
	every          int
}

// note lists the words of held-out documents.
func (b *bench) note() {
	has := make([]bool, b.train.NumWords())
	for _, w := range b.heldout.Tokens() {
		has[w] = true
	}
	for w, there := range has {
		if there {
			b.words = append(b.words, uint32(w))
		}
	}
}

// run does a run and reports it.
func (b *bench) run(run string) error {
	priors := &sampler.Priors{Alpha: make([]float64, b.k), Beta: 0.01}
	for k := range priors.Alpha {
		priors.Alpha[k] = 50 / float64(b.k)
	}
	fmt.Printf("K = %d, %d tokens, %s\n", b.k, b.train.NumTokens(), run)
	var z []uint32
	spent := time.Duration(0)
	for _, part := range strings.Split(run, "+") {
		name, number, _ := strings.Cut(part, ":")
		sweeps, err := strconv.Atoi(number)
		if err != nil {
			return fmt.Errorf("%q is no run: it must be like lists:30", part)
		}
		if z, err = b.sweeps(name, sweeps, priors, z, &spent); err != nil {
			return err
		}
		runtime.GC()
	}
	return nil
}

// sweeps does some sweeps from topics on, and returns those after them.
func (b *bench) sweeps(name string, n int, priors *sampler.Priors, z []uint32, spent *time.Duration) ([]uint32, error) {
	begun := time.Now()
	p := &sampler.Problem{
		Offsets: b.train.Offsets(), Words: b.train.Tokens(), V: b.train.NumWords(), K: b.k, Seed: 1, Threads: runtime.GOMAXPROCS(0),
	}
	s, err := registry.NewOn(name, p, b.device)
	if err != nil {
		return nil, err
	}
	defer s.Close()
	if err := s.Start(z, priors); err != nil {
		return nil, err
	}
	ready := time.Since(begun)
	times := make([]time.Duration, n+1)
	for i := 1; i <= n; i++ {
		from := time.Now()
		err := s.Sweep(context.Background(), i, priors)
		if busy, ok := s.(sampler.Settling); ok {
			err = errors.Join(err, busy.Settle())
		}
		if err != nil {
			return nil, err
		}
		times[i] = time.Since(from)
		*spent += times[i]
		if b.every > 0 && (i%b.every == 0 || i == n) {
			score, err := b.score(s, priors)
			if err != nil {
				return nil, err
			}
			fmt.Printf("  %s %d: %.3f s %.4f\n", name, i, spent.Seconds(), score)
		}
	}
	tokens := float64(b.train.NumTokens())
	for _, span := range [][2]int{{3, 10}, {13, n}} {
		if last := min(span[1], n); last >= span[0] {
			sum := time.Duration(0)
			for _, t := range times[span[0] : last+1] {
				sum += t
			}
			ms := sum.Seconds() * 1e3 / float64(last-span[0]+1)
			fmt.Printf("  %s, sweeps %d to %d: %.2f ms, %.2f G tokens/s\n", name, span[0], last, ms, tokens/ms/1e6)
		}
	}
	fmt.Printf("  %s: %.1f s to set up; ms:", name, ready.Seconds())
	for _, t := range times[1 : min(n, 48)+1] {
		fmt.Printf(" %.1f", t.Seconds()*1e3)
	}
	fmt.Println()
	if err := s.Fetch(); err != nil {
		return nil, err
	}
	topics := make([]uint32, p.N())
	s.Topics(topics)
	return topics, nil
}

// score predicts the held-out documents, in nats per token.
func (b *bench) score(s sampler.Remote, priors *sampler.Priors) (float64, error) {
	model := scored{s, b, priors}
	excerpt, err := s.(sampler.Counting).Excerpt(b.words)
	if err != nil {
		return 0, err
	}
	if excerpt != nil {
		model.rows = excerpt
	} else if err := s.Fetch(); err != nil {
		return 0, err
	}
	result, err := eval.Completion(context.Background(), model, b.heldout, runtime.GOMAXPROCS(0))
	return result.PerToken, err
}

// scored shows counts to package eval.
type scored struct {
	rows interface {
		TopicTotals() []uint64
		AppendRow(dst []counts.Entry, w int) []counts.Entry
	}
	b      *bench
	priors *sampler.Priors
}

func (s scored) NumTopics() int                                     { return s.b.k }
func (s scored) NumWords() int                                      { return s.b.train.NumWords() }
func (s scored) Alpha() []float64                                   { return s.priors.Alpha }
func (s scored) Beta() float64                                      { return s.priors.Beta }
func (s scored) TopicTotals() []uint64                              { return s.rows.TopicTotals() }
func (s scored) AppendRow(dst []counts.Entry, w int) []counts.Entry { return s.rows.AppendRow(dst, w) }
