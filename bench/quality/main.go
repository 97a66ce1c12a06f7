// Command quality compares what samplers find, not how fast: held-out score over
// several seeds, coherence, and the top words side by side.
package main

import (
	"context"
	"flag"
	"fmt"
	"log"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/topoi-lda/topoi"
	"github.com/topoi-lda/topoi/corpus"
	"github.com/topoi-lda/topoi/corpus/text"
	"github.com/topoi-lda/topoi/eval"
)

func main() {
	log.SetFlags(0)
	sweeps := flag.Int("sweeps", 1000, "sweeps per run")
	seeds := flag.Int("seeds", 5, "runs per sampler")
	topics := flag.Int("topics", 50, "topics")
	samplers := flag.String("samplers", "gibbs,sparse,batch", "samplers to compare, separated by commas; the first is the reference")
	only := flag.String("corpus", "", "name of the only corpus to compare on")
	data := flag.String("data", "../shared/data", "directory of the real corpora, if there")
	flag.Parse()
	for _, c := range corpora(*data) {
		if *only != "" && *only != c.name {
			continue
		}
		if err := compare(c, strings.Split(*samplers, ","), *topics, *sweeps, *seeds); err != nil {
			log.Fatal(err)
		}
		c.docs.Close()
	}
}

// named is a corpus to compare on.
type named struct {
	name string
	docs *corpus.Corpus
}

// corpora opens the real corpora, or generates one when they are not there.
func corpora(data string) []named {
	ctx := context.Background()
	plain := text.Options{Languages: text.DefaultLanguages(), KeepMarkup: true} // as the tables have it
	var list []named
	for _, x := range []struct {
		name, path string
		opts       corpus.ImportOptions
	}{
		{"Daily KOS", "kos/docword.kos.txt.gz", corpus.ImportOptions{}},
		{"20 Newsgroups", "20news/20news.tsv.zst", corpus.ImportOptions{Text: plain, MinDF: 5, MaxDF: 0.3, DropEmpty: true}},
	} {
		c, _, err := corpus.Load(ctx, []string{filepath.Join(data, x.path)}, x.opts)
		if err != nil {
			log.Printf("%s: left out: %v", x.name, err)
			continue
		}
		list = append(list, named{x.name, c})
	}
	if list != nil {
		return list
	}
	path := filepath.Join(os.TempDir(), "topoi-quality.topoi")
	defer os.Remove(path)
	if _, err := corpus.Generate(ctx, path, corpus.GenerateOptions{Docs: 3000, Words: 5000}); err != nil {
		log.Fatal(err)
	}
	c, err := corpus.Open(path)
	if err != nil {
		log.Fatal(err)
	}
	return []named{{"generated", c}}
}

// found is what one sampler found on one corpus.
type found struct {
	sampler     string
	docs        *corpus.Corpus
	heldout     []float64 // per seed, nats per token
	joint       []float64 // per seed, nats per token
	umass, npmi []float64 // per seed, mean over topics
	words       [][]int   // top ten words per topic, of the first seed
}

// compare trains every sampler with every seed and prints the tables.
func compare(c named, samplers []string, topics, sweeps, seeds int) error {
	fmt.Printf("## %s: %d documents, %d words, %d tokens; K = %d, Σα = 50, β = 0.01, %d sweeps, last tenth held out\n\n",
		c.name, c.docs.NumDocs(), c.docs.NumWords(), c.docs.NumTokens(), topics, sweeps)
	fmt.Println("| sampler | held-out nats/token, mean ± deviation over seeds | joint nats/token | UMass | NPMI |")
	fmt.Println("|---|---|---|---|---|")
	var all []*found
	for _, name := range samplers {
		f := &found{sampler: name, docs: c.docs}
		for seed := range seeds {
			if err := f.train(topics, sweeps, uint64(seed)); err != nil {
				return err
			}
		}
		all = append(all, f)
		h, hs := meanAndDeviation(f.heldout)
		j, js := meanAndDeviation(f.joint)
		u, us := meanAndDeviation(f.umass)
		n, ns := meanAndDeviation(f.npmi)
		fmt.Printf("| %s | %.4f ± %.4f | %.4f ± %.4f | %.3f ± %.3f | %.4f ± %.4f |\n", name, h, hs, j, js, u, us, n, ns)
	}
	fmt.Println()
	for _, f := range all[1:] {
		sideBySide(all[0], f)
	}
	return nil
}

// train runs one seed and scores the result.
func (f *found) train(topics, sweeps int, seed uint64) error {
	ctx := context.Background()
	m, err := topoi.Train(ctx, f.docs, topoi.Options{
		Topics: topics, Sampler: f.sampler, AlphaSum: 50, Beta: 0.01, OptimizeInterval: -1, Tolerance: -1,
		Iterations: sweeps, EvaluateEvery: sweeps, Holdout: 0.1, HoldoutLast: true, Seed: seed,
	})
	if err != nil {
		return err
	}
	words := make([][]int, topics)
	for k, top := range m.AllTopWords(10) {
		for _, w := range top {
			words[k] = append(words[k], w.Word)
		}
	}
	coherence, err := eval.Coherence(ctx, f.docs, words)
	if err != nil {
		return err
	}
	umass, _ := meanAndDeviation(coherence.UMass)
	npmi, _ := meanAndDeviation(coherence.NPMI)
	history := m.Manifest().History
	f.heldout = append(f.heldout, *history[len(history)-1].Heldout)
	f.joint = append(f.joint, history[len(history)-1].LogLikelihood)
	f.umass, f.npmi = append(f.umass, umass), append(f.npmi, npmi)
	if f.words == nil {
		f.words = words
	}
	return nil
}

// meanAndDeviation returns the mean and the sample standard deviation.
func meanAndDeviation(list []float64) (mean, deviation float64) {
	for _, x := range list {
		mean += x / float64(len(list))
	}
	for _, x := range list {
		deviation += (x - mean) * (x - mean) / math.Max(1, float64(len(list)-1))
	}
	return mean, math.Sqrt(deviation)
}

// sideBySide prints the ten topics that the two samplers share most words in.
func sideBySide(a, b *found) {
	type pair struct{ i, j, shared int }
	var pairs []pair
	for i, x := range a.words {
		for j, y := range b.words {
			n := 0
			for _, w := range x {
				if slices.Contains(y, w) {
					n++
				}
			}
			pairs = append(pairs, pair{i, j, n})
		}
	}
	slices.SortStableFunc(pairs, func(x, y pair) int { return y.shared - x.shared })
	fmt.Printf("| %s | %s |\n|---|---|\n", a.sampler, b.sampler)
	usedA, usedB := map[int]bool{}, map[int]bool{}
	for _, p := range pairs {
		if usedA[p.i] || usedB[p.j] || len(usedA) == 12 {
			continue
		}
		usedA[p.i], usedB[p.j] = true, true
		fmt.Printf("| %s | %s |\n", a.list(p.i), b.list(p.j))
	}
	fmt.Println()
}

// list returns the words of a topic.
func (f *found) list(k int) string {
	var words []string
	for _, w := range f.words[k] {
		words = append(words, f.docs.Word(w))
	}
	return strings.Join(words, " ")
}
