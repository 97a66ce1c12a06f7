package corpus

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"iter"
	"unicode/utf8"

	"github.com/topoi-lda/topoi/corpus/internal/blocks"
	"github.com/topoi-lda/topoi/corpus/internal/copies"
	"github.com/topoi-lda/topoi/corpus/internal/intern"
	"github.com/topoi-lda/topoi/corpus/internal/kept"
	"github.com/topoi-lda/topoi/corpus/source"
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
	meta   []byte        // tags of every document, each preceded by its length, then its columns
	arena  []byte        // text, or tokens one after the other
	ends   []int         // end of each token in arena
	pairs  []blocks.Pair // word ids with counts
	count  uint64        // tokens that pairs stand for
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
	copies  copies.Batch  // the sketches by which copies are found
}

// batchDoc holds where the parts of a document end in the batch's buffers.
type batchDoc struct{ arena, ends, pairs int }

// count holds the number of occurrences of a word (cf) and the number of documents that contain it (df).
type count struct{ cf, df uint64 }

func newBatch(snippet int, columns *columnSet, s copies.Batch) *batch {
	return &batch{words: intern.New(1 << 12), snippet: snippet, columns: columns, copies: s}
}

// read fills the batch from src. io.EOF means that the batch holds the last documents.
func (b *batch) read(src source.Source, doc *source.Document) error {
	b.content = src.Content()
	b.docs, b.meta, b.arena, b.ends, b.pairs = b.docs[:0], b.meta[:0], b.arena[:0], b.ends[:0], b.pairs[:0]
	b.tagged, b.count = tagSet{}, 0
	b.copies.Begin()
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
				b.pairs = append(b.pairs, blocks.Pair{Word: w, Count: doc.Counts[i]})
				b.count += uint64(doc.Counts[i])
			}
		}
	}
	b.docs = append(b.docs, batchDoc{len(b.arena), len(b.ends), len(b.pairs)})
	b.copies.Follow(doc.ID)
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
	b.copies.Reset()
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
		b.copies.End()
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
			b.copies.Learn(word)
		}
		b.counts[id].cf++
		if b.lastDoc[id] != d {
			b.lastDoc[id] = d
			b.counts[id].df++
		}
		b.body = binary.AppendUvarint(b.body, uint64(id))
		b.copies.Add(int(id))
	}
}

// encodePairs appends every document: the number of its distinct words, then for each word, by rising id,
// the difference to the previous id and the count.
func (b *batch) encodePairs(own *pairCounts) error {
	b.largest = wordUse{}
	begin := 0
	for d, doc := range b.docs {
		pairs := blocks.Merge(b.pairs[begin:doc.pairs])
		begin = doc.pairs
		b.payload = binary.AppendUvarint(b.payload, uint64(len(pairs)))
		last, length := uint32(0), int64(0)
		for _, p := range pairs {
			b.payload = binary.AppendUvarint(b.payload, uint64(p.Word-last))
			b.payload = binary.AppendUvarint(b.payload, uint64(p.Count))
			last = p.Word
			length += int64(p.Count)
			b.copies.AddCount(p.Word, p.Count)
		}
		b.copies.EndBag(length)
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
func (t *pairCounts) add(pairs []blocks.Pair) {
	for _, p := range pairs {
		if p.Word >= tallied {
			return // they are sorted
		}
		if int(p.Word) >= len(*t) {
			*t = append(*t, make([]count, int(p.Word)+1-len(*t))...)
		}
		(*t)[p.Word].cf += uint64(p.Count)
		(*t)[p.Word].df++
	}
}

// maxDocTokens is the largest number of tokens in a document, which must fit in memory.
const maxDocTokens = 1<<31 - 1
