package fold

// foldLimits say how much a slot of foldOn holds. They never change a result.
type foldLimits struct {
	docs, tokens int // of a load
	rows         int // distinct words of a load
	entries      int // topics of all documents of a load together
	blocks       int // of threads
	scratch      int // numbers of 32 bits
}

// halved is half of everything, but no less than least.
func (l foldLimits) halved(least foldLimits) foldLimits {
	return foldLimits{
		docs: max(least.docs, l.docs/2), tokens: max(least.tokens, l.tokens/2), rows: max(least.rows, l.rows/2),
		entries: max(least.entries, l.entries/2), blocks: max(least.blocks, l.blocks/2),
	}
}

// bytes returns the size of a slot on the device.
func (l foldLimits) bytes(pad int) int64 {
	perToken := int64(6)
	if l.rows == 0 {
		perToken = 20
	}
	return perToken*int64(l.tokens) + 16*int64(l.docs) + 12 + 4*int64(l.rows)*int64(pad) + 8*int64(l.entries) +
		4*int64(l.scratch)
}

const (
	foldTokens   = 16 << 20 // most tokens of a load that is drawn: enough to keep any device busy for long
	expectTokens = 4 << 20  // the same for expected topics, which need no rows
	foldDocs     = 1 << 20  // most documents of a load
	foldEntries  = 64 << 20 // most topics of a load's documents together, unless one has more
)
