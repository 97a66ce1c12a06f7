package serve

import (
	"bytes"
	"encoding/json"
)

// A body is checked once, as a whole, and then cut into the values that it has. Package json
// would check every value again, once for each level that it is nested in.

// eachMember calls f with the name and the value of every member of an object. data is valid
// JSON; it returns whether that is an object.
func eachMember(data []byte, f func(name, value []byte)) bool {
	at := skipSpace(data, 0)
	if data[at] != '{' {
		return false
	}
	for at = skipSpace(data, at+1); data[at] == '"'; at = skipSpace(data, at) {
		end := skipValue(data, at)
		name := unquoted(data[at:end])
		at = skipSpace(data, skipSpace(data, end)+1) // behind the colon
		end = skipValue(data, at)
		f(name, data[at:end])
		if at = skipSpace(data, end); data[at] == ',' {
			at++
		}
	}
	return true
}

// splitArray returns the elements of an array. data is valid JSON; ok says whether it is one.
func splitArray(data []byte) (elements [][]byte, ok bool) {
	at := skipSpace(data, 0)
	if data[at] != '[' {
		return nil, false
	}
	for at = skipSpace(data, at+1); data[at] != ']'; at = skipSpace(data, at) {
		end := skipValue(data, at)
		elements = append(elements, data[at:end])
		if at = skipSpace(data, end); data[at] == ',' {
			at++
		}
	}
	return elements, true
}

func skipSpace(data []byte, at int) int {
	for at < len(data) && (data[at] == ' ' || data[at] == '\n' || data[at] == '\t' || data[at] == '\r') {
		at++
	}
	return at
}

// skipValue returns the end of the value that begins at a place of valid JSON.
func skipValue(data []byte, at int) int {
	switch data[at] {
	case '"':
		return skipString(data, at)
	case '{', '[':
		depth := 0
		for {
			switch data[at] {
			case '"':
				at = skipString(data, at)
				continue
			case '{', '[':
				depth++
			case '}', ']':
				if depth--; depth == 0 {
					return at + 1
				}
			}
			at++
		}
	}
	if n := bytes.IndexAny(data[at:], ",]} \t\r\n"); n >= 0 {
		return at + n
	}
	return len(data)
}

// skipString returns the end of the string that begins at a place of valid JSON.
func skipString(data []byte, at int) int {
	for at++; ; at += 2 { // over the backslash and what follows it
		end := bytes.IndexByte(data[at:], '"')
		escape := bytes.IndexByte(data[at:at+end], '\\')
		if escape < 0 {
			return at + end + 1
		}
		at += escape
	}
}

// unquoted returns the characters of a valid string of JSON: where they stand as they are, in
// the memory of raw.
func unquoted(raw []byte) []byte {
	inner := raw[1 : len(raw)-1]
	if bytes.IndexByte(inner, '\\') < 0 {
		return inner
	}
	text := make([]byte, 0, len(inner))
	for i := 0; i < len(inner); i++ {
		c := inner[i]
		if c == '\\' {
			i++
			if c = escapes[inner[i]]; c == 0 { // \u
				var s string
				_ = json.Unmarshal(raw, &s) // it is valid
				return []byte(s)
			}
		}
		text = append(text, c)
	}
	return text
}

// escapes are the characters that a letter after a backslash stands for, u aside.
var escapes = [256]byte{'"': '"', '\\': '\\', '/': '/', 'b': '\b', 'f': '\f', 'n': '\n', 'r': '\r', 't': '\t'}
