package parquetcheck

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math/bits"
	"slices"
	"strconv"
	"sync"
	"time"

	"github.com/andybalholm/brotli"
	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"
	"github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/deprecated"
	"github.com/parquet-go/parquet-go/format"
	"github.com/pierrec/lz4/v4"

	"github.com/topoi-lda/topoi/corpus/column"
)

// What a page may claim. Writers make pages of about a megabyte.
const (
	maxValues  = 1 << 24
	freeBytes  = 64 << 20 // a page may be as large as this in any case
	maxRatio   = 256      // and beyond that so many times as large as it is stored
	headerSize = 64 << 10 // bytes of a page header that are looked at, first and
	longHeader = 16 << 20 // if it is longer: it may hold the largest value of the page
	spareRuns  = 512      // values that writers may add to fill the last group of a page
)

// Chunk is where the pages of a column lie in a file.
type Chunk struct {
	Offset, Size int64
	Codec        format.CompressionCodec
	MaxRep       int // the largest repetition level
	MaxDef       int // the largest definition level
}

// page is the header of a page. It is in the order of the format's fields.
type page struct {
	size, stored, values         int64
	encoding, repForm, defForm   int64
	repBytes, defBytes           int64 // of version 2
	dictionary, second, unpacked bool
}

// see takes the fields of a page header: 5 describes a page, 7 a dictionary, 8 a page of version 2.
func (p *page) see(path []int, value int64) {
	if len(path) == 1 {
		switch path[0] {
		case 2:
			p.size = value
		case 3:
			p.stored = value
		case 7:
			p.dictionary = true
		case 8:
			p.second = true
		}
	}
	if len(path) != 2 {
		return
	}
	switch 10*path[0] + path[1] {
	case 51, 71, 81:
		p.values = value
	case 52, 84:
		p.encoding = value
	case 53:
		p.defForm = value
	case 54:
		p.repForm = value
	case 85:
		p.defBytes = value
	case 86:
		p.repBytes = value
	case 87:
		p.unpacked = value == 0
	}
}

// Pages checks all pages of a chunk in a file of the given size.
func Pages(r io.ReaderAt, size int64, c Chunk) error {
	end := c.Offset + c.Size
	if c.Offset < 0 || c.Size < 0 || c.Offset > size || c.Size > size-c.Offset {
		return fmt.Errorf("a column claims the bytes %d to %d of %d", c.Offset, end, size)
	}
	var stored, plain []byte
	for at := c.Offset; at < end; {
		p, n, err := readHeader(r, at, end)
		if err != nil {
			return err
		}
		if err := p.check(end - at - n); err != nil {
			return err
		}
		stored = slices.Grow(stored[:0], int(p.stored))[:p.stored]
		if _, err := r.ReadAt(stored, at+n); err != nil && err != io.EOF {
			return err
		}
		if plain, err = p.content(c, plain, stored); err != nil {
			return err
		}
		at += n + p.stored
	}
	return nil
}

// readHeader reads the page header at a place and returns its length.
func readHeader(r io.ReaderAt, at, end int64) (page, int64, error) {
	for most := int64(headerSize); ; most = longHeader {
		var p page
		b := make([]byte, min(most, end-at))
		n, err := r.ReadAt(b, at)
		if err != nil && err != io.EOF {
			return p, 0, err
		}
		used, err := walk(b[:n], p.see)
		if errors.Is(err, errShort) && most == headerSize && int64(n) == most {
			continue
		}
		if err != nil {
			err = fmt.Errorf("the header of a page is damaged: %w", err)
		}
		return p, int64(used), err
	}
}

