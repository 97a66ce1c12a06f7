package corpus

import (
	"context"
	"encoding/binary"
	"errors"
	"slices"
	"strings"
	"sync/atomic"
	"unicode"
	"unicode/utf8"

	"github.com/topoi-lda/topoi/corpus/internal/blocks"
	"github.com/topoi-lda/topoi/corpus/internal/copies"
	"github.com/topoi-lda/topoi/corpus/internal/intern"
	"github.com/topoi-lda/topoi/corpus/internal/pairs"
	"github.com/topoi-lda/topoi/corpus/internal/spool"
	"github.com/topoi-lda/topoi/corpus/source"
	"github.com/topoi-lda/topoi/internal/conveyor"
	"github.com/topoi-lda/topoi/internal/portable"
)

// docBlock is a block whose documents are read in order, to count or join neighbouring words for example.
type docBlock struct {
	blocks.Block
	pairs *pairs.Counts // neighbours in the block
	out   []byte        // new payload
	doc   []uint32      // words of one document
	first int64         // number of its first document

	wanted []uint32       // documents whose shingles are needed
	sets   []copies.Set   // these
	rest   blocks.Without // the block without copies
}

// eachBlock sends every block of the spool through the conveyor c.
func (im *importer) eachBlock(ctx context.Context, phase string, c conveyor.Conveyor[*docBlock]) error {
	im.enter(phase, im.docs)
	c.Threads = im.opts.threads()
	for range 2*c.Threads + 2 {
		c.Jobs = append(c.Jobs, &docBlock{pairs: pairs.New()})
	}
	spooled := im.spool.Reader()
	next := int64(0)
	c.Fill = func(b *docBlock) error {
		err := b.Read(spooled)
		if err == nil {
			b.first = next
			next += int64(b.Docs)
		}
		return err
	}
	return c.Run(ctx)
}

// next decodes a document of the payload into b.doc and returns the rest of the payload.
func (b *docBlock) next(payload []byte) (rest []byte) {
	b.doc, rest = b.Words(b.doc[:0], payload)
	return rest
}

// count counts in b.pairs the neighbours that are both eligible.
func (b *docBlock) count(eligible []bool) {
	b.pairs.Reset()
	rest := b.Payload
	for range b.Docs {
		rest = b.next(rest)
		for i := 1; i < len(b.doc); i++ {
			if x, y := b.doc[i-1], b.doc[i]; eligible[x] && eligible[y] {
				b.pairs.Add(uint64(x)<<32|uint64(y), 1)
			}
		}
	}
}

// phraseTable finds the phrase that two neighbours form.
type phraseTable struct {
	index map[uint64]int // pair of provisional ids, first<<32 | second, to a phrase
	heads []bool         // whether a word is the first of any phrase
	ids   []uint32       // id of each phrase's joined word
	met   []atomic.Bool  // whether a phrase was joined anywhere
}

// newPhraseTable gives the joined word of every phrase, such as "new york", an id.
func newPhraseTable(words *intern.Table, phrases []string) *phraseTable {
	// adds the word if it is new
	id := func(word string) uint32 { return words.Intern([]byte(word), intern.Hash([]byte(word))) }
	t := &phraseTable{
		index: make(map[uint64]int, len(phrases)),
		ids:   make([]uint32, len(phrases)),
		met:   make([]atomic.Bool, len(phrases)),
	}
	for i, p := range phrases {
		first, second, _ := strings.Cut(p, " ")
		x, y := id(first), id(second)
		t.index[uint64(x)<<32|uint64(y)] = i
		t.ids[i] = id(first + "_" + second)
	}
	t.heads = make([]bool, words.Len())
	for key := range t.index {
		t.heads[key>>32] = true
	}
	return t
}

// join returns the word that x and y form, and records that the phrase occurs.
func (t *phraseTable) join(x, y uint32) (uint32, bool) {
	if !t.heads[x] {
		return 0, false
	}
	i, ok := t.index[uint64(x)<<32|uint64(y)]
	if !ok {
		return 0, false
	}
	if !t.met[i].Load() {
		t.met[i].Store(true)
	}
	return t.ids[i], true
}

// joinPairs joins the given phrases in the spool, counts all words again and returns the phrases that were joined
// somewhere. In "new york city", for example, the pair "york city" may also be a phrase but never be joined, because
// york is always joined to new. Keeping it would give new text words that the corpus does not have. The joined word
// itself proves nothing: new_york may have been in the input already, and may be gone if city always follows.
func (im *importer) joinPairs(ctx context.Context, phrases []string) ([]string, error) {
	table := newPhraseTable(im.words, phrases)
	next := spool.New(im.opts.TempDir)
	tally := newTally(im.words.Len())
	err := im.eachBlock(ctx, phasePhrases, conveyor.Conveyor[*docBlock]{
		Work: func(_ int, b *docBlock) error { b.join(table); return nil },
		Drain: func(b *docBlock) error {
			im.advance(b.Docs, tally.add(b.Docs, b.out))
			return writing((&blocks.Block{Docs: b.Docs, Meta: b.Meta, Payload: b.out}).Write(next))
		},
	})
	if err != nil {
		return nil, errors.Join(err, next.Close())
	}
	im.counts, im.tokens = tally.counts, tally.tokens
	old := im.spool
	im.spool = next
	var met []string
	for i, p := range phrases {
		if table.met[i].Load() {
			met = append(met, p)
		}
	}
	return met, old.Close()
}

