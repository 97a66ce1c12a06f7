package topoi

import (
	"errors"
	"fmt"
	"os"

	"github.com/topoi-lda/topoi/internal/modelfile"
	"github.com/topoi-lda/topoi/internal/training"
	"github.com/topoi-lda/topoi/topic"
)

// Made is the result of a training run. It is for package train: other programs cannot construct its content.
type Made struct {
	Manifest Manifest
	Content  *modelfile.Content // without rows and topics if Files has them
	Docs     training.Documents

	Labels map[int]string // names that topics have from training; nil if they have none
	Held   func() error   // writes the checkpoint that the run holds back; nil if it holds none

	// Files holds rows and topics of a run that keeps them in files; nil if they are in Content. They are written into
	// Dir, which the model removes with WorkDir if nobody has named that.
	Files   modelfile.Streamed
	Dir     string
	WorkDir *training.WorkDir
}

// ErrInconsistent is wrapped by the error about a model whose counts do not add up: the machine or this
// program has miscounted. The checkpoint is kept.
var ErrInconsistent = errors.New("the counts of the model do not add up")

// NewModel returns the model that a run has made. It is for package train, and refuses a model that does not add up
// before the state that it was made from is removed.
func NewModel(made Made) (*Model, error) {
	m := newModel(made.Manifest, made.Content, made.Docs, nil)
	if made.Files != nil {
		var err error
		if m, err = m.stream(made.Dir, made.Files); err != nil {
			return nil, errors.Join(err, os.RemoveAll(made.Dir))
		}
	}
	if err := m.has.Check(); err != nil {
		err = fmt.Errorf("%w: %w: resume to go on from the last checkpoint, and check the machine's memory and disk if it happens again",
			ErrInconsistent, err)
		if made.Files != nil {
			err = errors.Join(err, os.RemoveAll(made.Dir))
		}
		return nil, err
	}
	if made.Files != nil {
		m.stored.temporary = made.WorkDir.Hand()
	}
	if made.Held != nil {
		m.held.Store(&made.Held)
	}
	if made.Labels == nil {
		return m, nil
	}
	return m, m.storeLabels(topic.Labels{Names: made.Labels, FromTraining: true})
}
