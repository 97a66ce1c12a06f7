package serve

import (
	"bytes"
	"encoding/json"
	"slices"
	"strconv"
	"strings"

	"github.com/topoi-lda/topoi/corpus"
)

// document is a document of a request. It has text, tokens or counts.
type document struct {
	id, label, time string
	text            []byte
	tokens          [][]byte
	counts          []wordCount
}

// wordCount is a word and how often it occurs.
type wordCount struct {
	word []byte
	n    int
}

// bytes returns about how much memory the document needs. It also estimates the work.
func (d *document) bytes() int {
	n := len(d.id) + len(d.label) + len(d.time) + len(d.text) + 64
	for _, t := range d.tokens {
		n += len(t) + 24
	}
	for _, c := range d.counts {
		n += len(c.word) + 32 + 4*c.n
	}
	return n
}

// encode returns the document as words of the model.
func (d *document) encode(e *corpus.Encoder) (out corpus.Encoded) {
	switch {
	case d.tokens != nil:
		out.Words, out.Unknown = e.Tokens(d.tokens)
	case d.counts != nil:
		out.Words, out.Unknown = e.Counts(func(yield func([]byte, int) bool) {
			for _, c := range d.counts {
				if !yield(c.word, c.n) {
					return
				}
			}
		})
	default:
		return e.Cut(d.text)
	}
	return out
}

// head returns what the answer contains about the document beside its topics.
func (d *document) head() corpus.Document {
	return corpus.Document{ID: d.id, Label: d.label, Time: d.time}
}

// memberNames are the members of a JSON document that are used, in any case.
var memberNames = [...]string{"id", "label", "time", "text", "tokens", "counts"}

// parseDocument parses one document. raw need not be JSON; it may have at most limits.Tokens words.
func parseDocument(raw []byte, limits Limits) (document, error) {
	raw = bytes.TrimLeft(raw, " \t\r\n")
	if json.Valid(raw) {
		return documentOf(raw, limits)
	}
	err := json.Unmarshal(raw, new(json.RawMessage))
	switch {
	case len(raw) > 0 && raw[0] == '{':
		return document{}, badRequest("a document is not valid JSON: %v", err)
	case len(raw) > 0 && raw[0] == '"':
		return document{}, badRequest("a text is not valid JSON: %v", err)
	}
	return document{}, badRequest("a text is %s: it must be a string", shown(string(raw)))
}

// documentOf parses one document in valid JSON.
func documentOf(raw []byte, limits Limits) (document, error) {
	var d document
	var m [len(memberNames)]json.RawMessage
	twice := ""
	isObject := each(raw, '{', func(name, value []byte) {
		for i, known := range memberNames {
			if strings.EqualFold(known, string(name)) {
				if m[i] != nil {
					twice = string(name)
				}
				m[i] = value
			}
		}
	})
	if twice != "" {
		return d, repeated(twice)
	}
	if !isObject {
		text, err := textOf(raw)
		d.text = text
		return d, err
	}
	for i, to := range []*string{&d.id, &d.label, &d.time} {
		var err error
		if *to, err = scalar(memberNames[i], m[i]); err != nil {
			return d, err
		}
	}
	return d, d.setContent(m[3], m[4], m[5], limits)
}

// setContent sets the content from text, tokens or counts, whichever is given.
func (d *document) setContent(text, tokens, counts json.RawMessage, limits Limits) (err error) {
	given, some := 0, false
	for _, raw := range []*json.RawMessage{&text, &tokens, &counts} {
		some = some || *raw != nil
		if string(*raw) == "null" {
			*raw = nil
		}
		if *raw != nil {
			given++
		}
	}
	switch {
	case given == 0 && some: // an empty document
	case given != 1:
		return badRequest("a document has %d of text, tokens and counts: it must have exactly one", given)
	case text != nil:
		d.text, err = textOf(text)
	case tokens != nil:
		d.tokens, err = tokensOf(tokens, limits)
	default:
		d.counts, err = countsOf(counts, limits)
	}
	return err
}

// textOf parses a text in valid JSON: a string, or null for an empty text.
func textOf(raw []byte) ([]byte, error) {
	if string(raw) == "null" {
		return nil, nil
	}
	if raw[0] != '"' {
		return nil, badRequest("a text is %s: it must be a string", shown(string(raw)))
	}
	text := unquoted(raw)
	if bytes.IndexByte(text, 0) >= 0 {
		return nil, badRequest(`a text holds \u0000, which text never holds: remove it`)
	}
	return text, nil
}

