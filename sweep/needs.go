package sweep

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/topoi-lda/topoi"
	"github.com/topoi-lda/topoi/corpus"
	"github.com/topoi-lda/topoi/internal/human"
	"github.com/topoi-lda/topoi/internal/machine"
	"github.com/topoi-lda/topoi/internal/rng"
)

// Needs are what a sweep will take, in bytes, at most.
type Needs struct {
	Memory uint64 // of the largest run
	Disk   uint64 // of what is still to be written: models, records, one checkpoint, pages and tables
	Runs   int    // still to be done
}

// pageBytes is what a page of a model takes at most.
const pageBytes = 32 << 20

// predict finds the needs of the runs that are left.
func (s *Sweep) predict() (Needs, error) {
	pending, err := s.Pending()
	if err != nil || len(pending) == 0 {
		return Needs{}, err
	}
	largest := slices.MaxFunc(pending, func(a, b Run) int { return a.Topics - b.Topics })
	run, err := topoi.Predict(s.corpus, s.runOptions(largest), s.dir)
	if err != nil {
		return Needs{}, err
	}
	n := Needs{Memory: run.Memory, Disk: run.Checkpoint, Runs: len(pending)}
	if s.options.Cluster != nil {
		n.Disk = 0 // checkpoints are in the store
	}
	models, pages := 0, 0
	for _, r := range pending {
		n.Disk += uint64(r.Topics)*1024 + 4096 // its record
	}
	switch s.options.Keep {
	case KeepAll:
		models = len(pending)
	case KeepBest:
		models = min(len(pending), len(s.options.Topics)+1)
	}
	switch s.options.Pages {
	case KeepAll:
		pages = models
	case KeepBest:
		pages = min(models, len(s.options.Topics))
	}
	n.Disk += uint64(models)*run.Model + uint64(pages)*min(pageBytes, 16*uint64(s.corpus.NumTokens()))
	return n, nil
}

// machineMemory and freeBytes are what this machine has; tests have others.
var (
	machineMemory = machine.Memory
	freeBytes     = machine.DiskFree
)

// check refuses what does not fit.
func (n Needs) check(dir string) error {
	if has := machineMemory(); has > 0 && n.Memory > has {
		return fmt.Errorf("the largest run needs up to %s of memory, and this machine has %s: sweep fewer topics, a sample of the documents, or bound the memory of runs",
			human.Bytes(int64(n.Memory)), human.Bytes(int64(has)))
	}
	if free, known := freeBytes(dir); known && n.Disk > free {
		return fmt.Errorf("the %s will take up to %s on disk, and %s are free in %s: make room, choose another place, or keep fewer models",
			human.Of(n.Runs, "run"), human.Bytes(int64(n.Disk)), human.Bytes(int64(free)), dir)
	}
	return nil
}

// Sampled says what a sampled corpus is a sample of. The zero value is a corpus that is
// none.
type Sampled struct {
	Share       float64 `json:"share,omitempty"` // of the documents
	Seed        uint64  `json:"seed,omitempty"`
	Docs        int     `json:"docs,omitempty"`        // of the whole corpus
	Tokens      int     `json:"tokens,omitempty"`      // likewise
	Fingerprint string  `json:"fingerprint,omitempty"` // likewise
}

// forSample is the purpose of the random numbers that choose the documents of a sample.
const forSample = 0x73616d70

// Sample returns a random share of the documents, in their order, over the same
// vocabulary. It depends on the number of documents, the share and the seed alone, and a
// smaller sample is part of a larger one.
func Sample(c *corpus.Corpus, share float64, seed uint64) (*corpus.Corpus, Sampled, error) {
	if !(share > 0 && share < 1) {
		return nil, Sampled{}, fmt.Errorf("the share of documents to sample is %v: it must be above 0 and below 1", share)
	}
	n := int(share * float64(c.NumDocs()))
	if n < 2 || c.NumDocs() > corpus.MaxSelect {
		return nil, Sampled{}, fmt.Errorf("%v of %d documents cannot be sampled", share, c.NumDocs())
	}
	type keyed struct {
		key uint64
		doc uint32
	}
	key, list := rng.NewKey(seed), make([]keyed, c.NumDocs())
	for d := range list {
		b := key.Block(uint32(d), 0, 0, forSample)
		list[d] = keyed{uint64(b[0])<<32 | uint64(b[1]), uint32(d)}
	}
	slices.SortFunc(list, func(a, b keyed) int { return cmp.Or(cmp.Compare(a.key, b.key), cmp.Compare(a.doc, b.doc)) })
	docs := make([]uint32, n)
	for i := range docs {
		docs[i] = list[i].doc
	}
	slices.Sort(docs)
	return c.Select(docs), Sampled{share, seed, c.NumDocs(), c.NumTokens(), c.Fingerprint()}, nil
}
