// Package format defines the corpus file: its header, the table of its sections, and how they are written and checked.
package format

import (
	"bytes"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"runtime"
	"slices"

	"github.com/zeebo/xxh3"

	"github.com/topoi-lda/topoi/internal/guard"
	"github.com/topoi-lda/topoi/internal/mapfile"
)

// Faults of a file. Errors wrap one of these.
var (
	ErrNotCorpus = errors.New("not a corpus file")
	ErrVersion   = errors.New("unknown version of the corpus file")
	ErrDamaged   = errors.New("damaged corpus file")
)

// The corpus file, version 1. docs/formats.md has the grammar. Everything is little-endian.
const (
	// a file that was transferred as text loses the high bit or changes the line end
	Magic       = "\x89topoi\x1a\n"
	Major       = 1 // changes when an old reader could misread the file
	Minor       = 3 // changes when sections are added that old readers may skip
	HeaderSize  = 64
	entrySize   = 64 // one entry of the section table
	alignment   = 64 // of every section: a cache line, and any vector load
	nameSize    = 16
	MaxSections = 1024
)

// Names of the sections. Lists of strings are two sections, NAME.ends and NAME.bytes.
const (
	Offsets  = "offsets"  // uint64[D+1]
	Tokens   = "tokens"   // uint32[N]
	Words    = "words"    // V strings
	IDs      = "ids"      // D strings, optional
	Labels   = "labels"   // D strings, optional
	Times    = "times"    // D strings, optional
	Titles   = "titles"   // D strings, optional, since version 1.1
	Snippets = "snippets" // D strings, optional, since version 1.1
	Texts    = "texts"    // D strings, optional, since version 1.2; the first byte of each says how it is stored
	Pipeline = "pipeline" // JSON, optional
	Copies   = "copies"   // pairs of uint64, optional, since version 1.3: a document, the first document of its group
	Columns  = "columns"  // JSON, optional, since version 1.2; values are the lists c0, c1, …

	SuffixEnds  = ".ends"
	SuffixBytes = ".bytes"
)

// minorSince is the minor version that introduced a list of strings, for lists that version 1.0 did not have.
var minorSince = map[string]uint16{Titles: 1, Snippets: 1, Texts: 2}

// Header is the fixed first part of the file.
type Header struct {
	Major, Minor uint16
	Docs         uint64 // D
	Words        uint64 // V
	Tokens       uint64 // N
	FileSize     uint64 // in bytes, to notice truncation
	Sections     []Section
}

// Section is one entry of the section table.
type Section struct {
	Name   string
	Offset uint64 // from the start of the file, a multiple of alignment
	Size   uint64 // in bytes, without padding
	Digest Digest
}

// Digest is the XXH3 128-bit hash of a section's bytes, big-endian as in XXH3's canonical form.
type Digest [16]byte

// DigestOf returns the hash of a section.
func DigestOf(b []byte) Digest { return xxh3.Hash128(b).Bytes() }

// TableEnd returns the number of bytes of header and table for n sections.
func TableEnd(n int) uint64 { return HeaderSize + entrySize*uint64(n) }

// align rounds n up to the next section boundary.
func align(n uint64) uint64 { return (n + alignment - 1) / alignment * alignment }

// encode returns header and section table. The hash at byte 56 covers all other bytes.
func (h *Header) encode() []byte {
	b := make([]byte, TableEnd(len(h.Sections)))
	le := binary.LittleEndian
	copy(b, Magic)
	le.PutUint16(b[8:], h.Major)
	le.PutUint16(b[10:], h.Minor)
	le.PutUint32(b[12:], uint32(len(h.Sections)))
	le.PutUint64(b[16:], h.Docs)
	le.PutUint64(b[24:], h.Words)
	le.PutUint64(b[32:], h.Tokens)
	le.PutUint64(b[40:], h.FileSize)
	for i, s := range h.Sections {
		e := b[TableEnd(i):]
		copy(e[:nameSize], s.Name)
		le.PutUint64(e[16:], s.Offset)
		le.PutUint64(e[24:], s.Size)
		copy(e[32:48], s.Digest[:])
	}
	le.PutUint64(b[56:], HeaderHash(b))
	return b
}

