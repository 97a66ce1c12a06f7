package text

import (
	"bytes"
	"html"
	"unicode"
	"unicode/utf8"
)

// stripRounds is the largest number of rounds of strip. Escaped tags (&lt;p&gt;) take two. The limit
// protects against hostile text that is escaped many times.
const stripRounds = 3

// stripper removes markup from text. It reuses its buffers.
type stripper struct {
	text  []byte // text of this round
	done  int    // text[:done] has been processed
	out   []byte // the result for text[:done]
	spare []byte
	next  [len(marks)]int // where each mark occurs next in text, at or after done
	again bool            // a decoded character may be part of markup

	today bool // also remove links without a scheme and names after @

	tags tagFinder
}

// marks are texts that markup must contain: tags, entities, e-mail addresses, two beginnings of URLs, and
// the slash after the host of links without such a beginning.
var marks = [...]string{"<", "&", "@", "://", "www.", "/"}

// strip returns s without HTML and XML tags, comments, scripts, style sheets, URLs and e-mail addresses, and
// with entities decoded. If there are none it returns s itself, after a few searches at the speed of memory.
func (m *stripper) strip(s []byte) []byte {
	for range stripRounds {
		out := m.round(s)
		if !m.again {
			return out
		}
		s = out
	}
	return s
}

// round processes the text once. The result is valid until the round after the next.
func (m *stripper) round(s []byte) []byte {
	m.text, m.done, m.again, m.tags = s, 0, false, tagFinder{}
	m.out, m.spare = m.spare[:0], m.out
	for k := range marks {
		m.find(k, 0)
	}
	for touched := false; ; {
		k, at := m.nearest()
		if at == len(s) {
			if !touched {
				return s
			}
			m.out = append(m.out, s[m.done:]...)
			return m.out
		}
		if m.remove(k, at) {
			touched = true
		} else {
			m.find(k, at+1)
		}
		for k, i := range m.next {
			if i < m.done {
				m.find(k, m.done)
			}
		}
	}
}

// find sets where mark k occurs next, at or after from.
func (m *stripper) find(k, from int) {
	m.next[k] = len(m.text)
	if i := bytes.Index(m.text[from:], []byte(marks[k])); i >= 0 {
		m.next[k] = from + i
	}
}

// nearest returns the mark that comes first and its position.
func (m *stripper) nearest() (k, at int) {
	at = len(m.text)
	for i, place := range m.next {
		if place < at {
			k, at = i, place
		}
	}
	return k, at
}

// remove removes the markup at a mark and reports whether there was any.
func (m *stripper) remove(k, at int) bool {
	switch marks[k] {
	case "<":
		n, inline := m.tags.find(m.text[at:])
		by := " "
		if inline {
			by = ""
		}
		return n > 0 && m.replace(at, at+n, by)
	case "&":
		n, char := entity(m.text[at:])
		m.again = m.again || char == "<" || char == "&"
		return n > 0 && m.replace(at, at+n, char)
	case "@":
		begin, end := m.address(at)
		if end == 0 && m.today {
			begin, end = m.mention(at)
		}
		return end > at && m.replace(begin, end, " ")
	case "/":
		begin := m.host(at)
		return begin < at && m.replace(begin, at+urlLength(m.text[at:]), " ")
	case "://":
		begin := at
		for begin > m.done && isAlphanumeric(m.text[begin-1]) {
			begin--
		}
		return begin < at && m.replace(begin, at+urlLength(m.text[at:]), " ")
	default: // www.
		if at > m.done && isAlphanumeric(m.text[at-1]) {
			return false
		}
		return m.replace(at, at+urlLength(m.text[at:]), " ")
	}
}

// mention returns the bounds of the name after the @ at the given position, as in posts that address
// people. The end is 0 if there is none.
func (m *stripper) mention(at int) (begin, end int) {
	if at > m.done && isAlphanumeric(m.text[at-1]) {
		return 0, 0
	}
	end = at + 1
	for end < len(m.text) && (isAlphanumeric(m.text[end]) || m.text[end] == '_') {
		end++
	}
	if end < at+3 {
		return 0, 0
	}
	return at, end
}

