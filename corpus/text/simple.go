package text

import (
	"unicode/utf8"
)

// normalizeSimple does what normalize does, into p.text, for text in which every character can be
// normalised by itself. It reports whether b was such text; most text in most languages is.
func (p *Pipeline) normalizeSimple(b []byte) bool {
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
		switch s := simple(r); {
		case r == 'ß' && p.today:
			out = append(out, b[i:i+n]...)
		case s < 0:
			p.text = out
			return false
		case s == r:
			out = append(out, b[i:i+n]...)
		default:
			out = utf8.AppendRune(out, s)
		}
		i += n
	}
	p.text = out
	return true
}

// simple returns the normalised form of r if that is one code point which never combines with another one
// that simple accepts, else -1. It knows the blocks of common text.
func simple(r rune) rune {
	switch {
	case r < 0x0180:
		return simpleLatin(r)
	case r < 0x0460:
		return simpleGreekCyrillic(r)
	case r < 0x2010:
		if r >= 0x0621 && r <= 0x064A && r != 0x0640 { // Arabic letters without tatweel
			return r
		}
	case r < 0x3000:
		switch r {
		case '‘', '’':
			return '\''
		case '‐', '–', '—', '“', '”', '„', '†', '•', '−', '→', '≤', '≥', '≈', '∼', '×':
			return r
		}
	case r <= 0x3002: // ideographic space, comma and full stop
		if r == 0x3000 {
			return ' '
		}
		return r
	case r >= 0x3008 && r <= 0x3011, // brackets
		r >= 0x3041 && r <= 0x3096, // Hiragana
		r >= 0x30A1 && r <= 0x30FC, // Katakana, middle dot, long vowel
		r >= 0x4E00 && r <= 0x9FFF, // Han
		r >= 0xAC00 && r <= 0xD7A3: // Hangul syllables
		return r
	case r >= 0xFF01 && r <= 0xFF5E: // full-width ASCII
		return rune(asciiLower[r-0xFF01+'!'])
	}
	return -1
}

// simpleLatin is simple for Latin-1 and Latin Extended-A.
func simpleLatin(r rune) rune {
	switch {
	case r < 0x80:
		return rune(asciiLower[r])
	case r >= 0xC0 && r <= 0xDE && r != '×':
		return r + 0x20
	case r >= 0xE0 && r <= 0xFF || r == '×' || r == '°' || r == '±' || r == '«' || r == '»' || r == '·' || r == '§':
		return r
	case r == 0xA0:
		return ' '
	case r == 'µ':
		return 'μ'
	case r >= 0x100 && r <= 0x12F || r >= 0x14A && r <= 0x177: // capital, small, capital, …
		return r | 1
	case r >= 0x139 && r <= 0x148 && r != 0x13F && r != 0x140 || r >= 0x179 && r <= 0x17E: // odd capitals
		return r + r&1
	}
	return -1
}

// simpleGreekCyrillic is simple for those two scripts.
func simpleGreekCyrillic(r rune) rune {
	switch {
	case r >= 0x391 && r <= 0x3A9 && r != 0x3A2:
		return r + 0x20
	case r >= 0x3AC && r <= 0x3CE && r != 0x3B0:
		if r == 'ς' {
			return 'σ'
		}
		return r
	case r >= 0x400 && r <= 0x40F:
		return r + 0x50
	case r >= 0x410 && r <= 0x42F:
		return r + 0x20
	case r >= 0x430 && r <= 0x45F:
		return r
	}
	return -1
}

// Classes of ASCII bytes for word boundaries, after the Word_Break property of UAX #29, except that a colon
// separates words (see words). They also describe the shape of a word: the kinds of characters it contains.
const (
	letter     = 1 << iota // ALetter; in a shape, any letter
	digit                  // Numeric; in a shape, any decimal digit
	underscore             // ExtendNumLet; in a shape, also zero-width joiners
	apostrophe             // Single_Quote
	midLetter              // joins two letters: . '
	midNumber              // joins two numbers: . ' , ;
)

const wordByte = letter | digit | underscore

// asciiClass holds the classes of each byte, asciiLower its lower case.
var asciiClass, asciiLower = func() (class, lower [256]byte) {
	for c := range 256 {
		lower[c] = byte(c)
		switch {
		case 'a' <= c && c <= 'z':
			class[c] = letter
		case 'A' <= c && c <= 'Z':
			class[c] = letter
			lower[c] = byte(c) + 'a' - 'A'
		case '0' <= c && c <= '9':
			class[c] = digit
		}
	}
	class['_'] = underscore
	class['.'] = midLetter | midNumber
	class['\''] = midLetter | midNumber | apostrophe
	class[','] = midNumber
	class[';'] = midNumber
	return
}()

// ascii appends the tokens of a chunk of ASCII bytes without white space. It does what unicode does, many
// times faster: letters, digits and underscores stay together (WB5, WB8–10, WB13), and one punctuation mark
// between two letters or two digits does not separate them (WB6–7, WB11–12). It is long because most text
// goes through this loop.
func (p *Pipeline) ascii(dst [][]byte, chunk []byte) [][]byte {
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
