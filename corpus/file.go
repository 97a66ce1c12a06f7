package corpus

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"slices"

	"github.com/topoi-lda/topoi/corpus/internal/format"
	"github.com/topoi-lda/topoi/internal/guard"
	"github.com/topoi-lda/topoi/internal/mapfile"
)

// file is the file that a corpus was opened from. A nil file stands for a corpus in memory: it never changes.
type file struct {
	data     *mapfile.File
	path     string
	sections []format.Section
}

// origin is where a corpus, or the one that it is a view of, comes from: a file, or nil for a corpus in memory.
type origin struct{ from *file }

// Closed reports whether the file of the corpus was closed, so that documents can no longer be read.
func (o origin) Closed() bool { return o.from != nil && o.from.data.Closed() }

// Verify reads the whole file of the corpus and compares every checksum with its content. [Open] has done so already,
// but the file may have changed since. A corpus in memory is always as it was.
func (o origin) Verify() error {
	if o.from == nil {
		return nil
	}
	return o.from.verify()
}

func (f *file) verify() (err error) {
	defer guard.Files(&err)()
	h, err := format.Decode(f.data.Data, uint64(len(f.data.Data)))
	if err == nil && !slices.Equal(h.Sections, f.sections) {
		err = fmt.Errorf("%w: its content differs from when it was opened", ErrDamaged)
	}
	if err != nil {
		return fmt.Errorf("%s: %w", f.path, err)
	}
	wrong := make([]bool, len(h.Sections))
	var group guard.Group
	for i, s := range h.Sections {
		group.Go(func() {
			wrong[i] = format.DigestForgetting(f.data.Data[s.Offset:s.Offset+s.Size], f.data.Forget) != s.Digest
		})
	}
	group.Wait()
	if i := slices.Index(wrong, true); i >= 0 {
		return fmt.Errorf("%s: %w: %w; copy or import it again", f.path, ErrDamaged, format.Fault(h.Sections[i]))
	}
	return nil
}

// Unchanged returns an error that wraps [ErrChanged] if the file of the corpus was written to since it was opened and
// its content has changed. It compares size and time first, and costs nothing while they are the same.
func (o origin) Unchanged() error {
	f := o.from
	if f == nil {
		return nil
	}
	change, accept := f.data.Changed()
	if change != mapfile.Altered {
		return nil
	}
	if err := f.verify(); err != nil {
		if errors.Is(err, guard.ErrFileLost) {
			return err
		}
		return fmt.Errorf("%w: %w", ErrChanged, err)
	}
	accept()
	return nil
}

// Replaced reports whether the name of the corpus file now belongs to another file, or to none. The corpus still
// holds the file that was opened.
func (o origin) Replaced() bool {
	if o.from == nil {
		return false
	}
	change, _ := o.from.data.Changed()
	return change == mapfile.Replaced
}

// same reports whether two open files have the same header and table, and so the same checksums of all
// sections. Fingerprints would not cover titles and snippets.
func (f *file) same(g *file) bool {
	head := func(b []byte) []byte { return b[:format.TableEnd(int(binary.LittleEndian.Uint32(b[12:])))] }
	return bytes.Equal(head(f.data.Data), head(g.data.Data))
}

// Errors of [Open], [Corpus.Verify] and [Corpus.Unchanged]. Returned errors wrap one of these and name the file.
var (
	// ErrNotCorpus means that the file is something else, most often an input that was never imported.
	ErrNotCorpus = format.ErrNotCorpus

	// ErrVersion means that the file was written by a program that uses another major version of the format.
	ErrVersion = format.ErrVersion

	// ErrDamaged means that the file is cut short or altered, or contradicts itself. The most frequent
	// cause is an interrupted copy.
	ErrDamaged = format.ErrDamaged

	// ErrChanged means that the file was written to while it was in use.
	ErrChanged = errors.New("the corpus file changed while it was in use")
)
