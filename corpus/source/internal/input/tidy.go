package input

import (
	"bytes"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// Tidy returns the one spelling of an id or a label: without blanks around it, with one blank for each run of blanks
// and line ends inside, in Unicode's composed form.
func Tidy(b []byte) []byte {
	if isTidy(b) {
		return b
	}
	var to []byte
	for _, word := range bytes.FieldsFunc(b, unicode.IsSpace) {
		if len(to) > 0 {
			to = append(to, ' ')
		}
		to = append(to, word...)
	}
	return norm.NFC.Bytes(to)
}

// isTidy reports whether Tidy changes nothing, which holds for most.
func isTidy(b []byte) bool {
	blank := true
	for _, c := range b {
		if c >= utf8.RuneSelf {
			return norm.NFC.IsNormal(b) && !bytes.ContainsFunc(b,
				func(r rune) bool { return r != ' ' && unicode.IsSpace(r) }) &&
				bytes.Equal(bytes.TrimSpace(b), b) && !bytes.Contains(b, []byte("  "))
		}
		if c < ' ' || c == ' ' && blank {
			return false
		}
		blank = c == ' '
	}
	return len(b) == 0 || !blank
}
