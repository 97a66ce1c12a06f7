package export

import (
	"encoding/json"
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

// jsonTopics writes all topics with their top words. It needs memory for these.
func jsonTopics(j *job, w io.Writer) error {
	m := j.model
	manifest := m.Manifest()
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	e.SetIndent("", " ")
	return e.Encode(jsonModel{
		Model: m.Fingerprint(), K: manifest.Topics, V: manifest.Words, D: manifest.Docs, N: manifest.Tokens,
		Beta: m.Beta(), Topics: m.Summary(j.words(20)),
	})
}
