package export

import (
	"errors"
	"fmt"
	"iter"
	"slices"

	"github.com/topoi-lda/topoi"
)

// chooseDocs finds the documents that Options.Documents asks for.
func (j *job) chooseDocs(f Format) error {
	j.train = true
	if j.options.Documents == "" || j.options.Documents == "train" {
		return nil
	}
	if !f.HeldOut {
		return fmt.Errorf("%s holds nothing of documents that the model was not trained on: leave the choice of documents away, or take a format such as csv-doc-topics", f.Name)
	}
	heldOut, err := j.model.Heldout()
	if err != nil {
		return err
	}
	j.heldOut, j.how = heldOut, topoi.InferOptions{Threads: j.options.Threads}
	if j.train = j.options.Documents == "all"; !j.train && heldOut == nil {
		return errors.New("the model was trained on all documents of its corpus: none were held out")
	}
	return nil
}

// numDocs returns the number of documents to be written.
func (j *job) numDocs() int {
	n := 0
	if j.train {
		n += j.docs.NumDocs()
	}
	if j.heldOut != nil {
		n += j.heldOut.NumDocs()
	}
	return n
}

// items calls put with the documents to be written, in the order of the corpus.
func (j *job) items(put func(docItem) error) error {
	next, failed, stop := j.inferredItems()
	defer stop()
	held, more := next()
	if j.train {
		for d := range j.docs.NumDocs() {
			for ; more && held.docs.Number(held.doc) < j.docs.Number(d); held, more = next() {
				if err := put(held); err != nil {
					return err
				}
			}
			if err := put(docItem{docs: j.docs, doc: d}); err != nil {
				return err
			}
		}
	}
	for ; more; held, more = next() {
		if err := put(held); err != nil {
			return err
		}
	}
	return failed()
}

// inferredItems returns the held-out documents with their topics, as iter.Pull does;
// failed tells why there are no more.
func (j *job) inferredItems() (next func() (docItem, bool), failed func() error, stop func()) {
	var err error
	next, stop = iter.Pull(func(yield func(docItem) bool) {
		if j.heldOut == nil {
			return
		}
		err = j.model.Infer(j.ctx, j.heldOut, j.how, func(d *topoi.DocTopics) error {
			kept := *d
			kept.Topics = slices.Clone(d.Topics)
			if !yield(docItem{docs: j.heldOut, doc: d.Doc, inferred: &kept}) {
				return errStopped
			}
			return nil
		})
	})
	return next, func() error { return err }, stop
}

// errStopped ends an inference of which no more is wanted.
var errStopped = errors.New("stopped")
