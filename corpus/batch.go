package corpus

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"fmt"
	"io"
	"iter"
	"slices"
	"unicode/utf8"

	"github.com/topoi-lda/topoi/corpus/internal/copies"
	"github.com/topoi-lda/topoi/corpus/internal/intern"
	"github.com/topoi-lda/topoi/corpus/internal/kept"
	"github.com/topoi-lda/topoi/corpus/source"
	"github.com/topoi-lda/topoi/internal/mapfile"
	"github.com/topoi-lda/topoi/internal/piece"
)

// Limits of a batch. A batch has at least one document, however large.
const (
	batchBytes = 1 << 20 // bytes of text, tokens or pairs, and of tags
	batchDocs  = 1 << 14
	batchCount = 1 << 22 // tokens that the pairs stand for
)

// batch is a run of documents on its way from the source to the spool. Its buffers are reused.
type batch struct {
	content source.Content
	first   int64 // number of its first document
	snippet int   // number of characters of each text that are kept to be shown

	// Filled by read: copies of the source's documents.
	docs   []batchDoc
	meta   []byte // tags of every document, each preceded by its length, then its columns
	arena  []byte // text, or tokens one after the other
	ends   []int  // end of each token in arena
	pairs  []pair // word ids with counts
	count  uint64 // tokens that pairs stand for
	tagged tagSet

	columns   *columnSet // columns of the whole import
	beginning []byte     // the snippet of one document
	whole     []byte     // its text, compressed

	// Filled by encode, for the spool.
	words   *intern.Table // distinct words, numbered within the batch
	counts  []count       // of each word in words
	lastDoc []int         // document in which each word was last seen, for counts
	payload []byte        // tokens of the documents, see encode and encodePairs
	largest wordUse       // the largest word id of pairs
	tokens  int64         // number of tokens
	pieces  [][]byte      // tokens of one document
	body    []byte        // ids of the tokens of one document

	sketching // nil where copies are not looked for
}

// sketching makes the sketches by which copies are found.
type sketching struct {
	sketch    *copies.Sketcher // of one document; nil if copies are not looked for
	sketches  []copies.Sketch  // of all documents
	hashes    []uint64         // of the words in words, the same in every run
	whole     *string          // the document that the last piece belongs to; nil if there are no pieces
	continues []bool           // of each document: it is a piece of the document before
}

// batchDoc holds where the parts of a document end in the batch's buffers.
type batchDoc struct{ arena, ends, pairs int }

// pair is a word id with its number of occurrences in a document.
type pair struct{ word, count uint32 }

// count holds the number of occurrences of a word (cf) and the number of documents that contain it (df).
type count struct{ cf, df uint64 }

func newBatch(snippet int, columns *columnSet, f *copyFinder, whole *string) *batch {
	b := &batch{words: intern.New(1 << 12), snippet: snippet, columns: columns}
	if f.Finder != nil {
		b.sketch = new(copies.Sketcher)
	}
	if f.pieces {
		b.sketching.whole = whole
	}
	return b
}

// read fills the batch from src. io.EOF means that the batch holds the last documents.
func (b *batch) read(src source.Source, doc *source.Document) error {
	b.content = src.Content()
	b.docs, b.meta, b.arena, b.ends, b.pairs = b.docs[:0], b.meta[:0], b.arena[:0], b.ends[:0], b.pairs[:0]
	b.tagged, b.count, b.continues = tagSet{}, 0, b.continues[:0]
	for len(b.docs) < batchDocs && len(b.arena)+len(b.meta)+8*len(b.pairs) < batchBytes && b.count < batchCount {
		*doc = source.Document{}
		if err := src.Next(doc); err != nil {
			return err
		}
		b.add(doc)
	}
	return nil
}

// add copies a document.
func (b *batch) add(doc *source.Document) {
	snippet := doc.Snippet
	characters := b.snippet
	if b.snippet == wholeText {
		characters = usualSnippet
	}
	if len(snippet) == 0 && characters > 0 {
		b.beginning = kept.AppendSnippet(b.beginning[:0], doc.Text, characters)
		snippet = b.beginning
	}
	b.whole = b.whole[:0]
	if b.snippet == wholeText || b.content == source.ContentIDs { // a corpus file keeps its snippets
		b.whole = kept.AppendText(b.whole, bytes.ToValidUTF8(doc.Text, []byte("\uFFFD")))
	}
	for i, s := range [numTags][]byte{doc.ID, doc.Label, doc.Time, doc.Title, snippet, b.whole} {
		b.meta = binary.AppendUvarint(b.meta, uint64(len(s)))
		b.meta = append(b.meta, s...)
		b.tagged[i] = b.tagged[i] || len(s) > 0
	}
	b.addColumns(doc)
	switch b.content {
	case source.ContentText:
		b.arena = append(b.arena, doc.Text...)
	case source.ContentTokens:
		for _, t := range doc.Tokens {
			if len(t) > 0 {
				b.arena = append(b.arena, t...)
				b.ends = append(b.ends, len(b.arena))
			}
		}
	case source.ContentIDs:
		for i, w := range doc.Words {
			if doc.Counts[i] > 0 {
				b.pairs = append(b.pairs, pair{w, doc.Counts[i]})
				b.count += uint64(doc.Counts[i])
			}
		}
	}
	b.docs = append(b.docs, batchDoc{len(b.arena), len(b.ends), len(b.pairs)})
	if b.sketching.whole != nil {
		b.follow(doc.ID)
	}
}

