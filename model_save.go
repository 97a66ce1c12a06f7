package topoi

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/topoi-lda/topoi/corpus"
	"github.com/topoi-lda/topoi/internal/claim"
	"github.com/topoi-lda/topoi/internal/labelsfile"
	"github.com/topoi-lda/topoi/internal/modelfile"
	"github.com/topoi-lda/topoi/internal/training"
	"github.com/topoi-lda/topoi/internal/wholefile"
	"github.com/topoi-lda/topoi/topic"
)

// SaveOptions control how a model is written.
type SaveOptions struct {
	// Overwrite allows replacing a model at the path. Anything else there is never replaced. Default false: refuse.
	Overwrite bool

	// Run is JSON that is written to run.json in the directory. It is for facts about the run that do not
	// determine the model, such as times and machine; [Model.Run] returns it. Default: no such file.
	Run []byte
}

// Run returns run.json of the directory that the model was opened from, or nil if there is none.
func (m *Model) Run() []byte {
	if m.stored == nil {
		return nil
	}
	if m.stored.FS != nil {
		text, _ := fs.ReadFile(m.stored.FS, modelfile.Run) // nobody must have it
		return text
	}
	text, _ := os.ReadFile(filepath.Join(m.stored.Dir, modelfile.Run)) // nobody must have it
	return text
}

// Save writes the model into a new directory, whole or not at all. Corpus, options and seed determine all bytes.
func (m *Model) Save(dir string, o SaveOptions) error {
	if m.of != nil {
		return errors.New("a model of selected documents cannot be saved: save the model it was made from")
	}
	dir = filepath.Clean(dir)
	owned, err := claim.Share(claim.At(dir))
	if err != nil {
		return err
	}
	defer owned.Release()
	if err := modelfile.CheckTarget(dir, o.Overwrite); err != nil {
		return err
	}
	temporary, err := wholefile.MakeDir(dir)
	if err != nil {
		return err
	}
	defer temporary.Abort() // removes nothing after the rename
	if err := m.writeTo(temporary.Temporary, o.Run); err != nil {
		return wholefile.Explain(dir, err)
	}
	err = modelfile.PutInPlace(temporary.Temporary, dir)
	if err == nil {
		m.held.Store(nil) // the model is saved, so the checkpoint is not needed
	}
	return err
}

// writeTo writes all files of the model into an empty directory.
func (m *Model) writeTo(dir string, run []byte) error {
	docs, err := m.trained()
	if err != nil {
		return err
	}
	f := manifestFile{Format: modelfile.Format, Manifest: m.manifest, Arrays: m.listArrays()}
	f.FormatVersion = m.manifest.version()
	var from *modelfile.Files
	if m.stored != nil {
		from = &m.stored.Files
	}
	whole := m.docs.All // held-out documents included, so that the corpus file can be linked as it is
	if whole == nil {
		whole = docs.Whole()
	}
	if err := modelfile.WriteAll(dir, f.Arrays, from, m.has, whole); err != nil {
		return err
	}
	f.Documents = documentsInfo{Name: modelfile.Documents, Fingerprint: whole.Fingerprint()}
	m.sums.Store(&f.Arrays)
	if run != nil {
		if err := modelfile.Put(filepath.Join(dir, modelfile.Run), run); err != nil {
			return err
		}
	}
	manifest, err := modelfile.Seal(&f, &f.Checksum)
	if err != nil {
		return err
	}
	if err := modelfile.Put(filepath.Join(dir, modelfile.Manifest), manifest); err != nil {
		return err
	}
	labels, err := m.Labels()
	if err == nil && !labels.Empty() {
		err = labelsfile.Save(labels, dir)
	}
	return errors.Join(err, wholefile.SyncDir(dir))
}

// stream writes the arrays of m into dir and opens them there; rows and topics come from s. It writes no
// manifest, so that the directory is not a model yet.
func (m *Model) stream(dir string, s modelfile.Streamed) (*Model, error) {
	f := &manifestFile{Format: modelfile.Format, Manifest: m.manifest, Arrays: m.manifest.arraySpecs()}
	f.FormatVersion = m.manifest.version()
	stored := &storedModel{
		Files: modelfile.Files{Dir: dir, Arrays: f.Arrays}, manifest: f,
		docs: func() (*corpus.Corpus, error) { return m.docs.Train, nil },
	}
	if err := stored.Stream(m.has, s); err != nil {
		return nil, err
	}
	return stored.open(m.docs)
}

// WriteCheckpoint writes the checkpoint that Options.HoldCheckpoint held back and reports it to the Events
// of the run. Call it when the model could not be saved. It does nothing if no checkpoint was held back, or
// if the model has been saved.
func (m *Model) WriteCheckpoint() error {
	write := m.held.Swap(nil)
	if write == nil {
		return nil
	}
	err := (*write)()
	if err != nil {
		m.held.Store(write)
	}
	return err
}

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
