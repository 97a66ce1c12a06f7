package corpus

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"sync"

	"github.com/topoi-lda/topoi/corpus/internal/copies"
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
// Errors wrap [ErrNotCorpus], [ErrVersion], [ErrDamaged] or an error of package os.
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
	c, err = decode(m, path)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, errors.Join(err, m.Close()))
	}
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

// decode finds the structure of a corpus file in its bytes and checks it. The corpus shares memory with
// m.Data, which must be aligned to 8 bytes.
func decode(m *mapfile.File, path string) (*Corpus, error) {
	h, err := format.Decode(m.Data, uint64(len(m.Data)))
	if err != nil {
		return nil, err
	}
	d := decoder{file: m.Data, header: h}
	c := Corpus{
		offsets:  mapfile.View[uint64](d.array(format.Offsets, h.Docs, 1, 8)),
		tokens:   mapfile.View[uint32](d.array(format.Tokens, h.Tokens, 0, 4)),
		words:    d.strings(format.Words, h.Words, false),
		pipeline: d.bytes(format.Pipeline),
	}
	for i, list := range c.tags.lists() {
		*list = d.strings(tagSections[i], h.Docs, true)
	}
	c.columns = d.columns(h.Docs)
	c.copyList = d.copies(h.Docs)
	if d.err == nil {
		d.err = d.prove(&c, m.Forget)
	}
	if d.err != nil {
		return nil, fmt.Errorf("%w: %w; copy or import it again", ErrDamaged, d.err)
	}
	c.file, c.fingerprint = &file{data: m, path: path, sections: h.Sections}, fingerprintOf(h)
	c.origin = origin{c.file}
	return &c, nil
}

// fingerprintOf returns the fingerprint of a file from the checksums of its sections.
func fingerprintOf(h *format.Header) func() string {
	return sync.OnceValue(func() string {
		digests := make(map[string]format.Digest, len(h.Sections))
		for _, s := range h.Sections {
			digests[s.Name] = s.Digest
		}
		return format.Fingerprint(digests)
	})
}

// decoder finds sections; its methods do nothing once err is set.
type decoder struct {
	file   []byte
	loaded map[string][]byte // sections, in place of file
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
	if d.loaded != nil {
		return d.loaded[name]
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

// columns reads the columns of a corpus file.
func (d *decoder) columns(docs uint64) []columnData {
	raw := d.bytes(format.Columns)
	if raw == nil || d.err != nil {
		return nil
	}
	var infos []columnInfo
	if err := json.Unmarshal(raw, &infos); err != nil || len(infos) > mostColumns+2 {
		d.err = fmt.Errorf("section %q does not describe columns", format.Columns)
		return nil
	}
	data := make([]columnData, len(infos))
	for i, info := range infos {
		data[i].columnInfo = info
		if info.Role == "" {
			data[i].list = d.strings(columnSection(i), docs, false)
		}
	}
	return data
}

// copies reads the list of copies.
func (d *decoder) copies(docs uint64) copyList {
	s, has := d.find(format.Copies)
	if !has || d.err != nil {
		return nil
	}
	list := copyList(mapfile.View[uint64](d.array(format.Copies, s.Size/8, 0, 8)))
	if err := copies.Check(list, docs); d.err == nil && err != nil {
		d.err = fmt.Errorf("section %q: %w", format.Copies, err)
	}
	return list
}

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
	digests[own], err = format.CheckTokens(c.offsets, c.tokens, d.bytes(format.Tokens),
		uint32(min(d.header.Words, 1<<32-1)), forget)
	group.Wait()
	for i, s := range d.header.Sections {
		if err == nil && digests[i] != s.Digest {
			err = format.Fault(s)
		}
	}
	return err
}

// Errors of [Import] for valid input from which no model can be trained.
var (
	// ErrNoWords means that the documents have no words.
	ErrNoWords = errors.New("there are no words")

	// ErrNoWordLeft means that the documents have words, but all were dropped because of their frequency.
	ErrNoWordLeft = errors.New("no word is left")
)
