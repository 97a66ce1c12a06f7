package corpus

import (
	"encoding/binary"
	"encoding/hex"
	"fmt"

	"github.com/zeebo/xxh3"
)

// The corpus file, version 1. docs/formats.md has the grammar; the constants
// here are its letters. Everything is little-endian.
const (
	magic        = "\x89topoi\x1a\n" // a high bit and a line end betray files sent as text
	majorVersion = 1                 // changes when an old reader could misread the file
	minorVersion = 2                 // changes when sections are added that it may skip
	headerSize   = 64
	entrySize    = 64 // one entry of the section table
	alignment    = 64 // of every section: a cache line, and any vector load
	nameSize     = 16
	maxSections  = 1024
)

// Names of the sections. Lists of strings are two sections, NAME.ends and
// NAME.bytes.
const (
	sectionOffsets  = "offsets"  // uint64[D+1]
	sectionTokens   = "tokens"   // uint32[N]
	sectionWords    = "words"    // V strings
	sectionIDs      = "ids"      // D strings, optional
	sectionLabels   = "labels"   // D strings, optional
	sectionTimes    = "times"    // D strings, optional
	sectionTitles   = "titles"   // D strings, optional, since version 1.1
	sectionSnippets = "snippets" // D strings, optional, since version 1.1
	sectionTexts    = "texts"    // D strings, optional, since version 1.2; see appendText
	sectionPipeline = "pipeline" // JSON, optional
	sectionColumns  = "columns"  // JSON, optional, since version 1.2; values are the lists c0, c1, …

	suffixEnds  = ".ends"
	suffixBytes = ".bytes"
)

// minorSince is the minor version that brought a list of strings, for those
// that version 1.0 did not have.
var minorSince = map[string]uint16{sectionTitles: 1, sectionSnippets: 1, sectionTexts: 2}

// header is the fixed first part of the file.
type header struct {
	major, minor uint16
	docs         uint64 // D
	words        uint64 // V
	tokens       uint64 // N
	fileSize     uint64 // in bytes, to notice truncation
	sections     []section
}

// section is one entry of the section table.
type section struct {
	name   string
	offset uint64 // from the start of the file, a multiple of alignment
	size   uint64 // in bytes, without padding
	digest digest
}

// digest is the XXH3 128-bit hash of a section's bytes, big-endian as XXH3's
// canonical form has it.
type digest [16]byte

func digestOf(b []byte) digest { return xxh3.Hash128(b).Bytes() }

// tableEnd returns the number of bytes of header and table for n sections.
func tableEnd(n int) uint64 { return headerSize + entrySize*uint64(n) }

// align rounds n up to the next section boundary.
func align(n uint64) uint64 { return (n + alignment - 1) / alignment * alignment }

// encode returns header and section table. The hash at byte 56 covers all the
// other bytes.
func (h *header) encode() []byte {
	b := make([]byte, tableEnd(len(h.sections)))
	le := binary.LittleEndian
	copy(b, magic)
	le.PutUint16(b[8:], h.major)
	le.PutUint16(b[10:], h.minor)
	le.PutUint32(b[12:], uint32(len(h.sections)))
	le.PutUint64(b[16:], h.docs)
	le.PutUint64(b[24:], h.words)
	le.PutUint64(b[32:], h.tokens)
	le.PutUint64(b[40:], h.fileSize)
	for i, s := range h.sections {
		e := b[tableEnd(i):]
		copy(e[:nameSize], s.name)
		le.PutUint64(e[16:], s.offset)
		le.PutUint64(e[24:], s.size)
		copy(e[32:48], s.digest[:])
	}
	le.PutUint64(b[56:], headerHash(b))
	return b
}

// headerHash hashes header and table with the hash's own field left out.
func headerHash(b []byte) uint64 {
	h := xxh3.New()
	h.Write(b[:56])
	h.Write(b[64:])
	return h.Sum64()
}

// decodeHeader reads header and section table from the start of a file of the
// given size. Its errors lack the file's name.
func decodeHeader(b []byte) (*header, error) {
	if len(b) < len(magic) || string(b[:len(magic)]) != magic {
		return nil, fmt.Errorf("%w: it does not begin as one; import it first", ErrNotCorpus)
	}
	if len(b) < headerSize {
		return nil, fmt.Errorf("%w: only %d bytes are left; copy or import it again", ErrDamaged, len(b))
	}
	le := binary.LittleEndian
	h := &header{major: le.Uint16(b[8:]), minor: le.Uint16(b[10:])}
	if h.major != majorVersion {
		return nil, fmt.Errorf("%w: it has version %d.%d and this program reads version %d; use a newer program or import the corpus again",
			ErrVersion, h.major, h.minor, majorVersion)
	}
	count := le.Uint32(b[12:])
	h.docs, h.words, h.tokens = le.Uint64(b[16:]), le.Uint64(b[24:]), le.Uint64(b[32:])
	h.fileSize = le.Uint64(b[40:])
	if h.fileSize > uint64(len(b)) {
		return nil, fmt.Errorf("%w: it is cut short, %d of %d bytes are left; copy or import it again", ErrDamaged, len(b), h.fileSize)
	}
	if h.fileSize < uint64(len(b)) || count > maxSections || tableEnd(int(count)) > h.fileSize {
		return nil, fmt.Errorf("%w: the header does not fit the file; copy or import it again", ErrDamaged)
	}
	table := b[:tableEnd(int(count))]
	if le.Uint64(b[56:]) != headerHash(table) {
		return nil, fmt.Errorf("%w: the header's checksum does not match; copy or import it again", ErrDamaged)
	}
	for i := range int(count) {
		s, err := decodeEntry(table[tableEnd(i):tableEnd(i+1)], h.fileSize)
		if err != nil {
			return nil, err
		}
		h.sections = append(h.sections, s)
	}
	return h, nil
}

func decodeEntry(e []byte, fileSize uint64) (section, error) {
	name := e[:nameSize]
	for i, c := range name {
		if c == 0 {
			name = name[:i]
			break
		}
	}
	s := section{
		name:   string(name),
		offset: binary.LittleEndian.Uint64(e[16:]),
		size:   binary.LittleEndian.Uint64(e[24:]),
		digest: digest(e[32:48]),
	}
	if s.offset%alignment != 0 || s.offset > fileSize || s.size > fileSize-s.offset {
		return s, fmt.Errorf("%w: section %q lies outside the file; copy or import it again", ErrDamaged, s.name)
	}
	return s, nil
}

// contentSections lists the sections that make up a corpus's content, in the
// order in which the fingerprint takes them. Titles and snippets are not among
// them: nothing that is computed depends on them, and one and the same corpus
// may be imported with longer snippets or none.
var contentSections = []string{
	sectionOffsets,
	sectionTokens,
	sectionWords + suffixEnds, sectionWords + suffixBytes,
	sectionIDs + suffixEnds, sectionIDs + suffixBytes,
	sectionLabels + suffixEnds, sectionLabels + suffixBytes,
	sectionTimes + suffixEnds, sectionTimes + suffixBytes,
}

// fingerprintOf hashes the digests of the content's sections; an absent
// section counts as sixteen zero bytes.
func fingerprintOf(digests map[string]digest) string {
	h := xxh3.New()
	for _, name := range contentSections {
		d := digests[name]
		h.Write(d[:])
	}
	sum := h.Sum128().Bytes()
	return hex.EncodeToString(sum[:])
}