// join rewrites the payload with pairs joined from left to right, as text.Pipeline does. A joined word may
// be joined again with the next one. The new payload holds provisional ids, so its block needs no table.
func (b *docBlock) join(table *phraseTable) {
	b.out = b.out[:0]
	rest := b.Payload
	for range b.Docs {
		rest = b.next(rest)
		words := b.doc[:0]
		for _, y := range b.doc {
			if n := len(words); n > 0 {
				if phrase, ok := table.join(words[n-1], y); ok {
					words[n-1] = phrase
					continue
				}
			}
			words = append(words, y)
		}
		b.out = binary.AppendUvarint(b.out, uint64(len(words)))
		for _, w := range words {
			b.out = binary.AppendUvarint(b.out, uint64(w))
		}
	}
}

// tally counts words of documents that come in order.
type tally struct {
	counts  []count
	lastDoc []int64 // document, from 1, in which a word was last seen
	docs    int64
	tokens  int64
}

func newTally(words int) *tally {
	return &tally{counts: make([]count, words), lastDoc: make([]int64, words)}
}

// add counts the words of a payload of provisional ids and returns the number of tokens.
func (t *tally) add(docs int, payload []byte) int64 {
	before := t.tokens
	for range docs {
		t.docs++
		var n, id uint64
		n, payload = blocks.Uvarint(payload)
		t.tokens += int64(n)
		for range n {
			id, payload = blocks.Uvarint(payload)
			t.counts[id].cf++
			if t.lastDoc[id] != t.docs {
				t.lastDoc[id] = t.docs
				t.counts[id].df++
			}
		}
	}
	return t.tokens - before
}

// npmi returns the NPMI of a pair that occurs xy times in n tokens, and whose words occur x and y times.
func npmi(xy, x, y, n uint64) float64 {
	if xy == n {
		return 1
	}
	total := float64(n)
	p := float64(xy) / total
	return portable.Log(p/(float64(x)/total)/(float64(y)/total)) / -portable.Log(p)
}

// join finds phrases if the options ask for it, and joins them in the spool. For an input of tokens it
// joins the given phrases. It also determines the text options that the corpus stores.
func (im *importer) join(ctx context.Context) error {
	given := im.opts.Text.Phrases
	content := im.src.Content()
	switch {
	case im.opts.Phrases != nil && content == source.ContentIDs:
		return errors.New("phrases need text or tokens; this input has counts, which do not keep the order of words")
	case im.opts.Phrases != nil:
		found, err := im.findPhrases(ctx)
		if err != nil {
			return err
		}
		given = found
	case content != source.ContentTokens:
		given = nil // the tokenizer has joined them in text, and counts have no neighbours
	}
	if len(given) > 0 {
		met, err := im.joinPairs(ctx, given)
		if err != nil {
			return err
		}
		if im.opts.Phrases != nil {
			given = met
		}
	}
	if im.opts.Phrases != nil {
		im.report.Phrases = int64(len(given))
	}
	return im.keepPipeline(given)
}

// findPhrases counts neighbours and returns the pairs that are phrases, such as "new york", in bytewise order.
func (im *importer) findPhrases(ctx context.Context) ([]string, error) {
	opts := im.opts.Phrases.withDefaults()
	eligible := im.eligible(uint64(opts.MinCount))
	counts := pairs.New()
	err := im.eachBlock(ctx, phasePhrases, conveyor.Conveyor[*docBlock]{
		Work: func(_ int, b *docBlock) error { b.count(eligible); return nil },
		Drain: func(b *docBlock) error {
			counts.AddAll(b.pairs)
			im.advance(b.Docs, 0)
			return nil
		},
	})
	if err != nil {
		return nil, err
	}
	var found []string
	words := wordsOf(im.words)
	for key, xy := range counts.All() {
		x, y := uint32(key>>32), uint32(key)
		if xy >= uint64(opts.MinCount) && npmi(xy, im.counts[x].cf, im.counts[y].cf,
			uint64(im.tokens)) >= opts.MinNPMI {
			found = append(found, words.At(int(x))+" "+words.At(int(y)))
		}
	}
	slices.Sort(found)
	return found, nil
}

// eligible reports for every word whether it may be part of a phrase: it is as frequent as a phrase must
// be, has no blank, and does not come from text without spaces.
func (im *importer) eligible(minCount uint64) []bool {
	overlapping := im.src.Content() == source.ContentText && im.opts.Text.CJK != "words"
	ok := make([]bool, im.words.Len())
	for i := range ok {
		word := im.words.At(i)
		r, _ := utf8.DecodeRune(word)
		cjk := overlapping && unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul)
		ok[i] = im.counts[i].cf >= minCount && !cjk && !strings.ContainsAny(string(word), " \t\n\r")
	}
	return ok
}
