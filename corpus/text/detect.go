package text

import (
	"iter"
	"math/bits"
	"unicode/utf8"
)

// Detection is the language of a sample of documents.
type Detection struct {
	// Languages is the value that Options.Languages should have: auto, for documents that differ from the
	// sample, then the language found, then languages that can be added without harm. It is auto alone if
	// the sample is in several languages, and empty if no language was recognised.
	Languages []string

	// Found is the language of most of the sample. Mixed reports that other languages have a considerable
	// part of it.
	Found Language
	Mixed bool
}

// Limits of Detect. Of 100 words of prose in a language, 25 to 50 are on its stop list; of technical text
// with code, 12 to 30. A language without a list reaches 13 on that of its nearest relative (Macedonian on
// the Bulgarian list), and 6 on the English one.
const (
	minCoverage = 0.1 // share of words that are stop words of the language
	minKinds    = 4   // smallest number of different stop words: "dog" is one in Danish
	fewVotes    = 20  // with fewer, another language than English needs overEnglish
	overEnglish = 1.5 // stop words of the language for one of English, the default

	foreignVotes  = 8   // smallest number of stop words that decides a document's language
	foreignFactor = 1.5 // stop words of its own language for one of the sample's
	mixedShare    = 0.1 // share of words in documents of another language
	kanaShare     = 0.1 // smallest share of Hiragana in the characters of a Japanese text
)

// Detect finds the language of a sample of documents by its stop words; for Chinese, Japanese and Korean by
// the script. It knows the languages of [Languages].
func Detect(sample iter.Seq[[]byte]) Detection {
	p, err := New(Options{Languages: []string{languageAuto}, MinLength: 1, CJK: CJKBigrams})
	if err != nil {
		panic("text: " + err.Error())
	}
	var docs []tallied
	var total tallied
	last := make(map[string]int) // number, from 1, of the last document with each stop word
	for doc := range sample {
		var t tallied
		p.tally(&t, doc, func(word []byte, lists languageSet) {
			t.vote(lists)
			n := last[string(word)]
			if n <= len(docs) {
				lists.vote(&t.kinds)
				last[string(word)] = len(docs) + 1
			}
			if n == 0 {
				lists.vote(&total.kinds)
			}
		})
		total.add(&t)
		docs = append(docs, t)
	}
	return total.decide(docs)
}

// tallied holds the counts of a text.
type tallied struct {
	words               int         // words in alphabetic scripts
	han, kana, syllable int         // pairs of characters
	votes               [64]int32   // stop words of each language
	weight              [64]float32 // the same, with a word on n lists counted 1/n times
	kinds               [64]int32   // different stop words of each language
}

// add adds all counts except for kinds.
func (t *tallied) add(u *tallied) {
	t.words += u.words
	t.han += u.han
	t.kana += u.kana
	t.syllable += u.syllable
	for l, n := range u.votes {
		t.votes[l] += n
		t.weight[l] += u.weight[l]
	}
}

// tally counts words by script and calls stop with those that are stop words. The pipeline must be one that
// guesses languages.
func (p *Pipeline) tally(t *tallied, s []byte, stop func(word []byte, lists languageSet)) {
	for i, word := range p.chunks(nil, p.begin(s)) {
		r, _ := utf8.DecodeRune(word)
		switch scriptOf(r) {
		case han:
			t.han++
		case hiragana:
			t.kana++
		case hangul:
			t.syllable++
		default:
			t.words++
			if p.lists[i] != 0 {
				stop(word, p.lists[i])
			}
		}
	}
}

func (t *tallied) vote(lists languageSet) {
	lists.vote(&t.votes)
	share := 1 / float32(bits.OnesCount64(uint64(lists)))
	for rest := lists; rest != 0; rest &= rest - 1 {
		t.weight[bits.TrailingZeros64(uint64(rest))] += share
	}
}

// best returns the language of the alphabetic words, or -1. It is the one with the largest weight, so that
// words which Norwegian and Danish share count little. English wins ties.
func (t *tallied) best() int {
	best := defaultLanguage
	for l, w := range t.weight[:len(languages)] {
		if w > t.weight[best] {
			best = l
		}
	}
	n := t.votes[best]
	doubtful := best != defaultLanguage && n < fewVotes && float64(n) < overEnglish*float64(t.votes[defaultLanguage])
	if t.kinds[best] < minKinds || float64(n) < minCoverage*float64(t.words) || doubtful {
		return -1
	}
	return best
}

// decide returns the result of the detection.
func (t *tallied) decide(docs []tallied) Detection {
	best := t.best()
	beside := languages[defaultLanguage].code
	if best >= 0 {
		beside = languages[best].code
	}
	switch script := t.han + t.kana + t.syllable; {
	case script <= t.words:
		return t.alphabetic(best, docs)
	case t.syllable > t.han+t.kana:
		return found("ko", beside)
	case float64(t.kana) >= kanaShare*float64(t.kana+t.han):
		return found("ja", beside)
	}
	return found("zh", beside)
}

