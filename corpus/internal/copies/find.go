package copies

import (
	"cmp"
	"io"
	"math"
	"math/bits"
	"slices"

	"github.com/topoi-lda/topoi/corpus/internal/spool"
)

// Finder finds the groups of copies among documents. Use Add for every document, then Search, then Show for every
// document of which Needs is true, in rising order, then Groups. Memory is some bits a document, and what may be
// copies: 100 bytes each and their shingles.
//
// A long document may come in pieces, which are documents with numbers of their own. It is known by its first piece.
type Finder struct {
	spool  *spool.Spool // sketches
	docs   int
	pieces bool
	starts []uint32 // first pieces of documents; nil if there are no pieces
	unit   Sketch   // of the document whose pieces come
	full   bool     // there are more documents than can be numbered

	parent map[uint32]uint32 // from a copy to an earlier document of its group
	exact  int

	pairs   []uint64       // later<<32 | earlier: documents that may be near copies, rising
	needs   map[uint32]int // the last document that each is compared with
	pending map[uint32]Set // first documents of groups that are still compared
	near    int
	shown   Set // of the document whose pieces are shown
	showing uint32
	open    bool
}

// NewFinder returns a finder whose temporary file is in dir.
func NewFinder(dir string, pieces bool) *Finder {
	return &Finder{spool: spool.New(dir), pieces: pieces, parent: map[uint32]uint32{}, pending: map[uint32]Set{}}
}

// HasPieces reports whether documents come in pieces.
func (f *Finder) HasPieces() bool { return f != nil && f.pieces }

// Close removes the temporary file.
func (f *Finder) Close() {
	if f != nil {
		f.spool.Close()
	}
}

// Add adds a document, or a piece of the one before. They come in rising order. Without numbers for all of them, there
// are no copies.
func (f *Finder) Add(doc int64, s *Sketch, continues bool) error {
	f.full = f.full || doc > math.MaxUint32
	switch {
	case f.full:
		return nil
	case !f.pieces:
		return f.store(uint32(doc), s)
	case continues:
		f.unit.Append(s)
		return nil
	}
	err := f.flush()
	f.unit, f.starts = *s, append(f.starts, uint32(doc))
	return err
}

// flush adds the document whose pieces have come.
func (f *Finder) flush() error {
	if len(f.starts) == 0 {
		return nil
	}
	return f.store(f.starts[len(f.starts)-1], &f.unit)
}

// unitOf returns the first piece of the document that a piece belongs to.
func (f *Finder) unitOf(doc uint32) uint32 {
	if !f.pieces {
		return doc
	}
	i, found := slices.BinarySearch(f.starts, doc)
	if !found {
		i--
	}
	return f.starts[i]
}

// store keeps a sketch.
func (f *Finder) store(doc uint32, s *Sketch) error {
	if s.Tokens < leastExact {
		return nil
	}
	f.docs++
	var b [sketchBytes]byte
	_, err := f.spool.Write(s.encode(&b, doc))
	return err
}

// Same records that a document is known to be a copy of an earlier one.
func (f *Finder) Same(doc, first uint32) {
	if a, b := f.First(doc), f.First(first); a != b {
		f.parent[max(a, b)] = min(a, b)
	}
}

// First returns the first document of a group.
func (f *Finder) First(doc uint32) uint32 {
	for {
		p, is := f.parent[doc]
		if !is {
			return doc
		}
		doc = p
	}
}

// each calls visit for every sketch.
func (f *Finder) each(visit func(*stored)) error {
	r := f.spool.Reader()
	b := make([]byte, 1024*sketchBytes)
	for {
		n, err := io.ReadFull(r, b)
		for s := range slices.Chunk(b[:n], sketchBytes) {
			sketch := decode(s)
			visit(&sketch)
		}
		if err == io.EOF || err == io.ErrUnexpectedEOF {
			return nil
		}
		if err != nil {
			return err
		}
	}
}

// twice finds numbers that occur more than once, or share bits with such a number, in two passes.
type twice struct {
	seen, again []uint64
	mask        uint64
}

// newTwice returns a filter for about n numbers: one in eight that occurs once is taken for one that does not.
func newTwice(n int) *twice {
	size := uint64(1) << min(max(bits.Len(uint(8*n)), 10), 32)
	return &twice{make([]uint64, size/64), make([]uint64, size/64), size - 1}
}

func (t *twice) add(h uint64) {
	i := h * mix1 >> 20 & t.mask
	bit := uint64(1) << (i % 64)
	t.again[i/64] |= t.seen[i/64] & bit
	t.seen[i/64] |= bit
}

func (t *twice) has(h uint64) bool {
	i := h * mix1 >> 20 & t.mask
	return t.again[i/64]>>(i%64)&1 == 1
}

// entry is a document with a hash that another may have.
type entry struct {
	hash        uint64
	tokens, doc uint32
}

// Search finds exact copies, and pairs that may be near copies.
func (f *Finder) Search() error {
	if f.full {
		clear(f.parent)
		return nil
	}
	if err := f.flush(); err != nil {
		return err
	}
	hashes, shingles := newTwice(f.docs), newTwice(Lows*f.docs)
	err := f.each(func(s *stored) {
		hashes.add(s.hash)
		for _, low := range s.lows {
			shingles.add(uint64(low))
		}
	})
	if err != nil {
		return err
	}
	var same []entry
	var shared []uint64 // shingle<<32 | document
	err = f.each(func(s *stored) {
		if hashes.has(s.hash) {
			same = append(same, entry{s.hash, s.tokens, s.doc})
		}
		for _, low := range s.lows {
			if low > 0 && shingles.has(uint64(low)) {
				shared = append(shared, uint64(low)<<32|uint64(s.doc))
			}
		}
	})
	if err == nil {
		f.joinExact(same)
		f.pairNear(shared)
	}
	return err
}

