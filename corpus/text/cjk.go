package text

import (
	"bytes"
	"compress/flate"
	_ "embed"
	"encoding/binary"
	"io"
	"slices"
	"strings"
	"sync"
	"unicode/utf8"
)

// counters are the units and measure words that follow a number: 2024年, 5万元.
const counters = "年月日时時分秒点點号號周週天岁歲元円块塊角千百万萬亿億倍度折平米级級版届屆期集" +
	"个個人名位次只隻台臺套款项項家条條张張件种種大" + "년월일시분초원명개번만억"

// particles are the Chinese characters that hardly ever belong to a content word, so that a word ends
// before one and begins after it: 中国的经济.
const particles = "的了吗嗎呢吧啊们們这這很也是"

// cjk appends the tokens of a run of Han, Hiragana or Hangul. Chinese is cut into words by the dictionary, Korean
// keeps what is between spaces without its particles, and other runs become overlapping pairs of characters. If the text is already divided into words, the whole run is one token.
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
	if kind == hangul && p.eojeols {
		return p.korean(dst, run, numbered)
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
		if end-begin == 1 && p.stopAll()[string(word)]&p.drop == 0 {
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

//go:generate go -C _generate test ./chinese -update -count 1

// chineseDict is the Chinese dictionary; _generate/chinese describes the file.
//
//go:embed chinese.dict
var chineseDict []byte

// dictionary holds words in the order of their characters, so that words with the same beginning are neighbours.
type dictionary struct {
	chars []uint16 // characters of all words, counted from firstHan
	ends  []uint32 // end of each word in chars
	cost  []uint8  // cost of each word: 8 log2(1/p), where p is its share of all words in text
	first [lastHan - firstHan + 2]uint32
}

// unknownCost is the cost of a character that is not a word.
const unknownCost = 255

// chinese returns the dictionary. It is unpacked on first use, which takes some milliseconds.
var chinese = sync.OnceValue(func() *dictionary {
	b, err := io.ReadAll(flate.NewReader(bytes.NewReader(chineseDict)))
	if err != nil {
		panic("text: the Chinese dictionary is damaged: " + err.Error())
	}
	n := int(binary.BigEndian.Uint32(b))
	b = b[4:]
	d := &dictionary{ends: make([]uint32, 0, n)}
	begin := 0
	for range n {
		shared, more := int(b[0]>>4), int(b[0]&15)
		b = b[1:]
		last := begin
		begin = len(d.chars)
		d.chars = append(d.chars, d.chars[last:last+shared]...)
		for range more {
			d.chars = append(d.chars, binary.BigEndian.Uint16(b))
			b = b[2:]
		}
		d.ends = append(d.ends, uint32(len(d.chars)))
		d.first[d.chars[begin]+1] = uint32(len(d.ends))
	}
	d.cost = b
	for c := 1; c < len(d.first); c++ { // characters with which no word begins
		d.first[c] = max(d.first[c], d.first[c-1])
	}
	return d
})

// word returns the characters of word i.
func (d *dictionary) word(i uint32) []uint16 {
	begin := uint32(0)
	if i > 0 {
		begin = d.ends[i-1]
	}
	return d.chars[begin:d.ends[i]]
}

// matches calls f with the length and cost of every word that text begins with, shorter ones first.
func (d *dictionary) matches(text []uint16, f func(length int, cost uint8)) {
	lo, hi := d.first[text[0]], d.first[text[0]+1]
	for n := 1; lo < hi; n++ {
		if len(d.word(lo)) == n { // the shorter word comes first among those with this beginning
			f(n, d.cost[lo])
			lo++
		}
		if n == len(text) {
			return
		}
		lo, hi = d.narrow(lo, hi, n, text[n])
	}
}

// narrow returns the range of words within lo, …, hi-1 whose character n is c. All of them must be longer than n.
func (d *dictionary) narrow(lo, hi uint32, n int, c uint16) (from, to uint32) {
	search := func(from uint32, c uint16) uint32 {
		to := hi
		for from < to {
			if middle := (from + to) / 2; d.word(middle)[n] < c {
				from = middle + 1
			} else {
				to = middle
			}
		}
		return from
	}
	from = search(lo, c)
	return from, search(from, c+1)
}

// cutter finds the most likely words of a run of Chinese. It reuses its buffers.
type cutter struct {
	chars   []uint16 // counted from firstHan; noChar for characters outside the dictionary
	offsets []int    // offset of each character in the run, and the end of the run
	cost    []int    // cost of the best way to cut chars[:i]
	length  []int    // length of the last word in that way
}

const noChar = lastHan - firstHan + 1

// cut appends to bounds the ends of the words of run, counted in characters. It chooses the words for which
// the product of their shares in text is largest.
func (c *cutter) cut(bounds []int, run []byte) []int {
	c.split(run)
	d, n := chinese(), len(c.chars)
	c.cost, c.length = append(c.cost[:0], make([]int, n+1)...), append(c.length[:0], make([]int, n+1)...)
	for i := range n {
		c.reach(i, 1, unknownCost)
		if c.chars[i] != noChar {
			d.matches(c.chars[i:], func(length int, cost uint8) { c.reach(i, length, int(cost)) })
		}
	}
	first := len(bounds)
	for i := n; i > 0; i -= c.length[i] {
		bounds = append(bounds, i)
	}
	slices.Reverse(bounds[first:])
	return bounds
}

// reach records a word that begins at i if it gives a cheaper way to its end.
func (c *cutter) reach(i, length, cost int) {
	end := i + length
	if total := c.cost[i] + cost; c.length[end] == 0 || total < c.cost[end] {
		c.cost[end], c.length[end] = total, length
	}
}

// split fills chars and offsets.
func (c *cutter) split(run []byte) {
	c.chars, c.offsets = c.chars[:0], c.offsets[:0]
	for i := 0; i < len(run); {
		r, size := utf8.DecodeRune(run[i:])
		n := nextCharacter(run[i:])
		char := uint16(noChar)
		if n == size && r >= firstHan && r <= lastHan {
			char = uint16(r - firstHan)
		}
		c.chars, c.offsets = append(c.chars, char), append(c.offsets, i)
		i += n
	}
	c.offsets = append(c.offsets, len(run))
}
