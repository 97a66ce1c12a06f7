package export

import (
	"errors"
	"fmt"
	"io"
	"iter"
	"slices"

	"github.com/topoi-lda/topoi"
	"github.com/topoi-lda/topoi/corpus"
)

// docView is one document with its topics. It is valid until the next document.
type docView struct {
	doc    int       // number of the document in the corpus, including held-out documents
	id     string    // the user's id for it, or its number
	label  *string   // from the input; nil if no document has a label
	time   *string   // from the input; nil if no document has a time
	tokens int       // N_d
	with   []cell    // Options.With
	words  []uint32  // N_d word ids
	z      []uint32  // N_d topics; empty if topics were inferred
	counts []float64 // K: n_dk, averaged over sweeps if topics were inferred
	topics []uint32  // the topics with n_dk > 0, rising

	*priors
	present, absent, listed []share // memory for shares
}

// theta returns θ_dk = (n_dk + α_k)/(N_d + Σα).
func (v *docView) theta(k int) float64 {
	return (v.counts[k] + v.alpha[k]) / (float64(v.tokens) + v.alphaSum)
}

// docItem is a document to write: a training document, or one with inferred topics.
type docItem struct {
	docs     *corpus.Corpus
	doc      int // in docs
	inferred *topoi.DocTopics
}

// show sets v to a document.
func (j *job) show(v *docView, item docItem) {
	docs, d := item.docs, item.doc
	v.doc, v.id, v.words = docs.Number(d), docs.ID(d), docs.Doc(d)
	v.label, v.time = labelAndTime(docs, d)
	v.tokens = len(v.words)
	v.with = v.with[:0]
	for i := range j.with[docs] {
		v.with = append(v.with, cell{&j.with[docs][i], j.with[docs][i].Values.At(d)})
	}
	if item.inferred != nil {
		v.take(item.inferred)
		return
	}
	v.forget()
	v.z = j.model.AppendTopics(v.z, int(docs.Offsets()[d]), int(docs.Offsets()[d+1]))
	for _, k := range v.z {
		if v.counts[k] == 0 {
			v.topics = append(v.topics, k)
		}
		v.counts[k]++
	}
	slices.Sort(v.topics)
}

// forget removes the topics of the previous document.
func (v *docView) forget() {
	for _, k := range v.topics {
		v.counts[k] = 0
	}
	v.topics, v.z = v.topics[:0], v.z[:0]
}

// take sets the inferred topics of the document.
func (v *docView) take(inferred *topoi.DocTopics) {
	v.forget()
	for _, t := range inferred.Topics {
		v.topics = append(v.topics, uint32(t.Topic))
		v.counts[t.Topic] = t.Tokens
	}
	slices.Sort(v.topics)
}

// labelAndTime returns label and time of a document. They are nil if no document in the input has any.
func labelAndTime(docs *corpus.Corpus, d int) (label, time *string) {
	if docs.HasLabels() {
		s := docs.Label(d)
		label = &s
	}
	if docs.HasTimes() {
		s := docs.Time(d)
		time = &s
	}
	return label, time
}

func (j *modelJob) newView() *docView {
	return &docView{counts: make([]float64, j.model.NumTopics()), priors: j.priors()}
}

// newViews makes a view for each goroutine.
func (j *modelJob) newViews() []*docView {
	views := make([]*docView, j.threads())
	for i := range views {
		views[i] = j.newView()
	}
	return views
}

// eachDoc calls f with every training document in order.
func (j *job) eachDoc(f func(v *docView) error) error {
	v, n := j.newView(), j.docs.NumDocs()
	for d := range n {
		if err := j.step(d, n); err != nil {
			return err
		}
		j.show(v, docItem{docs: j.docs, doc: d})
		if err := f(v); err != nil {
			return err
		}
	}
	return j.step(n, n)
}

// batches returns a function that puts the documents to write in batches, each with a weight of about limit.
func (j *job) batches(limit int, weight func(docItem) int) func(put func([]docItem) error) error {
	return grouped(j.items, limit, weight)
}

// textBatch is about how many numbers one goroutine reads and writes at a time.
const textBatch = 1 << 16

// docText writes the text that text appends for every document. numbers is about how many numbers each document makes.
func (j *job) docText(w io.Writer, numbers int, text func(l *line, v *docView)) error {
	views := j.newViews()
	weight := func(item docItem) int { return 16 + numbers + len(item.docs.Doc(item.doc)) }
	return texts(j, w, j.numDocs(), j.batches(textBatch, weight), func(worker int, l *line, batch []docItem) int {
		for _, item := range batch {
			j.show(views[worker], item)
			text(l, views[worker])
		}
		return len(batch)
	})
}

// chooseDocs finds the documents that Options.Documents names.
func (j *job) chooseDocs(f Format) error {
	j.train = true
	if j.options.Documents == "" || j.options.Documents == "train" {
		return nil
	}
	if !f.HeldOut {
		return fmt.Errorf("%s cannot hold documents that the model was not trained on: leave out the choice of documents, "+
			"or use a format such as csv-doc-topics", f.Name)
	}
	heldOut, err := j.model.Heldout()
	if err != nil {
		return err
	}
	if heldOut != nil {
		heldOut = heldOut.Uncut()
	}
	j.heldOut, j.how = heldOut, topoi.InferOptions{Threads: j.options.Threads}
	if j.train = j.options.Documents == "all"; !j.train && heldOut == nil {
		return errors.New("the model was trained on all documents of its corpus: none were held out")
	}
	return nil
}

// numDocs returns the number of documents to write.
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

// items calls put with the documents to write, in the order of the corpus.
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

// inferredItems returns the held-out documents with their topics, as iter.Pull does. failed returns why
// there are no more.
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

// errStopped ends an inference whose further results are not needed.
var errStopped = errors.New("stopped")
