package serve

import (
	"bytes"
	"encoding/json"
	"slices"
	"strconv"
	"strings"

	"github.com/topoi-lda/topoi/corpus"
	"github.com/topoi-lda/topoi/export"
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

// bytes is about how much there is to do for the document, and what it takes in memory.
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

// encode returns the document in the model's words.
func (d *document) encode(e *corpus.Encoder) (words []uint32, unknown int) {
	switch {
	case d.tokens != nil:
		return e.Tokens(d.tokens)
	case d.counts != nil:
		return e.Counts(func(yield func([]byte, int) bool) {
			for _, c := range d.counts {
				if !yield(c.word, c.n) {
					return
				}
			}
		})
	}
	return e.Text(d.text)
}

// head is what the answer says of the document beside its topics.
func (d *document) head(number int) export.Head {
	return export.Head{Doc: number, ID: d.id, Label: d.label, Time: d.time}
}

// members are those of a document that are looked at.
type members struct {
	ID     json.RawMessage `json:"id"`
	Label  json.RawMessage `json:"label"`
	Time   json.RawMessage `json:"time"`
	Text   json.RawMessage `json:"text"`
	Tokens json.RawMessage `json:"tokens"`
	Counts json.RawMessage `json:"counts"`
}

// parseDocument reads one JSON value, which may have at most limits.Tokens words.
func parseDocument(raw []byte, limits Limits) (document, error) {
	var d document
	raw = bytes.TrimLeft(raw, " \t\r\n")
	if len(raw) == 0 || raw[0] != '{' {
		text, err := textOf(raw)
		d.text = text
		return d, err
	}
	var m members
	if err := json.Unmarshal(raw, &m); err != nil {
		return d, badRequest("a document is not valid JSON: %v", err)
	}
	for _, field := range []struct {
		to   *string
		name string
		raw  json.RawMessage
	}{{&d.id, "id", m.ID}, {&d.label, "label", m.Label}, {&d.time, "time", m.Time}} {
		var err error
		if *field.to, err = scalar(field.name, field.raw); err != nil {
			return d, err
		}
	}
	return d, d.setContent(m, limits)
}

// setContent takes the one of text, tokens and counts that there is.
func (d *document) setContent(m members, limits Limits) (err error) {
	given, some := 0, false
	for _, raw := range []*json.RawMessage{&m.Text, &m.Tokens, &m.Counts} {
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
		return badRequest("a document has %d of text, tokens and counts: it must have one", given)
	case m.Text != nil:
		d.text, err = textOf(m.Text)
	case m.Tokens != nil:
		d.tokens, err = tokensOf(m.Tokens, limits)
	default:
		d.counts, err = countsOf(m.Counts, limits)
	}
	return err
}

// textOf reads a text: a string, or null, which is empty.
func textOf(raw []byte) ([]byte, error) {
	if string(raw) == "null" {
		return nil, nil
	}
	if len(raw) == 0 || raw[0] != '"' {
		return nil, badRequest("a text is %s: it must be a string", shown(string(raw)))
	}
	var text string
	if err := json.Unmarshal(raw, &text); err != nil {
		return nil, badRequest("a text is not valid JSON: %v", err)
	}
	if strings.IndexByte(text, 0) >= 0 {
		return nil, badRequest(`a text holds \u0000, which text never holds: remove it`)
	}
	return []byte(text), nil
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
	counts, total := make([]wordCount, 0, len(list)), 0
	for word, number := range list {
		n, err := strconv.ParseUint(number.String(), 10, 32)
		if err != nil || word == "" || strings.IndexByte(word, 0) >= 0 {
			return nil, badRequest("the count of %s is %s: words must not be empty, and counts be whole numbers that are not negative", shown(word), shown(number.String()))
		}
		if total += int(n); total > limits.Tokens {
			return nil, tooLarge("a document has more than %d words, which is the most that is allowed", limits.Tokens)
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
