package text

import "unicode/utf8"

// How the Han characters of a document are cut.
type hanMode int

const (
	hanUnknown hanMode = iota // to be found out by the document's kana
	hanPairs
	hanWords // by the dictionary
)

// kanaPerHan is the number of Han characters for one of Hiragana in a document up
// to which it is Japanese. In Japanese prose there is less than one.
const kanaPerHan = 10

// hanFor says how Han is cut under the options: Japanese is not cut by a Chinese
// dictionary, and where both may occur each document tells what it is.
func (r *rules) hanFor(set languageSet) hanMode {
	zh, ja := set&setOf("zh") != 0, set&setOf("ja") != 0
	switch {
	case r.options.CJK == CJKBigrams || ja && !zh:
		return hanPairs
	case zh && !ja:
		return hanWords
	}
	return hanUnknown
}

// hanOf returns how the Han characters of a document are cut, whose text is s.
func hanOf(s []byte) hanMode {
	kana, chars := 0, 0
	for i := 0; i < len(s); {
		if s[i] < utf8.RuneSelf {
			i++
			continue
		}
		r, n := utf8.DecodeRune(s[i:])
		switch {
		case r >= 0x3041 && r < 0x3097:
			kana++
		case r >= firstHan && r <= lastHan:
			chars++
		}
		i += n
	}
	if kana > 0 && kanaPerHan*kana >= chars {
		return hanPairs
	}
	return hanWords
}

// byDictionary says whether the Han characters of this document are cut by the
// dictionary. Most documents have none, so it is found out late.
func (p *Pipeline) byDictionary() bool {
	if p.hanHere == hanUnknown {
		p.hanHere = hanOf(p.document)
	}
	return p.hanHere == hanWords
}

// chinese appends the words of a run of Han characters, which lies in the arena.
//
// Names are seldom in a dictionary and fall apart into single characters. Two or
// three of these in a row, without a stop word among them, are taken for a name;
// more give all pairs, and one is a word. Words are as long as Options.MinLength
// asks for.
func (p *Pipeline) chinese(dst [][]byte, run []byte) [][]byte {
	p.bounds = p.cutter.cut(p.bounds[:0], run)
	at := p.cutter.offsets
	begin, single := 0, 0 // begin of this word, and of the single characters before it
	for _, end := range p.bounds {
		word := run[at[begin]:at[end]:at[end]]
		if end-begin == 1 && p.stop[string(word)]&p.drop == 0 {
			begin = end
			continue
		}
		dst = p.singles(dst, run, single, begin)
		dst = p.hanWord(dst, word, end-begin)
		begin, single = end, end
	}
	return p.singles(dst, run, single, begin)
}

// singles appends what single characters from begin to end make.
func (p *Pipeline) singles(dst [][]byte, run []byte, begin, end int) [][]byte {
	at := p.cutter.offsets
	switch n := end - begin; {
	case n == 0:
		return dst
	case n <= 3:
		return p.hanWord(dst, run[at[begin]:at[end]:at[end]], n)
	}
	return p.pairs(dst, run[at[begin]:at[end]:at[end]])
}

// hanWord appends a word of n characters unless it is too short or long.
func (p *Pipeline) hanWord(dst [][]byte, word []byte, n int) [][]byte {
	if n < p.min || n > p.max {
		return dst
	}
	return p.accept(dst, word)
}
