package webpage

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/topoi-lda/topoi/internal/mapfile"
)

// Pack gathers the data of a page: a JSON object and named arrays. Its bytes are
//
//	u32 length of the directory, little-endian
//	the directory: JSON {"info": …, "arrays": {name: {"type", "offset", "bytes", "length"}}}
//	zero bytes up to a multiple of 8
//	the arrays, little-endian, each at a multiple of 8 after that point
//
// Types are f64, f32, u16 (as they lie in memory), varint (unsigned LEB128) and text
// (lengths in UTF-16 units as varint, then all strings as one UTF-8 text).
type Pack struct {
	// Info is the JSON object.
	Info any

	arrays map[string]Place
	body   bytes.Buffer
}

// Place is where one array lies.
type Place struct {
	Type   string `json:"type"`
	Offset int    `json:"offset"`          // in the body
	Bytes  int    `json:"bytes"`           // its size
	Length int    `json:"length"`          // its elements
	Split  int    `json:"split,omitempty"` // text: size of the lengths before the strings
}

// NewPack returns an empty one.
func NewPack() *Pack { return &Pack{arrays: map[string]Place{}} }

// add appends the bytes of an array.
func (p *Pack) add(name, kind string, length, split int, b []byte) {
	for p.body.Len()%8 != 0 {
		p.body.WriteByte(0)
	}
	p.arrays[name] = Place{Type: kind, Offset: p.body.Len(), Bytes: len(b), Length: length, Split: split}
	p.body.Write(b)
}

// F64 adds numbers.
func (p *Pack) F64(name string, values []float64) {
	p.add(name, "f64", len(values), 0, mapfile.Bytes(values))
}

// F32 adds numbers of half the precision.
func (p *Pack) F32(name string, values []float32) {
	p.add(name, "f32", len(values), 0, mapfile.Bytes(values))
}

// U16 adds numbers below 65,536.
func (p *Pack) U16(name string, values []uint16) {
	p.add(name, "u16", len(values), 0, mapfile.Bytes(values))
}

// Varint adds numbers of any integer type that are not negative and below 2³².
func Varint[T ~int | ~uint32 | ~uint64](p *Pack, name string, values []T) {
	b := make([]byte, 0, 2*len(values))
	for _, v := range values {
		b = binary.AppendUvarint(b, uint64(v))
	}
	p.add(name, "varint", len(values), 0, b)
}

// Text adds strings. Bytes that are not UTF-8 become U+FFFD.
func (p *Pack) Text(name string, values []string) {
	var lengths, all []byte
	for _, s := range values {
		if !utf8.ValidString(s) {
			s = strings.ToValidUTF8(s, "\uFFFD")
		}
		lengths = binary.AppendUvarint(lengths, uint64(UTF16Len(s)))
		all = append(all, s...)
	}
	p.add(name, "text", len(values), len(lengths), append(lengths, all...))
}

// UTF16Len returns the length that a browser gives a string.
func UTF16Len(s string) int {
	n := 0
	for _, r := range s {
		n += utf16.RuneLen(r)
	}
	return n
}

// Bytes returns the whole pack.
func (p *Pack) Bytes() ([]byte, error) {
	directory, err := json.Marshal(map[string]any{"info": p.Info, "arrays": p.arrays})
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
