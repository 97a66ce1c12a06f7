package ondisk

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/zeebo/xxh3"

	"github.com/topoi-lda/topoi/internal/mapfile"
	"github.com/topoi-lda/topoi/internal/wholefile"
)

// The files of a part. A layout is written once; topics and counts are written
// anew in every round, under a new generation, beside the old ones.
//
//	part-00012.layout        sampler.Layout
//	part-00012.topics.345    uint16[] if K ≤ 65536, else uint32[], corpus order; XXH3-64 of that
//	part-00012.counts.345    the part's own n_wk: slices+1 positions of uint64, then a blob for every slice of words
//	slice-00034.rows         n_wk of a slice of words: a blob; no part of a saved state
func (s *Sampler) layoutFile(part int) string {
	return filepath.Join(s.dir, fmt.Sprintf("part-%05d.layout", part))
}

func (s *Sampler) topicsFile(part int, generation uint32) string {
	return filepath.Join(s.dir, fmt.Sprintf("part-%05d.topics.%d", part, generation))
}

func (s *Sampler) countsFile(part int, generation uint32) string {
	return filepath.Join(s.dir, fmt.Sprintf("part-%05d.counts.%d", part, generation))
}

// ErrDamaged is wrapped by the errors about files that are not what was written.
var ErrDamaged = errors.New("damaged file")

// writeFile writes a file and makes it durable, if wanted.
func writeFile(path string, pieces [][]byte, sync bool) error {
	f, err := os.Create(path)
	if err != nil {
		return wholefile.Explain(path, err)
	}
	for _, b := range pieces {
		if err == nil {
			_, err = f.Write(b)
		}
	}
	if err == nil && sync {
		err = f.Sync()
	}
	if err = errors.Join(err, f.Close()); err != nil {
		return wholefile.Explain(path, err)
	}
	return nil
}

// readFile reads a whole file into a buffer, which grows if it must and begins at
// an address divisible by 8.
func readFile(path string, buffer []byte) ([]byte, error) {
	f, err := os.Open(path)
	if err != nil {
		return buffer, fmt.Errorf("cannot read the state of the run: %w", err)
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return buffer, err
	}
	buffer = room(buffer, int(info.Size()))
	if _, err := io.ReadFull(f, buffer); err != nil {
		return buffer, fmt.Errorf("cannot read %s: %w", path, err)
	}
	return buffer, nil
}

// room returns n bytes in the memory of a buffer if it is enough.
func room(buffer []byte, n int) []byte {
	if n > cap(buffer) {
		return mapfile.Aligned(n + n/32)[:n]
	}
	return buffer[:n]
}

// encodeTopics writes z as a file has it, in the memory of a buffer.
func (s *Sampler) encodeTopics(buffer []byte, z []uint32) []byte {
	buffer = room(buffer, s.topicBytes()*len(z)+8)
	body := buffer[:len(buffer)-8]
	if s.topicBytes() == 2 {
		for i, k := range z {
			binary.LittleEndian.PutUint16(body[2*i:], uint16(k))
		}
	} else {
		for i, k := range z {
			binary.LittleEndian.PutUint32(body[4*i:], k)
		}
	}
	binary.LittleEndian.PutUint64(buffer[len(body):], xxh3.Hash(body))
	return buffer
}

// decodeTopics checks what a file has and copies it to z.
func (s *Sampler) decodeTopics(z []uint32, b []byte) error {
	if len(b) != s.topicBytes()*len(z)+8 {
		return fmt.Errorf("%w: it holds %d bytes, which is not %d tokens", ErrDamaged, len(b), len(z))
	}
	body := b[:len(b)-8]
	if xxh3.Hash(body) != binary.LittleEndian.Uint64(b[len(body):]) {
		return fmt.Errorf("%w: the checksum does not match", ErrDamaged)
	}
	largest := uint32(0)
	if s.topicBytes() == 2 {
		for i, k := range mapfile.View[uint16](body) {
			z[i] = uint32(k)
			largest = max(largest, uint32(k))
		}
	} else {
		for i, k := range mapfile.View[uint32](body) {
			z[i] = k
			largest = max(largest, k)
		}
	}
	if len(z) > 0 && largest >= uint32(s.p.K) {
		return fmt.Errorf("%w: a token has topic %d of %d", ErrDamaged, largest, s.p.K)
	}
	return nil
}

// topicBytes is the size of a topic in a file.
func (s *Sampler) topicBytes() int {
	if s.p.K <= 1<<16 {
		return 2
	}
	return 4
}