// check refuses sizes and numbers that cannot be right. left is what the column has behind the header.
func (p *page) check(left int64) error {
	switch {
	case p.stored < 0 || p.stored > left:
		return fmt.Errorf("a page claims %d bytes and the column has %d", p.stored, left)
	case p.size < 0 || p.size > freeBytes && p.size > maxRatio*p.stored:
		return fmt.Errorf("a page of %d bytes claims to hold %d", p.stored, p.size)
	case p.values < 0 || p.values > maxValues:
		return fmt.Errorf("a page claims %d values; %d are possible", p.values, maxValues)
	case p.repBytes < 0 || p.defBytes < 0 || p.repBytes+p.defBytes > p.stored:
		return errors.New("a page claims levels longer than itself")
	}
	return nil
}

// content unpacks a page into buf and checks what the library unfolds from it: levels, and indices into the
// dictionary, are stored as runs of any length.
func (p *page) content(c Chunk, buf, stored []byte) ([]byte, error) {
	levels := int64(0)
	if p.second {
		levels = p.repBytes + p.defBytes
	}
	plain := stored[levels:]
	if c.Codec != format.Uncompressed && !p.unpacked {
		var err error
		if buf, err = unpack(c.Codec, buf, plain, p.size-levels); err != nil {
			return buf, err
		}
		plain = buf
	}
	if p.dictionary {
		return buf, nil
	}
	if p.second {
		err := errors.Join(p.runs(stored[:p.repBytes], c.MaxRep), p.runs(stored[p.repBytes:levels], c.MaxDef))
		return buf, errors.Join(err, p.checkValues(plain))
	}
	for _, l := range []struct {
		most int
		form int64
	}{{c.MaxRep, p.repForm}, {c.MaxDef, p.defForm}} {
		if l.most == 0 || l.form != int64(format.RLE) {
			continue
		}
		if len(plain) < 4 || int64(binary.LittleEndian.Uint32(plain)) > int64(len(plain)-4) {
			return buf, errShort
		}
		n := 4 + int(binary.LittleEndian.Uint32(plain))
		if err := p.runs(plain[4:n], l.most); err != nil {
			return buf, err
		}
		plain = plain[n:]
	}
	return buf, p.checkValues(plain)
}

// plainDictionary is how old writers called RLE_DICTIONARY.
const plainDictionary format.Encoding = 2

// checkValues checks the values behind the levels.
func (p *page) checkValues(b []byte) error {
	switch format.Encoding(p.encoding) {
	case plainDictionary, format.RLEDictionary:
		if len(b) == 0 {
			return nil
		}
		return p.runsOf(b[1:], int(b[0]))
	case format.RLE:
		if len(b) >= 4 {
			return p.runsOf(b[4:], 1)
		}
	case format.DeltaBinaryPacked, format.DeltaLengthByteArray, format.DeltaByteArray:
		return p.checkDelta(b)
	}
	return nil
}

// runs checks levels up to the given one.
func (p *page) runs(b []byte, most int) error { return p.runsOf(b, bits.Len(uint(most))) }

// runsOf checks that runs of numbers with so many bits give no more values than the page has.
func (p *page) runsOf(b []byte, width int) error {
	total := uint64(0)
	for at := 0; at < len(b); {
		head, n := binary.Uvarint(b[at:])
		if n <= 0 {
			return errShort
		}
		at += n
		count, bytes := head>>1, uint64(width+7)/8
		if head&1 == 1 {
			bytes = count * uint64(width)
			count *= 8
		}
		if total += count; count > maxValues+spareRuns || total > uint64(p.values+spareRuns) {
			return fmt.Errorf("a page of %d values has runs of %d", p.values, total)
		}
		if bytes > uint64(len(b)-at) {
			return errShort
		}
		at += int(bytes)
	}
	return nil
}

// decoders are kept, because making one costs more than unpacking a page.
var decoders = sync.Pool{New: func() any {
	z, _ := zstd.NewReader(nil, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxWindow(freeBytes)) // no option can fail
	return z
}}

