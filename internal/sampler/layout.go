package sampler

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"

	"github.com/zeebo/xxh3"

	"github.com/topoi-lda/topoi/internal/mapfile"
)

// Layout lists the words of a part. It takes time to compute and never changes, so it can be stored
// as bytes: a header of 48 bytes (magic, two lengths, three zeros), the arrays, each padded to 8
// bytes, and a checksum, XXH3-64 of everything before it.
type Layout struct {
	words []uint32 // distinct words, increasing
	Local []uint32 // every token's word, as a position in words
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

// ParseLayout returns the layout that Write wrote. It shares the memory of b, which must be aligned to 8 bytes.
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

// Check returns an error unless l is a valid layout of the given number of tokens over v words.
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

// Words returns the distinct words in increasing order, and every token's word as a position in that list.
func (l *Layout) Words() (distinct, local []uint32) { return l.words, l.Local }
