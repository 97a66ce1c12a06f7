package corpus

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"sort"

	"github.com/zeebo/xxh3"

	"github.com/topoi-lda/topoi/corpus/internal/copies"
	"github.com/topoi-lda/topoi/corpus/internal/format"
	"github.com/topoi-lda/topoi/corpus/internal/spool"
	"github.com/topoi-lda/topoi/internal/conveyor"
)

// Values of ImportOptions.Duplicates.
const (
	groupCopies = "group"
	dropCopies  = "drop"
	keepCopies  = "keep"
)

// leastBag is the number of tokens from which documents of counted words may be copies. They have no order, so more
// of them are equal by chance than texts.
const leastBag = 10

// HasCopies reports whether documents are known to be copies of others.
func (c *Corpus) HasCopies() bool { return len(c.copies) > 0 }

// CopyOf returns the first document of the group of copies that document d belongs to. It is d itself if d is no copy
// of an earlier document.
func (c *Corpus) CopyOf(d int) int {
	n := len(c.copies) / 2
	i := sort.Search(n, func(i int) bool { return c.copies[2*i] >= uint64(d) })
	if i < n && c.copies[2*i] == uint64(d) {
		return int(c.copies[2*i+1])
	}
	return d
}

// copiesAmong returns the copies among n documents of c, the number of each given by at, in a view that has these.
func (c *Corpus) copiesAmong(n int, at func(i int) int) []uint64 {
	if !c.HasCopies() {
		return nil
	}
	known := make(map[int]bool) // first documents that have copies
	for i := 1; i < len(c.copies); i += 2 {
		known[int(c.copies[i])] = true
	}
	var list []uint64
	place := make(map[int]int) // of the first document of each group in the view
	for i := range n {
		first := c.CopyOf(at(i))
		if !known[first] {
			continue
		}
		if p, has := place[first]; has {
			list = append(list, uint64(i), uint64(p))
		} else {
			place[first] = i
		}
	}
	return list
}

// checkCopies returns an error if the section of copies contradicts itself.
func checkCopies(list []uint64, docs uint64) error {
	if len(list)%2 != 0 {
		return fmt.Errorf("section %q is cut short", format.Copies)
	}
	copied := make(map[uint64]bool, len(list)/2)
	last := uint64(0)
	for i := 0; i < len(list); i += 2 {
		doc, first := list[i], list[i+1]
		if doc <= last || doc >= docs || first >= doc || copied[first] {
			return fmt.Errorf("section %q does not list copies in their order", format.Copies)
		}
		copied[doc], last = true, doc
	}
	return nil
}

// wordHash is the hash of a word that copies are found by. Unlike intern.Hash it is the same in every run.
func wordHash(word []byte) uint64 { return xxh3.Hash(word) }

// looksForCopies reports whether the import finds copies. New documents for a model are taken as they are.
func (im *importer) looksForCopies() bool {
	return im.opts.Duplicates != keepCopies && im.opts.Vocabulary.Len() == 0
}

// copyFinder adds the sketches of batches to a finder. The pieces of a document are one document to it.
type copyFinder struct {
	*copies.Finder
	starts []uint32 // first pieces of documents; nil if documents are not cut into pieces
	pieces bool
	unit   copies.Sketch
	first  uint32 // document of unit
	full   bool   // there are too many documents to number them
}

// add adds the documents of a batch, of which the first has number first.
func (f *copyFinder) add(b *batch, first int64) error {
	if first+int64(len(b.docs)) > math.MaxUint32 {
		f.full = true
		return nil
	}
	for d := range b.docs {
		doc := uint32(first) + uint32(d)
		if !f.pieces {
			if err := f.Add(doc, &b.sketches[d]); err != nil {
				return err
			}
			continue
		}
		if b.continues[d] {
			f.unit.Append(&b.sketches[d])
			continue
		}
		if err := f.flush(); err != nil {
			return err
		}
		f.unit, f.first = b.sketches[d], doc
		f.starts = append(f.starts, doc)
	}
	return nil
}

