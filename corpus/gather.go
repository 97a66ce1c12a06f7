package corpus

import (
	"context"
	"fmt"
	"io"
	"slices"

	"github.com/topoi-lda/topoi/corpus/internal/blocks"
	"github.com/topoi-lda/topoi/corpus/internal/copies"
	"github.com/topoi-lda/topoi/corpus/internal/limits"
	"github.com/topoi-lda/topoi/corpus/source"
	"github.com/topoi-lda/topoi/internal/conveyor"
)

// maxGivenID is the largest word id that an input may have. Counts are kept for every id up to the largest.
const maxGivenID = 1<<28 - 1

// gather reads the source to its end. Documents go to the spool; words and their counts stay in memory.
// Batches are cut into words and encoded in parallel, and merged in the order of the input.
func (im *importer) gather(ctx context.Context) error {
	im.enter(phaseRead, 0)
	threads := im.opts.threads()
	var cutters []tokenizer // made by the first fill, before any worker needs them
	tallies := make([]pairCounts, threads)
	jobs := make([]*batch, 2*threads+2)
	im.finder = newFinder(im)
	whole := ""
	for i := range jobs {
		jobs[i] = newBatch(im.opts.Snippet, &im.columns, copies.NewBatch(im.finder, &whole))
	}
	var doc source.Document
	first, ended := int64(0), false
	c := conveyor.Conveyor[*batch]{
		Threads: threads,
		Jobs:    jobs,
		Fill: func(b *batch) error {
			if ended {
				return io.EOF
			}
			b.first = first
			err := b.read(im.src, &doc)
			first += int64(len(b.docs))
			if cutters == nil && len(b.docs) > 0 {
				var fault error
				if cutters, fault = im.tokenizers(threads, b); fault != nil {
					return fault
				}
			}
			if ended = err == io.EOF; ended && len(b.docs) > 0 {
				return nil
			}
			return err
		},
		Work:    func(worker int, b *batch) error { return b.encode(cutters[worker], &tallies[worker]) },
		Drain:   im.merge,
		Abandon: func() { im.src.Close() },
	}
	if err := c.Run(ctx); err != nil {
		return err
	}
	for _, t := range tallies {
		for w, n := range t {
			im.counts[w].cf += n.cf
			im.counts[w].df += n.df
		}
	}
	return nil
}

// merge adds a batch to the counts and to the spool.
func (im *importer) merge(b *batch) error {
	// What has been read so far, together with this batch.
	if err := limits.Check(im.src, im.docs+int64(len(b.docs)), im.tokens+b.tokens); err != nil {
		return err
	}
	pairs := b.content == source.ContentIDs
	var table []uint32
	if pairs {
		if err := im.countPairs(b); err != nil {
			return err
		}
	} else {
		table = im.countWords(b)
	}
	if err := b.copies.AddTo(im.finder, im.docs); err != nil {
		return writing(err)
	}
	im.docs += int64(len(b.docs))
	im.tokens += b.tokens
	im.tagged.or(b.tagged)
	im.advance(len(b.docs), b.tokens)
	return writing((&blocks.Block{Docs: len(b.docs), Pairs: pairs, Table: table, Meta: b.meta, Payload: b.payload}).Write(im.spool))
}

// countWords adds the counts of the batch's words and returns the provisional id of each word.
func (im *importer) countWords(b *batch) []uint32 {
	table := slices.Grow(im.table[:0], b.words.Len())[:b.words.Len()]
	im.table = table
	for i := range table {
		id := im.words.Intern(b.words.At(i), b.words.HashAt(i))
		if int(id) == len(im.counts) {
			im.counts = append(im.counts, count{})
		}
		im.counts[id].cf += b.counts[i].cf
		im.counts[id].df += b.counts[i].df
		table[i] = id
	}
	return table
}

// countPairs counts the words of documents with given ids that are not tallied, directly from the payload. Each
// word of a document occurs there once.
func (im *importer) countPairs(b *batch) error {
	if word := b.largest.word; b.largest.seen && int(word) >= len(im.counts) {
		if word > maxGivenID {
			return fmt.Errorf("document %d (counted from 0) has word id %d; ids up to %d are possible", b.largest.doc,
				word, maxGivenID)
		}
		if err := limits.Words(im.src, int64(word)); err != nil {
			return err
		}
		im.counts = append(im.counts, make([]count, int(word)+1-len(im.counts))...)
		im.largest = b.largest
	}
	if b.largest.word < tallied {
		return nil
	}
	rest := b.payload
	for range b.docs {
		var n, step, c uint64
		n, rest = blocks.Uvarint(rest)
		word := uint64(0)
		for range n {
			step, rest = blocks.Uvarint(rest)
			c, rest = blocks.Uvarint(rest)
			if word += step; word >= tallied {
				im.counts[word].cf += c
				im.counts[word].df++
			}
		}
	}
	return nil
}
