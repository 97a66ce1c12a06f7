package sweep

import (
	"fmt"
	"slices"

	"github.com/topoi-lda/topoi"
	"github.com/topoi-lda/topoi/internal/human"
	"github.com/topoi-lda/topoi/internal/machine"
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