// host returns where the host begins that ends at the slash at the given position, as in bit.ly/x, or at if
// there is none. Its last part has two to six small letters.
func (m *stripper) host(at int) int {
	begin, dot := at, -1
	for begin > m.done && (isAlphanumeric(m.text[begin-1]) || m.text[begin-1] == '.' || m.text[begin-1] == '-') {
		if begin--; m.text[begin] == '.' && dot < 0 {
			dot = begin
		}
	}
	path := at+1 < len(m.text) && isAlphanumeric(m.text[at+1])
	if !m.today || !path || dot <= begin || at-dot < 3 || at-dot > 7 || m.text[begin] == '.' {
		return at
	}
	for _, c := range m.text[dot+1 : at] {
		if c < 'a' || c > 'z' {
			return at
		}
	}
	return begin
}

// replace appends to the output the text before begin, then by in place of text[begin:end].
func (m *stripper) replace(begin, end int, by string) bool {
	m.out = append(append(m.out, m.text[m.done:begin]...), by...)
	m.done = end
	return true
}

// address returns the bounds of the e-mail address around the @ at the given position, including a mailto:
// before it. The end is 0 if there is none. The host must contain a dot: other uses of @ are not addresses.
func (m *stripper) address(at int) (begin, end int) {
	begin = at
	for begin > m.done && (isAlphanumeric(m.text[begin-1]) ||
		bytes.IndexByte([]byte("._%+-=~"), m.text[begin-1]) >= 0) {
		begin--
	}
	host := at + 1
	end = host
	dots := 0
	for end < len(m.text) {
		c := m.text[end]
		inner := end > host && end+1 < len(m.text) && isAlphanumeric(m.text[end+1])
		if c == '.' && inner {
			dots++
		} else if !isAlphanumeric(c) && !(c == '-' && inner) {
			break
		}
		end++
	}
	if begin == at || dots == 0 {
		return 0, 0
	}
	const scheme = "mailto:"
	if start := begin - len(scheme); start >= m.done && string(m.text[start:begin]) == scheme {
		begin = start
	}
	return begin, end
}

// urlLength returns where the rest of a URL ends: at white space, at a quotation mark or bracket that
// cannot be part of a URL, or where a script without spaces begins, as in Chinese text.
func urlLength(s []byte) int {
	for i := 0; i < len(s); {
		c := s[i]
		if c < utf8.RuneSelf {
			if c <= ' ' || c == '<' || c == '>' || c == '"' || c == '`' || c == 0x7F {
				return i
			}
			i++
			continue
		}
		r, n := utf8.DecodeRune(s[i:])
		if r == utf8.RuneError || scriptOf(r) != alphabetic || !unicode.In(r, unicode.L, unicode.M, unicode.N) {
			return i
		}
		i += n
	}
	return len(s)
}

// maxEntity is the largest length of an entity; HTML's longest has 33 bytes.
const maxEntity = 40

// entity returns the length of the entity at the beginning of s and the character it stands for, or 0. An
// ampersand that was escaped more than once counts as one (&amp;amp;lt;).
func entity(s []byte) (int, string) {
	begin := 0
	for {
		end := begin + 1
		for end < len(s) && end < begin+maxEntity && (isAlphanumeric(s[end]) || s[end] == '#' && end == begin+1) {
			end++
		}
		if end >= len(s) || s[end] != ';' || end == begin+1 {
			break
		}
		name := string(s[begin+1 : end])
		if name == "amp" {
			begin = end // the semicolon takes the place of the ampersand
			continue
		}
		if char := decode(name); char != "" {
			return end + 1, char
		}
		break
	}
	if begin > 0 {
		return begin + 1, "&"
	}
	return 0, ""
}

// decode returns the character of an entity, or "" if there is no such entity.
func decode(name string) string {
	switch name {
	case "lt":
		return "<"
	case "gt":
		return ">"
	case "quot":
		return `"`
	case "nbsp":
		return " "
	}
	written := "&" + name + ";"
	if char := html.UnescapeString(written); char != written {
		return char
	}
	return ""
}
