package export

import (
	"strconv"
	"unicode"
	"unicode/utf8"

	"github.com/topoi-lda/topoi/internal/human"
)

// line builds lines of text without allocating.
type line []byte

func (l *line) str(s string) { *l = append(*l, s...) }

func (l *line) byte(c byte) { *l = append(*l, c) }

// int and uint write a number, and what stands after it.
func (l *line) int(i int, after ...byte) { *l = append(strconv.AppendInt(*l, int64(i), 10), after...) }

func (l *line) uint(i uint32, after ...byte) {
	*l = append(strconv.AppendUint(*l, uint64(i), 10), after...)
}

// float writes the shortest number that is read back as x, and what stands after it.
func (l *line) float(x float64, after ...byte) {
	*l = append(strconv.AppendFloat(*l, x, 'g', -1, 64), after...)
}

// field writes a word or an id into a format that separates fields by white space, and what stands after
// it. White space and characters that could control a terminal become underscores, and so does an empty field.
func (l *line) field(s []byte, after ...byte) {
	if len(s) == 0 {
		l.byte('_')
	}
	for len(s) > 0 {
		r, n := utf8.DecodeRune(s)
		if unicode.IsSpace(r) || steers(s[0], r) {
			l.byte('_')
		} else {
			*l = append(*l, s[:n]...)
		}
		s = s[n:]
	}
	*l = append(*l, after...)
}

// steers reports whether a character, the first byte of which is c, could control a terminal. Other bytes
// that are not UTF-8 stay, because users may search for the word.
func steers(c byte, r rune) bool {
	if r == utf8.RuneError {
		return c < 0xA0
	}
	return !human.Safe(r, utf8.RuneLen(r))
}
