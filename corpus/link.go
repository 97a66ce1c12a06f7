package corpus

import (
	"bytes"
	"encoding/binary"
	"errors"
	"os"
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
	// The name may have come to mean another file since c was opened: Open proves
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

// sameFile says whether two open files have the same header and table, and so the
// same checksums of all sections. Fingerprints would leave out titles and snippets.
func (c *Corpus) sameFile(other *Corpus) bool {
	head := func(b []byte) []byte { return b[:tableEnd(int(binary.LittleEndian.Uint32(b[12:])))] }
	return bytes.Equal(head(c.file.Data), head(other.file.Data))
}
