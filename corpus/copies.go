package corpus

import (
	"context"
	"errors"
	"math"

	"github.com/topoi-lda/topoi/corpus/internal/blocks"
	"github.com/topoi-lda/topoi/corpus/internal/copies"
	"github.com/topoi-lda/topoi/corpus/internal/spool"
	"github.com/topoi-lda/topoi/internal/conveyor"
)

// newFinder returns what finds the copies of an import, with those that corpus files already know. It is nil if copies
// are not looked for. New documents for a model are taken as they are.
func newFinder(im *importer) *copies.Finder {
	if im.opts.Duplicates == keepCopies || im.opts.Vocabulary.Len() > 0 {
		return nil
	}
	s, joins := im.src.(*corpusSource)
	if !joins {
		return copies.NewFinder(im.opts.TempDir, im.opts.Source.Pieces > 0)
	}
	f := copies.NewFinder(im.opts.TempDir, s.all[0].HasPieces())
	if s.order != nil {
		return f // near copies are found by the first of a group, which depends on the order and parts of the input
	}
	base := 0
	for _, c := range s.all {
		for i := 0; i < len(c.copyList) && base+c.NumDocs() <= math.MaxUint32; i += 2 {
			f.Same(uint32(base)+uint32(c.copyList[i]), uint32(base)+uint32(c.copyList[i+1]))
		}
		base += c.NumDocs()
	}
	return f
}

// findCopies finds the copies among all documents, reports them and drops them if the options ask for it.
func (im *importer) findCopies(ctx context.Context) error {
	f := im.finder
	if f == nil {
		return nil
	}
	if err := f.Search(); err != nil {
		return writing(err)
	}
	if f.Needed() > 0 {
		if err := showCopies(ctx, im, f); err != nil {
			return err
		}
	}
	g := f.Groups()
	r := &im.report.Copies
	r.Exact, r.Near, r.Groups, r.Largest = int64(g.Exact), int64(g.Near), int64(g.Number), int64(g.Largest)
	im.copies = g
	if im.opts.Duplicates != dropCopies || g.Number == 0 {
		return nil
	}
	r.Dropped, im.copies.Copies = true, nil
	return dropCopied(ctx, im, f)
}

// showCopies reads the documents that may be near copies again, and shows all their shingles to f.
func showCopies(ctx context.Context, im *importer, f *copies.Finder) error {
	hashes := make([]uint64, im.words.Len())
	for i := range hashes {
		hashes[i] = copies.WordHash(im.words.At(i))
	}
	return im.eachBlock(ctx, phaseCopies, conveyor.Conveyor[*docBlock]{
		Work: func(_ int, b *docBlock) error {
			b.shingle(f, hashes)
			return nil
		},
		Drain: func(b *docBlock) error {
			for i, doc := range b.wanted {
				f.Show(doc, b.sets[i])
			}
			im.advance(b.Docs, 0)
			return nil
		},
	})
}

// shingle makes the sets of the documents that may be copies.
func (b *docBlock) shingle(f *copies.Finder, hashes []uint64) {
	b.wanted, b.sets = b.wanted[:0], b.sets[:0]
	rest := b.Payload
	var shingles []uint32
	for d := range b.Docs {
		doc := uint32(b.first) + uint32(d)
		if !f.Needs(doc) {
			rest = blocks.Skip(rest)
			continue
		}
		rest = b.next(rest)
		shingles = shingles[:0]
		for i := 2; i < len(b.doc); i++ {
			h := copies.Shingle(hashes[b.doc[i-2]], hashes[b.doc[i-1]], hashes[b.doc[i]])
			shingles = append(shingles, uint32(h))
		}
		b.wanted, b.sets = append(b.wanted, doc), append(b.sets, copies.SetOf(shingles))
	}
}

// dropCopied leaves out the copies in the spool, and takes their words from the counts.
func dropCopied(ctx context.Context, im *importer, f *copies.Finder) error {
	example := im.copies.Example
	next := spool.New(im.opts.TempDir)
	err := im.eachBlock(ctx, phaseCopies, conveyor.Conveyor[*docBlock]{
		Work: func(_ int, b *docBlock) error {
			b.rest.Make(&b.Block, uint32(b.first), numTags, f.Copied)
			return nil
		},
		Drain: func(b *docBlock) error {
			im.advance(b.Docs, 0)
			im.docs -= int64(len(b.rest.Dropped))
			for _, doc := range b.rest.Dropped {
				if doc < example {
					im.copies.Example--
				}
			}
			for _, p := range b.rest.Lost {
				im.counts[p.Word].cf -= uint64(p.Count)
				im.counts[p.Word].df--
				im.tokens -= int64(p.Count)
			}
			return writing(b.rest.Write(next))
		},
	})
	if err != nil {
		return errors.Join(err, next.Close())
	}
	old := im.spool
	im.spool = next
	return old.Close()
}
