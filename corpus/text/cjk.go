package text

import (
	"strings"
	"unicode/utf8"
)

// counters are the units and measure words that follow a number: 2024年, 5万元.
const counters = "年月日时時分秒点點号號周週天岁歲元円块塊角千百万萬亿億倍度折平米级級版届屆期集" +
	"个個人名位次只隻台臺套款项項家条條张張件种種大" + "년월일시분초원명개번만억"

// particles are the Chinese characters that hardly ever belong to a content word, so that a word ends
// before one and begins after it: 中国的经济.
const particles = "的了吗嗎呢吧啊们們这這很也是"

// cjk appends the tokens of a run of Han, Hiragana or Hangul. Chinese is cut into words by the dictionary, other
// runs into overlapping pairs of characters. If the text is already divided into words, the whole run is one token.
//
// A pair of the end of one word and the beginning of the next means nothing. Two kinds of word boundary can be
// found without a dictionary: after a counter, if the run follows a number (年增 in 2024年增长), and around
// particles, if Chinese stop words are dropped anyway. Counters and particles become tokens of their own there.
func (p *segmenter) cjk(dst [][]byte, run []byte, kind script, numbered bool) [][]byte {
	run = p.store(run)
	if p.cjkWords {
		return p.accept(dst, run)
	}
	if kind == han && p.byDictionary() {
		return p.chinese(dst, run)
	}
	begin := 0 // begin of the stretch that is cut into pairs
	for i := 0; i < len(run); {
		end := i + nextCharacter(run[i:])
		r, n := utf8.DecodeRune(run[i:])
		numbered = numbered && strings.ContainsRune(counters, r)
		if n == end-i && (numbered || p.particles && strings.ContainsRune(particles, r)) {
			dst = p.pairs(dst, run[begin:i])
			dst = p.accept(dst, run[i:end:end])
			begin = end
		}
		i = end
	}
	return p.pairs(dst, run[begin:])
}

// pairs appends the overlapping pairs of characters of run, or its only character.
func (p *segmenter) pairs(dst [][]byte, run []byte) [][]byte {
	if len(run) == 0 {
		return dst
	}
	middle := nextCharacter(run)
	if middle == len(run) {
		return p.accept(dst, run[:middle:middle])
	}
	for begin := 0; middle < len(run); {
		end := middle + nextCharacter(run[middle:])
		dst = p.accept(dst, run[begin:end:end])
		begin, middle = middle, end
	}
	return dst
}

// byDictionary reports whether the Han characters of this document are cut by the dictionary. Most
// documents have none, so it is decided when the first one occurs.
func (p *segmenter) byDictionary() bool {
	if p.hanHere == hanUnknown {
		p.hanHere = hanOf(p.document)
	}
	return p.hanHere == hanWords
}

// chinese appends the words of a run of Han characters, which is in the arena.
//
// Names are seldom in a dictionary and fall apart into single characters. Two or three single characters in
// a row, without a stop word among them, are taken for a name. More of them give all pairs, and a single
// one is a word. Words are as long as Options.MinLength requires.
func (p *segmenter) chinese(dst [][]byte, run []byte) [][]byte {
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

// singles appends the tokens made from single characters between begin and end.
func (p *segmenter) singles(dst [][]byte, run []byte, begin, end int) [][]byte {
	at := p.cutter.offsets
	switch n := end - begin; {
	case n == 0:
		return dst
	case n <= 3:
		return p.hanWord(dst, run[at[begin]:at[end]:at[end]], n)
	}
	return p.pairs(dst, run[at[begin]:at[end]:at[end]])
}

// hanWord appends a word of n characters unless it is too short or too long.
func (p *segmenter) hanWord(dst [][]byte, word []byte, n int) [][]byte {
	if n < p.min || n > p.max {
		return dst
	}
	return p.accept(dst, word)
}
