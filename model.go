package topoi

import (
	"errors"
	"fmt"
	"iter"
	"slices"
	"sync/atomic"

	"github.com/topoi-lda/topoi/corpus"
	"github.com/topoi-lda/topoi/internal/counts"
	"github.com/topoi-lda/topoi/internal/modelfile"
	"github.com/topoi-lda/topoi/internal/prior"
	"github.com/topoi-lda/topoi/internal/training"
	"github.com/topoi-lda/topoi/topic"
)

// Model is a trained topic model. Only the labels of its topics can change. It is safe for use by many
// goroutines. Topics are numbered 0 … K-1 and never renumbered. Its methods give
//
//   - topics: Summary, TopWords, Phi, LargestTopics, and their names by Labels, Label and SetLabels
//   - training documents and the topics of their tokens: Docs, Heldout, Theta, Topic, AppendTopics
//   - topics of new documents: Infer, InferText, InferTokens, ImportOptions
//   - counts and priors: Row, Columns, TopicTotals, Alpha, Beta
//   - what it was made from: Manifest, Fingerprint, Start, PseudoCounts
//
// A method that can return an error returns one for a topic, word or document that the model does not have. The other
// methods return or yield nothing for it: Row, TopWords, Summary, Columns and Phi. A closed model has nothing at all.
type Model struct {
	assigned
	*labelStore
	manifest  Manifest
	of        *Model                            // the model whose documents Where selected; nil if this model has all
	condition string                            // of Where; "" if all documents were taken over
	held      atomic.Pointer[func() error]      // writes the checkpoint that the run holds back; nil if it holds none
	sums      atomic.Pointer[[]modelfile.Array] // descriptions of the arrays with checksums, once they are known
	texts     textEncoder                       // for InferText
}

// newModel returns a model of the given arrays. docs is empty and stored is set if it was opened from disk.
func newModel(manifest Manifest, has *modelfile.Content, docs training.Documents, stored *storedModel) *Model {
	m := &Model{manifest: manifest}
	m.learned, m.docs, m.stored = learned{has, manifest.Beta, manifest.Draws, new(atomic.Bool)}, docs, stored
	m.labelStore = &labelStore{topics: manifest.Topics, fingerprint: m.Fingerprint}
	if stored != nil {
		m.labelStore.dir = stored.Dir
	}
	return m
}

// Manifest returns the description of the model.
func (m *Model) Manifest() Manifest { return m.manifest }

// Close releases the memory maps of a model that was opened from disk or trained within a memory budget.
// Slices obtained from the model must not be used afterwards. Methods that return an error then return one that wraps
// [ErrClosed]; for the others the model has no topics and no words. Closing a model again does nothing.
func (m *Model) Close() error {
	if m.of != nil {
		return errors.Join(m.docs.Close(), m.of.Close())
	}
	if m.closed.Swap(true) {
		return nil
	}
	err := m.docs.Close()
	if m.stored != nil {
		err = errors.Join(err, m.stored.close())
	}
	return err
}

// Fingerprint identifies what was learned: words, counts, assignments, α and β. It does not depend on paths, times,
// threads or the way the model was reached. Two models are the same exactly if their fingerprints are equal.
//
// It is the XXH3-128 hash, in hexadecimal, of the checksums of the model's arrays (all but the text
// options, in the manifest's order) followed by β as a little-endian float64. For a model opened from disk
// it is computed from the checksums in the manifest; [Model.Verify] compares these with the content.
func (m *Model) Fingerprint() string {
	if m.of != nil {
		return m.of.Fingerprint()
	}
	return modelfile.Fingerprint(m.describeArrays(), m.Beta())
}

// describeArrays returns the manifest's list of arrays. The arrays of a model that was neither opened nor
// saved are hashed at the first call.
func (m *Model) describeArrays() []modelfile.Array {
	if known := m.sums.Load(); known != nil {
		return *known
	}
	arrays := m.listArrays()
	if m.stored == nil {
		m.has.Describe(arrays)
	}
	m.sums.Store(&arrays)
	return arrays
}

// listArrays returns a list of the arrays, with checksums if the model was opened from disk.
func (m *Model) listArrays() []modelfile.Array {
	arrays := m.manifest.arraySpecs()
	if m.stored != nil {
		copy(arrays, m.stored.Arrays)
	}
	return arrays
}

// TopicSummary describes one topic, as tables of topics show it.
type TopicSummary struct {
	Topic  int          `json:"topic"`
	Label  string       `json:"topic_label,omitempty"` // the name that people gave it, if any
	Alpha  float64      `json:"alpha"`                 // α_k
	Tokens uint64       `json:"tokens"`                // n_k
	Share  float64      `json:"share"`                 // n_k/N, the prevalence; 0 when there are no tokens
	Words  []WordWeight `json:"words"`                 // the top words
}

