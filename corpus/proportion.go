package corpus

import (
	"fmt"

	"github.com/topoi-lda/topoi/internal/human"
)

// What an input of few bytes may promise: so much in any case, and so much for each of its
// bytes as stored. Real corpora stay far below; a header or a count that is wrong, or
// malicious, is refused before memory and disk are spent on it.
const (
	freeDocs, docsPerByte     = 1 << 20, 1 << 4  // empty lines, compressed
	freeIDs, idsPerByte       = 1 << 22, 1 << 10 // hashed ids use 2^24 and more
	freeTokens, tokensPerByte = 1 << 26, 1 << 8  // counts of thousands, compressed
)

// proportion refuses what is out of proportion to the input's size. Sources that do not tell
// it are believed.
func (im *importer) proportion(what string, n, free, perByte int64) error {
	read, total := im.bytesRead()
	size := max(read, total)
	if n <= free || size == 0 || n/perByte <= size {
		return nil
	}
	return fmt.Errorf("the input has %s and speaks of %s %s: that cannot be right; check its header, ids and counts",
		human.Of(int(size), "byte"), human.Count(int(n)), what)
}

// inProportion checks what has been read so far, and the batch that comes next.
func (im *importer) inProportion(b *batch) error {
	if err := im.proportion("documents", im.docs+int64(len(b.docs)), freeDocs, docsPerByte); err != nil {
		return err
	}
	return im.proportion("tokens", im.tokens+b.tokens, freeTokens, tokensPerByte)
}
