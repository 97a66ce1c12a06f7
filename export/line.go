package export

import (
	"strconv"
	"unicode"
	"unicode/utf8"

	"github.com/topoi-lda/topoi/internal/human"
)

// line builds one line of text after the other without allocating.
type line []byte

func (l *line) str(s string)  { *l = append(*l, s...) }
func (l *line) byte(c byte)   { *l = append(*l, c) }
func (l *line) int(i int)     { *l = strconv.AppendInt(*l, int64(i), 10) }
func (l *line) uint(i uint32) { *l = strconv.AppendUint(*l, uint64(i), 10) }

// float writes the shortest number that reads back as x.
func (l *line) float(x float64) { *l = strconv.AppendFloat(*l, x, 'g', -1, 64) }

// field writes a word or an id into a format that separates fields by white
// space: white space and what could steer a terminal become underscores, and
// nothing becomes one too.
func (l *line) field(s []byte) {
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
}

// steers says whether a character, the first of whose bytes is c, could steer a
// terminal. Other bytes that are not UTF-8 stay, for the word they belong to may
// be looked for.
func steers(c byte, r rune) bool {
	if r == utf8.RuneError {
		return c < 0xA0
	}
	return !human.Safe(r, utf8.RuneLen(r))
}
