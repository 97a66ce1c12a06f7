package topoi

import (
	"errors"
	"fmt"

	"github.com/topoi-lda/topoi/corpus"
	"github.com/topoi-lda/topoi/internal/guard"
)

// ErrInconsistent is wrapped by the error about a model whose counts do not add up: the
// machine, or this program, has miscounted. What the run goes on from is kept.
var ErrInconsistent = errors.New("the counts of the model do not add up")

// corpusFault adds to an error about a corpus file that was lost or changed during the run what
// is left of it. r is nil if there was none yet.
func (r *run) corpusFault(err error) error {
	if !errors.Is(err, guard.ErrFileLost) && !errors.Is(err, corpus.ErrChanged) || r == nil || r.saved == 0 {
		return err
	}
	return fmt.Errorf("%w: the run up to iteration %d is kept in %s; restore the corpus file, then resume", err, r.saved, r.opts.Checkpoint)
}

// checkModel checks that a model adds up before anybody removes what it was made from.
func (r *run) checkModel(m *Model) error {
	if err := m.has.Check(); err != nil {
		return fmt.Errorf("%w: %w: resume to go on from the last checkpoint, and check the machine's memory and disk if it happens again", ErrInconsistent, err)
	}
	return nil
}
