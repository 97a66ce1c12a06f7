package mallet

import (
	"bytes"
	"fmt"
	"regexp"
	"unicode/utf8"

	"github.com/topoi-lda/topoi/corpus/source"
)

// lineSource cuts the lines of a file into name, label and text.
type lineSource struct {
	*source.Reader
	file    string
	pattern *regexp.Regexp // nil: MALLET's default
	groups  [3]int         // of name, label and text; 0: there is none
	line    int
}

// Next implements source.Source.
func (s *lineSource) Next(doc *source.Document) error {
	if err := s.Reader.Next(doc); err != nil {
		return err
	}
	s.line++
	group, err := s.match(doc.Text)
	if err != nil {
		return err
	}
	doc.ID, doc.Label, doc.Text = group(s.groups[0]), group(s.groups[1]), group(s.groups[2])
	return nil
}

// match returns the groups of a line by number; group 0 is empty.
func (s *lineSource) match(line []byte) (group func(g int) []byte, err error) {
	if s.pattern == nil {
		name, label, data := cutLine(line)
		return func(g int) []byte { return [...][]byte{nil, name, label, data}[g] }, nil
	}
	at := s.pattern.FindSubmatchIndex(line)
	if at == nil {
		return nil, fmt.Errorf("%s:%d: the line does not match --line-regex; mend the line or the expression", s.file, s.line)
	}
	return func(g int) []byte {
		if g == 0 || at[2*g] < 0 {
			return nil
		}
		return line[at[2*g]:at[2*g+1]]
	}, nil
}

// cutLine cuts a line as MALLET's default expression does: what stands before the
// first blank, before the next one, and the rest, with blanks and commas between them.
func cutLine(line []byte) (name, label, data []byte) {
	name, line = cutWord(line)
	label, line = cutWord(line)
	return name, label, line
}

func cutWord(line []byte) (word, rest []byte) {
	end := bytes.IndexFunc(line, isBlank)
	if end < 0 {
		end = len(line)
	}
	return line[:end], bytes.TrimLeftFunc(line[end:], func(r rune) bool { return isBlank(r) || r == ',' })
}

// isBlank is what \s matches: ASCII's white space.
func isBlank(r rune) bool {
	return r < utf8.RuneSelf && (r == ' ' || r >= '\t' && r <= '\r')
}
