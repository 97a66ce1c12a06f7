package sampler

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"unsafe"

	"github.com/zeebo/xxh3"

	"github.com/topoi-lda/topoi/internal/grid"
	"github.com/topoi-lda/topoi/internal/mapfile"
)

// Layout is what a part needs to know of its words, in the form in which its
// sampler wants it. It never changes, takes time to make, and can be kept as
// bytes: magic and five lengths in 48 bytes, the arrays, each padded to 8 bytes, and
// a checksum, XXH3-64 of everything before.
type Layout struct {
	words    []uint32 // distinct words, increasing
	local    []uint32 // batch, light: every token's word as its place in words
	first    []uint32 // warp: V+1, as in warpLayout
	segments []uint32 // warp: three numbers for each
	places   []uint16 // warp: N
}

const (
	layoutMagic  = "tplayout"
	layoutHeader = 48
)

// arrays lists all arrays but places.
func (l *Layout) arrays() []*[]uint32 { return []*[]uint32{&l.words, &l.local, &l.first, &l.segments} }

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
	header = binary.LittleEndian.AppendUint64(header, uint64(len(l.places)))
	pieces[0] = header
	for _, b := range append(pieces, mapfile.Bytes(l.places)) {
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
	take := func(i, size int) []byte {
		n := binary.LittleEndian.Uint64(b[8+8*i:])
		padded := (n*uint64(size) + 7) &^ 7
		if n > uint64(len(rest)) || padded > uint64(len(rest)) {
			return nil
		}
		array := rest[:n*uint64(size)]
		rest = rest[padded:]
		return array
	}
	for i, a := range l.arrays() {
		*a = mapfile.View[uint32](take(i, 4))
	}
	l.places = mapfile.View[uint16](take(4, 2))
	if len(rest) > 0 {
		return nil, fmt.Errorf("there are %d bytes too many", len(rest))
	}
	return l, nil
}

// Check checks that a layout without warp's arrays is one of so many tokens over v words.
func (l *Layout) Check(tokens, v int) error {
	switch {
	case len(l.local) != tokens || len(l.first) > 0 || len(l.segments) > 0 || len(l.places) > 0:
		return errors.New("it is a layout of other tokens")
	case len(l.words) > 0 && int(l.words[len(l.words)-1]) >= v:
		return errors.New("it holds a word beyond the vocabulary")
	}
	for i := 1; i < len(l.words); i++ {
		if l.words[i] <= l.words[i-1] {
			return errors.New("its words are not sorted")
		}
	}
	for _, w := range l.local {
		if int(w) >= len(l.words) {
			return errors.New("a token's word is not among its words")
		}
	}
	return nil
}

// Words returns the distinct words, increasing, and every token's word as its place
// among them.
func (l *Layout) Words() (distinct, local []uint32) { return l.words, l.local }

// NewLayout lays the words of a span out.
func (l *Plan) NewLayout(s Span, words []uint32) (*Layout, error) {
	if len(words) != s.Tokens() {
		return nil, fmt.Errorf("a part of %d tokens was given %d words", s.Tokens(), len(words))
	}
	layout := &Layout{}
	layout.words, layout.local = localWords(words, l.p.V)
	if l.info.cutting.layout != nil {
		l.info.cutting.layout(l.problem(s, layout), layout)
	}
	return layout, nil
}

// problem returns a span as a problem of its own.
func (l *Plan) problem(s Span, layout *Layout) *Problem {
	own := *l.p
	own.Offsets = make([]uint64, s.Docs()+1)
	for i := range own.Offsets {
		own.Offsets[i] = l.p.Offsets[s.FirstDoc+i] - uint64(s.Begin)
	}
	own.Words, own.V = layout.local, len(layout.words)
	own.part = &partOf{span: s, words: l.p.V, n: l.p.N(), forget: l.forget, stage: l.stage}
	return &own
}

// layWarp replaces the words of a layout by what warp makes of them.
func layWarp(p *Problem, l *Layout) {
	w := newWarpLayout(p)
	l.local, l.places = nil, w.places
	l.first = make([]uint32, len(w.first))
	for i, x := range w.first {
		l.first[i] = uint32(x)
	}
	if len(w.segments) > 0 {
		l.segments = unsafe.Slice(&w.segments[0].block, 3*len(w.segments))
	}
}

// warp returns a layout as warp wants it; first takes the memory for one array.
func (l *Layout) warp(p *Problem, first []int) warpLayout {
	w := warpLayout{blocks: grid.Cut(p.Offsets, warpBlockLimits), places: l.places, first: first[:0]}
	for _, x := range l.first {
		w.first = append(w.first, int(x))
	}
	if len(l.segments) > 0 {
		w.segments = unsafe.Slice((*warpSegment)(unsafe.Pointer(&l.segments[0])), len(l.segments)/3)
	}
	return w
}

// Sorted is a run of warp's blocks in grid order.
type Sorted struct {
	Segments []SortedSegment // by block, then by word
	Places   []uint16        // as in BlockPiece, all blocks
}

// SortedSegment is the tokens of one word inside one block: places Begin … End-1.
type SortedSegment struct {
	grid.Segment
	Block int // number in the run
}

// SortBlocks sorts the tokens of a span, which has so many words, block by block.
func (l *Plan) SortBlocks(s Span, words []uint32) Sorted {
	p := l.problem(s, &Layout{local: words})
	g := grid.New(p.Offsets, words, l.p.V, l.info.cutting.limits(l.p))
	layout := warpLayout{}
	layout.number(g, p)
	sorted := Sorted{Places: layout.places, Segments: make([]SortedSegment, 0, len(g.Segments))}
	for i, b := range g.Blocks {
		for _, seg := range g.Segments[b.FirstSeg:b.LastSeg] {
			sorted.Segments = append(sorted.Segments, SortedSegment{seg, i})
		}
	}
	return sorted
}