// Summary yields summaries of the given topics in the given order, or of all topics in topic order if topics is
// nil. Topics that the model does not have are left out. Each summary has the n words with the highest n_wk; ties are
// in order of word id. Words that do not occur in a topic are left out, so there may be fewer. Summary needs as much
// time and memory as [Model.Columns].
func (m *Model) Summary(topics []int, n int) iter.Seq[TopicSummary] {
	return func(yield func(TopicSummary) bool) {
		tokens := m.TopicTokens()
		alpha := m.Alpha()
		var best []topic.WordCount
		for k, column := range m.Columns(topics) {
			best = counts.Top(best[:0], column, n)
			s := TopicSummary{
				Topic: k, Label: m.Label(k), Alpha: alpha[k], Tokens: tokens[k],
				Words: m.wordWeights(k, best),
			}
			if m.manifest.Tokens > 0 {
				s.Share = float64(tokens[k]) / float64(m.manifest.Tokens)
			}
			if !yield(s) {
				return
			}
		}
	}
}

// Start returns the state of a model, to train it further on its own documents. A run that is stopped and continued
// from here with the same options and sampler gives the same bytes as one that was not stopped, provided that it
// began with random topics. The exception is the sampler cvb, whose state is more than one topic for every token.
func (m *Model) Start() *Start {
	return &Start{
		Topics: m.AppendTopics(nil, 0, m.manifest.Tokens), Alpha: slices.Clone(m.Alpha()),
		Beta: m.manifest.BetaPerDraw(), Iteration: m.manifest.Iterations,
	}
}

// assigned holds what a model has learned with the documents of training and the topics of their tokens.
type assigned struct {
	learned
	docs   training.Documents         // empty for a model opened from disk
	stored *storedModel               // the directory with the arrays; nil for a model in memory
	joined atomic.Pointer[joinedDocs] // documents joined from pieces; nil if there are no pieces, or nobody has asked
}

// Docs returns the training documents. A model opened from disk opens them at the first call; only exports
// of documents need them. Documents that were cut into pieces for training are joined again.
//
// The error wraps [ErrClosed] if the model was closed, or the corpus on which it was trained in this process.
func (a *assigned) Docs() (*corpus.Corpus, error) {
	docs, err := a.trained()
	if err != nil || !docs.HasPieces() {
		return docs, err
	}
	if a.joined.Load() == nil {
		var j joinedDocs
		j.docs, j.topics = docs.JoinPieces(a.has.Topics.Append)
		a.joined.CompareAndSwap(nil, &j)
	}
	return a.joined.Load().docs, nil
}

// joinedDocs are documents joined from pieces, with z of their tokens.
type joinedDocs struct {
	docs   *corpus.Corpus
	topics []uint32
}

// trained returns the documents as training saw them, in pieces if they were cut.
func (a *assigned) trained() (*corpus.Corpus, error) {
	if err := a.open(); err != nil {
		return nil, err
	}
	if a.stored != nil {
		return a.stored.docs()
	}
	return usable(a.docs.Train)
}

// usable returns a corpus, or an error if it was closed.
func usable(c *corpus.Corpus) (*corpus.Corpus, error) {
	if c != nil && c.Closed() {
		return nil, fmt.Errorf("the corpus with the documents: %w: close it when its documents are no longer needed",
			ErrClosed)
	}
	return c, nil
}

// Topic returns z of training token i, in the order of [Model.Docs].
func (a *assigned) Topic(i int) uint32 {
	if j := a.joined.Load(); j != nil {
		return j.topics[i]
	}
	return a.content().Topics.At(i)
}

// AppendTopics appends z of the training tokens lo, …, hi-1 to dst, in the order of [Model.Docs].
// A closed model has none.
func (a *assigned) AppendTopics(dst []uint32, lo, hi int) []uint32 {
	if a.open() != nil {
		return dst
	}
	if j := a.joined.Load(); j != nil {
		return append(dst, j.topics[lo:hi]...)
	}
	return a.has.Topics.Append(dst, lo, hi)
}

// Trained returns the documents as training saw them, in pieces if they were cut, and z of their tokens.
func (a *assigned) Trained() (docs *corpus.Corpus, z []uint32, err error) {
	docs, err = a.trained()
	if err != nil {
		return nil, nil, err
	}
	return docs, a.has.Topics.Append(nil, 0, a.has.Topics.Len()), nil
}

// Heldout returns the documents that were left out of training and scored instead, or nil if there are
// none. [corpus.Corpus.Number] returns their numbers in the corpus.
func (a *assigned) Heldout() (*corpus.Corpus, error) {
	if err := a.open(); err != nil {
		return nil, err
	}
	if a.stored == nil || a.stored.heldout == nil {
		return usable(a.docs.Heldout)
	}
	return a.stored.heldout()
}

// Theta sets dst to θ_d of training document d, with one share for each of the K topics, and returns it:
//
//	θ_dk = (n_dk + α_k)/(N_d + Σα)
//
// Documents are numbered as in [Model.Docs].
func (a *assigned) Theta(dst []float64, d int) ([]float64, error) {
	docs, err := a.Docs()
	if err != nil {
		return nil, err
	}
	if d < 0 || d >= docs.NumDocs() {
		return nil, fmt.Errorf("there is no document %d among %d training documents", d, docs.NumDocs())
	}
	dst = append(dst[:0], a.has.Alpha...)
	begin, end := int(docs.Offsets()[d]), int(docs.Offsets()[d+1])
	for _, k := range a.AppendTopics(nil, begin, end) {
		dst[k]++
	}
	scale := float64(end-begin) + prior.Sum(a.has.Alpha)
	for k := range dst {
		dst[k] /= scale
	}
	return dst, nil
}
