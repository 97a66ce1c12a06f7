package export

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"

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
		Beta: m.Beta(), Topics: []topoi.TopicSummary{},
	}, "")
	if err != nil {
		return err
	}
	before, after, _ := bytes.Cut(head, []byte("[]")) // the empty list is all that looks like this
	if _, err := w.Write(append(before, '[')); err != nil {
		return err
	}
	separator := "\n  "
	for s := range m.EachSummary(nil, j.words(20)) {
		if err := j.step(s.Topic, m.NumTopics()); err != nil {
			return err
		}
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

// indented returns v as JSON in lines that begin with prefix, the first one aside.
func indented(v any, prefix string) ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent(prefix, " ")
	err := e.Encode(v)
	return b.Bytes(), err
}