// unpack undoes the compression of a page that claims to hold size bytes.
func unpack(codec format.CompressionCodec, buf, stored []byte, size int64) ([]byte, error) {
	if size < 0 {
		return buf, errShort
	}
	var from io.Reader
	var err error
	switch codec {
	case format.Snappy:
		if n, _ := binary.Uvarint(stored); n > uint64(size) {
			return buf, fmt.Errorf("a page that claims %d bytes holds %d", size, n)
		}
		fallthrough
	default:
		return parquet.LookupCompressionCodec(codec).Decode(slices.Grow(buf[:0], int(size))[:size], stored)
	case format.Lz4Raw: // the library asks for twice the memory as often as a damaged block cannot be read
		buf = slices.Grow(buf[:0], int(size))[:size]
		n, err := lz4.UncompressBlock(stored, buf)
		if err != nil {
			return buf, fmt.Errorf("a page cannot be unpacked: %w", err)
		}
		return buf[:n], nil
	case format.Gzip:
		from, err = gzip.NewReader(bytes.NewReader(stored))
	case format.Brotli:
		from = brotli.NewReader(bytes.NewReader(stored))
	case format.Zstd:
		z := decoders.Get().(*zstd.Decoder)
		defer decoders.Put(z)
		from, err = z, z.Reset(bytes.NewReader(stored))
	}
	if err != nil {
		return buf, err
	}
	buf = slices.Grow(buf[:0], int(size)+1)[:size+1]
	n, err := io.ReadFull(from, buf)
	if err == nil {
		return buf, fmt.Errorf("a page that claims %d bytes holds more", size)
	}
	if err != io.EOF && err != io.ErrUnexpectedEOF {
		return buf, err
	}
	return buf[:n], nil
}

// Order returns by which kind the statistics of a type order its values.
func Order(t parquet.Type) column.Kind {
	kind := map[parquet.Kind]column.Kind{
		parquet.ByteArray: column.Text, parquet.Int32: column.Number, parquet.Int64: column.Number,
		parquet.Float: column.Number, parquet.Double: column.Number,
	}[t.Kind()]
	l := t.LogicalType()
	if old := t.ConvertedType(); l == nil && old != nil && *old != deprecated.UTF8 {
		return ""
	}
	if l != nil {
		switch l := l.Value.(type) {
		case *format.DateType, *format.TimestampType:
			return column.Date
		case *format.IntType:
			if !l.IsSigned {
				return ""
			}
		case *format.StringType, *format.EnumType:
		default:
			return ""
		}
	}
	return kind
}

// Shower returns how values of a type are written as text: dates and times in
// the form of RFC 3339, numbers in decimal, strings as they are.
func Shower(t parquet.Type) func(to []byte, v parquet.Value) []byte {
	if l := t.LogicalType(); l != nil {
		switch l := l.Value.(type) {
		case *format.DateType:
			return func(to []byte, v parquet.Value) []byte {
				return time.Unix(int64(v.Int32())*24*60*60, 0).UTC().AppendFormat(to, time.DateOnly)
			}
		case *format.TimestampType:
			return func(to []byte, v parquet.Value) []byte {
				return instant(l.Unit, v.Int64()).AppendFormat(to, time.RFC3339Nano)
			}
		}
	}
	switch t.Kind() {
	case parquet.ByteArray, parquet.FixedLenByteArray:
		return func(to []byte, v parquet.Value) []byte { return append(to, v.ByteArray()...) }
	case parquet.Int32:
		return func(to []byte, v parquet.Value) []byte { return strconv.AppendInt(to, int64(v.Int32()), 10) }
	case parquet.Int64:
		return func(to []byte, v parquet.Value) []byte { return strconv.AppendInt(to, v.Int64(), 10) }
	}
	return func(to []byte, v parquet.Value) []byte { return append(to, v.String()...) }
}

func instant(unit format.TimeUnit, v int64) time.Time {
	switch unit.Value.(type) {
	case *format.MilliSeconds:
		return time.UnixMilli(v).UTC()
	case *format.MicroSeconds:
		return time.UnixMicro(v).UTC()
	}
	return time.Unix(0, v).UTC()
}