// follow records whether a document is a piece of the same document as the one before.
func (s *sketching) follow(id []byte) {
	whole, _, piece := bytes.Cut(id, []byte(piece.Mark))
	same := piece && string(whole) == *s.whole
	if !same {
		*s.whole = string(whole)
	}
	s.continues = append(s.continues, same)
}

// end keeps the sketch of a document.
func (s *sketching) end() {
	if s.sketch != nil {
		s.sketches = append(s.sketches, s.sketch.Sketch)
		s.sketch.Reset()
	}
}

// addColumns appends the values of columns to meta: first their number, then each value preceded by the
// number of its column and its length.
func (b *batch) addColumns(doc *source.Document) {
	b.columns.docs++
	b.meta = binary.AppendUvarint(b.meta, uint64(len(doc.Columns)))
	for i, f := range doc.Columns {
		if i = b.columns.place(f.Name, i); i >= 0 {
			b.columns.add(i, f.Value)
		}
		b.meta = binary.AppendUvarint(b.meta, uint64(i+1))
		b.meta = binary.AppendUvarint(b.meta, uint64(len(f.Value)))
		b.meta = append(b.meta, f.Value...)
	}
}

// tokenizer cuts text into tokens. The result is valid until the next call.
type tokenizer interface {
	Tokens(dst [][]byte, text []byte) [][]byte
}

// encode numbers the words inside the batch, counts them and writes payload. It adds words of pairs to own.
func (b *batch) encode(cut tokenizer, own *pairCounts) error {
	b.words.Reset()
	b.counts, b.lastDoc, b.payload, b.tokens = b.counts[:0], b.lastDoc[:0], b.payload[:0], 0
	b.hashes, b.sketches = b.hashes[:0], b.sketches[:0]
	if b.sketch != nil {
		b.sketch.Reset()
	}
	if b.content == source.ContentIDs {
		return b.encodePairs(own)
	}
	var last batchDoc
	for d, doc := range b.docs {
		b.body = b.body[:0]
		before := b.tokens
		if b.content == source.ContentText {
			for part := range portions(b.arena[last.arena:doc.arena]) {
				b.pieces = cut.Tokens(b.pieces[:0], part)
				b.number(d)
			}
		} else {
			b.pieces = b.pieces[:0]
			begin := last.arena
			for _, end := range b.ends[last.ends:doc.ends] {
				b.pieces = append(b.pieces, b.arena[begin:end])
				begin = end
			}
			b.number(d)
		}
		b.payload = append(binary.AppendUvarint(b.payload, uint64(b.tokens-before)), b.body...)
		b.end()
		last = doc
	}
	return nil
}

// portions cuts a very long text at blanks, because a text needs twenty times its size in memory while it
// is cut into words.
func portions(text []byte) iter.Seq[[]byte] {
	const most = 4 << 20
	return func(yield func([]byte) bool) {
		for len(text) > most {
			n := bytes.LastIndexAny(text[most/2:most], " \n") + 1
			n += most / 2
			for !utf8.RuneStart(text[n]) && n < most {
				n++
			}
			if !yield(text[:n]) {
				return
			}
			text = text[n:]
		}
		yield(text)
	}
}

// number appends the tokens in pieces to document d: the batch's id of each token in reading order, as varints.
func (b *batch) number(d int) {
	b.tokens += int64(len(b.pieces))
	for _, word := range b.pieces {
		id := b.words.Intern(word, intern.Hash(word))
		if int(id) == len(b.counts) {
			b.counts = append(b.counts, count{})
			b.lastDoc = append(b.lastDoc, -1)
			if b.sketch != nil {
				b.hashes = append(b.hashes, wordHash(word))
			}
		}
		b.counts[id].cf++
		if b.lastDoc[id] != d {
			b.lastDoc[id] = d
			b.counts[id].df++
		}
		b.body = binary.AppendUvarint(b.body, uint64(id))
		if b.sketch != nil {
			b.sketch.Add(b.hashes[id])
		}
	}
}

