package blob

import (
	"encoding/binary"
	"fmt"
	"math"

	"github.com/topoi-lda/topoi/internal/counts"
	"github.com/zeebo/xxh3"
)

// Encoder writes a blob row by row. It allocates nothing per row once its buffers have grown, and may be reused.
type Encoder struct {
	out     []byte
	begin   int // where the blob begins in out
	id      ID
	next    uint64 // smallest word that may follow
	rows    uint32
	entries uint64
	place   Place  // of the last row
	row     []byte // entries of one row, before their length is known
	list    []counts.Change
}

// Begin starts a blob, to be appended to dst.
func (e *Encoder) Begin(dst []byte, id ID) {
	*e = Encoder{begin: len(dst), id: id, row: e.row[:0], list: e.list}
	e.out = appendHeader(dst, id)
}

func (e *Encoder) expect(k Kind) {
	if e.id.Kind != k {
		panic(fmt.Sprintf("blob: a row of %v for a blob of %v", k, e.id.Kind))
	}
	e.place = Place{}
}

// entry appends an entry to the current row. Its topic must be at least next.
func (e *Encoder) entry(topic, u uint32, next uint64) {
	e.check(topic, u, next)
	gap := (uint64(topic) - next) << 2
	if u <= 3 {
		if x := gap | uint64(u); x < 0x80 {
			e.row = append(e.row, byte(x)) // the usual case
			return
		}
		e.row = binary.AppendUvarint(e.row, gap|uint64(u))
		return
	}
	e.row = binary.AppendUvarint(e.row, gap)
	e.row = binary.AppendUvarint(e.row, uint64(u-4))
}

// check panics if an entry cannot follow topics below next.
func (e *Encoder) check(topic, u uint32, next uint64) {
	if uint64(topic) < next || topic >= e.id.Topics || u == 0 {
		panic(fmt.Sprintf("blob: topic %d with value %d after topics up to %d of %d", topic, u, next, e.id.Topics))
	}
}

// flush ends the current row, which has n entries.
func (e *Encoder) flush(word uint32, n int) {
	if n == 0 {
		return
	}
	e.begun(word, n)
	e.end(false)
}

// end appends the entries of the current row to the blob.
func (e *Encoder) end(dense bool) {
	e.out = binary.AppendUvarint(e.out, uint64(len(e.row)))
	begin := len(e.out) - e.begin
	e.out = append(e.out, e.row...)
	e.place = Place{begin, begin + len(e.row), dense}
}

// begun appends what precedes a row of n entries.
func (e *Encoder) begun(word uint32, n int) {
	if uint64(word) < e.next || e.rows == math.MaxUint32 {
		panic(fmt.Sprintf("blob: word %d after words up to %d", word, e.next))
	}
	e.out = binary.AppendUvarint(e.out, uint64(word)-e.next)
	e.next = uint64(word) + 1
	e.rows++
	e.entries += uint64(n)
}

// Finish ends the blob and returns dst with the blob appended.
func (e *Encoder) Finish() []byte {
	le := binary.LittleEndian
	b := e.out[e.begin:]
	le.PutUint32(b[32:], e.rows)
	le.PutUint64(b[40:], e.entries)
	le.PutUint64(b[48:], uint64(len(b)-headerBytes))
	out := le.AppendUint64(e.out, xxh3.Hash(b))
	e.out = nil
	return out
}

// Place is the position of a row in its blob, for reading rows in another order. The zero Place is that of a
// row without entries, which is not written.
type Place struct {
	begin, end int // of its entries
	dense      bool
}

// Empty reports whether there is no row.
func (p Place) Empty() bool { return p.end == 0 }

// Place returns the position of the last row written.
func (e *Encoder) Place() Place { return e.place }

// Place returns the position of the current row.
func (d *Decoder) Place() Place {
	end := headerBytes + int(d.length) - len(d.rest)
	return Place{end - len(d.row), end, d.bits}
}

// At returns a decoder whose current and last row is the one at p in b, a blob of changes with the given
// number of topics. It does not check the blob: a reader must do so before.
func At(b []byte, topics int, p Place) Decoder {
	return Decoder{header: header{ID: ID{Kind: Changes, Topics: uint32(topics)}}, row: b[p.begin:p.end], bits: p.dense}
}

// Row returns the bytes of the current row of a blob of counts, for RowOf.
func (d *Decoder) Row() []byte { return d.row }

// RowOf returns a decoder whose current and last row is one that Row returned, for the given number of topics.
func RowOf(row []byte, topics int) Decoder {
	return Decoder{header: header{ID: ID{Kind: Counts, Topics: uint32(topics)}}, row: row}
}

// Decoder reads a blob row by row, without allocating:
//
//	d, err := blob.Open(b, want)
//	for d.Next() {
//		row = d.Counts(row[:0])
//		… d.Word(), row
//	}
//	err = d.Err()
//
// It is safe for any bytes: it terminates, returns words and topics in increasing order and topics below K,
// and reads nothing outside the blob.
type Decoder struct {
	header
	rest []byte // rows not yet read
	row  []byte // entries of the current row
	bits bool   // the current row is dense
	word uint64 // the current word
	next uint64 // smallest word that may follow
	err  error
}

// fail stores the first error, and returns 0.
func (d *Decoder) fail(what string) int {
	if d.err == nil {
		d.err = fmt.Errorf("%w: %v: %s after word %d", ErrDamaged, d.ID, what, d.word)
	}
	d.rest = nil
	return 0
}

// Err returns the first error in the rows read so far, or nil.
func (d *Decoder) Err() error { return d.err }

// uvarint is binary.Uvarint, but returns 0 bytes for anything that is not a number.
func uvarint(b []byte) (uint64, int) {
	x, n := binary.Uvarint(b)
	return x, max(n, 0)
}