// flush adds the document whose pieces have come.
func (f *copyFinder) flush() error {
	if len(f.starts) == 0 {
		return nil
	}
	return f.Add(f.first, &f.unit)
}

// unitOf returns the first piece of the document that a piece belongs to.
func (f *copyFinder) unitOf(doc uint32) uint32 {
	if !f.pieces {
		return doc
	}
	i, found := slices.BinarySearch(f.starts, doc)
	if !found {
		i--
	}
	return f.starts[i]
}

// findCopies finds the copies among all documents, reports them and drops them if the options ask for it.
func (im *importer) findCopies(ctx context.Context) error {
	f := &im.finder
	if f.Finder == nil || f.full {
		return nil
	}
	if err := errors.Join(f.flush(), f.Search()); err != nil {
		return writing(err)
	}
	if f.Needed() > 0 {
		if err := im.verifyCopies(ctx); err != nil {
			return err
		}
	}
	list, exact, near := f.Copies()
	sizes := make(map[uint32]int64)
	for _, p := range list {
		sizes[p[1]]++
	}
	r := &im.report.Copies
	r.Exact, r.Near, r.Groups = int64(exact), int64(near), int64(len(sizes))
	for _, p := range list {
		if n := 1 + sizes[p[1]]; n > r.Largest {
			r.Largest, im.largestGroup = n, p[1]
		}
	}
	if im.opts.Duplicates != dropCopies || len(list) == 0 {
		im.copies = list
		return nil
	}
	r.Dropped = true
	return im.dropDocs(ctx, list)
}

// verifyCopies reads the documents that may be near copies again, and compares all their shingles.
func (im *importer) verifyCopies(ctx context.Context) error {
	f := &im.finder
	hashes := make([]uint64, im.words.Len())
	for i := range hashes {
		hashes[i] = wordHash(im.words.At(i))
	}
	var unit uint32
	var set copies.Set
	open := false
	end := func() {
		if open {
			f.Verify(unit, set)
		}
		open = false
	}
	err := im.eachBlock(ctx, phaseCopies, conveyor.Conveyor[*docBlock]{
		Work: func(_ int, b *docBlock) error { b.shingle(f, hashes); return nil },
		Drain: func(b *docBlock) error {
			for i, doc := range b.wanted {
				if u := f.unitOf(doc); open && u == unit {
					set = set.Join(b.sets[i])
				} else {
					end()
					unit, set, open = u, b.sets[i], true
				}
			}
			im.advance(b.docs, 0)
			return nil
		},
	})
	end()
	return err
}

// shingle makes the sets of the documents that may be copies.
func (b *docBlock) shingle(f *copyFinder, hashes []uint64) {
	b.wanted, b.sets = b.wanted[:0], b.sets[:0]
	rest := b.payload
	var shingles []uint32
	for d := range b.docs {
		doc := uint32(b.first) + uint32(d)
		rest = b.next(rest)
		if !f.Needs(f.unitOf(doc)) {
			continue
		}
		shingles = shingles[:0]
		for i := 2; i < len(b.doc); i++ {
			h := copies.Shingle(hashes[b.doc[i-2]], hashes[b.doc[i-1]], hashes[b.doc[i]])
			shingles = append(shingles, uint32(h))
		}
		b.wanted, b.sets = append(b.wanted, doc), append(b.sets, copies.SetOf(shingles))
	}
}

