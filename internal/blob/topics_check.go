package blob

import (
	"encoding/binary"
	"fmt"

	"github.com/zeebo/xxh3"
)

// TopicsCheck is a writer that sees whether what is written to it, piece by piece, is a whole blob of topics.
type TopicsCheck struct {
	hash xxh3.Hasher
	head []byte // the first bytes, up to topicsHeader
	tail []byte // the last bytes, up to topicsDigest: they may be the checksum
	size int    // bytes so far
}

// Write implements io.Writer. It never fails.
func (c *TopicsCheck) Write(b []byte) (int, error) {
	c.head = append(c.head, b[:min(len(b), topicsHeader-len(c.head))]...)
	c.size += len(b)
	if rest := len(c.tail) + len(b) - topicsDigest; rest > 0 {
		old := min(rest, len(c.tail))
		_, _ = c.hash.Write(c.tail[:old]) // as the next one, it never fails
		_, _ = c.hash.Write(b[:rest-old])
		c.tail = append(c.tail[:0], c.tail[old:]...)
		c.tail = append(c.tail, b[rest-old:]...)
	} else {
		c.tail = append(c.tail, b...)
	}
	return len(b), nil
}

// Done says what is wrong with the blob, or nil.
func (c *TopicsCheck) Done(id PartID) error {
	le := binary.LittleEndian
	if len(c.head) < topicsHeader || c.size != topicsHeader+int(le.Uint32(c.head[16:]))*int(le.Uint32(c.head[20:]))+topicsDigest {
		return fmt.Errorf("%w: topics of part %d: %d bytes", ErrDamaged, id.Part, c.size)
	}
	if c.hash.Sum64() != le.Uint64(c.tail) {
		return fmt.Errorf("%w: topics of part %d: the checksum does not match", ErrDamaged, id.Part)
	}
	if got := (PartID{le.Uint64(c.head), int(le.Uint32(c.head[8:])), int(le.Uint32(c.head[12:]))}); got != id {
		return fmt.Errorf("%w: topics of part %d: they are others (%v) than expected (%v)", ErrDamaged, id.Part, got, id)
	}
	return nil
}
