package fold

import (
	"fmt"

	"github.com/topoi-lda/topoi/internal/cuda"
	"github.com/topoi-lda/topoi/internal/human"
	"github.com/topoi-lda/topoi/internal/sampler/batch"
)

// foldLimits say how much a slot of foldOn holds. They never change a result.
type foldLimits struct {
	docs, tokens int // of a load
	rows         int // distinct words of a load
	entries      int // topics of all documents of a load together
	blocks       int // of threads
	scratch      int // numbers of 32 bits
}

const (
	foldTokens  = 16 << 20 // most tokens of a load: enough to keep any device busy for long
	foldDocs    = 1 << 20  // most documents of a load
	foldEntries = 64 << 20 // most topics of a load's documents together, unless one has more
)

// plan sizes the slots by the device's memory and by what the documents need.
func (s *foldOn) plan() (foldLimits, error) {
	room, err := s.device.Room()
	if err != nil {
		return foldLimits{}, err
	}
	longest, most := 1, 1 // tokens of a document, topics of a document
	for d := range len(s.offsets) - 1 {
		longest = max(longest, int(s.offsets[d+1]-s.offsets[d]))
	}
	most = max(most, s.entries(longest))
	tokens, docs := max(1, len(s.words)), max(1, len(s.offsets)-1)
	l := foldLimits{
		tokens: max(longest, min(tokens, foldTokens)), docs: min(docs, foldDocs), rows: min(s.f.V, tokens),
		blocks: 12 * s.device.Processors(),
	}
	l.entries = max(most, min(l.docs*most, foldEntries))
	least := foldLimits{docs: 1, tokens: longest, rows: min(s.f.V, longest), entries: most, blocks: 1}
	l.withScratch(s)
	least.withScratch(s)
	each := (room - 8*int64(s.pad)) / foldSlots
	if need := least.bytes(s.pad); need > each {
		return l, fmt.Errorf("the device's memory is too small for inference: %d documents of up to %d tokens with the rows of their words, %d topics each, need %s, and %s may be used: allow more with Options.DeviceMemory, or infer on the CPU (%w)",
			foldSlots, longest, s.k, human.Bytes(foldSlots*need), human.Bytes(room), cuda.ErrOutOfMemory)
	}
	for l.bytes(s.pad) > each { // down to least, where nothing shrinks any more
		l = l.halved(least)
		l.withScratch(s)
	}
	return l, nil
}

// withScratch computes how much scratch the blocks of threads need.
func (l *foldLimits) withScratch(s *foldOn) {
	l.scratch = 0
	if !s.fixed {
		l.scratch = l.blocks * batch.Warps * 4 * s.pad
	}
}

// halved is half of everything, but no less than least.
func (l foldLimits) halved(least foldLimits) foldLimits {
	return foldLimits{
		docs: max(least.docs, l.docs/2), tokens: max(least.tokens, l.tokens/2), rows: max(least.rows, l.rows/2),
		entries: max(least.entries, l.entries/2), blocks: max(least.blocks, l.blocks/2),
	}
}

// bytes is what a slot takes on the device.
func (l foldLimits) bytes(pad int) int64 {
	return 6*int64(l.tokens) + 16*int64(l.docs) + 12 + 4*int64(l.rows)*int64(pad) + 6*int64(l.entries) + 4*int64(l.scratch)
}
