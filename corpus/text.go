package corpus

import (
	"errors"

	"github.com/topoi-lda/topoi/corpus/source"
)

// tokenizers returns one tokenizer per worker, nil ones when the source cuts
// its documents into tokens itself.
func (im *importer) tokenizers(threads int) ([]tokenizer, error) {
	if im.src.Content() == source.ContentText {
		return nil, errors.New("raw text must be cut into tokens before it is imported")
	}
	return make([]tokenizer, threads), nil
}