// HeaderHash hashes header and table without the field of the hash itself.
func HeaderHash(b []byte) uint64 {
	h := xxh3.New()
	h.Write(b[:56])
	h.Write(b[64:])
	return h.Sum64()
}

// Decode reads header and section table from the start of a file of the given size. Its errors do not name the file.
func Decode(b []byte, size uint64) (*Header, error) {
	if len(b) < len(Magic) || string(b[:len(Magic)]) != Magic {
		return nil, fmt.Errorf("%w: it does not start like one; import it first", ErrNotCorpus)
	}
	if len(b) < HeaderSize {
		return nil, fmt.Errorf("%w: it has only %d bytes; copy or import it again", ErrDamaged, len(b))
	}
	le := binary.LittleEndian
	h := &Header{Major: le.Uint16(b[8:]), Minor: le.Uint16(b[10:])}
	if h.Major != Major {
		return nil, fmt.Errorf("%w: it has version %d.%d and this program reads version %d; "+
			"use a newer program, or import the corpus again", ErrVersion, h.Major, h.Minor, Major)
	}
	count := le.Uint32(b[12:])
	h.Docs, h.Words, h.Tokens = le.Uint64(b[16:]), le.Uint64(b[24:]), le.Uint64(b[32:])
	h.FileSize = le.Uint64(b[40:])
	if h.FileSize > size {
		return nil, fmt.Errorf("%w: it is truncated to %d of %d bytes; copy or import it again", ErrDamaged, size,
			h.FileSize)
	}
	if h.FileSize < size || count > MaxSections || TableEnd(int(count)) > h.FileSize {
		return nil, fmt.Errorf("%w: the header does not fit into the file; copy or import it again", ErrDamaged)
	}
	table := b[:TableEnd(int(count))]
	if le.Uint64(b[56:]) != HeaderHash(table) {
		return nil, fmt.Errorf("%w: the header's checksum does not match; copy or import it again", ErrDamaged)
	}
	for i := range int(count) {
		s, err := decodeEntry(table[TableEnd(i):TableEnd(i+1)], h.FileSize)
		if err != nil {
			return nil, err
		}
		h.Sections = append(h.Sections, s)
	}
	return h, nil
}

func decodeEntry(e []byte, fileSize uint64) (Section, error) {
	name, _, _ := bytes.Cut(e[:nameSize], []byte{0})
	s := Section{
		Name:   string(name),
		Offset: binary.LittleEndian.Uint64(e[16:]),
		Size:   binary.LittleEndian.Uint64(e[24:]),
		Digest: Digest(e[32:48]),
	}
	if s.Offset%alignment != 0 || s.Offset > fileSize || s.Size > fileSize-s.Offset {
		return s, fmt.Errorf("%w: section %q lies outside the file; copy or import it again", ErrDamaged, s.Name)
	}
	return s, nil
}

// contentSections lists the sections that make up a corpus's content, in the order of the fingerprint.
// Titles and snippets are not among them, because nothing that is computed depends on them. The same corpus
// may be imported with longer snippets or none.
var contentSections = []string{
	Offsets,
	Tokens,
	Words + SuffixEnds, Words + SuffixBytes,
	IDs + SuffixEnds, IDs + SuffixBytes,
	Labels + SuffixEnds, Labels + SuffixBytes,
	Times + SuffixEnds, Times + SuffixBytes,
}

// Fingerprint hashes the digests of the content's sections; an absent section counts as sixteen zero bytes.
func Fingerprint(digests map[string]Digest) string {
	h := xxh3.New()
	for _, name := range contentSections {
		d := digests[name]
		h.Write(d[:])
	}
	if d, has := digests[Copies]; has { // files without it, all old ones among them, have the fingerprint they had
		h.Write(d[:])
	}
	sum := h.Sum128().Bytes()
	return hex.EncodeToString(sum[:])
}