// encodePairs appends every document: the number of its distinct words, then for each word, by rising id,
// the difference to the previous id and the count.
func (b *batch) encodePairs(own *pairCounts) error {
	b.largest = wordUse{}
	begin := 0
	for d, doc := range b.docs {
		pairs := mergePairs(b.pairs[begin:doc.pairs])
		begin = doc.pairs
		b.payload = binary.AppendUvarint(b.payload, uint64(len(pairs)))
		last, length := uint32(0), int64(0)
		for _, p := range pairs {
			b.payload = binary.AppendUvarint(b.payload, uint64(p.word-last))
			b.payload = binary.AppendUvarint(b.payload, uint64(p.count))
			last = p.word
			length += int64(p.count)
			if b.sketch != nil {
				b.sketch.AddCount(p.word, p.count)
			}
		}
		if b.sketch != nil && length < leastBag {
			b.sketch.Reset()
		}
		b.end()
		own.add(pairs)
		if len(pairs) > 0 && (last > b.largest.word || !b.largest.seen) {
			b.largest = wordUse{word: last, doc: b.first + int64(d), seen: true}
		}
		if length > maxDocTokens {
			return fmt.Errorf("document %d (counted from 0) has %d tokens; at most %d are possible", b.first+int64(d),
				length, maxDocTokens)
		}
		b.tokens += length
	}
	return nil
}

// pairCounts holds the counts of the first words, of one goroutine alone. There are at most 4 MiB of them.
type pairCounts []count

// tallied is the number of words that goroutines count by themselves.
const tallied = 1 << 18

// add counts the words of a document that are below tallied.
func (t *pairCounts) add(pairs []pair) {
	for _, p := range pairs {
		if p.word >= tallied {
			return // they are sorted
		}
		if int(p.word) >= len(*t) {
			*t = append(*t, make([]count, int(p.word)+1-len(*t))...)
		}
		(*t)[p.word].cf += uint64(p.count)
		(*t)[p.word].df++
	}
}

// maxDocTokens is the largest number of tokens in a document, which must fit in memory.
const maxDocTokens = 1<<31 - 1

// mergePairs sorts pairs by word and adds up the counts of equal words, in place. A sum beyond 32 bits
// becomes the largest count. That exceeds maxDocTokens, so the document is refused.
func mergePairs(pairs []pair) []pair {
	byWord := func(x, y pair) int { return cmp.Compare(x.word, y.word) }
	if !slices.IsSortedFunc(pairs, byWord) {
		slices.SortFunc(pairs, byWord)
	}
	merged := pairs[:0]
	for _, p := range pairs {
		if n := len(merged); n > 0 && merged[n-1].word == p.word {
			sum := uint64(merged[n-1].count) + uint64(p.count)
			merged[n-1].count = uint32(min(sum, 1<<32-1))
			continue
		}
		merged = append(merged, p)
	}
	return merged
}

// block is the form of a batch in the spool: a header of five 64-bit numbers, then the fields below one
// after the other.
type block struct {
	docs  int
	pairs bool // payload holds pairs, not tokens
	// the corpus's provisional id for each word id of the batch; empty if payload holds provisional ids
	table   []uint32
	meta    []byte
	payload []byte
	raw     []byte // memory that table, meta and payload share
}

// writeBlock appends a block to the spool.
func writeBlock(w io.Writer, docs int, pairs bool, table []uint32, meta, payload []byte) error {
	head := []uint64{uint64(docs), boolBit(pairs), uint64(len(table)), uint64(len(meta)), uint64(len(payload))}
	for _, part := range [][]byte{mapfile.Bytes(head), mapfile.Bytes(table), meta, payload} {
		if _, err := w.Write(part); err != nil {
			return err
		}
	}
	return nil
}

func boolBit(b bool) uint64 {
	if b {
		return 1
	}
	return 0
}

// read fills the block with the next one of a spool. It returns io.EOF if there is none.
func (b *block) read(r io.Reader) error {
	head := mapfile.Aligned(5 * 8)
	if _, err := io.ReadFull(r, head); err != nil {
		return err
	}
	n := mapfile.View[uint64](head)
	b.docs, b.pairs = int(n[0]), n[1] == 1
	size := 4*n[2] + n[3] + n[4]
	if uint64(cap(b.raw)) < size {
		b.raw = mapfile.Aligned(int(size + size/4))
	}
	b.raw = b.raw[:size]
	if _, err := io.ReadFull(r, b.raw); err != nil {
		return fmt.Errorf("temporary file: %w", err)
	}
	b.table = mapfile.View[uint32](b.raw[:4*n[2]])
	b.meta, b.payload = b.raw[4*n[2]:4*n[2]+n[3]], b.raw[4*n[2]+n[3]:]
	return nil
}

// uvarint removes a number from the front of b. It trusts b, which this process wrote.
func uvarint(b []byte) (uint64, []byte) {
	if b[0] < 0x80 {
		return uint64(b[0]), b[1:]
	}
	x, n := binary.Uvarint(b)
	return x, b[n:]
}
