package source

import (
	"bytes"
	"fmt"
)

// jsonParser walks one JSON value (RFC 8259) in memory. It finds the few
// fields that are wanted and steps over the rest, without allocating.
type jsonParser struct {
	b     []byte
	i     int
	depth int

	wants []jsonWant
	all   []int            // the indices of wants
	byKey map[string][]int // those whose paths begin with a key, where there are many
	top   []string         // keys of the outermost object, when keepTop is set
	kinds []byte           // first bytes of their values
	topAt map[string]int   // their places

	keepTop bool
	key     []byte // space for a key with escapes
}

// jsonWant is a field that is looked for.
type jsonWant struct {
	path  []string // keys from the outermost object inwards; nil is never found
	value []byte   // its value as written; nil when the field does not exist
}

const (
	maxJSONDepth = 10_000 // the limit of encoding/json
	fewWants     = 16     // so many are compared with every key
)

// jsonError is a syntax error at a byte of the line.
type jsonError struct {
	at       int
	expected string
}

func (e *jsonError) Error() string { return fmt.Sprintf("byte %d: expected %s", e.at+1, e.expected) }

func (p *jsonParser) expected(what string) error { return &jsonError{p.i, what} }

// object parses b, which must hold one object and nothing else, and fills the
// values of wants. A key that occurs twice counts the last time.
func (p *jsonParser) object(b []byte) error {
	p.b, p.i, p.depth, p.top, p.kinds = b, 0, 0, nil, nil
	if p.keepTop {
		p.topAt = map[string]int{}
	}
	for i := range p.wants {
		p.wants[i].value = nil
	}
	p.space()
	if p.peek() != '{' {
		return p.expected("an object, which begins with {")
	}
	for i := len(p.all); i < len(p.wants); i++ {
		p.all = append(p.all, i)
		if path := p.wants[i].path; len(path) > 0 {
			if p.byKey == nil {
				p.byKey = map[string][]int{}
			}
			p.byKey[path[0]] = append(p.byKey[path[0]], i)
		}
	}
	if err := p.walk(p.all, 0); err != nil {
		return err
	}
	p.space()
	if p.i < len(p.b) {
		return p.expected("the end of the line")
	}
	return nil
}

// walk parses the object at p.i, which lies level deep on the paths of the wants with these indices.
func (p *jsonParser) walk(wants []int, level int) error {
	all := wants
	return p.members(func(key []byte) error {
		wants := all
		if level == 0 && len(p.wants) > fewWants {
			wants = p.byKey[string(key)]
		}
		if level == 0 && p.keepTop {
			at, ok := p.topAt[string(key)]
			if !ok {
				at = len(p.top)
				p.topAt[string(key)] = at
				p.top, p.kinds = append(p.top, string(key)), append(p.kinds, 0)
			}
			p.kinds[at] = p.peek()
		}
		var inner []int
		last := -1
		for _, w := range wants {
			if path := p.wants[w].path; len(path) > level && path[level] == string(key) {
				if len(path) == level+1 {
					last = w
				} else {
					inner = append(inner, w)
				}
			}
		}
		begin := p.i
		var err error
		if len(inner) > 0 && p.peek() == '{' {
			err = p.walk(inner, level+1)
		} else {
			err = p.skip()
		}
		if last >= 0 {
			p.wants[last].value = p.b[begin:p.i]
		}
		return err
	})
}

// members parses the object at p.i and calls f at every value; f steps over it.
func (p *jsonParser) members(f func(key []byte) error) error {
	return p.list('}', "a key in quotation marks", func() error {
		raw, escapes, err := p.str()
		if err != nil {
			return err
		}
		key := raw
		if escapes {
			p.key = unescape(p.key[:0], raw)
			key = p.key
		}
		p.space()
		if p.peek() != ':' {
			return p.expected("a colon")
		}
		p.i++
		p.space()
		return f(key)
	})
}

