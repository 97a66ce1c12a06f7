package input

import (
	"bytes"
	"unicode/utf8"
)

// CheckText refuses text with NUL bytes or invalid UTF-8, or repairs it when
// in says so. The text begins on the current line of in, behind before bytes.
func CheckText(text []byte, in *Scanner, before int) ([]byte, error) {
	nul := bytes.IndexByte(text, 0)
	if nul < 0 && utf8.Valid(text) {
		return text, nil
	}
	if in.Repair {
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
	in.Line += bytes.Count(text[:bad], []byte("\n"))
	if bad == nul {
		e := in.Errorf("byte %d of the line is NUL, which text never contains", column)
		return nil, e.WithHint("check that the file is text, name its encoding with Options.Encoding, or replace such bytes with Options.RepairUTF8")
	}
	e := in.Errorf("byte %d of the line (0x%02x) is not valid UTF-8", column, text[bad])
	return nil, e.WithHint("correct it, name the encoding of the text with Options.Encoding, or replace such bytes with Options.RepairUTF8")
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
