package topoi

import (
	"encoding/json"
	"fmt"

	"github.com/topoi-lda/topoi/corpus"
)

// ImportOptions returns options under which [corpus.Load] and [corpus.Import]
// treat new input as the training documents were treated: cut into words by the
// same text options, and numbered by the model's vocabulary. Words that the
// model has never seen are left out and counted in the report.
func (m *Model) ImportOptions() (corpus.ImportOptions, error) {
	o := corpus.ImportOptions{Vocabulary: m.words}
	if len(m.manifest.Pipeline) > 0 {
		if err := json.Unmarshal(m.manifest.Pipeline, &o.Text); err != nil {
			return o, fmt.Errorf("the text options of the model cannot be read: %w", err)
		}
	}
	return o, nil
}
