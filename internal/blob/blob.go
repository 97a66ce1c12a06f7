// Package blob defines the form in which parts of n_wk travel between workers and the parameter server: the
// rows of one slice of the vocabulary, or what one part of the corpus changed in them. The same rows always
// give the same bytes, so a blob may be written twice, and two writers of one key agree.
//
// A blob is a header that says what it is, rows, and a checksum:
//
//	magic 89 "tpb", version uint8, kind uint8, 0 uint16       8 bytes
//	job uint64, round, slice, part, topics uint32            24
//	rows uint32, 0 uint32, entries uint64, length uint64     24, about what follows
//	rows                                                     length bytes
//	checksum                                                  8, XXH3-64 of everything before
//
// Numbers are little-endian. A row is
//
//	uvarint   words skipped since the row before (since word 0 in the first row)
//	uvarint   bytes of the entries
//	entries   in increasing topic order
//
// and an entry of topic k and value u ≥ 1, after an entry of topic j (or j = -1)
//
//	uvarint   4 (k - j - 1) + u  if u ≤ 3
//	uvarint   4 (k - j - 1), uvarint u - 4  otherwise
//
// where u is the count, or the signed change in zigzag order: -1, 1, -2, 2, … are 1, 2, 3, 4, …. Most counts
// and nearly all changes are that small, and most gaps between topics are below 32, so that most entries are
// one byte. The benchmarks show this, and why there is no compression on top.
//
// A row of changes that are all from -127 to 127 and at least K / 8 in number is
//
//	uvarint   words skipped, as above
//	0         in place of the bytes of the entries
//	uvarint   bytes of the rest
//	bits      one for every topic, eight to a byte from the lowest on: set if it has an entry
//	values    a signed byte for every bit that is set
//
// which has about the same length, and is written and added many times faster.
//
// A blob of totals has a uint32 for every topic in place of rows. A blob of statistics has uvarint numbers:
// one for every topic, then one for every count from 0 on.
package blob

import (
	"encoding/binary"
	"errors"
	"fmt"

	"github.com/zeebo/xxh3"
)

// ErrDamaged is wrapped by errors about bytes that are not a blob or were changed after they were written.
var ErrDamaged = errors.New("damaged blob")

// ErrIdentity is wrapped by errors about an undamaged blob that is not the expected one.
var ErrIdentity = errors.New("another blob than expected")

// Kind describes what the rows of a blob hold.
type Kind uint8

// These are the kinds of blobs.
const (
	Counts  Kind = 1 // non-zero counts n_wk
	Changes Kind = 2 // non-zero differences of n_wk
	Totals  Kind = 4 // n_k

	Statistics Kind = 5 // n_k, and how many n_wk have each value
)

func (k Kind) String() string {
	switch k {
	case Counts:
		return "counts"
	case Changes:
		return "changes"
	case Totals:
		return "totals"
	case Statistics:
		return "statistics"
	}
	return fmt.Sprintf("kind %d", uint8(k))
}

// ID identifies a blob. The user of the package decides what its fields mean; a reader gets an error if they
// are not the expected ones.
type ID struct {
	Kind   Kind
	Job    uint64 // one number per training run
	Round  uint32
	Slice  uint32 // which words
	Part   uint32 // which documents; 0 for all
	Topics uint32 // K
}

func (id ID) String() string {
	return fmt.Sprintf("%v of job %016x, round %d, slice %d, part %d, %d topics", id.Kind, id.Job, id.Round, id.Slice,
		id.Part, id.Topics)
}

const (
	magic       = "\x89tpb"
	version     = 1 // changes when an old reader could misread a blob
	headerBytes = 56
	digestBytes = 8
	mostWords   = 1 << 32 // words are 32-bit numbers
)

// appendHeader appends the header of an empty blob.
func appendHeader(dst []byte, id ID) []byte {
	le := binary.LittleEndian
	dst = append(dst, magic...)
	dst = append(dst, version, byte(id.Kind), 0, 0)
	dst = le.AppendUint64(dst, id.Job)
	for _, n := range []uint32{id.Round, id.Slice, id.Part, id.Topics} {
		dst = le.AppendUint32(dst, n)
	}
	return append(dst, make([]byte, headerBytes-32)...)
}

// header is the content of a blob's first bytes.
type header struct {
	ID
	rows    uint32
	entries uint64
	length  uint64
}

// parse reads and checks the header and the checksum of a whole blob.
func parse(b []byte) (header, error) {
	le := binary.LittleEndian
	if len(b) < len(magic) || string(b[:len(magic)]) != magic {
		return header{}, fmt.Errorf("%w: it does not begin as a blob does", ErrDamaged)
	}
	if len(b) < headerBytes+digestBytes {
		return header{}, fmt.Errorf("%w: it is cut short: only %d bytes are there", ErrDamaged, len(b))
	}
	if b[4] != version {
		return header{}, fmt.Errorf("%w: it has version %d and this program reads version %d: run the same program everywhere", ErrDamaged, b[4], version)
	}
	h := header{
		ID: ID{
			Kind: Kind(b[5]), Job: le.Uint64(b[8:]), Round: le.Uint32(b[16:]), Slice: le.Uint32(b[20:]),
			Part: le.Uint32(b[24:]), Topics: le.Uint32(b[28:]),
		},
		rows: le.Uint32(b[32:]), entries: le.Uint64(b[40:]), length: le.Uint64(b[48:]),
	}
	if has := uint64(len(b) - headerBytes - digestBytes); h.length != has {
		return header{}, fmt.Errorf("%w: it should hold %d bytes of rows and holds %d", ErrDamaged, h.length, has)
	}
	body := b[:len(b)-digestBytes]
	if xxh3.Hash(body) != le.Uint64(b[len(body):]) {
		return header{}, fmt.Errorf("%w: the checksum does not match", ErrDamaged)
	}
	if h.Kind < Counts || h.Kind > Statistics {
		return header{}, fmt.Errorf("%w: it is of unknown %v", ErrDamaged, h.Kind)
	}
	return h, nil
}

// zigzag numbers the changes -1, 1, -2, 2, … as 1, 2, 3, 4, ….
func zigzag(d int32) uint32 { return uint32(d)<<1 ^ uint32(d>>31) }

func unzigzag(u uint32) int32 { return int32(u>>1) ^ -int32(u&1) }
