package corpus

import (
	"bytes"
	"cmp"
	"slices"
	"strconv"

	"github.com/topoi-lda/topoi/corpus/internal/limits"
	"github.com/topoi-lda/topoi/corpus/source"
)

// dfBounds are bounds on the number of documents that contain a word.
type dfBounds struct{ least, most uint64 }

// bounds returns the bounds from the options, or chooses them if the options leave them open, and reports them.
func (im *importer) bounds() dfBounds {
	o, t := im.opts, &im.report.Text
	text := im.src.Content() == source.ContentText || im.joins() && len(im.pipeline) > 0
	least, most := int64(o.MinDF), im.docs
	if text && least == 0 {
		t.MinDFChosen, least = true, im.chooseMinDF()
	}
	switch {
	case o.MaxDF > 1:
		most = int64(o.MaxDF)
	case o.MaxDF > 0:
		most = int64(o.MaxDF * float64(im.docs))
	case text:
		t.MaxDFChosen, most = true, limits.MaxDF(im.docs, im.tokens)
	}
	if t.MinDFChosen {
		least = min(least, max(1, most)) // a chosen bound must not contradict a given one
	}
	if least > 1 {
		t.MinDF = least
	}
	if most < im.docs {
		t.MaxDF = most
	}
	return dfBounds{uint64(least), uint64(most)}
}

// joins reports whether the input are parts of a corpus, whose words have no order yet.
func (im *importer) joins() bool {
	s, ok := im.src.(*corpusSource)
	return ok && s.table != nil
}

// chooseMinDF returns the largest bound, up to the default, that keeps half of the tokens.
func (im *importer) chooseMinDF() int64 {
	least := limits.MinDF(im.docs)
	for ; least > 1; least-- {
		rare := uint64(0)
		for _, c := range im.counts {
			if c.df < uint64(least) {
				rare += c.cf
			}
		}
		if 2*rare <= uint64(im.tokens) {
			break
		}
	}
	return least
}

// within reports whether the bounds keep a word. It counts words that are dropped.
func (im *importer) within(b dfBounds, c count) bool {
	t := &im.report.Text
	switch {
	case c.df < b.least && c.cf > 0:
		t.RareWords++
		t.RareTokens += int64(c.cf)
	case c.df > b.most:
		t.CommonWords++
		t.CommonTokens += int64(c.cf)
	}
	return c.df >= b.least && c.df <= b.most
}

// listCommon reports the most frequent of the words that are too common.
func (im *importer) listCommon(words Strings, b dfBounds) {
	var common []uint32
	for i := range words.Len() {
		if im.counts[i].df > b.most {
			common = append(common, uint32(i))
		}
	}
	slices.SortFunc(common, func(x, y uint32) int {
		return cmp.Or(cmp.Compare(im.counts[y].df, im.counts[x].df),
			bytes.Compare(words.Bytes(int(x)), words.Bytes(int(y))))
	})
	for _, i := range common[:min(len(common), commonListed)] {
		im.report.Text.CommonList = append(im.report.Text.CommonList, words.At(int(i)))
	}
}

// choose decides on the final vocabulary and gives every provisional id its final one.
func (im *importer) choose() error {
	words := wordsOf(im.words)
	given := im.src.Content() == source.ContentIDs
	if given {
		var err error
		if words, err = im.givenWords(); err != nil {
			im.src.Close()
			return err
		}
	}
	if err := im.src.Close(); err != nil {
		return err
	}
	im.final = make([]uint32, words.Len())
	switch {
	case im.opts.Vocabulary.Len() > 0:
		im.lookUp(words)
	case given && !im.joins(): // the input gives the order of words
		kept := im.prune(words, 0)
		slices.Sort(kept)
		im.monotone = true
		im.assign(words, kept)
	default: // words that do not occur any more have become parts of phrases
		im.assign(words, im.prune(words, 1))
	}
	return nil
}

// givenWords returns the vocabulary of a format with word ids, or numbers if it has none.
func (im *importer) givenWords() (Strings, error) {
	list, err := im.src.Vocabulary()
	if err != nil {
		return Strings{}, err
	}
	if list != nil {
		if im.largest.seen && int(im.largest.word) >= len(list) {
			return Strings{}, im.largest.outOfVocabulary(len(list))
		}
		im.counts = append(im.counts, make([]count, len(list)-len(im.counts))...)
		return MakeStrings(list), nil
	}
	var words Strings
	for id := range im.counts {
		words.add(strconv.Itoa(id))
	}
	return words, nil
}

// lookUp gives words their ids in the fixed vocabulary.
func (im *importer) lookUp(words Strings) {
	table, firsts := tableOf(im.opts.Vocabulary)
	for i := range im.final {
		id, ok := table.Lookup(words.Bytes(i))
		if ok {
			im.final[i] = firsts[id]
			continue
		}
		im.final[i] = none
		if im.counts[i].cf > 0 {
			im.report.UnknownWords++
			im.report.UnknownTokens += int64(im.counts[i].cf)
		}
	}
	im.vocabulary = im.opts.Vocabulary
}

// prune returns the words that the options keep, most frequent first. It always drops words with fewer than
// minCF occurrences.
func (im *importer) prune(words Strings, minCF uint64) []uint32 {
	o := im.opts
	minCF = max(minCF, uint64(o.MinCF))
	bounds := im.bounds()
	var kept []uint32
	for i := range words.Len() {
		if c := im.counts[i]; im.within(bounds, c) && c.cf >= minCF {
			kept = append(kept, uint32(i))
		}
	}
	im.listCommon(words, bounds)
	slices.SortFunc(kept, func(x, y uint32) int {
		if c := cmp.Compare(im.counts[y].cf, im.counts[x].cf); c != 0 {
			return c
		}
		if im.src.Content() == source.ContentIDs && !im.joins() {
			return cmp.Compare(x, y)
		}
		return bytes.Compare(words.Bytes(int(x)), words.Bytes(int(y)))
	})
	if o.MaxWords > 0 && len(kept) > o.MaxWords {
		kept = kept[:o.MaxWords]
	}
	return kept
}

// assign numbers the kept words in their order. It counts the others as dropped, except for words of text
// that occur only as parts of phrases.
func (im *importer) assign(words Strings, kept []uint32) {
	for i := range im.final {
		im.final[i] = none
	}
	for id, i := range kept {
		im.final[i] = uint32(id)
		im.vocabulary.bytes = append(im.vocabulary.bytes, words.Bytes(int(i))...)
		im.vocabulary.ends = append(im.vocabulary.ends, uint64(len(im.vocabulary.bytes)))
	}
	for i, id := range im.final {
		if id == none && (im.monotone || im.counts[i].cf > 0) {
			im.report.DroppedWords++
			im.report.DroppedTokens += int64(im.counts[i].cf)
		}
	}
}