// joinExact joins documents with equal words.
func (f *Finder) joinExact(list []entry) {
	slices.SortFunc(list, func(x, y entry) int {
		return cmp.Or(cmp.Compare(x.hash, y.hash), cmp.Compare(x.tokens, y.tokens), cmp.Compare(x.doc, y.doc))
	})
	for i := 1; i < len(list); i++ {
		if x, y := list[i-1], list[i]; x.hash == y.hash && x.tokens == y.tokens {
			f.Same(y.doc, x.doc)
		}
	}
	f.exact = len(f.parent)
}

// comparedWith is the number of the first documents, and of the last ones, with a shingle that a later one which has it
// too is compared with.
const comparedWith = 2

// pairNear finds pairs of documents that share two of their smallest shingles. Exact copies are left out: they are
// what their first one is.
func (f *Finder) pairNear(list []uint64) {
	list = slices.DeleteFunc(list, func(e uint64) bool {
		_, copied := f.parent[uint32(e)]
		return copied
	})
	slices.Sort(list)
	f.pairs = pairsOf(slices.Compact(list))
	f.needs = make(map[uint32]int)
	for _, p := range f.pairs {
		later, earlier := uint32(p>>32), uint32(p)
		f.needs[later] = max(f.needs[later], int(later))
		f.needs[earlier] = max(f.needs[earlier], int(later))
	}
}

// pairsOf returns the pairs of documents that share two shingles of a sorted list, as later<<32 | earlier.
func pairsOf(list []uint64) []uint64 {
	var pairs []uint64
	for begin := 0; begin < len(list); {
		end := begin + 1
		for end < len(list) && list[end]>>32 == list[begin]>>32 {
			end++
		}
		same := list[begin:end]
		for i := 1; i < len(same); i++ {
			for j := 0; j < i; j++ {
				if j == comparedWith {
					j = max(j, i-comparedWith)
				}
				pairs = append(pairs, same[i]<<32|same[j]&(1<<32-1))
			}
		}
		begin = end
	}
	slices.Sort(pairs)
	shared := pairs[:0]
	for i := 1; i < len(pairs); i++ {
		if p := pairs[i]; p == pairs[i-1] && (len(shared) == 0 || shared[len(shared)-1] != p) {
			shared = append(shared, p)
		}
	}
	return shared
}

// Needs reports whether the shingles of a document must be known.
func (f *Finder) Needs(doc uint32) bool {
	_, needed := f.needs[f.unitOf(doc)]
	return needed
}

// Needed returns the number of documents whose shingles must be known.
func (f *Finder) Needed() int { return len(f.needs) }

// Show takes the shingles of a document, or of a piece of it.
func (f *Finder) Show(doc uint32, own Set) {
	if unit := f.unitOf(doc); f.open && unit == f.showing {
		f.shown = f.shown.Join(own)
	} else {
		f.end()
		f.shown, f.showing, f.open = own, unit, true
	}
}

// end compares the document that was shown.
func (f *Finder) end() {
	if f.open {
		f.verify(f.showing, f.shown)
	}
	f.open = false
}

// verify compares a document with the first ones of the groups that it may belong to, and joins the first of them that
// it is alike.
func (f *Finder) verify(doc uint32, own Set) {
	from, _ := slices.BinarySearch(f.pairs, uint64(doc)<<32)
	var firsts []uint32
	for _, p := range f.pairs[from:] {
		if uint32(p>>32) != doc {
			break
		}
		firsts = append(firsts, f.First(uint32(p)))
	}
	slices.Sort(firsts)
	for _, first := range slices.Compact(firsts) {
		if other, known := f.pending[first]; known && own.Alike(other) {
			f.parent[doc] = first
			f.needs[first] = max(f.needs[first], f.needs[doc])
			f.near++
			break
		}
	}
	if f.First(doc) == doc && f.needs[doc] > int(doc) {
		f.pending[doc] = own
	}
	for _, first := range firsts {
		if f.needs[first] <= int(doc) {
			delete(f.pending, first)
		}
	}
}

// Groups are the copies that were found.
type Groups struct {
	Copies      [][2]uint32 // every copy, rising, with the first document of its group
	Exact, Near int         // numbers of copies
	Number      int         // of groups
	Largest     int         // documents in the largest group
	Example     uint32      // its first document
}

// Groups returns what was found.
func (f *Finder) Groups() Groups {
	f.end()
	g := Groups{Exact: f.exact, Near: f.near}
	for doc := range f.parent {
		g.Copies = append(g.Copies, [2]uint32{doc, f.First(doc)})
	}
	slices.SortFunc(g.Copies, func(x, y [2]uint32) int { return cmp.Compare(x[0], y[0]) })
	sizes := make(map[uint32]int)
	for _, p := range g.Copies {
		sizes[p[1]]++
	}
	g.Number = len(sizes)
	for _, p := range g.Copies {
		if n := 1 + sizes[p[1]]; n > g.Largest {
			g.Largest, g.Example = n, p[1]
		}
	}
	return g
}

// Copied reports whether a document, or that which a piece belongs to, is a copy of an earlier one.
func (f *Finder) Copied(doc uint32) bool {
	_, is := f.parent[f.unitOf(doc)]
	return is
}
