package corpus

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"

	"github.com/topoi-lda/topoi/internal/mapfile"
)

// linkBytes is the size from which SaveLinked prefers a link to a copy. Small
// files are copied: a copy stays as it is whatever happens to the original.
const linkBytes = 256 << 20

// SaveLinked is Save, but where c is a large file it puts a hard link to that
// file at path, if the file system has them: corpus files are never changed once
// they are written, only replaced.
func (c *Corpus) SaveLinked(path string) error { return c.saveLinked(path, linkBytes) }

func (c *Corpus) saveLinked(path string, threshold int) error {
	if c.file == nil || len(c.file.Data) < threshold || os.Link(c.path, path) != nil {
		return c.Save(path)
	}
	if change, _ := c.file.ChangedAt(path); change == mapfile.Same {
		return nil // Open has proved what it holds
	}
	// The name may have come to mean another file since c was opened, or the file was written to: Open proves
	// that it holds what its fingerprint says.
	linked, err := Open(path)
	if err == nil && linked.sameFile(c) {
		return linked.Close()
	}
	if err == nil {
		err = linked.Close()
	}
	if removeErr := os.Remove(path); removeErr != nil {
		return errors.Join(err, removeErr)
	}
	return c.Save(path)
}

// LinkedBytes returns the bytes that SaveLinked takes in a directory: none where it
// will make a link.
func (c *Corpus) LinkedBytes(dir string) uint64 {
	if c.file == nil {
		return c.bytes()
	}
	size := uint64(len(c.file.Data))
	if size < linkBytes {
		return size
	}
	probe := filepath.Join(dir, fmt.Sprintf(".topoi-probe-%08x", rand.Uint32())) // the random name only avoids collisions
	if os.Link(c.path, probe) != nil {
		return size
	}
	_ = os.Remove(probe) // it was made a moment ago
	return 0
}

// bytes is the size of a file that holds c, header and padding aside.
func (c *Corpus) bytes() uint64 {
	size := 4*uint64(c.NumTokens()) + 8*uint64(len(c.offsets)) + uint64(len(c.pipeline))
	for _, l := range c.lists() {
		size += 8 * uint64(l.list.Len())
		for i := range l.list.Len() {
			size += uint64(len(l.list.Bytes(i)))
		}
	}
	return size
}

// sameFile says whether two open files have the same header and table, and so the
// same checksums of all sections. Fingerprints would leave out titles and snippets.
func (c *Corpus) sameFile(other *Corpus) bool {
	head := func(b []byte) []byte { return b[:tableEnd(int(binary.LittleEndian.Uint32(b[12:])))] }
	return bytes.Equal(head(c.file.Data), head(other.file.Data))
}
