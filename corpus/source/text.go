package source

import (
	"bytes"
	"unicode/utf8"
)

// checkText refuses text with NUL bytes or invalid UTF-8, or repairs it when
// the options say so. The text begins on the current line of in, behind before bytes.
func checkText(text []byte, in *scanner, before int, o *Options) ([]byte, error) {
	nul := bytes.IndexByte(text, 0)
	if nul < 0 && utf8.Valid(text) {
		return text, nil
	}
	if o.RepairUTF8 {
		text = bytes.ToValidUTF8(text, []byte("\uFFFD"))
		return bytes.ReplaceAll(text, []byte{0}, []byte("\uFFFD")), nil
	}
	bad := nul
	if i := invalidAt(text); nul < 0 || i < nul {
		bad = i
	}
	column := bad - bytes.LastIndexByte(text[:bad], '\n') // from 1
	if column == bad+1 {
		column += before
	}
	in.line += bytes.Count(text[:bad], []byte("\n"))
	if bad == nul {
		e := in.errorf("byte %d of the line is NUL, which text never holds", column)
		return nil, e.hint("check that the file is text, name its encoding with Options.Encoding, or replace such bytes with Options.RepairUTF8")
	}
	e := in.errorf("byte %d of the line (0x%02x) is not valid UTF-8", column, text[bad])
	return nil, e.hint("mend it, name the encoding of the text with Options.Encoding, or replace such bytes with Options.RepairUTF8")
}

// invalidAt returns the index of the first byte that is not UTF-8.
func invalidAt(text []byte) int {
	i := 0
	for i < len(text) {
		r, n := utf8.DecodeRune(text[i:])
		if r == utf8.RuneError && n == 1 {
			break
		}
		i += n
	}
	return i
}
