package topoi

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"github.com/topoi-lda/topoi/internal/counts"
	"github.com/topoi-lda/topoi/internal/engine"
	"github.com/topoi-lda/topoi/internal/modelfile"
	"github.com/topoi-lda/topoi/internal/ondisk"
	"github.com/topoi-lda/topoi/internal/topics"
	"github.com/topoi-lda/topoi/topic"
)

// newModel makes a model from the last topics and counts. Several goroutines may ask rows for counts.
func (r *run) newModel(z topics.List, totals []uint64, rows counts.Rows) *Model {
	m := r.emptyModel(totals)
	m.has.Words = m.has.Words.Clone() // the model may outlive the corpus
	m.manifest.Pipeline = slices.Clone(m.manifest.Pipeline)
	m.has.Pipeline = m.manifest.Pipeline
	m.has.Topics = z
	m.has.Entries, m.has.Ends = counts.Gather(rows, r.docs.Train.NumWords(), r.opts.Threads)
	if live := m.dropEmpty(); live != nil {
		m.has.Entries, m.has.Topics = live.From(m.has.Entries, 0), live.List(z)
	}
	return m
}

// emptyModel returns a model with everything but rows and topics.
func (r *run) emptyModel(totals []uint64) *Model {
	manifest := r.manifest()
	has := &modelfile.Content{
		Words: r.docs.Train.Words(), Totals: totals, Alpha: slices.Clone(r.priors.Now.Alpha),
		Pseudo: r.opts.Pseudo, Pipeline: manifest.Pipeline,
	}
	return newModel(manifest, has, *r.docs, nil)
}

// nameTopics sets the labels of topics to the labels of documents that they stand for.
func (r *run) nameTopics(m *Model) error {
	if r.priors.Labels == nil {
		return nil
	}
	names := map[int]string{}
	for k, name := range r.priors.Labels.Names {
		names[k] = name
	}
	return m.storeLabels(topic.Labels{Names: names, FromTraining: true})
}

// ErrInconsistent is wrapped by the error about a model whose counts do not add up: the machine or this
// program has miscounted. The checkpoint is kept.
var ErrInconsistent = errors.New("the counts of the model do not add up")

// checkModel checks that a model adds up before the state that it was made from is removed.
func checkModel(m *Model) error {
	if err := m.has.Check(); err != nil {
		return fmt.Errorf("%w: %w: resume to go on from the last checkpoint, and check the machine's memory and disk if it happens again", ErrInconsistent, err)
	}
	return nil
}

// modelInMemory makes the model from the last state.
func (r *run) modelInMemory() (*Model, error) {
	rows, err := r.engine.Counts(engine.EveryWord(r.docs.All.NumWords()))
	if err != nil {
		return nil, err
	}
	var z topics.List
	if r.saver.last != nil && r.draws == 0 { // the topics have been fetched already
		z = r.saver.last.Topics
	} else if z, err = r.engine.Topics(); err != nil {
		return nil, err
	}
	m := r.newModel(z, rows.TopicTotals(), rows)
	if err := checkModel(m); err != nil {
		return nil, err
	}
	r.tellDone()
	return m, nil
}

// modelFromFiles writes the model's arrays beside the run's files, one after the other, and opens them.
func (r *run) modelFromFiles(files *ondisk.Engine) (*Model, error) {
	if err := files.Err(); err != nil {
		return nil, err
	}
	r.tellDone()
	dir := filepath.Join(r.dir.Path, "model")
	if err := errors.Join(os.RemoveAll(dir), os.MkdirAll(dir, 0o777)); err != nil {
		return nil, err
	}
	r.opts.Events.phase("write the model", 0, 0)
	m := r.emptyModel(files.TopicTotals())
	var state modelfile.Streamed = files
	if live := m.dropEmpty(); live != nil {
		state = live.Stream(files)
	}
	stored, err := m.stream(dir, state)
	if err == nil {
		err = checkModel(stored)
	}
	if err != nil {
		return nil, errors.Join(err, os.RemoveAll(dir))
	}
	stored.stored.temporary = r.dir.Hand()
	return stored, nil
}