// dropDocs leaves out the copies in the spool, and takes their words from the counts.
func (im *importer) dropDocs(ctx context.Context, list [][2]uint32) error {
	f := &im.finder
	dropped := make(map[uint32]bool, len(list))
	for _, p := range list {
		dropped[p[0]] = true
	}
	example := im.largestGroup
	next := spool.New(im.opts.TempDir)
	err := im.eachBlock(ctx, phaseCopies, conveyor.Conveyor[*docBlock]{
		Work: func(_ int, b *docBlock) error {
			b.without(func(doc uint32) bool { return dropped[f.unitOf(doc)] })
			return nil
		},
		Drain: func(b *docBlock) error {
			im.advance(b.docs, 0)
			im.docs -= int64(len(b.wanted))
			for _, doc := range b.wanted {
				if doc < example {
					im.largestGroup--
				}
			}
			for _, p := range b.lost {
				im.counts[p.word].cf -= uint64(p.count)
				im.counts[p.word].df--
				im.tokens -= int64(p.count)
			}
			return writing(writeBlock(next, b.docs-len(b.wanted), b.block.pairs, b.table, b.outMeta, b.out))
		},
	})
	if err != nil {
		return errors.Join(err, next.Close())
	}
	old := im.spool
	im.spool = next
	return old.Close()
}

// without copies the block without some documents. Their numbers go to b.wanted, and their words to b.lost.
func (b *docBlock) without(dropped func(doc uint32) bool) {
	b.out, b.outMeta, b.lost, b.wanted = b.out[:0], b.outMeta[:0], b.lost[:0], b.wanted[:0]
	rest, meta := b.payload, b.meta
	for d := range b.docs {
		doc, tags := rest, meta
		if b.block.pairs {
			rest = b.nextPairs(rest)
		} else {
			rest = b.nextCounts(rest)
		}
		meta = skipMeta(meta)
		if number := uint32(b.first) + uint32(d); dropped(number) {
			b.wanted, b.lost = append(b.wanted, number), append(b.lost, b.own...)
			continue
		}
		b.out = append(b.out, doc[:len(doc)-len(rest)]...)
		b.outMeta = append(b.outMeta, tags[:len(tags)-len(meta)]...)
	}
}

// nextCounts decodes a document of tokens into b.own, a pair for each of its words.
func (b *docBlock) nextCounts(rest []byte) []byte {
	rest = b.next(rest)
	slices.Sort(b.doc)
	b.own = b.own[:0]
	for _, w := range b.doc {
		if n := len(b.own); n > 0 && b.own[n-1].word == w {
			b.own[n-1].count++
		} else {
			b.own = append(b.own, pair{w, 1})
		}
	}
	return rest
}

// nextPairs decodes a document of pairs into b.own.
func (b *docBlock) nextPairs(rest []byte) []byte {
	n, rest := uvarint(rest)
	b.own = b.own[:0]
	var step, count, word uint64
	for range n {
		step, rest = uvarint(rest)
		count, rest = uvarint(rest)
		word += step
		b.own = append(b.own, pair{uint32(word), uint32(count)})
	}
	return rest
}

// skipMeta removes the tags and columns of a document from the front of meta.
func skipMeta(meta []byte) []byte {
	var n, size uint64
	for range numTags {
		size, meta = uvarint(meta)
		meta = meta[size:]
	}
	n, meta = uvarint(meta)
	for range n {
		_, meta = uvarint(meta)
		size, meta = uvarint(meta)
		meta = meta[size:]
	}
	return meta
}

// newCopyFinder returns the finder of an import, with the copies that corpus files already know.
func (im *importer) newCopyFinder() copyFinder {
	if !im.looksForCopies() {
		return copyFinder{}
	}
	f := copyFinder{Finder: copies.NewFinder(im.opts.TempDir), pieces: im.opts.Source.Pieces > 0}
	if s, is := im.src.(*corpusSource); is {
		base := 0
		for _, c := range append([]*Corpus{s.corpus}, s.rest[:s.parts-1]...) {
			for i := 0; i < len(c.copies) && base+c.NumDocs() <= math.MaxUint32; i += 2 {
				f.Same(uint32(base)+uint32(c.copies[i]), uint32(base)+uint32(c.copies[i+1]))
			}
			base += c.NumDocs()
		}
		f.pieces = f.pieces || s.corpus.HasPieces()
	}
	return f
}
