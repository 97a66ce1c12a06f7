package text

import (
	"bytes"
	"unicode"
	"unicode/utf8"

	"github.com/clipperhouse/uax29/v2/words"
)

// segmenter cuts text into words.
type segmenter struct {
	*rules
	sieve
	normalizer

	document []byte  // the text of this call
	hanHere  hanMode // how Han is cut in it
	cutter   cutter
	bounds   []int // bounds of the words in a run of Chinese
	boundary *words.Iterator[[]byte]
}

func newSegmenter(r *rules) segmenter {
	return segmenter{rules: r, sieve: sieve{rules: r}, normalizer: normalizer{rules: r}, boundary: words.FromBytes(nil)}
}

// unicode appends the tokens of any chunk of text. It defines what the ASCII fast path must return.
func (p *segmenter) unicode(dst [][]byte, chunk []byte) [][]byte {
	text := p.normalize(chunk)
	for before := rune(0); len(text) > 0; {
		script, n := scriptRun(text)
		switch script {
		case alphabetic:
			dst = p.words(dst, text[:n])
		case unspaced:
			dst = p.plain(dst, composeAm(text[:n]))
		case katakana:
			dst = p.plain(dst, text[:n])
		default:
			dst = p.cjk(dst, text[:n], script, unicode.IsDigit(before))
		}
		before, _ = utf8.DecodeLastRune(text[:n])
		text = text[n:]
	}
	return dst
}

// words cuts normalised text at colons and at the word boundaries of UAX #29. The standard keeps letters around a
// colon together, which Swedish needs (EU:s); in other languages a colon between letters is usually a missing space.
func (p *segmenter) words(dst [][]byte, text []byte) [][]byte {
	for part := range bytes.SplitSeq(text, []byte(":")) {
		p.boundary.SetText(part)
		for p.boundary.Next() {
			dst = p.plain(dst, p.boundary.Value())
		}
	}
	return dst
}

// plain stores a word of an alphabetic script and passes it on.
func (p *segmenter) plain(dst [][]byte, word []byte) [][]byte {
	shape, wide := shapeOf(word)
	if shape&wordByte == 0 {
		return dst
	}
	return p.word(dst, p.store(word), shape, wide)
}

// composeAm composes, in place, the Thai and Lao vowels that NFKC decomposes (ำ, ຳ), because people type
// and search for the composed form.
func composeAm(word []byte) []byte {
	for _, am := range []struct{ parts, whole string }{{"\u0E4D\u0E32", "\u0E33"}, {"\u0ECD\u0EB2", "\u0EB3"}} {
		out := word[:0]
		for rest := word; len(rest) > 0; {
			before, after, found := bytes.Cut(rest, []byte(am.parts))
			out = append(out, before...)
			if found {
				out = append(out, am.whole...)
			}
			rest = after
		}
		word = out
	}
	return word
}

// shapeOf returns the union of the character classes in a word, and whether it contains non-ASCII characters.
func shapeOf(word []byte) (shape byte, wide bool) {
	for i := 0; i < len(word); {
		if c := word[i]; c < utf8.RuneSelf {
			shape |= asciiClass[c]
			i++
			continue
		}
		wide = true
		r, n := utf8.DecodeRune(word[i:])
		i += n
		switch {
		case unicode.IsLetter(r):
			shape |= letter
		case unicode.IsDigit(r):
			shape |= digit
		case connects(r):
			shape |= underscore
		}
	}
	return shape, wide
}

// ascii appends the tokens of a chunk of ASCII bytes without white space. It does what unicode does, many times
// faster: letters, digits and underscores stay together (WB5, WB8–10, WB13), and one punctuation mark between two
// letters or two digits does not separate them (WB6–7, WB11–12). It is long because most text goes through this loop.
func (p *segmenter) ascii(dst [][]byte, chunk []byte) [][]byte {
	for i := 0; i < len(chunk); {
		if asciiClass[chunk[i]]&wordByte == 0 {
			i++
			continue
		}
		begin, shape := len(p.arena), byte(0)
		for i < len(chunk) {
			c := chunk[i]
			class := asciiClass[c]
			if class&wordByte == 0 {
				if i+1 == len(chunk) {
					break
				}
				before, after := asciiClass[chunk[i-1]], asciiClass[chunk[i+1]]
				letters := class&midLetter != 0 && before&after&letter != 0
				digits := class&midNumber != 0 && before&after&digit != 0
				if !letters && !digits {
					break
				}
			}
			shape |= class
			p.arena = append(p.arena, asciiLower[c])
			i++
		}
		dst = p.word(dst, p.arena[begin:len(p.arena):len(p.arena)], shape, false)
	}
	return dst
}

