package topoi

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"

	"github.com/topoi-lda/topoi/corpus"
	"github.com/topoi-lda/topoi/corpus/join"
	"github.com/topoi-lda/topoi/internal/modelfile"
)

// Join adds columns of tables to the documents of the model in dir, which keeps its
// fingerprint: nothing that was trained depends on columns. The documents are replaced
// whole or not at all.
func Join(ctx context.Context, dir string, tables []string, o join.Options) (*join.Report, error) {
	if _, err := readManifest(dir); err != nil {
		return nil, err
	}
	path := filepath.Join(dir, modelfile.Documents)
	c, err := corpus.Open(path)
	if err != nil {
		return nil, fmt.Errorf("the model has no documents, so columns cannot be added: %w", err)
	}
	report, err := join.Columns(ctx, c, tables, o)
	if err == nil {
		var joined *corpus.Corpus
		if joined, err = c.WithColumns(report.Columns); err == nil {
			err = joined.Save(path)
		}
	}
	return report, errors.Join(err, c.Close())
}
