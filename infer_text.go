package topoi

import (
	"context"
	"sync"

	"github.com/topoi-lda/topoi/corpus"
)

// InferText finds the topics of one text, cut into words as the training documents
// were. It gives what [Model.Infer] gives for the same text in a file.
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

// textEncoder turns texts into word ids. It is made at the first text.
type textEncoder struct {
	mutex   sync.Mutex
	encoder *corpus.Encoder
}

// encode returns a corpus of one document.
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
	words, unknown := e.encoder.Text([]byte(text))
	return e.encoder.Corpus(0, []corpus.Encoded{{Words: words, Unknown: unknown}}), nil
}
