package cluster

import (
	"cmp"
	"fmt"

	"github.com/topoi-lda/topoi/internal/cluster/protocol"
	"github.com/topoi-lda/topoi/internal/cluster/rows"
	"github.com/topoi-lda/topoi/internal/human"
	"github.com/topoi-lda/topoi/internal/machine"
)

// Bytes that a worker needs at most: what heap profiles of 25 million tokens, a million words and a million topics
// showed, and some room. bench/apart.sh compares budgets with what workers take.
const (
	fixedBytes  = 32 << 20 // buffers, and what is under way to the store
	tokenBytes  = 20       // of a token: record, topic before the round, place, share of a segment
	layBytes    = 28       // of a token while its part is laid out: word twice, document, segments three times
	wordBytes   = 48       // of a word of the vocabulary, for each part
	topicBytes  = 96       // of a topic: priors, n_k, what others changed
	threadBytes = 32       // of a topic, for each thread
	scoreBytes  = 128      // of a topic at a barrier at which the model is scored: histograms; slices are closed then
	docBytes    = 16       // of a document
	entryBytes  = 22       // of an entry of an open slice: rows, room to add changes, and blobs
	keptBytes   = 3        // of an entry of the slices that a worker has
	changeBytes = 5        // of a token, for each round of staleness: what its part changed
)

// needs lists the parts of a worker's memory.
type needs struct {
	tokens  int64 // bytes of its tokens and all else but rows
	laying  int64 // bytes while its last part is laid out, before there are rows
	scoring int64 // bytes of what the model's score takes, while no slice is open
	whole   int64 // bytes of all rows
	entries int64 // of all rows, at most
	row     int64 // entries of the largest row
	share   int64 // bytes of the slices it has
}

// needsOf computes what one of so many workers needs.
func needsOf(p *plan, workers, threads int) needs {
	problem := p.run.Problem()
	k, parts := int64(problem.K), int64((len(p.spans)+workers-1)/workers)
	var n needs
	largest := int64(0)
	for _, span := range p.spans {
		largest = max(largest, int64(span.Tokens()))
	}
	each := tokenBytes + changeBytes*int64(p.options().Tuning.Staleness)
	n.tokens = fixedBytes + parts*each*largest + parts*int64(problem.V)*wordBytes +
		k*(topicBytes+threadBytes*int64(threads)) + int64(problem.D())*docBytes + 8*int64(problem.Pseudo.Entries())
	n.laying, n.scoring = n.tokens+(layBytes-each)*largest, k*scoreBytes
	for _, f := range p.frequencies {
		row := int64(rows.MostEntries(f, problem.K))
		n.entries, n.row = n.entries+row, max(n.row, row)
	}
	n.whole = rows.WholeBytes(p.frequencies, problem.K)
	n.share = n.entries * keptBytes / int64(workers)
	return n
}

const (
	// defaultSlices is their number where nothing asks for more.
	defaultSlices = 16

	// manyWorkers is how many workers make rows apart the better choice though all fit: then a worker reads rows that
	// others have made, and not the changes of every part.
	manyWorkers = 8
)

// cutRows decides where the rows of a job are, and in how many slices.
func (how SubmitOptions) cutRows(p *plan, spec *protocol.Spec) error {
	workers, threads := max(1, how.Workers), max(1, how.Threads)
	spec.Slices = min(cmp.Or(how.Layout.Slices, defaultSlices), spec.Words)
	n := needsOf(p, workers, threads)
	fits := how.Memory == 0 || max(n.tokens+n.whole, n.laying) <= machine.Usable(how.Memory)
	switch {
	case how.Layout.Rows == rowsWhole:
		return nil
	case how.Layout.Rows != rowsApart && fits && (workers < manyWorkers || !p.plan.Slicewise()):
		return nil
	case !p.plan.Slicewise():
		return fmt.Errorf("sampler %q needs all rows in every worker, which takes %s, and a worker has %s: "+
			"use warp or light, or allow more memory", spec.Sampler, human.Bytes(n.tokens+n.whole),
			human.Bytes(how.Memory))
	}
	spec.Apart = true
	if how.Memory == 0 {
		return nil
	}
	usable := machine.Usable(how.Memory)
	room := usable - n.tokens - n.share
	least := how.Layout.Slices
	if least == 0 && room > 0 {
		least = max(defaultSlices, int((2*entryBytes*n.entries+room-1)/room))
		least = (least + workers - 1) / workers * workers // the same number for each
	}
	largest := max(n.row*2*entryBytes, n.scoring)
	if usable < n.laying {
		return fmt.Errorf("a worker of %d needs %s while its tokens are laid out, "+
			"which is more than the %s of %s that it has for its data: allow more memory, or use more workers",
			workers, human.Bytes(n.laying), human.Bytes(usable), human.Bytes(how.Memory))
	}
	if room < max(largest, 1) {
		return fmt.Errorf("a worker of %d needs %s for its tokens and tables, %s for its share of the rows and %s for the "+
			"row of the most frequent word, or to score the model, which is more than the %s of %s that it has for its data: "+
			"allow more memory, or use more workers",
			workers, human.Bytes(n.tokens), human.Bytes(n.share), human.Bytes(largest), human.Bytes(usable),
			human.Bytes(how.Memory))
	}
	spec.Slices = min(least, spec.Words)
	return nil
}

// stageOf returns how many entries of light's tables are made at a time.
func stageOf(p *plan, slices int) int { return int(needsOf(p, 1, 1).entries)/max(1, slices) + 1 }
