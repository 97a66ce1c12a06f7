package cluster

import (
	"context"
	"encoding/hex"
	"fmt"
	"sync"

	"github.com/zeebo/xxh3"

	"github.com/topoi-lda/topoi"
	"github.com/topoi-lda/topoi/corpus"
	"github.com/topoi-lda/topoi/internal/sampler/registry"
)

// results is what this program on this machine makes of a small corpus with every
// sampler: the XXH3-64, in hexadecimal, of the fingerprints of the models. Programs
// that differ in it would give different models, whatever they call themselves. It
// takes some hundredths of a second, once in a process.
var results = sync.OnceValues(func() (string, error) {
	h := xxh3.New()
	c := resultsCorpus()
	for _, o := range resultsOptions() {
		m, err := topoi.Train(context.Background(), c, o)
		if err != nil {
			return "", fmt.Errorf("this program cannot do a small run of %s: %w", o.Sampler, err)
		}
		fmt.Fprintln(h, o.Sampler, m.Fingerprint())
	}
	sum := h.Sum128().Bytes()
	return hex.EncodeToString(sum[:8]), nil
})

// resultsCorpus is a corpus of 2,400 tokens over 150 words whose frequencies fall like
// Zipf's, so that there are rows of all kinds.
func resultsCorpus() *corpus.Corpus {
	docs := make([][]string, 60)
	state := uint32(1)
	for d := range docs {
		for range 40 {
			state = state*1664525 + 1013904223 // Numerical Recipes' generator: it must never change
			docs[d] = append(docs[d], fmt.Sprint("w", 150/(1+(state>>8)%150)*(1+uint32(d)%3)%150))
		}
	}
	return corpus.FromTokens(docs)
}

// resultsOptions are runs of six sweeps with every sampler, in parts too where it has
// them, with two estimations of α and β.
func resultsOptions() []topoi.Options {
	var list []topoi.Options
	add := func(o topoi.Options) {
		o.Topics, o.Seed, o.Iterations, o.Threads, o.Device = 20, 1, 6, 1, "cpu"
		o.BurnIn, o.OptimizeInterval, o.EvaluateEvery, o.Tolerance = 1, 2, 6, -1
		list = append(list, o)
	}
	for _, info := range registry.List() {
		add(topoi.Options{Sampler: info.Name})
		if info.InParts() {
			add(topoi.Options{Sampler: info.Name, Tuning: topoi.Tuning{Staleness: 1, Parts: 2}})
		}
	}
	return list
}