// list parses an object or array at p.i: items separated by commas up to the byte end.
func (p *jsonParser) list(end byte, what string, item func() error) error {
	if p.depth++; p.depth > maxJSONDepth {
		return p.expected(fmt.Sprintf("less than %d nested values", maxJSONDepth))
	}
	p.i++
	p.space()
	if p.peek() == end {
		p.i++
		p.depth--
		return nil
	}
	for {
		if end == '}' && p.peek() != '"' {
			return p.expected(what)
		}
		if err := item(); err != nil {
			return err
		}
		p.space()
		switch p.peek() {
		case ',':
			p.i++
			p.space()
		case end:
			p.i++
			p.depth--
			return nil
		default:
			return p.expected(fmt.Sprintf("a comma or %c", end))
		}
	}
}

// skip steps over the value at p.i.
func (p *jsonParser) skip() error {
	switch c := p.peek(); {
	case c == '"':
		_, _, err := p.str()
		return err
	case c == '{':
		return p.members(func([]byte) error { return p.skip() })
	case c == '[':
		return p.list(']', "", p.skip)
	case c == '-' || c >= '0' && c <= '9':
		return p.number()
	}
	for _, word := range []string{"true", "false", "null"} {
		if bytes.HasPrefix(p.b[p.i:], []byte(word)) {
			p.i += len(word)
			return nil
		}
	}
	return p.expected("a value")
}

// str parses the string at p.i and returns what stands between its quotation marks, and whether that holds escapes.
func (p *jsonParser) str() (raw []byte, escapes bool, err error) {
	begin := p.i + 1
	quote := p.i // the mark found last, which is looked for again only if an escape goes over it
	for i := begin; ; {
		if quote < i {
			n := bytes.IndexByte(p.b[i:], '"')
			if n < 0 {
				return nil, false, p.expected("a string that ends on the same line")
			}
			quote = i + n
		}
		slash := bytes.IndexByte(p.b[i:quote], '\\')
		if slash < 0 {
			raw = p.b[begin:quote]
			p.i = quote + 1
			return raw, escapes, p.control(raw, begin)
		}
		escapes = true
		i += slash + 1
		if p.b[i] == 'u' {
			if _, ok := hex4(p.b[i+1:]); !ok {
				p.i = i + 1
				return nil, false, p.expected("four hexadecimal digits")
			}
		} else if bytes.IndexByte([]byte(`"\/bfnrt`), p.b[i]) < 0 {
			p.i = i
			return nil, false, p.expected(`one of " \ / b f n r t u after a backslash`)
		}
		i++
	}
}

// control refuses the control characters that a string must escape.
func (p *jsonParser) control(raw []byte, begin int) error {
	for i, c := range raw {
		if c < ' ' {
			p.i = begin + i
			return p.expected("an escape instead of a control character")
		}
	}
	return nil
}

// number parses the number at p.i.
func (p *jsonParser) number() error {
	if p.peek() == '-' {
		p.i++
	}
	if p.peek() == '0' {
		p.i++
	} else if !p.digits() {
		return p.expected("a digit")
	}
	if p.peek() == '.' {
		p.i++
		if !p.digits() {
			return p.expected("a digit")
		}
	}
	if p.peek() == 'e' || p.peek() == 'E' {
		p.i++
		if p.peek() == '+' || p.peek() == '-' {
			p.i++
		}
		if !p.digits() {
			return p.expected("a digit")
		}
	}
	return nil
}

func (p *jsonParser) digits() bool {
	begin := p.i
	for c := p.peek(); c >= '0' && c <= '9'; c = p.peek() {
		p.i++
	}
	return p.i > begin
}

// peek returns the byte at p.i, or 0 at the end.
func (p *jsonParser) peek() byte {
	if p.i < len(p.b) {
		return p.b[p.i]
	}
	return 0
}

func (p *jsonParser) space() {
	for p.i < len(p.b) && (p.b[p.i] == ' ' || p.b[p.i] == '\t' || p.b[p.i] == '\r' || p.b[p.i] == '\n') {
		p.i++
	}
}
