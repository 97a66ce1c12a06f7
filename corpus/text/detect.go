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

	// Found is the language of most of the sample. Mixed reports that other languages have a considerable part of it.
	Found Language
	Mixed bool

	// Unspaced names the script of the sample if that writes no spaces and nothing here can divide it into words: Thai,
	// Lao, Khmer or Burmese. Languages is none then, since no list of stop words fits.
	Unspaced string
}

// Limits of Detect, beside those of a document's language.
const (
	fewVotes    = 20  // with fewer, another language than English needs overEnglish
	overEnglish = 1.5 // stop words of the language for one of English, the default
	mixedShare  = 0.1 // share of words in documents of another language
	kanaShare   = 0.1 // smallest share of Hiragana in the characters of a Japanese text
)

// Detect finds the language of a sample of documents by its stop words; for Chinese, Japanese and Korean by
// the script. It knows the languages of [Languages].
func Detect(sample iter.Seq[[]byte]) Detection {
	p, err := New(Options{Languages: []string{languageAuto}, MinLength: 1, CJK: cjkBigrams})
	if err != nil {
		panic("text: " + err.Error())
	}
	var docs []tallied
	var total tallied
	var scripts scriptCount
	last := make(map[string]int) // number, from 1, of the last document with each stop word
	for doc := range sample {
		var t tallied
		scripts.add(doc)
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
	if name := scripts.most(); name != "" {
		return Detection{Languages: []string{languageNone}, Unspaced: name}
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
		if best := d.best(); best >= 0 && d.votes[best] >= foreignVotes &&
			float64(d.votes[best]) >= foreignFactor*float64(d.votes[lang]) {
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
