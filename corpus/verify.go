package corpus

import (
	"errors"
	"fmt"
	"slices"

	"github.com/topoi-lda/topoi/corpus/internal/format"
	"github.com/topoi-lda/topoi/internal/guard"
	"github.com/topoi-lda/topoi/internal/mapfile"
)

// prove checks the tokens and compares the checksum of every section with its content. It reports faults of
// the structure first, because they say more.
func (d *decoder) prove(c *Corpus, forget func([]byte)) error {
	own := slices.IndexFunc(d.header.Sections, func(s format.Section) bool { return s.Name == format.Tokens })
	digests := make([]format.Digest, len(d.header.Sections))
	var group guard.Group
	for i, s := range d.header.Sections {
		if i != own {
			group.Go(func() { digests[i] = format.DigestForgetting(d.file[s.Offset:s.Offset+s.Size], forget) })
		}
	}
	var err error
	digests[own], err = format.CheckTokens(c.offsets, c.tokens, d.bytes(format.Tokens), uint32(min(d.header.Words, 1<<32-1)), forget)
	group.Wait()
	for i, s := range d.header.Sections {
		if err == nil && digests[i] != s.Digest {
			err = format.Fault(s)
		}
	}
	return err
}

// Verify reads the whole file behind c, or behind the corpus that c is a view of, and compares every
// checksum with its content. [Open] has done so already, but the file may have changed since. For a corpus
// in memory it returns nil.
func (c *Corpus) Verify() (err error) {
	c = c.Whole()
	if c.file == nil {
		return nil
	}
	defer guard.Files(&err)()
	h, err := format.Decode(c.file.Data)
	if err == nil && !slices.Equal(h.Sections, c.sections) {
		err = fmt.Errorf("%w: its content differs from when it was opened", ErrDamaged)
	}
	if err != nil {
		return fmt.Errorf("%s: %w", c.path, err)
	}
	wrong := make([]bool, len(h.Sections))
	var group guard.Group
	for i, s := range h.Sections {
		group.Go(func() {
			wrong[i] = format.DigestForgetting(c.file.Data[s.Offset:s.Offset+s.Size], c.file.Forget) != s.Digest
		})
	}
	group.Wait()
	if i := slices.Index(wrong, true); i >= 0 {
		return fmt.Errorf("%s: %w: %w; copy or import it again", c.path, ErrDamaged, format.Fault(h.Sections[i]))
	}
	return nil
}

// Unchanged returns an error that wraps [ErrChanged] if the file behind c was written to since it was opened
// and its content has changed. It compares size and time first, and costs nothing while they are the same.
func (c *Corpus) Unchanged() error {
	c = c.Whole()
	if c.file == nil {
		return nil
	}
	change, accept := c.file.Changed()
	if change != mapfile.Altered {
		return nil
	}
	if err := c.Verify(); err != nil {
		if errors.Is(err, guard.ErrFileLost) {
			return err
		}
		return fmt.Errorf("%w: %w", ErrChanged, err)
	}
	accept()
	return nil
}

// Replaced reports whether the name of the file behind c now belongs to another file, or to none. c still
// holds the file that was opened.
func (c *Corpus) Replaced() bool {
	file := c.Whole().file
	if file == nil {
		return false
	}
	change, _ := file.Changed()
	return change == mapfile.Replaced
}
