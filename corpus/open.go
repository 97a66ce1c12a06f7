package corpus

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"sync"

	"github.com/topoi-lda/topoi/corpus/internal/format"
	"github.com/topoi-lda/topoi/internal/guard"
	"github.com/topoi-lda/topoi/internal/mapfile"
)

// Open opens a corpus file and maps it into memory.
//
// Open checks that the file is complete and valid: length, rising offsets, words and ids within bounds,
// word ids below V and sorted inside documents, and the checksums of the header and of every section. This
// reads the file once, at about the speed of memory. Nothing that is read from the corpus later can be out
// of range or differ from what was written.
//
// Errors wrap [ErrNotCorpus], [ErrVersion], [ErrDamaged] or an error of
// package os.
func Open(path string) (*Corpus, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("cannot open the corpus: %w", err)
	}
	defer f.Close() // the map, or the copy in its place, stays valid
	return openFile(f, path)
}

// openFile is Open for a file that is already open. path is used only in messages.
func openFile(f *os.File, path string) (c *Corpus, err error) {
	defer guard.Files(&err)()
	info, err := f.Stat()
	if err != nil {
		return nil, fmt.Errorf("cannot open the corpus: %w", err)
	}
	if info.IsDir() {
		return nil, fmt.Errorf("%s: %w: it is a directory; import it first", path, ErrNotCorpus)
	}
	m, err := mapfile.Of(f)
	if err != nil {
		return nil, fmt.Errorf("cannot open the corpus: %w", &fs.PathError{Op: "map", Path: path, Err: err})
	}
	c, err = decode(m.Data, m.Forget)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, errors.Join(err, m.Close()))
	}
	c.file, c.path = m, path
	return c, nil
}

// IsCorpus reports whether the file at path begins like a corpus file.
func IsCorpus(path string) bool {
	if info, err := os.Stat(path); err != nil || !info.Mode().IsRegular() {
		return false // reading from a pipe would lose data
	}
	f, err := os.Open(path)
	if err != nil {
		return false
	}
	defer f.Close()
	b := make([]byte, len(format.Magic))
	n, _ := f.Read(b)
	return string(b[:n]) == format.Magic
}

// decode finds the structure of a corpus file in its bytes and checks it. The corpus shares memory with b,
// which must be aligned to 8 bytes. decode calls forget for bytes that it does not need any more.
func decode(b []byte, forget func([]byte)) (*Corpus, error) {
	h, err := format.Decode(b)
	if err != nil {
		return nil, err
	}
	d := decoder{file: b, header: h}
	c := Corpus{
		offsets:  mapfile.View[uint64](d.array(format.Offsets, h.Docs, 1, 8)),
		tokens:   mapfile.View[uint32](d.array(format.Tokens, h.Tokens, 0, 4)),
		words:    d.strings(format.Words, h.Words, false),
		pipeline: d.bytes(format.Pipeline),
	}
	for i, list := range c.perDoc() {
		*list = d.strings(tagSections[i], h.Docs, true)
	}
	c.columns = d.columns(h.Docs)
	if d.err == nil {
		d.err = d.prove(&c, forget)
	}
	if d.err != nil {
		return nil, fmt.Errorf("%w: %w; copy or import it again", ErrDamaged, d.err)
	}
	digests := make(map[string]format.Digest, len(h.Sections))
	for _, s := range h.Sections {
		digests[s.Name] = s.Digest
	}
	c.sections = h.Sections
	p := &c
	p.fingerprint = sync.OnceValue(func() string { return format.Fingerprint(digests) })
	return p, nil
}

// decoder finds sections; its methods do nothing once err is set.
type decoder struct {
	file   []byte
	header *format.Header
	err    error
}

func (d *decoder) find(name string) (format.Section, bool) {
	i := slices.IndexFunc(d.header.Sections, func(s format.Section) bool { return s.Name == name })
	if i < 0 {
		return format.Section{}, false
	}
	return d.header.Sections[i], true
}