// chunks cuts s at ASCII white space and control characters. They are always word boundaries, and
// normalisation never reaches across them. ASCII chunks take the fast path.
func (p *segmenter) chunks(dst [][]byte, s []byte) [][]byte {
	for i := 0; i < len(s); {
		if s[i] <= ' ' {
			i++
			continue
		}
		begin, or := i, byte(0)
		for ; i < len(s) && s[i] > ' '; i++ {
			or |= s[i]
		}
		chunk := s[begin:i]
		switch {
		case or >= 0x80:
			dst = p.unicode(dst, chunk)
		case len(chunk) >= minEncoded && !p.options.KeepMarkup && encoded(chunk):
		case p.turkish:
			dst = p.unicode(dst, chunk)
		default:
			dst = p.ascii(dst, chunk)
		}
	}
	return dst
}

// pieces appends the words of s.
func (p *segmenter) pieces(dst [][]byte, s []byte) [][]byte {
	if p.regexp != nil {
		return p.matches(dst, s)
	}
	return p.chunks(dst, s)
}

// minEncoded is the smallest length of a run of ASCII without white space that may be an encoded file instead of words.
const minEncoded = 16

// encoded reports whether a chunk of ASCII is part of an encoded file, as in mail and news: uuencode, which
// has no small letters and more signs than letters, or base64 and hexadecimal numbers, whose long runs of
// letters contain digits.
func encoded(chunk []byte) bool {
	letters, digits, small, run, longest := 0, 0, 0, 0, 0
	for _, c := range chunk {
		class := asciiClass[c]
		if class&letter != 0 {
			letters++
			if c >= 'a' {
				small++
			}
		}
		if class&digit != 0 {
			digits++
		}
		if class&(letter|digit) == 0 {
			run = 0
			continue
		}
		run++
		longest = max(longest, run)
	}
	uuencoded := small == 0 && letters > 0 && 10*letters < 7*len(chunk)
	return uuencoded || longest >= 2*minEncoded && digits >= 3
}

// matches appends what the user's expression matches in the normalised text.
func (p *segmenter) matches(dst [][]byte, s []byte) [][]byte {
	text := p.prepare(s)
	switch p.options.TokenRegexp {
	case notBlank:
		return p.fields(dst, text)
	case malletWord:
		return p.malletWords(dst, text)
	}
	for _, at := range p.regexp.FindAllIndex(text, -1) {
		dst = p.match(dst, text[at[0]:at[1]])
	}
	return dst
}

// Two expressions have loops of their own, which are several times as fast: that of text which is already
// cut into words, and MALLET's.
const (
	notBlank   = `\S+`
	malletWord = `\p{L}[\p{L}\p{P}]+\p{L}`
)

// fields appends the text between white space, which in RE2 is that of ASCII.
func (p *segmenter) fields(dst [][]byte, text []byte) [][]byte {
	for i := 0; i < len(text); {
		begin := i
		for i < len(text) && !blank(text[i]) {
			i++
		}
		dst = p.match(dst, text[begin:i])
		for i < len(text) && blank(text[i]) {
			i++
		}
	}
	return dst
}

func blank(c byte) bool { return c == ' ' || c == '\t' || c == '\n' || c == '\f' || c == '\r' }

// malletWords appends what malletWord matches: in every run of letters and punctuation the part from the
// first to the last letter, if that has three characters or more.
func (p *segmenter) malletWords(dst [][]byte, text []byte) [][]byte {
	begin, end, n, inside := -1, 0, 0, 0 // of the word; number of its characters, and of those up to end
	for i := 0; i < len(text); {
		r, size := rune(text[i]), 1
		if r >= utf8.RuneSelf {
			r, size = utf8.DecodeRune(text[i:])
		}
		switch {
		case unicode.IsLetter(r):
			if begin < 0 {
				begin, n = i, 0
			}
			n++
			end, inside = i+size, n
		case unicode.IsPunct(r):
			n++
		default:
			if begin >= 0 && inside >= 3 {
				dst = p.match(dst, text[begin:end])
			}
			begin = -1
		}
		i += size
	}
	if begin >= 0 && inside >= 3 {
		dst = p.match(dst, text[begin:end])
	}
	return dst
}

// match appends a word if its length is within the limits.
func (p *segmenter) match(dst [][]byte, word []byte) [][]byte {
	n := utf8.RuneCount(word)
	if n == 0 || n < p.min || n > p.max {
		return dst
	}
	word = p.store(word)
	if !p.options.plain() {
		finalSigma(word)
	}
	return p.accept(dst, word)
}
