package explore

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"math"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// pack gathers the data of a page: a JSON object and named arrays. Its bytes are
//
//	u32 length of the directory, little-endian
//	the directory: JSON {"info": …, "arrays": {name: {"type", "offset", "bytes", "length"}}}
//	zero bytes up to a multiple of 8
//	the arrays, little-endian, each at a multiple of 8 after that point
//
// Types are f64, f32, u16 (as they lie in memory), varint (unsigned LEB128) and text
// (lengths in UTF-16 units as varint, then all strings as one UTF-8 text).
type pack struct {
	info   any
	arrays map[string]packed
	body   bytes.Buffer
}

// packed is the place of one array.
type packed struct {
	Type   string `json:"type"`
	Offset int    `json:"offset"`          // in the body
	Bytes  int    `json:"bytes"`           // its size
	Length int    `json:"length"`          // its elements
	Split  int    `json:"split,omitempty"` // text: size of the lengths before the strings
}

func newPack() *pack { return &pack{arrays: map[string]packed{}} }

// add appends the bytes of an array.
func (p *pack) add(name, kind string, length, split int, b []byte) {
	for p.body.Len()%8 != 0 {
		p.body.WriteByte(0)
	}
	p.arrays[name] = packed{Type: kind, Offset: p.body.Len(), Bytes: len(b), Length: length, Split: split}
	p.body.Write(b)
}

func (p *pack) f64(name string, values []float64) {
	b := make([]byte, 0, 8*len(values))
	for _, v := range values {
		b = binary.LittleEndian.AppendUint64(b, math.Float64bits(v))
	}
	p.add(name, "f64", len(values), 0, b)
}

func (p *pack) f32(name string, values []float32) {
	b := make([]byte, 0, 4*len(values))
	for _, v := range values {
		b = binary.LittleEndian.AppendUint32(b, math.Float32bits(v))
	}
	p.add(name, "f32", len(values), 0, b)
}

func (p *pack) u16(name string, values []uint16) {
	b := make([]byte, 0, 2*len(values))
	for _, v := range values {
		b = binary.LittleEndian.AppendUint16(b, v)
	}
	p.add(name, "u16", len(values), 0, b)
}

// varint adds numbers of any integer type that are not negative and below 2³².
func varint[T ~int | ~uint32 | ~uint64](p *pack, name string, values []T) {
	b := make([]byte, 0, 2*len(values))
	for _, v := range values {
		b = binary.AppendUvarint(b, uint64(v))
	}
	p.add(name, "varint", len(values), 0, b)
}

// text adds strings. Bytes that are not UTF-8 become U+FFFD.
func (p *pack) text(name string, values []string) {
	var lengths, all []byte
	for _, s := range values {
		if !utf8.ValidString(s) {
			s = strings.ToValidUTF8(s, "\uFFFD")
		}
		lengths = binary.AppendUvarint(lengths, uint64(utf16Len(s)))
		all = append(all, s...)
	}
	p.add(name, "text", len(values), len(lengths), append(lengths, all...))
}

// utf16Len returns the length that a browser gives a string.
func utf16Len(s string) int {
	n := 0
	for _, r := range s {
		n += utf16.RuneLen(r)
	}
	return n
}

// bytes returns the whole pack.
func (p *pack) bytes() ([]byte, error) {
	directory, err := json.Marshal(map[string]any{"info": p.info, "arrays": p.arrays})
	if err != nil {
		return nil, err
	}
	b := make([]byte, 0, len(directory)+16+p.body.Len())
	b = binary.LittleEndian.AppendUint32(b, uint32(len(directory)))
	b = append(b, directory...)
	for len(b)%8 != 0 {
		b = append(b, 0)
	}
	return append(b, p.body.Bytes()...), nil
}
