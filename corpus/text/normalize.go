package text

import (
	"bytes"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/cases"
	"golang.org/x/text/unicode/norm"
)

// maxRounds is the largest number of rounds of normalize. Two suffice for every text that people write; a
// third confirms it.
const maxRounds = 8

// normalize returns b in NFKC, case-folded, with the changes of clean. The result is in the pipeline's buffers.
//
// Folding can undo NFKC and vice versa, so the steps are repeated until they change nothing: normalising
// twice gives the same as normalising once.
func (p *Pipeline) normalize(b []byte) []byte {
	if p.normalizeSimple(b) {
		return p.text
	}
	return p.normalizeFully(b)
}

func (p *Pipeline) normalizeFully(b []byte) []byte {
	p.text = p.clean(p.text[:0], b)
	for range maxRounds {
		if !norm.NFKC.IsNormal(p.text) {
			p.spare = norm.NFKC.Append(p.spare[:0], p.text...)
			p.text, p.spare = p.spare, p.text
		}
		if p.today { // folding turns ß into ss
			p.text = bytes.ReplaceAll(p.text, []byte("ß"), []byte(sharpS))
		}
		p.spare = fold(p.spare, p.text)
		p.text, p.spare = p.spare, p.text
		if p.options.StripAccents {
			p.spare = norm.NFD.Append(p.spare[:0], p.text...)
			p.spare = stripAccents(p.spare)
			p.text = norm.NFKC.Append(p.text[:0], p.spare...)
		}
		if p.today {
			p.text = bytes.ReplaceAll(p.text, []byte(sharpS), []byte("ß"))
		}
		p.spare = p.clean(p.spare[:0], p.text)
		p.text, p.spare = p.spare, p.text
		if norm.NFKC.IsNormal(p.text) && bytes.Equal(p.text, p.spare) {
			break
		}
	}
	return p.text
}

// sharpS stands for ß while case is folded. It is a private-use character.
const sharpS = "\uE0DF"

// fold writes the case-folded src over dst. No code point grows to more than
// three times its length.
func fold(dst, src []byte) []byte {
	if need := 3*len(src) + utf8.UTFMax; cap(dst) < need {
		dst = make([]byte, need)
	}
	dst = dst[:cap(dst)]
	n, _, err := cases.Fold().Transform(dst, src, true)
	if err != nil {
		panic("text: case folding needed more room than it can: " + err.Error())
	}
	return dst[:n]
}

// clean appends src to dst with one spelling for what has several:
//   - bytes that are not UTF-8 become U+FFFD, which separates words;
//   - apostrophes become ';
//   - invisible characters (soft hyphen, joiners of no meaning, direction
//     marks, variation selectors) and marks that most writers leave out
//     (Arabic vowels and tatweel, Hebrew points) vanish;
//   - İ becomes i rather than i with a combining dot, and I becomes ı in
//     Turkish text;
//   - Arabic yeh and kaf become the Persian letters in Persian and Sorani text;
//   - Cherokee letters become capitals, as Unicode folds them: package cases
//     turns capitals into small letters and small letters into capitals.
func (p *Pipeline) clean(dst, src []byte) []byte {
	for i := 0; i < len(src); {
		if c := src[i]; c < utf8.RuneSelf {
			i++
			if c == 'I' && p.turkish {
				dst = append(dst, "ı"...)
			} else {
				dst = append(dst, c)
			}
			continue
		}
		r, n := utf8.DecodeRune(src[i:])
		i += n
		switch {
		case vanishes(r):
		case r == '\u2018' || r == '\u2019' || r == '\u201B' || r == '\u02BC':
			dst = append(dst, '\'')
		case r == 'ẞ' && p.today:
			dst = append(dst, "ß"...)
		case r == 'İ':
			dst = append(dst, 'i')
		case r == 'ي' && p.persian:
			dst = append(dst, "ی"...)
		case r == 'ك' && p.persian:
			dst = append(dst, "ک"...)
		case r >= 0xAB70 && r <= 0xABBF:
			dst = utf8.AppendRune(dst, r-0xAB70+0x13A0)
		case r >= 0x13F8 && r <= 0x13FD:
			dst = utf8.AppendRune(dst, r-8)
		default:
			dst = utf8.AppendRune(dst, r)
		}
	}
	return dst
}

// vanishes reports whether clean removes r.
func vanishes(r rune) bool {
	switch {
	case r < 0x0591:
		return r == 0x00AD || r == 0x034F
	case r <= 0x05C7: // Hebrew points and accents; maqaf, paseq, sof pasuq and nun hafukha are punctuation
		return r != 0x05BE && r != 0x05C0 && r != 0x05C3 && r != 0x05C6
	case r <= 0x0670: // Arabic tatweel and vowels
		return r == 0x0640 || 0x064B <= r && r <= 0x0652 || r == 0x0670
	case r < 0x200E:
		return r == 0x061C
	case r <= 0x206F: // direction marks, word joiner; not ZWNJ and ZWJ, which spell words
		return r <= 0x200F || 0x202A <= r && r <= 0x202E || r >= 0x2060
	default:
		return 0xFE00 <= r && r <= 0xFE0F || r == 0xFEFF || 0xE0100 <= r && r <= 0xE01EF
	}
}

// stripAccents removes, in place, the marks that follow Latin and Greek
// letters in decomposed text. Marks of other scripts are letters of their own
// (Devanagari vowels) or make another letter (Cyrillic й).
func stripAccents(b []byte) []byte {
	out, accented := b[:0], false
	for i := 0; i < len(b); {
		r, n := utf8.DecodeRune(b[i:])
		if !unicode.Is(unicode.Mn, r) {
			accented = unicode.In(r, unicode.Latin, unicode.Greek)
		} else if accented {
			i += n
			continue
		}
		out = append(out, b[i:i+n]...)
		i += n
	}
	return out
}

// unicode appends the tokens of any chunk of text. It defines what the ASCII fast path must return.
func (p *Pipeline) unicode(dst [][]byte, chunk []byte) [][]byte {
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

// words cuts normalised text at colons and at the word boundaries of UAX #29. The standard keeps letters
// around a colon together, which Swedish needs (EU:s); in other languages a colon between letters is
// usually a missing space.
func (p *Pipeline) words(dst [][]byte, text []byte) [][]byte {
	for part := range bytes.SplitSeq(text, []byte(":")) {
		p.boundary.SetText(part)
		for p.boundary.Next() {
			dst = p.plain(dst, p.boundary.Value())
		}
	}
	return dst
}

// plain stores a word of an alphabetic script and passes it on.
func (p *Pipeline) plain(dst [][]byte, word []byte) [][]byte {
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
