package corpus

import (
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
	if err == nil && linked.Fingerprint() == c.Fingerprint() {
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
