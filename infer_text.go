package topoi

import (
	"context"
	"encoding/json"
	"fmt"
	"sync"

	"github.com/topoi-lda/topoi/corpus"
)

// InferText finds the topics of one text. It cuts the text into words as the training documents were cut,
// and gives the result that [Model.Infer] gives for the same text in a file.
func (m *Model) InferText(ctx context.Context, text string, opts InferOptions) (*DocTopics, error) {
	docs, err := m.texts.encode(m, text)
	if err != nil {
		return nil, err
	}
	var found *DocTopics
	err = m.Infer(ctx, docs, opts, func(d *DocTopics) error {
		found = d
		return nil
	})
	return found, err
}

// textEncoder turns texts into word ids. The first text creates its encoder.
type textEncoder struct {
	mutex   sync.Mutex
	encoder *corpus.Encoder
}

// encode returns a corpus with one document.
func (e *textEncoder) encode(m *Model, text string) (*corpus.Corpus, error) {
	e.mutex.Lock()
	defer e.mutex.Unlock()
	if e.encoder == nil {
		options, err := m.ImportOptions()
		if err != nil {
			return nil, err
		}
		if e.encoder, err = corpus.NewEncoder(options); err != nil {
			return nil, err
		}
	}
	return e.encoder.Corpus(0, []corpus.Encoded{e.encoder.Cut([]byte(text))}), nil
}

// ImportOptions returns options with which [corpus.Load] and [corpus.Import] treat new input as the
// training documents were treated: they cut it into words by the same text options and number the words by
// the model's vocabulary. Words that the model has never seen are left out and counted in the report.
func (m *Model) ImportOptions() (corpus.ImportOptions, error) {
	o := corpus.ImportOptions{Vocabulary: m.has.Words}
	if len(m.manifest.Pipeline) > 0 {
		if err := json.Unmarshal(m.manifest.Pipeline, &o.Text); err != nil {
			return o, fmt.Errorf("the text options of the model cannot be read: %w", err)
		}
	}
	return o, nil
}
