package export

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"strconv"

	"github.com/topoi-lda/topoi"
)

// jsonModel is the head of the JSON document.
type jsonModel struct {
	Model  string               `json:"model_id"` // the fingerprint
	K      int                  `json:"topics"`
	V      int                  `json:"words"`
	D      int                  `json:"docs"`
	N      int                  `json:"tokens"`
	Beta   float64              `json:"beta"`
	Topics []topoi.TopicSummary `json:"topic_list"`
}

// jsonTopics writes all topics with their top words, one after the other.
func jsonTopics(j *job, w io.Writer) error {
	m := j.model
	manifest := m.Manifest()
	head, err := indented(jsonModel{
		Model: m.Fingerprint(), K: manifest.Topics, V: manifest.Words, D: manifest.Docs, N: manifest.Tokens,
		Beta: manifest.BetaPerDraw(), Topics: []topoi.TopicSummary{},
	}, "")
	if err != nil {
		return err
	}
	before, after, _ := bytes.Cut(head, []byte("[]")) // nothing but the empty list looks like this
	if _, err := w.Write(append(before, '[')); err != nil {
		return err
	}
	separator := "\n  "
	for s := range m.Summary(nil, j.words(20)) {
		if err := j.step(s.Topic, m.NumTopics()); err != nil {
			return err
		}
		s.Words = m.Manifest().MeanCounts(s.Words)
		topic, err := indented(s, "  ")
		if err != nil {
			return err
		}
		if _, err := fmt.Fprintf(w, "%s%s", separator, bytes.TrimSuffix(topic, []byte("\n"))); err != nil {
			return err
		}
		separator = ",\n  "
	}
	_, err = fmt.Fprintf(w, "\n ]%s", after)
	return err
}

// indented returns v as JSON. All lines but the first begin with prefix.
func indented(v any, prefix string) ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent(prefix, " ")
	err := e.Encode(v)
	return b.Bytes(), err
}

// json writes a string as encoding/json does, without escapes for HTML.
func (l *line) json(s string) {
	if plain(s) {
		l.byte('"')
		l.str(s)
		l.byte('"')
		return
	}
	e := json.NewEncoder((*lineWriter)(l))
	e.SetEscapeHTML(false)
	_ = e.Encode(s)       // encoding a string never fails
	*l = (*l)[:len(*l)-1] // without the newline
}

// plain reports whether a string needs no escapes in JSON.
func plain(s string) bool {
	for i := range len(s) {
		if c := s[i]; c < ' ' || c > '~' || c == '"' || c == '\\' {
			return false
		}
	}
	return true
}

// jsonMember writes a member of an object unless it is empty.
func (l *line) jsonMember(before, value string) {
	if value != "" {
		l.str(before)
		l.json(value)
	}
}

// jsonFloat writes a finite number as encoding/json does: the shortest one that is read back as x, with an
// exponent only if it is very small or large.
func (l *line) jsonFloat(x float32) {
	size := math.Abs(float64(x))
	if size == 0 || float32(size) >= 1e-6 && float32(size) < 1e21 {
		*l = strconv.AppendFloat(*l, float64(x), 'f', -1, 32)
		return
	}
	*l = strconv.AppendFloat(*l, float64(x), 'e', -1, 32)
	if n := len(*l); (*l)[n-4] == 'e' && (*l)[n-3] == '-' && (*l)[n-2] == '0' { // write e-09 as e-9
		*l = append((*l)[:n-2], (*l)[n-1])
	}
}

// lineWriter appends what is written to a line.
type lineWriter line

func (l *lineWriter) Write(p []byte) (int, error) {
	*l = append(*l, p...)
	return len(p), nil
}