// largeBytes is the size from which a section's pages are released after reading, so that opening a large
// corpus takes no memory.
const largeBytes = 64 << 20

// Fault returns the error about a section whose checksum does not match.
func Fault(s Section) error { return fmt.Errorf("the checksum of section %q does not match", s.Name) }

// DigestForgetting does what DigestOf does, and calls forget for the bytes of large sections that it has read.
func DigestForgetting(b []byte, forget func([]byte)) Digest {
	if len(b) < largeBytes {
		return DigestOf(b)
	}
	hash := xxh3.New()
	for piece := range slices.Chunk(b, 4<<20) {
		hash.Write(piece)
		forget(piece)
	}
	return hash.Sum128().Bytes()
}

// spanTokens is about how many tokens are hashed, and then checked, at a time.
const spanTokens = 1 << 20

// CheckTokens checks that offsets rise from 0 to len(tokens) and that each document's tokens are sorted and
// below v. The error names the first fault of the first document that has one. CheckTokens returns the
// checksum of raw, the bytes of the tokens. One goroutine hashes them piece by piece and others check what
// was hashed, so that tokens are read from the disk once.
func CheckTokens(offsets []uint64, tokens []uint32, raw []byte, v uint32, forget func([]byte)) (Digest, error) {
	if offsets[0] != 0 || offsets[len(offsets)-1] != uint64(len(tokens)) || !slices.IsSorted(offsets) {
		return Digest{}, fmt.Errorf("the offsets of its documents do not increase from 0 to %d", len(tokens))
	}
	spans := spansOf(offsets)
	faults := make([]error, len(spans))
	todo := make(chan int, len(spans)) // never full
	var group guard.Group
	for range min(runtime.GOMAXPROCS(0), len(spans)) {
		group.Go(func() {
			for i := range todo {
				lo, hi := spans[i][0], spans[i][1]
				faults[i] = checkDocs(offsets[lo:hi+1], tokens, v, lo)
				if len(raw) >= largeBytes {
					forget(mapfile.Bytes(tokens[offsets[lo]:offsets[hi]]))
				}
			}
		})
	}
	hash := xxh3.New()
	func() {
		defer close(todo)
		for i, s := range spans {
			hash.Write(raw[4*offsets[s[0]] : 4*offsets[s[1]]])
			todo <- i
		}
	}()
	group.Wait()
	for _, err := range faults {
		if err != nil {
			return Digest{}, err
		}
	}
	return hash.Sum128().Bytes(), nil
}

// spansOf cuts documents into runs of about spanTokens tokens.
func spansOf(offsets []uint64) (spans [][2]int) {
	first, docs := 0, len(offsets)-1
	for d := range docs {
		if offsets[d+1]-offsets[first] >= spanTokens || d == docs-1 {
			spans = append(spans, [2]int{first, d + 1})
			first = d + 1
		}
	}
	return spans
}

// checkDocs is CheckTokens for the documents between the given offsets; first is the number of the first
// one. The inner loop collects faults without branching.
func checkDocs(offsets []uint64, tokens []uint32, v uint32, first int) error {
	for i := range len(offsets) - 1 {
		doc := tokens[offsets[i]:offsets[i+1]]
		unsorted, last := uint64(0), uint32(0)
		for _, w := range doc {
			unsorted |= uint64(w) - uint64(last) // borrows into the upper half if w < last
			last = w
		}
		if unsorted>>32 != 0 {
			return fmt.Errorf("the tokens of document %d are not sorted", first+i)
		}
		if len(doc) > 0 && last >= v {
			return fmt.Errorf("document %d holds word %d of a vocabulary of %d", first+i, last, v)
		}
	}
	return nil
}
