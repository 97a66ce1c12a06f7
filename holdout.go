package topoi

import "github.com/topoi-lda/topoi/corpus"

// Heldout returns the documents of the corpus that were left out of training and
// scored instead; nil if there are none. [corpus.Corpus.Number] tells their numbers
// in the corpus.
func (m *Model) Heldout() (*corpus.Corpus, error) {
	docs, err := m.Docs()
	if err != nil {
		return nil, err
	}
	whole := docs.Whole()
	if docs.NumDocs() == whole.NumDocs() {
		return nil, nil
	}
	return whole.Docs(docs.NumDocs(), whole.NumDocs()), nil
}
