package corpus

import (
	"context"
	"errors"
	"io"
	"slices"

	"github.com/topoi-lda/topoi/internal/wholefile"
)

// outBlock is a block on its way from the spool to the corpus file.
type outBlock struct {
	block
	tokens  []uint32 // final ids, sorted inside documents
	lengths []int    // tokens of each document
}

// emit writes the corpus file: blocks of the spool are renumbered and sorted
// in parallel and written in order.
func (im *importer) emit(ctx context.Context, f *wholefile.File) error {
	im.enter(PhaseWrite, im.docs)
	threads := im.opts.threads()
	jobs := make([]*outBlock, 2*threads+2)
	for i := range jobs {
		jobs[i] = new(outBlock)
	}
	sink := newSink(f, im)
	defer sink.Close()
	spooled := im.spool.reader()
	c := conveyor[*outBlock]{
		threads: threads,
		jobs:    jobs,
		fill:    func(b *outBlock) error { return b.read(spooled) },
		work:    func(_ int, b *outBlock) error { b.renumber(im.final, im.monotone); return nil },
		drain: func(b *outBlock) error {
			im.advance(b.docs, int64(len(b.tokens)))
			return writing(sink.add(b))
		},
	}
	if err := c.run(ctx); err != nil {
		return err
	}
	return writing(sink.finish())
}

// renumber decodes the block's documents into final ids.
func (b *outBlock) renumber(final []uint32, monotone bool) {
	b.tokens, b.lengths = b.tokens[:0], b.lengths[:0]
	table := final // without a table of its own a block holds provisional ids
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
			slices.Sort(doc)
		}
		b.lengths = append(b.lengths, len(doc))
	}
}

// expandTokens appends the tokens of a document and returns the payload behind
// it. The table gives the final id of each id in the payload.
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

// sink writes the sections of a corpus file from a stream of blocks. Tokens go
// to the file at once, everything else to spools until tokens are complete.
type sink struct {
	im      *importer
	out     *fileWriter
	docs    uint64
	tokens  uint64
	offsets *spool
	lists   []*listSpool // ids, labels, times; nil where the input has none
}

// listSpool is a list of strings too long for memory.
type listSpool struct {
	name  string
	end   uint64
	ends  *spool
	bytes *spool
}

func newSink(f *wholefile.File, im *importer) *sink {
	s := &sink{im: im, offsets: newSpool(im.opts.TempDir)}
	sections := 4 // tokens, offsets, words
	for i, has := range []bool{im.tagged.ids, im.tagged.labels, im.tagged.times} {
		if !has {
			s.lists = append(s.lists, nil)
			continue
		}
		s.lists = append(s.lists, &listSpool{
			name:  []string{sectionIDs, sectionLabels, sectionTimes}[i],
			ends:  newSpool(im.opts.TempDir),
			bytes: newSpool(im.opts.TempDir),
		})
		sections += 2
	}
	if len(im.pipeline) > 0 {
		sections++
	}
	s.out = newFileWriter(f, sections)
	s.out.begin(sectionTokens)
	return s
}

// add writes the documents of a block.
func (s *sink) add(b *outBlock) error {
	if _, err := s.out.Write(bytesOf32(b.tokens)); err != nil {
		return err
	}
	meta := b.meta
	for _, n := range b.lengths {
		if n == 0 {
			s.im.report.EmptyDocs++
		}
		drop := n == 0 && s.im.opts.DropEmpty
		for _, list := range s.lists {
			var size uint64
			size, meta = uvarint(meta)
			if list != nil && !drop {
				if err := list.add(meta[:size]); err != nil {
					return err
				}
			}
			meta = meta[size:]
		}
		if drop {
			continue
		}
		if err := s.offset(); err != nil {
			return err
		}
		s.docs++
		s.tokens += uint64(n)
	}
	return nil
}

// offset appends the current end of tokens to the offsets.
func (s *sink) offset() error {
	_, err := s.offsets.Write(bytesOf64([]uint64{s.tokens}))
	return err
}

func (l *listSpool) add(x []byte) error {
	l.end += uint64(len(x))
	_, err := l.bytes.Write(x)
	_, errEnds := l.ends.Write(bytesOf64([]uint64{l.end}))
	return errors.Join(err, errEnds)
}

// finish writes the sections behind tokens, and the header.
func (s *sink) finish() error {
	if err := s.out.end(); err != nil {
		return err
	}
	if err := s.offset(); err != nil { // of the end of the last document
		return err
	}
	if err := s.copy(sectionOffsets, s.offsets); err != nil {
		return err
	}
	if err := s.out.strings(sectionWords, s.im.vocabulary); err != nil {
		return err
	}
	for _, list := range s.lists {
		if list == nil {
			continue
		}
		if err := s.copy(list.name+suffixEnds, list.ends); err != nil {
			return err
		}
		if err := s.copy(list.name+suffixBytes, list.bytes); err != nil {
			return err
		}
	}
	if len(s.im.pipeline) > 0 {
		if err := s.out.section(sectionPipeline, s.im.pipeline); err != nil {
			return err
		}
	}
	r := &s.im.report
	r.Docs, r.Words, r.Tokens = int64(s.docs), int64(s.im.vocabulary.Len()), int64(s.tokens)
	return s.out.finish(s.docs, uint64(r.Words), s.tokens)
}

// copy makes a section of a spool.
func (s *sink) copy(name string, from io.WriterTo) error {
	s.out.begin(name)
	if _, err := from.WriteTo(s.out); err != nil {
		return err
	}
	return s.out.end()
}

// Close gives the temporary files back.
func (s *sink) Close() {
	s.offsets.Close()
	for _, list := range s.lists {
		if list != nil {
			list.ends.Close()
			list.bytes.Close()
		}
	}
}
