package corpus

import (
	"cmp"
	"context"
	"errors"
	"io"
	"slices"
	"strconv"

	"github.com/topoi-lda/topoi/corpus/internal/blocks"
	"github.com/topoi-lda/topoi/corpus/internal/copies"
	"github.com/topoi-lda/topoi/corpus/internal/format"
	"github.com/topoi-lda/topoi/corpus/internal/spool"
	"github.com/topoi-lda/topoi/internal/conveyor"
	"github.com/topoi-lda/topoi/internal/mapfile"
	"github.com/topoi-lda/topoi/internal/radix"
	"github.com/topoi-lda/topoi/internal/wholefile"
)

// sink writes a corpus file from a stream of documents. Tokens go to the file at once. Everything else goes
// to spools until the tokens are complete.
type sink struct {
	sinkOptions
	out     fileWriter
	docs    uint64
	tokens  uint64
	empty   int64        // documents without tokens, including dropped ones
	offsets *spool.Spool // end of each document in tokens, except for the last
	lists   []*listSpool // by tag; nil for tags that the input does not have
	fields  []*listSpool // by column; nil for columns that are not kept
	values  [][]byte     // values of one document, by column
	came    uint32       // documents that have come, dropped ones among them
	left    []uint32     // those that were dropped, if there are copies
	id      string       // of the document example
}

// sinkOptions holds what must be known before the first document.
type sinkOptions struct {
	tempDir   string
	tagged    tagSet        // which of the optional lists exist
	columns   []*columnInfo // nil for columns that are not kept
	roles     []columnInfo  // columns that are kept as labels and times
	dropEmpty bool
	words     Strings
	pipeline  []byte
	copies    [][2]uint32
	example   uint32 // the document whose id is to be known
}

// listSpool is a list of strings too long for memory.
type listSpool struct {
	name  string
	end   uint64
	ends  *spool.Spool
	bytes *spool.Spool
}

func newSink(f *wholefile.File, opts sinkOptions) *sink {
	s := &sink{sinkOptions: opts, offsets: spool.New(opts.tempDir), lists: make([]*listSpool, numTags)}
	sections := 4 // tokens, offsets, words
	for i, has := range opts.tagged {
		if has {
			s.lists[i] = &listSpool{name: tagSections[i], ends: spool.New(opts.tempDir), bytes: spool.New(opts.tempDir)}
			sections += 2
		}
	}
	if len(opts.pipeline) > 0 {
		sections++
	}
	if len(opts.copies) > 0 {
		sections++
	}
	sections += s.addFields()
	s.out = fileWriter{format.NewWriter(f, sections)}
	s.out.Begin(format.Tokens)
	return s
}

// addFields makes lists for the columns that are kept and returns how many sections they need.
func (s *sink) addFields() (sections int) {
	s.fields, s.values = make([]*listSpool, len(s.columns)), make([][]byte, len(s.columns))
	for i, info := range s.columns {
		if info != nil {
			s.fields[i] = &listSpool{
				name: columnSection(sections / 2), ends: spool.New(s.tempDir),
				bytes: spool.New(s.tempDir),
			}
			sections += 2
		}
	}
	if sections > 0 || len(s.roles) > 0 {
		sections++ // the description of the columns
	}
	return sections
}

