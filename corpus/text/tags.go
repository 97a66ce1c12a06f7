package text

import (
	"bytes"
	"strings"
)

// maxTag is the largest length of a tag with its attributes, so that a bracket that is never closed costs little.
const maxTag = 1 << 16

// tagFinder finds tags in a text. A field is set when a search reached the end of the text without a match, so
// that the next one would too.
type tagFinder struct{ noComment, noScript bool }

// find returns the length of the tag, comment or declaration at the beginning of s, which begins with <, or
// 0 if there is none. inline reports whether the text on both sides of it may be one word (<b>T</b>itle).
// Scripts and style sheets end with their closing tag.
func (m *tagFinder) find(s []byte) (n int, inline bool) {
	if len(s) < 3 {
		return 0, false
	}
	switch s[1] {
	case '!':
		return m.declaration(s), false
	case '?':
		return closing(s, 2), false
	case '/':
		name := tagName(s[2:])
		return tagEnd(s, 2, name), inlineTags[name]
	}
	name := tagName(s[1:])
	n = tagEnd(s, 1, name)
	if n > 0 && (name == "script" || name == "style") {
		n += m.raw(s[n:], name)
	}
	return n, inlineTags[name]
}

// declaration is find for text that begins with <!.
func (m *tagFinder) declaration(s []byte) int {
	const cdata = "<![CDATA[" // its content is text
	switch {
	case bytes.HasPrefix(s, []byte(cdata)):
		return len(cdata)
	case !bytes.HasPrefix(s, []byte("<!--")):
		return closing(s, 2)
	case m.noComment:
		return 0
	}
	const end = "-->"
	i := bytes.Index(s, []byte(end))
	if i < 0 {
		m.noComment = true
		return 0
	}
	return i + len(end)
}

// raw returns the length of the content of a script or style sheet whose tag has been read. The content
// ends at the closing tag; it is empty if that is missing.
func (m *tagFinder) raw(s []byte, name string) int {
	if m.noScript {
		return 0
	}
	for at := 0; ; at += 2 {
		i := bytes.Index(s[at:], []byte("</"))
		if i < 0 {
			m.noScript = true
			return 0
		}
		at += i
		if tagName(s[at+2:]) == name {
			return at
		}
	}
}

// closing returns the length of a declaration: a letter at s[from], then anything up to > except for another <.
func closing(s []byte, from int) int {
	if asciiClass[s[from]]&letter == 0 {
		return 0
	}
	i := bytes.IndexAny(s[from:min(len(s), maxTag)], "<>")
	if i < 0 || s[from+i] == '<' {
		return 0
	}
	return from + i + 1
}

// tagName returns the name at the beginning of s in lower case: a letter, then letters, digits and other
// characters that XML allows.
func tagName(s []byte) string {
	n := 0
	for n < len(s) && n < 64 && (isAlphanumeric(s[n]) || n > 0 &&
		(s[n] == ':' || s[n] == '-' || s[n] == '_' || s[n] == '.')) {
		n++
	}
	if n == 0 || asciiClass[s[0]]&letter == 0 {
		return ""
	}
	return strings.ToLower(string(s[:n]))
}

// tagEnd returns the length of a tag whose name is at s[at:], or 0. The name must be followed by the end of
// the tag or by attributes. If HTML has no tag of that name, at least one attribute must have a value;
// otherwise prose such as "if a <b and c> d" would be lost.
func tagEnd(s []byte, at int, name string) int {
	if name == "" {
		return 0
	}
	s = s[:min(len(s), maxTag)]
	i := at + len(name)
	if i >= len(s) || s[i] != '>' && s[i] != '/' && s[i] > ' ' {
		return 0
	}
	value := htmlTags[name]
	bare := true // only white space and slashes so far
	for ; i < len(s); i++ {
		switch c := s[i]; {
		case c == '>':
			if bare || value {
				return i + 1
			}
			return 0
		case c == '<':
			return 0
		case c == '=':
			value, bare = true, false
			i += quoted(s[i+1:])
		case c > ' ' && c != '/':
			bare = false
		}
	}
	return 0
}

// quoted returns the length of the quoted value, after white space, at the beginning of s, or 0.
func quoted(s []byte) int {
	n := 0
	for n < len(s) && s[n] <= ' ' && s[n] != 0 {
		n++
	}
	if n == len(s) || s[n] != '"' && s[n] != '\'' {
		return 0
	}
	end := bytes.IndexByte(s[n+1:], s[n])
	if end < 0 {
		return 0
	}
	return n + 1 + end + 1
}

// inlineTags are the tags that occur inside words, such as the bold first letter of a chapter. Links and
// spans more often separate words that a style sheet moves apart.
var inlineTags = names("b i u s em strong small big sub sup wbr")

// htmlTags are the current and former tags of HTML.
var htmlTags = func() map[string]bool {
	tags := names(`a abbr acronym address applet area article aside audio base basefont bdi bdo blockquote body br button canvas caption
		center cite code col colgroup data datalist dd del details dfn dialog dir div dl dt embed fieldset figcaption figure font footer
		form frame frameset h1 h2 h3 h4 h5 h6 head header hgroup hr html iframe img input ins kbd label legend li link main map mark
		menu meta meter nav noframes noscript object ol optgroup option output p param picture pre progress q rb rp rt ruby samp
		script search section select slot source span strike style summary svg table tbody td template textarea tfoot th thead time
		title tr track tt ul var video`)
	for name := range inlineTags {
		tags[name] = true
	}
	return tags
}()

func names(list string) map[string]bool {
	set := make(map[string]bool)
	for name := range strings.FieldsSeq(list) {
		set[name] = true
	}
	return set
}
