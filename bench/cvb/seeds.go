package main

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/topoi-lda/topoi/eval"
	"github.com/topoi-lda/topoi/internal/counts"
)

// compareSeeds prints held-out score and coherence over several seeds: -sweeps of
// batch against 60 of cvb, or 120 with exact ones where priors are learnt.
func (l *lab) compareSeeds(seeds, exact, own int) error {
	how := "Σα = 50, β = 0.01 fixed"
	if l.Learnt {
		how = "priors learnt"
	}
	fmt.Printf("## %s, K = %d, %s, mean ± deviation over %d seeds\n\n", l.Name, l.Topics, how, seeds)
	fmt.Println("| | held-out nats/token | NPMI | C_V |\n|---|---|---|---|")
	for _, name := range []string{"batch", "cvb"} {
		var held, npmi, cv []float64
		sweeps := l.sweeps
		if name == "cvb" {
			sweeps = cmp.Or(own, 60)
			if l.Learnt {
				sweeps = cmp.Or(own, 120)
			}
		}
		for seed := range seeds {
			r, err := l.start(name, l.tuning(exact), uint64(seed))
			if err != nil {
				return err
			}
			if err := r.Sweep(sweeps); err != nil {
				return err
			}
			score, err := r.Score()
			if err != nil {
				return err
			}
			a, b, err := r.coherence()
			if err != nil {
				return err
			}
			held, npmi, cv = append(held, score), append(npmi, a), append(cv, b)
		}
		fmt.Printf("| %s, %d sweeps | %s | %s | %s |\n", name, sweeps, spread(held), spread(npmi), spread(cv))
	}
	fmt.Println()
	return nil
}

// coherence returns the means over topics of NPMI and C_V of the ten top words.
// The corpora keep no order of words, so that a window of C_V is a document's
// distinct words, or a run of 110 of them in the order of the vocabulary.
func (r *run) coherence() (npmi, cv float64, err error) {
	top := r.topWords(10)
	c, err := eval.Coherence(context.Background(), r.Lab.Train, top)
	if err != nil {
		return 0, 0, err
	}
	windows := eval.NewWindowCounter(top)
	for d := range r.Lab.Train.NumDocs() {
		windows.Add(distinct(r.Lab.Train.Doc(d)))
	}
	return mean(c.NPMI), mean(windows.Coherence().CV), nil
}

// distinct keeps one of equal neighbours.
func distinct(words []uint32) []uint32 { return slices.Compact(slices.Clone(words)) }

// topWords lists the n most frequent words of every topic.
func (r *run) topWords(n int) [][]int {
	type entry struct {
		word  int
		count uint32
	}
	lists := make([][]entry, r.Lab.Topics)
	var row []counts.Entry
	for w := range r.Lab.Train.NumWords() {
		row = r.Sampler.AppendRow(row[:0], w)
		for _, e := range row {
			lists[e.Topic] = append(lists[e.Topic], entry{w, e.Count})
		}
	}
	top := make([][]int, len(lists))
	for k, list := range lists {
		slices.SortStableFunc(list, func(a, b entry) int { return cmp.Compare(b.count, a.count) })
		for _, e := range list[:min(n, len(list))] {
			top[k] = append(top[k], e.word)
		}
	}
	return top
}

// mean leaves out what is not a number.
func mean(list []float64) float64 {
	total, n := 0.0, 0
	for _, x := range list {
		if !math.IsNaN(x) {
			total, n = total+x, n+1
		}
	}
	return total / float64(n)
}

// spread formats mean and standard deviation.
func spread(list []float64) string {
	m, square := mean(list), 0.0
	for _, x := range list {
		square += (x - m) * (x - m)
	}
	return fmt.Sprintf("%.4f ± %.4f", m, math.Sqrt(square/float64(max(1, len(list)-1))))
}