// add writes documents: their tokens, the number of tokens of each, and their tags, each preceded by its
// length. meta may be nil if there are no tags.
func (s *sink) add(tokens []uint32, lengths []int, meta []byte) error {
	if _, err := s.out.Write(mapfile.Bytes(tokens)); err != nil {
		return err
	}
	for _, n := range lengths {
		if n == 0 {
			s.empty++
		}
		drop := n == 0 && s.dropEmpty
		var err error
		if meta, err = s.addMeta(meta, drop); err != nil {
			return err
		}
		if s.came++; drop {
			if len(s.copies) > 0 {
				s.left = append(s.left, s.came-1)
			}
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

// addMeta removes the tags of a document from the front of meta and stores them.
func (s *sink) addMeta(meta []byte, drop bool) ([]byte, error) {
	if meta == nil {
		return nil, nil
	}
	for i, list := range s.lists {
		var size uint64
		size, meta = blocks.Uvarint(meta)
		if i == tagID && s.came == s.example {
			s.id = string(meta[:size])
		}
		if list != nil && !drop {
			if err := list.add(meta[:size]); err != nil {
				return nil, err
			}
		}
		meta = meta[size:]
	}
	return s.addColumns(meta, drop)
}

// addColumns removes the columns of a document from the front of meta and stores them.
func (s *sink) addColumns(meta []byte, drop bool) ([]byte, error) {
	clear(s.values)
	var n, column, size uint64
	n, meta = blocks.Uvarint(meta)
	for range n {
		column, meta = blocks.Uvarint(meta)
		size, meta = blocks.Uvarint(meta)
		if column > 0 {
			s.values[column-1] = meta[:size]
		}
		meta = meta[size:]
	}
	for i, list := range s.fields {
		if list == nil || drop {
			continue
		}
		if err := list.add(s.values[i]); err != nil {
			return nil, err
		}
	}
	return meta, nil
}

// offset appends the current end of tokens to the offsets.
func (s *sink) offset() error {
	_, err := s.offsets.Write(mapfile.Bytes([]uint64{s.tokens}))
	return err
}

func (l *listSpool) add(x []byte) error {
	l.end += uint64(len(x))
	_, err := l.bytes.Write(x)
	_, errEnds := l.ends.Write(mapfile.Bytes([]uint64{l.end}))
	return errors.Join(err, errEnds)
}

// finish writes the sections after tokens, and the header.
func (s *sink) finish() error {
	if err := s.out.End(); err != nil {
		return err
	}
	if err := s.offset(); err != nil { // the end of the last document
		return err
	}
	if err := s.copy(format.Offsets, s.offsets); err != nil {
		return err
	}
	if err := s.out.strings(format.Words, s.words); err != nil {
		return err
	}
	for _, list := range slices.Concat(s.lists, s.fields) {
		if list == nil {
			continue
		}
		s.out.BeginList(list.name)
		if err := s.copy(list.name+format.SuffixEnds, list.ends); err != nil {
			return err
		}
		if err := s.copy(list.name+format.SuffixBytes, list.bytes); err != nil {
			return err
		}
	}
	var infos []columnInfo
	for _, info := range s.columns {
		if info != nil {
			infos = append(infos, *info)
		}
	}
	return s.out.finish(s.pipeline, copies.ListOf(s.copies, s.left), append(infos, s.roles...), s.docs, uint64(s.words.Len()), s.tokens)
}

// copy writes a spool as a section.
func (s *sink) copy(name string, from io.WriterTo) error {
	s.out.Begin(name)
	if _, err := from.WriteTo(s.out); err != nil {
		return err
	}
	return s.out.End()
}

// Close removes the temporary files.
func (s *sink) Close() {
	s.offsets.Close()
	for _, list := range slices.Concat(s.lists, s.fields) {
		if list != nil {
			list.ends.Close()
			list.bytes.Close()
		}
	}
}

// outBlock is a block on its way from the spool to the corpus file.
type outBlock struct {
	blocks.Block
	tokens  []uint32 // final ids, sorted inside documents
	lengths []int    // number of tokens in each document
	radix.Sorter
}

// emit writes the corpus file. It renumbers and sorts blocks of the spool in parallel and writes them in order.
func (im *importer) emit(ctx context.Context, f *wholefile.File) error {
	im.enter(phaseWrite, im.docs)
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
		words: im.vocabulary, pipeline: im.pipeline, copies: im.copies.Copies, example: im.copies.Example,
	})
	defer sink.Close()
	spooled := im.spool.Reader()
	c := conveyor.Conveyor[*outBlock]{
		Threads: threads,
		Jobs:    jobs,
		Fill:    func(b *outBlock) error { return b.Read(spooled) },
		Work:    func(_ int, b *outBlock) error { b.renumber(im.final, im.monotone, im.vocabulary.Len()); return nil },
		Drain: func(b *outBlock) error {
			im.advance(b.Docs, int64(len(b.tokens)))
			return writing(sink.add(b.tokens, b.lengths, b.Meta))
		},
	}
	if err := c.Run(ctx); err != nil {
		return err
	}
	im.report.Docs, im.report.Words, im.report.Tokens = int64(sink.docs), int64(im.vocabulary.Len()), int64(sink.tokens)
	im.report.EmptyDocs = sink.empty
	if im.report.Copies.Groups > 0 {
		im.report.Copies.Example = cmp.Or(sink.id, strconv.Itoa(int(im.copies.Example)))
	}
	return writing(sink.finish())
}

// renumber decodes the block's documents into final ids.
func (b *outBlock) renumber(final []uint32, monotone bool, words int) {
	b.tokens, b.lengths = b.tokens[:0], b.lengths[:0]
	table := final // a block without a table of its own holds provisional ids
	if len(b.Table) > 0 {
		table = b.Table
		for i, id := range table {
			table[i] = final[id]
		}
	}
	rest := b.Payload
	for range b.Docs {
		begin := len(b.tokens)
		if b.Pairs {
			rest = b.expandPairs(rest, final)
		} else {
			rest = b.expandTokens(rest, table)
		}
		doc := b.tokens[begin:]
		if !(b.Pairs && monotone) {
			b.Sort(doc, words)
		}
		b.lengths = append(b.lengths, len(doc))
	}
}

// expandTokens appends the tokens of a document and returns the rest of the payload. table maps each id in
// the payload to its final id.
func (b *outBlock) expandTokens(rest []byte, table []uint32) []byte {
	n, rest := blocks.Uvarint(rest)
	var id uint64
	for range n {
		id, rest = blocks.Uvarint(rest)
		if w := table[id]; w != none {
			b.tokens = append(b.tokens, w)
		}
	}
	return rest
}

// expandPairs is expandTokens for a document of pairs.
func (b *outBlock) expandPairs(rest []byte, final []uint32) []byte {
	n, rest := blocks.Uvarint(rest)
	var step, count uint64
	word := uint64(0)
	for range n {
		step, rest = blocks.Uvarint(rest)
		count, rest = blocks.Uvarint(rest)
		word += step
		if w := final[word]; w != none {
			for range count {
				b.tokens = append(b.tokens, w)
			}
		}
	}
	return rest
}
