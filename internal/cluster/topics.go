package cluster

import (
	"encoding/binary"
	"errors"
	"fmt"

	"github.com/zeebo/xxh3"
)

// topicsID says whose topics a blob holds.
type topicsID struct {
	job         uint64
	part, round int
}

func (j *Job) topicsID(part, round int) topicsID { return topicsID{j.ID, part, round} }

// A blob of topics is job uint64, part, round, tokens, bytes per topic uint32, the
// topics, and the XXH3-64 of all that, little-endian.
const (
	topicsHeader = 24
	topicsDigest = 8
)

// encodeTopics makes a blob of the topics of a part, of k topics.
func encodeTopics(id topicsID, z []uint32, k int) []byte {
	le := binary.LittleEndian
	width := topicWidth(k)
	b := make([]byte, topicsHeader+len(z)*width, topicsHeader+len(z)*width+topicsDigest)
	le.PutUint64(b, id.job)
	for i, n := range []int{id.part, id.round, len(z), width} {
		le.PutUint32(b[8+4*i:], uint32(n))
	}
	body := b[topicsHeader:]
	if width == 2 {
		for i, t := range z {
			le.PutUint16(body[2*i:2*i+2], uint16(t))
		}
	} else {
		for i, t := range z {
			le.PutUint32(body[4*i:4*i+4], t)
		}
	}
	return le.AppendUint64(b, xxh3.Hash(b))
}

// topicWidth is the number of bytes of a topic below k.
func topicWidth(k int) int {
	if k <= 1<<16 {
		return 2
	}
	return 4
}

// errDamaged is wrapped by errors about bytes that are not what was written.
var errDamaged = errors.New("damaged")

// decodeTopics reads a blob of the topics of len(z) tokens into z.
func decodeTopics(z []uint32, b []byte, id topicsID, k int) error {
	le := binary.LittleEndian
	width := topicWidth(k)
	if len(b) != topicsHeader+len(z)*width+topicsDigest {
		return fmt.Errorf("topics of part %d are %w: %d bytes for %d tokens", id.part, errDamaged, len(b), len(z))
	}
	body := b[:len(b)-topicsDigest]
	if xxh3.Hash(body) != le.Uint64(b[len(body):]) {
		return fmt.Errorf("topics of part %d are %w: the checksum does not match", id.part, errDamaged)
	}
	got := topicsID{le.Uint64(b), int(le.Uint32(b[8:])), int(le.Uint32(b[12:]))}
	if got != id || int(le.Uint32(b[20:])) != width {
		return fmt.Errorf("topics of part %d are %w: they are others (%v) than expected (%v)", id.part, errDamaged, got, id)
	}
	body = body[topicsHeader:]
	for i := range z {
		if width == 2 {
			z[i] = uint32(le.Uint16(body[2*i:]))
		} else {
			z[i] = le.Uint32(body[4*i:])
		}
		if int(z[i]) >= k {
			return fmt.Errorf("topics of part %d are %w: topic %d of %d", id.part, errDamaged, z[i], k)
		}
	}
	return nil
}
