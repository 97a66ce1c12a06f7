package sampler

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"

	"github.com/zeebo/xxh3"

	"github.com/topoi-lda/topoi/internal/mapfile"
)

// Layout is what a part needs to know of its words. It never changes, takes time to
// make, and can be kept as bytes: magic, two lengths and three zeros in 48 bytes, the
// arrays, each padded to 8 bytes, and a checksum, XXH3-64 of everything before.
type Layout struct {
	words []uint32 // distinct words, increasing
	Local []uint32 // every token's word as its place in words
}

const (
	layoutMagic  = "tplayout"
	layoutHeader = 48
)

func (l *Layout) arrays() []*[]uint32 { return []*[]uint32{&l.words, &l.Local} }

// Write writes the layout as bytes.
func (l *Layout) Write(w io.Writer) error {
	hash := xxh3.New()
	put := func(b []byte) error {
		hash.Write(b)
		_, err := w.Write(b)
		return err
	}
	header := []byte(layoutMagic)
	pieces := [][]byte{nil}
	for _, a := range l.arrays() {
		header = binary.LittleEndian.AppendUint64(header, uint64(len(*a)))
		pieces = append(pieces, mapfile.Bytes(*a))
	}
	pieces[0] = append(header, make([]byte, layoutHeader-len(header))...)
	for _, b := range pieces {
		if err := put(b); err != nil {
			return err
		}
		if err := put(make([]byte, -len(b)&7)); err != nil {
			return err
		}
	}
	return put(binary.LittleEndian.AppendUint64(nil, hash.Sum64()))
}

// ParseLayout sees the bytes that Write wrote as a layout, which shares their
// memory; they must begin at an address divisible by 8.
func ParseLayout(b []byte) (*Layout, error) {
	if len(b) < layoutHeader+8 || string(b[:8]) != layoutMagic {
		return nil, errors.New("it is not a layout")
	}
	body := b[:len(b)-8]
	if xxh3.Hash(body) != binary.LittleEndian.Uint64(b[len(body):]) {
		return nil, errors.New("the checksum does not match")
	}
	l := &Layout{}
	rest := body[layoutHeader:]
	for i, a := range l.arrays() {
		n := binary.LittleEndian.Uint64(b[8+8*i:])
		padded := (4*n + 7) &^ 7
		if n > uint64(len(rest)) || padded > uint64(len(rest)) {
			break
		}
		*a = mapfile.View[uint32](rest[:4*n])
		rest = rest[padded:]
	}
	if len(rest) > 0 {
		return nil, fmt.Errorf("there are %d bytes too many", len(rest))
	}
	return l, nil
}

// Check checks that a layout is one of so many tokens over v words.
func (l *Layout) Check(tokens, v int) error {
	switch {
	case len(l.Local) != tokens:
		return errors.New("it is a layout of other tokens")
	case len(l.words) > 0 && int(l.words[len(l.words)-1]) >= v:
		return errors.New("it holds a word beyond the vocabulary")
	}
	for i := 1; i < len(l.words); i++ {
		if l.words[i] <= l.words[i-1] {
			return errors.New("its words are not sorted")
		}
	}
	for _, w := range l.Local {
		if int(w) >= len(l.words) {
			return errors.New("a token's word is not among its words")
		}
	}
	return nil
}

// Words returns the distinct words, increasing, and every token's word as its place
// among them.
func (l *Layout) Words() (distinct, local []uint32) { return l.words, l.Local }

// NewLayout lays the words of a span out.
func (l *Plan) NewLayout(s Span, words []uint32) (*Layout, error) {
	if len(words) != s.Tokens() {
		return nil, fmt.Errorf("a part of %d tokens was given %d words", s.Tokens(), len(words))
	}
	layout := &Layout{}
	layout.words, layout.Local = localWords(words, l.P.V)
	return layout, nil
}

// Problem returns a span as a problem of its own.
func (l *Plan) Problem(s Span, layout *Layout) *Problem {
	own := *l.P
	own.Pseudo = nil // the frozen rows hold them
	if l.P.Groups != nil {
		own.Groups = l.P.Groups[s.FirstDoc:s.LastDoc]
	}
	own.Offsets = make([]uint64, s.Docs()+1)
	for i := range own.Offsets {
		own.Offsets[i] = l.P.Offsets[s.FirstDoc+i] - uint64(s.Begin)
	}
	own.Words, own.V = layout.Local, len(layout.words)
	own.Part = &partOf{span: s, words: l.P.V, n: l.P.N(), Distinct: layout.words, Forget: l.forget, Stage: l.stage}
	return &own
}
