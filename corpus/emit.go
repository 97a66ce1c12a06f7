package corpus

import (
	"context"

	"github.com/topoi-lda/topoi/internal/conveyor"
	"github.com/topoi-lda/topoi/internal/radix"
	"github.com/topoi-lda/topoi/internal/wholefile"
)

// outBlock is a block on its way from the spool to the corpus file.
type outBlock struct {
	block
	tokens  []uint32 // final ids, sorted inside documents
	lengths []int    // number of tokens in each document
	radix.Sorter
}

// emit writes the corpus file. It renumbers and sorts blocks of the spool in parallel and writes them in order.
func (im *importer) emit(ctx context.Context, f *wholefile.File) error {
	im.enter(PhaseWrite, im.docs)
	threads := im.opts.threads()
	jobs := make([]*outBlock, 2*threads+2)
	for i := range jobs {
		jobs[i] = new(outBlock)
	}
	columns, long := im.columns.kept()
	im.report.LongColumns = long
	roles := im.roles()
	sink := newSink(f, sinkOptions{
		columns: columns, roles: roles,
		tempDir: im.opts.TempDir, tagged: im.tagged, dropEmpty: im.opts.DropEmpty,
		words: im.vocabulary, pipeline: im.pipeline,
	})
	defer sink.Close()
	spooled := im.spool.Reader()
	c := conveyor.Conveyor[*outBlock]{
		Threads: threads,
		Jobs:    jobs,
		Fill:    func(b *outBlock) error { return b.read(spooled) },
		Work:    func(_ int, b *outBlock) error { b.renumber(im.final, im.monotone, im.vocabulary.Len()); return nil },
		Drain: func(b *outBlock) error {
			im.advance(b.docs, int64(len(b.tokens)))
			return writing(sink.add(b.tokens, b.lengths, b.meta))
		},
	}
	if err := c.Run(ctx); err != nil {
		return err
	}
	im.report.Docs, im.report.Words, im.report.Tokens = int64(sink.docs), int64(im.vocabulary.Len()), int64(sink.tokens)
	im.report.EmptyDocs = sink.empty
	return writing(sink.finish())
}

// renumber decodes the block's documents into final ids.
func (b *outBlock) renumber(final []uint32, monotone bool, words int) {
	b.tokens, b.lengths = b.tokens[:0], b.lengths[:0]
	table := final // a block without a table of its own holds provisional ids
	if len(b.table) > 0 {
		table = b.table
		for i, id := range table {
			table[i] = final[id]
		}
	}
	rest := b.payload
	for range b.docs {
		begin := len(b.tokens)
		if b.pairs {
			rest = b.expandPairs(rest, final)
		} else {
			rest = b.expandTokens(rest, table)
		}
		doc := b.tokens[begin:]
		if !(b.pairs && monotone) {
			b.Sort(doc, words)
		}
		b.lengths = append(b.lengths, len(doc))
	}
}

// expandTokens appends the tokens of a document and returns the rest of the payload. table maps each id in
// the payload to its final id.
func (b *outBlock) expandTokens(rest []byte, table []uint32) []byte {
	n, rest := uvarint(rest)
	var id uint64
	for range n {
		id, rest = uvarint(rest)
		if w := table[id]; w != none {
			b.tokens = append(b.tokens, w)
		}
	}
	return rest
}

// expandPairs is expandTokens for a document of pairs.
func (b *outBlock) expandPairs(rest []byte, final []uint32) []byte {
	n, rest := uvarint(rest)
	var step, count uint64
	word := uint64(0)
	for range n {
		step, rest = uvarint(rest)
		count, rest = uvarint(rest)
		word += step
		if w := final[word]; w != none {
			for range count {
				b.tokens = append(b.tokens, w)
			}
		}
	}
	return rest
}
