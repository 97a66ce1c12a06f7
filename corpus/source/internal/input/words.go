package input

import (
	"bytes"
	"unicode/utf8"

	"github.com/topoi-lda/topoi/internal/lists"
)

// FirstWord cuts b behind its first word and drops the blanks around it.
func FirstWord(b []byte) (word, rest []byte) {
	b = bytes.TrimLeft(b, " \t")
	i := bytes.IndexAny(b, " \t")
	if i < 0 {
		return b, nil
	}
	return b[:i], bytes.TrimLeft(b[i:], " \t")
}

// AppendFields appends the words of text, cut at blanks, to fields.
func AppendFields(fields [][]byte, text []byte) [][]byte {
	for i := 0; i < len(text); {
		if isBlank[text[i]] {
			i++
			continue
		}
		begin := i
		for i < len(text) && !isBlank[text[i]] {
			i++
		}
		fields = append(fields, text[begin:i:i])
	}
	return fields
}

var isBlank = [256]bool{' ': true, '\t': true, '\n': true, '\v': true, '\f': true, '\r': true}

// Digits parses up to 18 decimal digits.
func Digits(b []byte) (uint64, bool) {
	v := uint64(0)
	for _, c := range b {
		if c-'0' > 9 {
			return 0, false
		}
		v = v*10 + uint64(c-'0')
	}
	return v, len(b) > 0 && len(b) <= 18
}

// CutPair cuts "key:value" at its last colon.
func CutPair(b []byte) (key, value []byte, ok bool) {
	i := bytes.LastIndexByte(b, ':')
	if i < 0 {
		return b, nil, false
	}
	return b[:i], b[i+1:], true
}

// ParseUint reads decimal digits at b[i:] and returns the value and the index behind them, which is i when there is
// no digit or more than 18. b must end with a byte that is not a digit.
func ParseUint(b []byte, i int) (uint64, int) {
	v, j := uint64(0), i
	for {
		d := b[j] - '0'
		if d > 9 {
			break
		}
		v = v*10 + uint64(d)
		j++
	}
	if j-i > 18 {
		return 0, i
	}
	return v, j
}

// NumberField parses a whole number from least to most for a message about
// what it is; it is the slow, explaining sister of parseUint.
func NumberField(in *Scanner, b []byte, what string, least, most uint64) (uint64, error) {
	v, n := ParseUint(append(b[:len(b):len(b)], '\n'), 0)
	switch {
	case len(b) > 1 && b[0] == '-' && bytes.IndexFunc(b[1:], NotDigit) < 0:
		return 0, in.Errorf("%s %s is negative", what, b).WithHint("expected a whole number from %d to %d", least, most)
	case bytes.IndexFunc(b, NotDigit) >= 0 || len(b) == 0:
		return 0, in.Errorf("%s is %s, which is not a whole number", what,
			Quote(b)).WithHint("expected a whole number from %d to %d", least, most)
	case n != len(b) || v < least || v > most:
		return 0, in.Errorf("%s %s is out of range %d to %d", what, b, least,
			most).WithHint("check that the file and its header belong together")
	}
	return v, nil
}

func NotDigit(r rune) bool { return r < '0' || r > '9' }

// CloneFields copies fields that will be overwritten.
func CloneFields(fields [][]byte) [][]byte {
	return lists.Of(fields, func(f []byte) []byte { return append([]byte{}, f...) })
}

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

// Checked passes on a line that s has just read, checked to be text, or the error in its place.
func (s *Scanner) Checked(line []byte, err error) ([]byte, error) {
	if err != nil {
		return nil, err
	}
	return CheckText(line, s, 0)
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
