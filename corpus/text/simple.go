package text

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