func found(code, beside string) Detection {
	return Detection{Languages: []string{languageAuto, code, beside}, Found: describe(lookupLanguage(code))}
}

// alphabetic is decide for text in the language best, or -1 if that is not known. Lists of several languages
// are used together only if the scripts tell their words apart; otherwise German would remove "war" from
// English documents. English goes with every other script: names and quotations contain no "the".
func (t *tallied) alphabetic(best int, docs []tallied) Detection {
	if best < 0 {
		return Detection{}
	}
	d := Detection{Found: describe(best)}
	scripts := map[string]bool{scriptName(best): true}
	d.Languages = []string{languageAuto, languages[best].code}
	for _, other := range t.others(best, docs) {
		d.Mixed = true
		if scripts[scriptName(other)] {
			d.Languages = []string{languageAuto}
			return d
		}
		scripts[scriptName(other)] = true
		d.Languages = append(d.Languages, languages[other].code)
	}
	if !scripts["latin"] {
		d.Languages = append(d.Languages, languages[defaultLanguage].code)
	}
	d.Languages = append(d.Languages, "zh", "ja", "ko")
	return d
}

// others returns the languages, other than lang, that a considerable part of the documents is clearly in.
func (t *tallied) others(lang int, docs []tallied) []int {
	words := make([]int, len(languages))
	for i := range docs {
		d := &docs[i]
		if best := d.best(); best >= 0 && d.votes[best] >= foreignVotes && float64(d.votes[best]) >= foreignFactor*float64(d.votes[lang]) {
			words[best] += d.words
		}
	}
	var list []int
	for l, n := range words {
		if n > 0 && float64(n) >= mixedShare*float64(t.words) {
			list = append(list, l)
		}
	}
	return list
}

// scriptName returns the name of the script of a language other than Chinese, Japanese and Korean.
func scriptName(lang int) string {
	switch languages[lang].code {
	case "ar", "ckb", "fa":
		return "arabic"
	case "bg", "ru":
		return "cyrillic"
	case "el", "hi", "hy":
		return languages[lang].name
	}
	return "latin"
}

// settle guesses the language of the document whose words are dst[start:]; p.lists holds the stop lists of each
// word. It removes the stop words and returns the language to stem in, or -1. The language is the one with most
// stop words in the document. The first in the table wins a tie. Without any stop word there is no language.
func (p *Pipeline) settle(dst [][]byte, start int) ([][]byte, int) {
	var votes [64]int32
	for _, lists := range p.lists {
		(lists & p.guess).vote(&votes)
	}
	best, most := -1, int32(0)
	for l, n := range votes[:len(languages)] {
		if n > most {
			best, most = l, n
		}
	}
	drop, stem := p.drop, p.stem
	if p.main != 0 && !p.clearly(best, most, dst[start:]) {
		drop |= p.main
		best = -1
	}
	if best >= 0 {
		if p.guessed {
			drop |= 1 << best
		}
		if languages[best].stem != nil {
			stem = best
		}
	}
	kept := dst[:start]
	for i, word := range dst[start:] {
		if p.lists[i]&drop == 0 {
			kept = append(kept, word)
		}
	}
	return kept, stem
}

// vote adds one vote for every language of the set.
func (s languageSet) vote(votes *[64]int32) {
	for rest := s; rest != 0; rest &= rest - 1 {
		votes[bits.TrailingZeros64(uint64(rest))]++
	}
}

// acceptQuickly is accept for a document in a main language. It counts stop words, to notice if the
// document may be in another language.
func (p *Pipeline) acceptQuickly(dst [][]byte, word []byte, lists languageSet) [][]byte {
	switch {
	case lists == 0:
		return append(dst, word)
	case lists&p.main != 0:
		p.mains++
		return dst
	case lists&^userWords != 0:
		p.others++
	}
	if lists&p.drop != 0 {
		return dst
	}
	return append(dst, word)
}

// doubtful reports whether clearly could hold for some language, by the number of stop words counted.
func (p *Pipeline) doubtful() bool {
	return float64(p.others) >= (foreignFactor-1)*float64(p.mains) && p.mains+p.others >= foreignVotes
}

// clearly reports whether a document with the given number of stop words of a language is clearly in that
// language rather than in one of the main languages.
func (p *Pipeline) clearly(lang int, votes int32, words [][]byte) bool {
	if lang < 0 || votes < foreignVotes || float64(votes) < minCoverage*float64(len(words)) {
		return false
	}
	main := int32(0)
	for _, lists := range p.lists {
		if lists&p.main != 0 {
			main++
		}
	}
	if float64(votes) < foreignFactor*float64(main) {
		return false
	}
	kinds := make(map[string]bool)
	for i, word := range words {
		if p.lists[i]&(1<<lang) != 0 {
			kinds[string(word)] = true
		}
	}
	return len(kinds) >= minKinds
}
