package topoi

import (
	"sync"

	"github.com/topoi-lda/topoi/corpus"
)

// textEncoder turns texts into word ids. The first text creates its encoder.
type textEncoder struct {
	mutex   sync.Mutex
	encoder *corpus.Encoder
}

// encode returns a corpus with one document. by returns how texts are cut.
func (e *textEncoder) encode(text string, by func() (corpus.ImportOptions, error)) (*corpus.Corpus, error) {
	e.mutex.Lock()
	defer e.mutex.Unlock()
	if e.encoder == nil {
		options, err := by()
		if err != nil {
			return nil, err
		}
		if e.encoder, err = corpus.NewEncoder(options); err != nil {
			return nil, err
		}
	}
	return e.encoder.Corpus(0, []corpus.Encoded{e.encoder.Cut([]byte(text))}), nil
}
