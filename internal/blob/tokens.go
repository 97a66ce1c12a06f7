package blob

import (
	"encoding/binary"
	"fmt"

	"github.com/zeebo/xxh3"
)

// TokensHead is how many bytes of a blob of tokens are before their records. Behind them there is the checksum alone.
const TokensHead = headerBytes

// BeginTokens begins a blob of tokens in the room of dst. Their records are to be appended.
func BeginTokens(dst []byte, id ID) []byte { return appendHeader(dst[:0], id) }

// FinishTokens ends a blob of so many tokens.
func FinishTokens(b []byte, tokens int) []byte {
	le := binary.LittleEndian
	le.PutUint64(b[40:], uint64(tokens))
	le.PutUint64(b[48:], uint64(len(b)-headerBytes))
	return le.AppendUint64(b, xxh3.Hash(b))
}

// TokensBytes is the size of a blob of tokens whose records have so many bytes.
func TokensBytes(records int) int { return headerBytes + records + digestBytes }

// OpenTokens returns the records of a blob of tokens, which must be the one that is wanted and have so many bytes of them.
func OpenTokens(b []byte, want ID, size int) ([]byte, error) {
	d, err := Open(b, want)
	if err == nil && len(d.rest) != size {
		err = fmt.Errorf("%w: %v: %d bytes of records, where %d were expected", ErrDamaged, d.ID, len(d.rest), size)
	}
	return d.rest, err
}
