package cluster

import (
	"cmp"
	"fmt"

	protocol "github.com/topoi-lda/topoi/internal/cluster"
	"github.com/topoi-lda/topoi/internal/cluster/rows"
)

// Where a job's rows n_wk are, in SubmitOptions.Rows.
const (
	RowsAuto  = "auto"  // whole if SubmitOptions.Memory allows it, else apart
	RowsWhole = "whole" // every worker has them all
	RowsApart = "apart" // they come slice by slice from the workers that have the slices
)

// Bytes that a worker needs at most: what a profile of ten million tokens, a million words and a million
// topics showed, and some room. bench/apart.sh compares budgets with what workers take.
const (
	fixedBytes  = 48 << 20 // the program, its buffers, and what it has under way to the store
	tokenBytes  = 40       // of a token: record, place, segment, word, topics on their way to a barrier
	wordBytes   = 48       // of a word of the vocabulary, for each part
	topicBytes  = 128      // of a topic: priors, n_k, what others changed
	threadBytes = 32       // of a topic, for each thread
	docBytes    = 16       // of a document
	entryBytes  = 22       // of an entry of an open slice: rows, room to add changes, and the blob
	keptBytes   = 3        // of an entry of the slices that a worker has
	changeBytes = 3        // of a token: what its part changed in a round, on its way to others
)

// needs is what a worker's memory has to hold.
type needs struct {
	tokens  int64 // bytes of its tokens and all else but rows
	whole   int64 // bytes of all rows
	entries int64 // of all rows, at most
	share   int64 // bytes of the slices it has
}

// needsOf computes what a worker of so many needs.
func needsOf(p *plan, workers, threads int) needs {
	problem := p.run.Problem()
	k, parts := int64(problem.K), int64((len(p.spans)+workers-1)/workers)
	var n needs
	largest := int64(0)
	for _, span := range p.spans {
		largest = max(largest, int64(span.Tokens()))
	}
	n.tokens = fixedBytes + parts*largest*(tokenBytes+changeBytes*int64(1+p.options().Tuning.Staleness)) +
		parts*int64(problem.V)*wordBytes + k*(topicBytes+threadBytes*int64(threads)) + int64(problem.D())*docBytes
	for _, f := range p.frequencies {
		n.entries += int64(rows.MostEntries(f, problem.K))
	}
	n.whole = rows.WholeBytes(p.frequencies, problem.K)
	n.share = n.entries * keptBytes / int64(workers)
	return n
}

// defaultSlices is their number where nothing asks for more.
const defaultSlices = 16

// cutRows decides where the rows of a job are, and in how many slices.
func (how SubmitOptions) cutRows(p *plan, spec *protocol.Spec) error {
	workers, threads := max(1, how.Workers), max(1, how.Threads)
	spec.Slices = min(cmp.Or(how.Slices, defaultSlices), spec.Words)
	n := needsOf(p, workers, threads)
	switch {
	case how.Rows == RowsWhole, how.Memory == 0 && how.Rows != RowsApart, how.Rows != RowsApart && n.tokens+n.whole <= how.Memory:
		return nil
	case how.Rows != "" && how.Rows != RowsAuto && how.Rows != RowsApart:
		return fmt.Errorf("rows %q are not known: use auto, whole or apart", how.Rows)
	case !p.plan.Slicewise():
		return fmt.Errorf("sampler %q needs all rows in every worker, with %s for %s in all: use warp or light, or allow more memory", spec.Sampler, bytesText(n.tokens+n.whole), bytesText(how.Memory))
	}
	spec.Apart = true
	if how.Memory == 0 {
		return nil
	}
	room := how.Memory - n.tokens - n.share
	least := how.Slices
	if least == 0 && room > 0 {
		least = max(defaultSlices, int((2*entryBytes*n.entries+room-1)/room))
	}
	largest := largestRow(p.frequencies, spec.Topics) * 2 * entryBytes
	if room < max(largest, 1) {
		return fmt.Errorf("a worker of %d needs %s for its tokens and tables, %s for its share of the rows and %s for the row of the most frequent word, which is more than the %s that it may use: allow more memory, or use more workers",
			workers, bytesText(n.tokens), bytesText(n.share), bytesText(largest), bytesText(how.Memory))
	}
	spec.Slices = min(least, spec.Words)
	return nil
}

// largestRow is the most entries that a word has.
func largestRow(frequencies []uint64, topics int) (most int64) {
	for _, f := range frequencies {
		most = max(most, int64(rows.MostEntries(f, topics)))
	}
	return most
}

// bytesText is a number of bytes for people.
func bytesText(n int64) string {
	switch {
	case n >= 10<<30:
		return fmt.Sprintf("%d GiB", (n+1<<30-1)>>30)
	case n >= 10<<20:
		return fmt.Sprintf("%d MiB", (n+1<<20-1)>>20)
	}
	return fmt.Sprintf("%d KiB", (n+1<<10-1)>>10)
}

// stageOf is how many entries of light's tables are made at a time.
func stageOf(p *plan, slices int) int {
	n := needsOf(p, 1, 1)
	return int(n.entries)/max(1, slices) + 1
}
