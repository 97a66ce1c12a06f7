package text

import (
	"bytes"
	"sync/atomic"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/cases"
	"golang.org/x/text/unicode/norm"
)

// maxRounds is the largest number of rounds of normalize. Two suffice for every text that people write; a
// third confirms it.
const maxRounds = 8

// normalizer gives text one spelling.
type normalizer struct {
	*rules
	text  []byte // text under normalisation
	spare []byte // the other half of its double buffer
}

// normalize returns b in NFKC, case-folded, with the changes of clean. The result is in the normalizer's buffers.
//
// Folding can undo NFKC and vice versa, so the steps are repeated until they change nothing: normalising
// twice gives the same as normalising once.
func (p *normalizer) normalize(b []byte) []byte {
	if p.normalizeSimple(b) {
		return p.text
	}
	return p.normalizeFully(b)
}

// normalizeSimple does what normalize does, into p.text, for text in which every character can be
// normalised by itself. It reports whether b was such text; most text in most languages is.
func (p *normalizer) normalizeSimple(b []byte) bool {
	if p.turkish || p.persian || p.options.StripAccents {
		return false
	}
	out := p.text[:0]
	for i := 0; i < len(b); {
		if c := b[i]; c < utf8.RuneSelf {
			out = append(out, asciiLower[c])
			i++
			continue
		}
		r, n := utf8.DecodeRune(b[i:])
		s := p.simple(r)
		if s < 0 {
			p.text = out
			return false
		}
		out = utf8.AppendRune(out, s)
		i += n
	}
	p.text = out
	return true
}

func (p *normalizer) normalizeFully(b []byte) []byte {
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

// fold writes the case-folded src over dst. No code point grows to more than three times its length.
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
func (p *normalizer) clean(dst, src []byte) []byte {
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

// stripAccents removes, in place, the marks that follow Latin and Greek letters in decomposed text. Marks of other
// scripts are letters of their own (Devanagari vowels) or make another letter (Cyrillic й).
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

// prepare returns the text to which the expression is applied.
func (p *normalizer) prepare(s []byte) []byte {
	switch p.options.Case {
	case caseKeep:
		if utf8.Valid(s) {
			return s
		}
		p.text = append(p.text[:0], string([]rune(string(s)))...) // other bytes become U+FFFD
		return p.text
	case caseLower:
		p.text = lower(p.text[:0], s)
		return p.text
	}
	return p.normalize(s)
}

// lower appends s to dst in small letters. Bytes that are not UTF-8 become U+FFFD.
func lower(dst, s []byte) []byte {
	for _, r := range string(s) {
		dst = utf8.AppendRune(dst, unicode.ToLower(r))
	}
	return dst
}

// simples holds what simple has found, by edition: 0 for code points that it was not asked for.
var simples [2][1 << 16]atomic.Int32

// simple returns the normalised form of r if that is one code point, and neither combines with what is before it;
// else -1.
func (p *normalizer) simple(r rune) rune {
	known := &simples[0]
	if p.today {
		known = &simples[1]
	}
	if int(r) >= len(known) {
		return -1
	}
	if s := known[r].Load(); s != 0 {
		return s
	}
	begins := func(r rune) bool { return norm.NFKC.PropertiesString(string(r)).BoundaryBefore() }
	alone := normalizer{rules: p.rules}
	s, n := utf8.DecodeRune(alone.normalizeFully([]byte(string(r))))
	if n == 0 || n < len(alone.text) || int(s) >= len(known) || !begins(r) || !begins(s) {
		s = -1
	}
	known[r].Store(s)
	return s
}
