package corpus

import (
	"bytes"
	"cmp"
	"slices"
	"strconv"

	"github.com/topoi-lda/topoi/corpus/source"
)

// choose fixes the final vocabulary and gives every provisional id its final
// one.
func (im *importer) choose() error {
	words := im.words.words
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
	case given:
		im.keepOrder(words)
	default:
		im.byFrequency(words)
	}
	return nil
}

// givenWords returns the vocabulary of an id format, numbers when it has none.
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
		words.bytes = strconv.AppendInt(words.bytes, int64(id), 10)
		words.ends = append(words.ends, uint64(len(words.bytes)))
	}
	return words, nil
}

// lookUp gives words their ids in the fixed vocabulary.
func (im *importer) lookUp(words Strings) {
	fixed := im.opts.Vocabulary
	table := newInterner(fixed.Len())
	firsts := make([]uint32, 0, fixed.Len()) // a word that stands twice goes by its first id
	for i := range fixed.Len() {
		word := fixed.Bytes(i)
		if id := table.intern(word, hashWord(word)); int(id) == len(firsts) {
			firsts = append(firsts, uint32(i))
		}
	}
	for i := range im.final {
		id, ok := table.lookup(words.Bytes(i))
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
	im.vocabulary = fixed
}

// keepOrder prunes a vocabulary whose order the input gave.
func (im *importer) keepOrder(words Strings) {
	kept := im.prune(words, 0)
	slices.Sort(kept)
	im.monotone = true
	im.assign(words, kept)
}

// byFrequency prunes and orders a vocabulary found in the input. Words that
// occur nowhere, having been joined to phrases each time, go.
func (im *importer) byFrequency(words Strings) { im.assign(words, im.prune(words, 1)) }

// prune returns the words that the options keep, most frequent first. It drops
// those with fewer than minCF occurrences whatever the options say.
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
		if im.src.Content() == source.ContentIDs {
			return cmp.Compare(x, y)
		}
		return bytes.Compare(words.Bytes(int(x)), words.Bytes(int(y)))
	})
	if o.MaxWords > 0 && len(kept) > o.MaxWords {
		kept = kept[:o.MaxWords]
	}
	return kept
}

// assign numbers the kept words in their order and counts the others as
// dropped, except words of text that are only left as parts of phrases.
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
