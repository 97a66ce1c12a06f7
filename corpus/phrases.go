package corpus

import (
	"context"
	"errors"
	"math"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/topoi-lda/topoi/corpus/internal/pairs"
	"github.com/topoi-lda/topoi/corpus/source"
	"github.com/topoi-lda/topoi/corpus/text"
	"github.com/topoi-lda/topoi/internal/conveyor"
)

// npmi returns the NPMI of a pair that occurs xy times in n tokens, and whose words occur x and y times.
func npmi(xy, x, y, n uint64) float64 {
	if xy == n {
		return 1
	}
	total := float64(n)
	p := float64(xy) / total
	return math.Log(p/(float64(x)/total)/(float64(y)/total)) / -math.Log(p)
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
	err := im.eachBlock(ctx, PhasePhrases, conveyor.Conveyor[*docBlock]{
		Work: func(_ int, b *docBlock) error { b.count(eligible); return nil },
		Drain: func(b *docBlock) error {
			counts.AddAll(b.pairs)
			im.advance(b.docs, 0)
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
		if xy >= uint64(opts.MinCount) && npmi(xy, im.counts[x].cf, im.counts[y].cf, uint64(im.tokens)) >= opts.MinNPMI {
			found = append(found, words.At(int(x))+" "+words.At(int(y)))
		}
	}
	slices.Sort(found)
	return found, nil
}

// eligible reports for every word whether it may be part of a phrase: it is as frequent as a phrase must
// be, has no blank, and does not come from text without spaces.
func (im *importer) eligible(minCount uint64) []bool {
	overlapping := im.src.Content() == source.ContentText && im.opts.Text.CJK != text.CJKWords
	ok := make([]bool, im.words.Len())
	for i := range ok {
		word := im.words.At(i)
		r, _ := utf8.DecodeRune(word)
		cjk := overlapping && unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul)
		ok[i] = im.counts[i].cf >= minCount && !cjk && !strings.ContainsAny(string(word), " \t\n\r")
	}
	return ok
}
