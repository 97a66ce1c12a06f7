package corpus

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/topoi-lda/topoi/corpus/source"
	"github.com/topoi-lda/topoi/corpus/text"
)

// PhraseOptions say which pairs of neighbouring words are phrases. The zero
// value takes the defaults.
//
// Two words x y are judged by their normalised pointwise mutual information
// (Bouma, "Normalized (pointwise) mutual information in collocation
// extraction", GSCL 2009)
//
//	NPMI(x, y) = ln[ p(x y) / (p(x) p(y)) ] / -ln p(x y),
//
// which is 1 for words that occur only together, 0 for independent ones and
// negative for words that avoid each other; p are counts over the number of
// tokens. Neighbours are tokens that follow each other after stop words have
// gone. Pairs of characters that stand for Chinese, Japanese or Korean text
// overlap their neighbours and are left out.
//
// At most a few million pairs are counted at a time: when there are more, the
// rarest are forgotten, which can only lose phrases that are rare in a very
// large corpus.
type PhraseOptions struct {
	// MinCount is the least number of times a pair must occur. Default: 10.
	MinCount int

	// MinNPMI is the least NPMI, above -1 and at most 1. Default: 0.5.
	MinNPMI float64
}

// Defaults of PhraseOptions.
const (
	DefaultPhraseCount = 10
	DefaultPhraseNPMI  = 0.5
)

// Validate returns all faults of the options at once, or nil.
func (o *PhraseOptions) Validate() error {
	var faults []error
	if o.MinCount < 0 {
		faults = append(faults, fmt.Errorf("Phrases.MinCount is %d; it must not be negative", o.MinCount))
	}
	if !(o.MinNPMI > -1 && o.MinNPMI <= 1) {
		faults = append(faults, fmt.Errorf("Phrases.MinNPMI is %v; it must be above -1 and at most 1", o.MinNPMI))
	}
	return errors.Join(faults...)
}

func (o *PhraseOptions) withDefaults() PhraseOptions {
	p := *o
	if p.MinCount == 0 {
		p.MinCount = DefaultPhraseCount
	}
	if p.MinNPMI == 0 {
		p.MinNPMI = DefaultPhraseNPMI
	}
	return p
}

// npmi returns NPMI of a pair that occurs xy times, its words x and y times, in
// n tokens.
func npmi(xy, x, y, n uint64) float64 {
	if xy == n {
		return 1
	}
	total := float64(n)
	p := float64(xy) / total
	return math.Log(p/(float64(x)/total)/(float64(y)/total)) / -math.Log(p)
}

// join finds phrases if the options ask for it and replaces them, or those
// given for an input of tokens, in the spool. It also settles the text options
// that the corpus keeps.
func (im *importer) join(ctx context.Context) error {
	given := im.opts.Text.Phrases
	content := im.src.Content()
	switch {
	case im.opts.Phrases != nil && content == source.ContentIDs:
		return errors.New("phrases can be found in text and tokens only; this input has counts, which do not tell which words are neighbours")
	case im.opts.Phrases != nil:
		found, err := im.findPhrases(ctx)
		if err != nil {
			return err
		}
		im.report.Phrases = int64(len(found))
		given = found
	case content != source.ContentTokens:
		given = nil // the tokenizer has joined them in text, nobody can in counts
	}
	if len(given) > 0 {
		if err := im.joinPairs(ctx, given); err != nil {
			return err
		}
	}
	return im.keepPipeline(given)
}

// findPhrases counts neighbours and returns the pairs that are phrases, "new
// york", in bytewise order.
func (im *importer) findPhrases(ctx context.Context) ([]string, error) {
	opts := im.opts.Phrases.withDefaults()
	eligible := im.eligible(uint64(opts.MinCount))
	pairs := newPairCounts()
	err := im.eachBlock(ctx, conveyor[*pairBlock]{
		work: func(_ int, b *pairBlock) error { b.count(eligible); return nil },
		drain: func(b *pairBlock) error {
			pairs.addAll(b.pairs)
			im.advance(b.docs, 0)
			return nil
		},
	})
	if err != nil {
		return nil, err
	}
	var found []string
	words := im.words.words
	for key, xy := range pairs.all() {
		x, y := uint32(key>>32), uint32(key)
		if xy >= uint64(opts.MinCount) && npmi(xy, im.counts[x].cf, im.counts[y].cf, uint64(im.tokens)) >= opts.MinNPMI {
			found = append(found, words.At(int(x))+" "+words.At(int(y)))
		}
	}
	slices.Sort(found)
	return found, nil
}

