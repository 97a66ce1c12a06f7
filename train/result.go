package train

import (
	"errors"
	"os"
	"path/filepath"
	"slices"

	"github.com/topoi-lda/topoi"
	"github.com/topoi-lda/topoi/internal/counts"
	"github.com/topoi-lda/topoi/internal/engine"
	"github.com/topoi-lda/topoi/internal/modelfile"
	"github.com/topoi-lda/topoi/internal/ondisk"
	"github.com/topoi-lda/topoi/internal/topics"
)

// made returns the content of the model except rows and topics.
func (r *run) made(totals []uint64) topoi.Made {
	made := topoi.Made{Manifest: r.manifest(), Docs: *r.docs}
	made.Content = &modelfile.Content{
		Words: r.docs.Train.Words(), Totals: totals, Alpha: slices.Clone(r.priors.Now.Alpha),
		Pseudo: r.opts.Pseudo, Pipeline: made.Manifest.Pipeline,
	}
	if r.saver.held {
		made.Held = r.saver.writeHeld
	}
	if r.priors.Labels != nil { // topics are named after the labels of documents that they stand for
		made.Labels = map[int]string{}
		for k, name := range r.priors.Labels.Names {
			made.Labels[k] = name
		}
	}
	return made
}

// dropEmpty removes topics without tokens if a hierarchical Dirichlet process was to find the number of topics. It
// returns the new numbers of the others, or nil if all topics stay as they are.
func (r *run) dropEmpty(made *topoi.Made) modelfile.Renumbering {
	if !r.priors.HDP {
		return nil
	}
	now := made.Content.DropEmpty()
	made.Manifest.Topics = len(made.Content.Totals)
	return now
}

// newModel makes a model from the last topics and counts. Several goroutines may ask rows for counts.
func (r *run) newModel(z topics.List, totals []uint64, rows counts.Rows) (*topoi.Model, error) {
	made := r.made(totals)
	has := made.Content
	has.Words = has.Words.Clone() // the model may outlive the corpus
	made.Manifest.Pipeline = slices.Clone(made.Manifest.Pipeline)
	has.Pipeline, has.Topics = made.Manifest.Pipeline, z
	has.Entries, has.Ends = counts.Gather(rows, r.docs.Train.NumWords(), r.opts.Threads)
	if live := r.dropEmpty(&made); live != nil {
		has.Entries, has.Topics = live.From(has.Entries, 0), live.List(z)
	}
	return topoi.NewModel(made)
}

// modelInMemory makes the model from the last state.
func (r *run) modelInMemory() (*topoi.Model, error) {
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
	m, err := r.newModel(z, rows.TopicTotals(), rows)
	if err != nil {
		return nil, err
	}
	r.tellDone()
	return m, nil
}

// modelFromFiles writes the model's arrays beside the run's files, one after the other, and opens them.
func (r *run) modelFromFiles(files *ondisk.Engine) (*topoi.Model, error) {
	if err := files.Err(); err != nil {
		return nil, err
	}
	r.tellDone()
	dir := filepath.Join(r.dir.Path, "model")
	if err := errors.Join(os.RemoveAll(dir), os.MkdirAll(dir, 0o777)); err != nil {
		return nil, err
	}
	r.opts.phase("write the model", 0, 0)
	made := r.made(files.TopicTotals())
	made.Dir, made.WorkDir, made.Files = dir, &r.dir, files
	if live := r.dropEmpty(&made); live != nil {
		made.Files = live.Stream(files)
	}
	return topoi.NewModel(made)
}