// bytes returns the bytes of a section, nil when it is absent.
func (d *decoder) bytes(name string) []byte {
	s, ok := d.find(name)
	if !ok {
		return nil
	}
	return d.file[s.Offset : s.Offset+s.Size : s.Offset+s.Size]
}

// array returns the bytes of a section that must hold n+extra elements of the given size. n comes from the
// file and may have any value, so a product could overflow; array divides instead.
func (d *decoder) array(name string, n, extra, size uint64) []byte {
	s, ok := d.find(name)
	if d.err != nil {
		return nil
	}
	if !ok {
		d.err = fmt.Errorf("section %q is missing", name)
		return nil
	}
	if s.Size%size != 0 || s.Size/size < extra || s.Size/size-extra != n {
		d.err = fmt.Errorf("section %q has %d bytes, not %d elements of %d bytes", name, s.Size, n+extra, size)
		return nil
	}
	return d.bytes(name)
}

// strings returns a list of n strings.
func (d *decoder) strings(name string, n uint64, optional bool) Strings {
	if _, ok := d.find(name + format.SuffixEnds); !ok && optional {
		return Strings{}
	}
	ends := mapfile.View[uint64](d.array(name+format.SuffixEnds, n, 0, 8))
	bytes := d.bytes(name + format.SuffixBytes)
	if d.err == nil && bytes == nil {
		d.err = fmt.Errorf("section %q is missing", name+format.SuffixBytes)
	}
	if d.err != nil {
		return Strings{}
	}
	s, err := StringsOver(ends, bytes)
	if err != nil {
		d.err = fmt.Errorf("section %q does not fit section %q", name+format.SuffixEnds, name+format.SuffixBytes)
	}
	return s
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

// Errors of [Import] for valid input from which no model can be trained.
var (
	// ErrNoWords means that the documents have no words.
	ErrNoWords = errors.New("there are no words")

	// ErrNoWordLeft means that the documents have words, but all were dropped because of their frequency.
	ErrNoWordLeft = errors.New("no word is left")
)

// linkBytes is the size from which SaveLinked prefers a link to a copy. Small files are copied, because a
// copy does not change with the original.
const linkBytes = 256 << 20

// SaveLinked does what Save does. If c is a large file, it makes a hard link to that file instead of a copy,
// if the file system supports links. That is safe because corpus files are never changed, only replaced.
func (c *Corpus) SaveLinked(path string) error { return c.saveLinked(path, linkBytes) }

func (c *Corpus) saveLinked(path string, threshold int) error {
	if c.file == nil || len(c.file.Data) < threshold || os.Link(c.path, path) != nil {
		return c.Save(path)
	}
	if change, _ := c.file.ChangedAt(path); change == mapfile.Same {
		return nil // Open has verified the content
	}
	// Another file may have taken the name since c was opened, or the file may have been changed. Open
	// verifies that it holds what its fingerprint says.
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

// LinkedBytes returns how many bytes SaveLinked needs in a directory. It is 0 if SaveLinked will make a link.
func (c *Corpus) LinkedBytes(dir string) uint64 {
	if c.file == nil {
		return c.bytes()
	}
	size := uint64(len(c.file.Data))
	if size < linkBytes {
		return size
	}
	probe := filepath.Join(dir, fmt.Sprintf(".topoi-probe-%08x", rand.Uint32())) // a random name avoids collisions
	if os.Link(c.path, probe) != nil {
		return size
	}
	_ = os.Remove(probe) // made just above
	return 0
}

// bytes returns the size of a file that holds c, without header and padding.
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

// sameFile reports whether two open files have the same header and table, and so the same checksums of all
// sections. Fingerprints would not cover titles and snippets.
func (c *Corpus) sameFile(other *Corpus) bool {
	head := func(b []byte) []byte { return b[:format.TableEnd(int(binary.LittleEndian.Uint32(b[12:])))] }
	return bytes.Equal(head(c.file.Data), head(other.file.Data))
}