// eligible says for every word whether it may be part of a phrase: it is as
// frequent as the phrase must be, has no blank, and is not a piece of text
// without spaces.
func (im *importer) eligible(minCount uint64) []bool {
	overlapping := im.src.Content() == source.ContentText && im.opts.Text.CJK != text.CJKWords
	ok := make([]bool, im.words.Len())
	for i := range ok {
		word := im.words.words.Bytes(i)
		r, _ := utf8.DecodeRune(word)
		cjk := overlapping && unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul)
		ok[i] = im.counts[i].cf >= minCount && !cjk && !strings.ContainsAny(string(word), " \t\n\r")
	}
	return ok
}

// pairBlock is a block whose neighbours are counted or joined.
type pairBlock struct {
	block
	pairs *pairCounts // neighbours in the block
	out   []byte      // new payload
	doc   []uint32    // words of one document
}

// eachBlock sends every block of the spool through work and drain.
func (im *importer) eachBlock(ctx context.Context, c conveyor[*pairBlock]) error {
	im.enter(PhasePhrases, im.docs)
	c.threads = im.opts.threads()
	for range 2*c.threads + 2 {
		c.jobs = append(c.jobs, &pairBlock{pairs: newPairCounts()})
	}
	spooled := im.spool.reader()
	c.fill = func(b *pairBlock) error { return b.read(spooled) }
	return c.run(ctx)
}

// next decodes a document of the payload into b.doc, as provisional ids, and
// returns the payload behind it.
func (b *pairBlock) next(rest []byte) []byte {
	n, rest := uvarint(rest)
	b.doc = b.doc[:0]
	var id uint64
	for range n {
		id, rest = uvarint(rest)
		b.doc = append(b.doc, b.table[id])
	}
	return rest
}

// count fills b.pairs with the neighbours that are both eligible.
func (b *pairBlock) count(eligible []bool) {
	b.pairs.reset()
	rest := b.payload
	for range b.docs {
		rest = b.next(rest)
		for i := 1; i < len(b.doc); i++ {
			if x, y := b.doc[i-1], b.doc[i]; eligible[x] && eligible[y] {
				b.pairs.add(uint64(x)<<32|uint64(y), 1)
			}
		}
	}
}

// joinPairs replaces the given phrases in the spool and counts all words anew.
func (im *importer) joinPairs(ctx context.Context, phrases []string) error {
	joined := make(map[uint64]uint32, len(phrases)) // pair of ids to id of the phrase
	for _, p := range phrases {
		first, second, _ := strings.Cut(p, " ")
		x, y := im.provisional(first), im.provisional(second)
		joined[uint64(x)<<32|uint64(y)] = im.provisional(first + "_" + second)
	}
	heads := make([]bool, im.words.Len())
	for key := range joined {
		heads[key>>32] = true
	}
	next := newSpool(im.opts.TempDir)
	tally := newTally(im.words.Len())
	err := im.eachBlock(ctx, conveyor[*pairBlock]{
		work: func(_ int, b *pairBlock) error { b.join(joined, heads); return nil },
		drain: func(b *pairBlock) error {
			im.advance(b.docs, tally.add(b.docs, b.out))
			return writing(writeBlock(next, b.docs, false, nil, b.meta, b.out))
		},
	})
	if err != nil {
		return errors.Join(err, next.Close())
	}
	im.counts, im.tokens = tally.counts, tally.tokens
	old := im.spool
	im.spool = next
	return old.Close()
}

// provisional returns the provisional id of a word, a new one if need be.
func (im *importer) provisional(word string) uint32 {
	return im.words.intern([]byte(word), hashWord([]byte(word)))
}

// join rewrites the payload with pairs joined from left to right, as
// text.Pipeline does: a joined word may be joined again with what follows. The
// new payload holds provisional ids, so its block needs no table.
func (b *pairBlock) join(joined map[uint64]uint32, heads []bool) {
	b.out = b.out[:0]
	rest := b.payload
	for range b.docs {
		rest = b.next(rest)
		words := b.doc[:0]
		for _, y := range b.doc {
			if n := len(words); n > 0 && heads[words[n-1]] {
				if phrase, ok := joined[uint64(words[n-1])<<32|uint64(y)]; ok {
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

// add counts the documents of a payload of provisional ids and returns the
// number of their tokens.
func (t *tally) add(docs int, payload []byte) int64 {
	before := t.tokens
	for range docs {
		t.docs++
		var n, id uint64
		n, payload = uvarint(payload)
		t.tokens += int64(n)
		for range n {
			id, payload = uvarint(payload)
			t.counts[id].cf++
			if t.lastDoc[id] != t.docs {
				t.lastDoc[id] = t.docs
				t.counts[id].df++
			}
		}
	}
	return t.tokens - before
}
