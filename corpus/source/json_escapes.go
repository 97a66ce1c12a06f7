package source

import (
	"bytes"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// unescape appends the characters that the inside of a JSON string stands for,
// as str has returned it. Half a surrogate pair becomes U+FFFD.
func unescape(to, raw []byte) []byte {
	for {
		i := bytes.IndexByte(raw, '\\')
		if i < 0 {
			return append(to, raw...)
		}
		to = append(to, raw[:i]...)
		c := raw[i+1]
		raw = raw[i+2:]
		if c == 'u' {
			var r rune
			r, raw = unicodeEscape(raw)
			to = utf8.AppendRune(to, r)
			continue
		}
		if control := strings.IndexByte("bfnrt", c); control >= 0 {
			c = "\b\f\n\r\t"[control]
		}
		to = append(to, c)
	}
}

// unicodeEscape reads the digits of \u, and a second \u if the first is the beginning of a surrogate pair.
func unicodeEscape(raw []byte) (rune, []byte) {
	r, _ := hex4(raw)
	raw = raw[4:]
	if !utf16.IsSurrogate(r) {
		return r, raw
	}
	if bytes.HasPrefix(raw, []byte(`\u`)) {
		low, _ := hex4(raw[2:])
		if pair := utf16.DecodeRune(r, low); pair != utf8.RuneError {
			return pair, raw[6:]
		}
	}
	return utf8.RuneError, raw
}

func hex4(b []byte) (rune, bool) {
	if len(b) < 4 {
		return 0, false
	}
	v := rune(0)
	for _, c := range b[:4] {
		switch {
		case c >= '0' && c <= '9':
			c -= '0'
		case c|0x20 >= 'a' && c|0x20 <= 'f':
			c = c | 0x20 - 'a' + 10
		default:
			return 0, false
		}
		v = v<<4 | rune(c)
	}
	return v, true
}
