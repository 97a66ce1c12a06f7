package cluster

import (
	"context"
	"encoding/hex"
	"fmt"
	"sync"
	"time"

	"github.com/zeebo/xxh3"

	"github.com/topoi-lda/topoi"
	"github.com/topoi-lda/topoi/corpus"
	"github.com/topoi-lda/topoi/internal/cluster/protocol"
	"github.com/topoi-lda/topoi/internal/cluster/records"
	"github.com/topoi-lda/topoi/internal/sampler/registry"
	"github.com/topoi-lda/topoi/internal/store"
	"github.com/topoi-lda/topoi/train"
)

// Job describes where a job is. Its methods may be called from any number of processes and goroutines.
type Job struct {
	// Store is the store's URL: redis://user:password@host:6379, rediss:// for TLS, unix:// for a socket. Required.
	Store string

	// Name is the job's name, unique in the store: up to 64 letters, digits, dots, dashes and underscores. Required.
	Name string

	// Program is the version of the program. Workers of a job must have the same one, and must make the same of a
	// small corpus with the job's sampler, which they find out by themselves. Default "": it is not compared.
	Program string

	// Patience is how long the store may be away before a call gives up. Default one minute.
	Patience time.Duration
}

// ErrNoJob is wrapped by errors about a job that the store does not hold.
var ErrNoJob = records.ErrNoJob

// open connects to the store.
func (j Job) open(ctx context.Context) (*store.Store, error) {
	if err := protocol.CheckName(j.Name); err != nil {
		return nil, err
	}
	return store.Open(ctx, store.Options{URL: j.Store, Patience: j.Patience})
}

// build identifies this program.
func (j Job) build() records.Build { return records.Build{Version: j.Program, Results: results} }

// Cancel removes the job and all keys with its name from the store, and returns the number of keys. Its workers stop.
func (j Job) Cancel(ctx context.Context) (keys int, err error) {
	st, err := j.open(ctx)
	if err != nil {
		return 0, err
	}
	defer st.Close()
	return records.Remove(ctx, st, j.Name)
}

// results returns a hash of what this program makes of a small corpus with a sampler on this machine: the XXH3-64, in
// hexadecimal, of the fingerprints of the models. Programs with different hashes would give different models. It
// covers only the job's sampler, so that changes of another sampler do not divide the workers. It takes some
// hundredths of a second, once in a process.
var results = func() func(sampler string) (string, error) {
	var known sync.Map // sampler → digest
	return func(sampler string) (string, error) {
		if digest, ok := known.Load(sampler); ok {
			return digest.(string), nil
		}
		h := xxh3.New()
		c := resultsCorpus()
		for _, o := range resultsOptions(sampler) {
			m, err := train.Run(context.Background(), c, o)
			if err != nil {
				return "", fmt.Errorf("this program cannot do a small run of %s: %w", o.Sampler, err)
			}
			fmt.Fprintln(h, o.Sampler, m.Fingerprint())
		}
		sum := h.Sum128().Bytes()
		digest := hex.EncodeToString(sum[:8])
		known.Store(sampler, digest)
		return digest, nil
	}
}()

// resultsCorpus returns a corpus of 2,400 tokens over 150 words whose frequencies fall like Zipf's, so that there are
// rows of all kinds.
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

// resultsOptions returns runs of six sweeps with a sampler, with two estimations of α and β; also in parts if it has
// them.
func resultsOptions(name string) []topoi.Options {
	list := []topoi.Options{{Sampler: name}}
	if info, ok := registry.Find(name); ok && info.InParts() {
		list = append(list, topoi.Options{Sampler: name, Tuning: topoi.Tuning{Staleness: 1, Parts: 2}})
	}
	for i := range list {
		o := &list[i]
		o.Topics, o.Seed, o.Iterations, o.Threads, o.Device = 20, 1, 6, 1, "cpu"
		o.BurnIn, o.OptimizeInterval, o.EvaluateEvery, o.Tolerance = 1, 2, 6, -1
	}
	return list
}