func tokensOf(raw []byte, limits Limits) ([][]byte, error) {
	var list []*string
	if raw[0] != '[' || json.Unmarshal(raw, &list) != nil {
		return nil, badRequest("tokens is %s: it must be an array of strings", shown(string(raw)))
	}
	if len(list) > limits.Tokens {
		return nil, tooLarge("a document has %d words: at most %d are allowed", len(list), limits.Tokens)
	}
	tokens := make([][]byte, len(list))
	for i, t := range list {
		if t == nil || strings.IndexByte(*t, 0) >= 0 {
			return nil, badRequest("token %d is null or holds \\u0000: it must be a word", i)
		}
		tokens[i] = []byte(*t)
	}
	return tokens, nil
}

func countsOf(raw []byte, limits Limits) ([]wordCount, error) {
	var list map[string]json.Number
	if raw[0] != '{' || json.Unmarshal(raw, &list) != nil {
		return nil, badRequest("counts is %s: it must be an object of whole numbers", shown(string(raw)))
	}
	members := 0
	each(raw, '{', func(_, _ []byte) { members++ })
	if members != len(list) {
		return nil, badRequest("counts has a word twice: add its counts up")
	}
	counts, total := make([]wordCount, 0, len(list)), 0
	for word, number := range list {
		n, err := strconv.ParseUint(number.String(), 10, 32)
		if err != nil || word == "" || strings.IndexByte(word, 0) >= 0 {
			return nil, badRequest("the count of %s is %s: a word must not be empty, and a count must be a whole number from 0",
				shown(word), shown(number.String()))
		}
		if total += int(n); total > limits.Tokens {
			return nil, tooLarge("a document has more than %d words, which is the limit", limits.Tokens)
		}
		counts = append(counts, wordCount{[]byte(word), int(n)})
	}
	slices.SortFunc(counts, func(a, b wordCount) int { return bytes.Compare(a.word, b.word) })
	return counts, nil
}

// scalar returns the characters of a string, number or boolean; null is empty.
func scalar(name string, raw json.RawMessage) (string, error) {
	if len(raw) == 0 || string(raw) == "null" {
		return "", nil
	}
	switch raw[0] {
	case '{', '[':
		return "", badRequest("%s is %s: it must be a string or a number", name, shown(string(raw)))
	case '"':
		var s string
		if err := json.Unmarshal(raw, &s); err != nil {
			return "", badRequest("%s is not valid JSON: %v", name, err)
		}
		return s, nil
	}
	return string(raw), nil
}

// A body is checked once as a whole and then cut into its values. Package json would check every value
// again, once for each level of nesting.

// each calls f with every element of an array or, with its name, every member of an object: open is its bracket. It
// reports whether data, which is valid JSON, is that.
func each(data []byte, open byte, f func(name, value []byte)) bool {
	at := skipSpace(data, 0)
	if data[at] != open {
		return false
	}
	for at = skipSpace(data, at+1); data[at] != open+2; at = skipSpace(data, at) { // the closing bracket
		end, name := skipValue(data, at), []byte(nil)
		if open == '{' {
			name = unquoted(data[at:end])
			at = skipSpace(data, skipSpace(data, end)+1) // after the colon
			end = skipValue(data, at)
		}
		f(name, data[at:end])
		if at = skipSpace(data, end); data[at] == ',' {
			at++
		}
	}
	return true
}

func skipSpace(data []byte, at int) int {
	for at < len(data) && (data[at] == ' ' || data[at] == '\n' || data[at] == '\t' || data[at] == '\r') {
		at++
	}
	return at
}

// skipValue returns the end of the value at the given position of valid JSON.
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

// skipString returns the end of the string at the given position of valid JSON.
func skipString(data []byte, at int) int {
	for at++; ; at += 2 { // skip the backslash and the character after it
		end := bytes.IndexByte(data[at:], '"')
		escape := bytes.IndexByte(data[at:at+end], '\\')
		if escape < 0 {
			return at + end + 1
		}
		at += escape
	}
}

// unquoted returns the characters of a valid JSON string. They share the memory of raw if it has no escapes.
func unquoted(raw []byte) []byte {
	inner := raw[1 : len(raw)-1]
	if bytes.IndexByte(inner, '\\') < 0 {
		return inner
	}
	var s string
	_ = json.Unmarshal(raw, &s) // it is valid
	return []byte(s)
}
