package corpus

import (
	"cmp"
	"context"
	"slices"

	"github.com/topoi-lda/topoi/corpus/internal/kept"
)

// Document is one document for [FromSeq] or a [Builder]. Any field may be empty.
type Document struct {
	ID     string   // the user's id for it
	Label  string   // class or category
	Time   string   // date or time, in any form
	Tokens []string // its words, in any order

	Title   string // shown to readers
	Snippet string // beginning of its text, shown to readers

	// Text is the whole text. A Builder keeps it to be shown to readers. FromSeq cuts it into words, and keeps as much
	// of it as the options say.
	Text string

	Columns map[string]string // other fields by name, for FromSeq; a Builder ignores them
}

// Builder collects documents into a corpus in memory. The zero value is ready for use. Use [Import] for
// documents that do not fit in memory.
type Builder struct {
	docs    []Document
	words   map[string]uint32 // word to provisional id
	counts  []uint64          // occurrences of each word
	tokens  []uint32          // provisional ids
	offsets []uint64
}

// Add appends a document. Its number is the number of documents added before.
func (b *Builder) Add(doc Document) {
	if b.words == nil {
		b.words = make(map[string]uint32)
		b.offsets = []uint64{0}
	}
	for _, word := range doc.Tokens {
		id, ok := b.words[word]
		if !ok {
			id = uint32(len(b.counts))
			b.words[word] = id
			b.counts = append(b.counts, 0)
		}
		b.counts[id]++
		b.tokens = append(b.tokens, id)
	}
	b.offsets = append(b.offsets, uint64(len(b.tokens)))
	doc.Tokens = nil
	b.docs = append(b.docs, doc)
}

// Corpus returns the documents added so far. Words are numbered by falling number of occurrences, and in
// bytewise order if these are equal, as in [Import].
func (b *Builder) Corpus() *Corpus {
	list := make([]string, len(b.counts))
	for word, id := range b.words {
		list[id] = word
	}
	order := make([]uint32, len(list)) // final id to provisional id
	for i := range order {
		order[i] = uint32(i)
	}
	slices.SortFunc(order, func(x, y uint32) int {
		return cmp.Or(cmp.Compare(b.counts[y], b.counts[x]), cmp.Compare(list[x], list[y]))
	})
	var words Strings
	final := make([]uint32, len(list)) // provisional id to final id
	for i, id := range order {
		final[id] = uint32(i)
		words.add(list[id])
	}
	c := Corpus{
		offsets: append([]uint64{0}, b.offsets[min(1, len(b.offsets)):]...),
		tokens:  make([]uint32, len(b.tokens)),
		words:   words,
	}
	for i, id := range b.tokens {
		c.tokens[i] = final[id]
	}
	for d := range b.docs {
		slices.Sort(c.tokens[c.offsets[d]:c.offsets[d+1]])
	}
	c.tags.set(len(b.docs), func(d int) []string {
		doc := &b.docs[d]
		whole := string(kept.AppendText(nil, []byte(doc.Text)))
		return []string{doc.ID, doc.Label, doc.Time, doc.Title, doc.Snippet, whole}
	})
	return newCorpus(c)
}

// FromTokens returns a corpus in memory. Each document is a list of words.
func FromTokens(docs [][]string) *Corpus {
	var b Builder
	for _, tokens := range docs {
		b.Add(Document{Tokens: tokens})
	}
	return b.Corpus()
}

// FromIDs returns a corpus in memory over the given vocabulary. docs[d] holds the word ids of document d,
// in any order; they must be below len(words).
func FromIDs(words []string, docs [][]uint32) *Corpus {
	c := Corpus{offsets: []uint64{0}, words: MakeStrings(words)}
	for _, doc := range docs {
		begin := len(c.tokens)
		c.tokens = append(c.tokens, doc...)
		slices.Sort(c.tokens[begin:])
		c.offsets = append(c.offsets, uint64(len(c.tokens)))
		if n := len(c.tokens); n > begin && int(c.tokens[n-1]) >= len(words) {
			panic("corpus: word id beyond the vocabulary")
		}
	}
	return newCorpus(c)
}

// FromTexts returns a corpus of the given texts, one document for each. It treats them as [Load] treats
// files: opts.Text cuts them into words, and the options decide which words are dropped. Text d is document
// d, even if none of its words is left.
func FromTexts(texts []string, opts ImportOptions) (*Corpus, error) {
	docs := func(yield func(Document, error) bool) {
		for _, text := range texts {
			if !yield(Document{Text: text}, nil) {
				return
			}
		}
	}
	c, _, err := FromSeq(context.Background(), docs, opts)
	return c, err
}
