package topoi

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"runtime"
	"slices"
	"sync"

	"github.com/topoi-lda/topoi/corpus"
	"github.com/topoi-lda/topoi/internal/device"
	"github.com/topoi-lda/topoi/internal/engine"
	"github.com/topoi-lda/topoi/internal/parallel"
	"github.com/topoi-lda/topoi/internal/sampler/fold"
	"github.com/topoi-lda/topoi/topic"
)

// InferOptions control how topics are found for new documents. The zero value is a good default.
type InferOptions struct {
	// Iterations is the number of sweeps that draw each document's topics; 100 is usual. Default 0: the
	// expected topics are computed instead. That is about ten times as fast, and as close to the mean of a
	// long chain of draws. Models with more than 65,536 topics always draw.
	Iterations int

	// BurnIn is the number of sweeps at the beginning that do not count. The result is the average over the
	// others. Default: a fifth of Iterations; negative: none.
	BurnIn int

	// Top is the number of topics that a document has at most: those with the largest shares. Default 0: all.
	Top int

	// Seed is the key of all draws. Default 0.
	Seed uint64

	// Threads is the number of goroutines; it never changes the result. Default: all cores.
	Threads int

	// Device is where to compute: "cpu", "cuda" or "cuda:N" for a GPU, or "auto". "auto" takes the first
	// GPU if there is one and there is enough work to make it worthwhile, else the CPU. It never changes
	// the result. Default "auto".
	Device string

	// DeviceMemory is how many bytes of a GPU's memory to use. It never changes the result. Default 0: all that is free.
	DeviceMemory int64

	// Progress, if not nil, is called now and then with the number of documents that are done.
	Progress func(done, total int)
}

// withDefaults returns o with every default filled in.
func (o InferOptions) withDefaults() InferOptions {
	switch {
	case o.BurnIn < 0:
		o.BurnIn = 0
	case o.BurnIn == 0:
		o.BurnIn = o.Iterations / 5
	}
	if o.Threads == 0 {
		o.Threads = runtime.GOMAXPROCS(0)
	}
	if o.Device == "" {
		o.Device = "auto"
	}
	return o
}

// Validate returns all faults of the options at once, joined, or nil.
func (o InferOptions) Validate() error {
	o = o.withDefaults()
	var faults []error
	switch {
	case o.Iterations < 0:
		faults = append(faults, fmt.Errorf("the number of iterations is %d: it must be at least 1, or 0 for the expected topics", o.Iterations))
	case o.Iterations == 0 && o.BurnIn > 0:
		faults = append(faults, fmt.Errorf("a burn-in of %d needs a number of iterations: without one, topics are not drawn", o.BurnIn))
	case o.Iterations > 0 && o.BurnIn >= o.Iterations:
		faults = append(faults, fmt.Errorf("the burn-in of %d leaves none of %d iterations to average over: it must be smaller", o.BurnIn, o.Iterations))
	}
	if o.Top < 0 {
		faults = append(faults, fmt.Errorf("the number of topics of a document is %d: it must not be negative", o.Top))
	}
	if o.Threads < 1 {
		faults = append(faults, fmt.Errorf("the number of threads is %d: it must be at least 1", o.Threads))
	}
	return errors.Join(append(faults, where(o.Device, o.DeviceMemory).Validate())...)
}

// DocTopics are the topics of one document.
type DocTopics struct {
	Doc    int          // number of the document in the corpus that was given
	Tokens int          // N_d; counts only words of the model's vocabulary
	Topics []TopicShare // topics of the document's tokens, largest share first, then by number

	alpha []float64
	sum   float64 // Σα
}

// TopicShare is one topic's share of a document, θ_dk = (n_dk + α_k)/(N_d + Σα). n_dk is expected, or
// averaged over sweeps.
type TopicShare struct {
	Topic  int
	Share  float64 // θ_dk
	Tokens float64 // n_dk, expected or averaged over sweeps
}

// Theta sets dst to θ_d, a share for each of the K topics, and returns it.
func (d *DocTopics) Theta(dst []float64) []float64 {
	dst = slices.Grow(dst[:0], len(d.alpha))[:len(d.alpha)]
	for k, a := range d.alpha {
		dst[k] = a / (float64(d.Tokens) + d.sum)
	}
	for _, t := range d.Topics {
		dst[t.Topic] = t.Share
	}
	return dst
}

// textEncoder turns texts into word ids. The first text creates its encoder.
type textEncoder struct {
	mutex   sync.Mutex
	encoder *corpus.Encoder
}

// encode returns a corpus with the document that encode returns. by returns how texts are cut.
func (e *textEncoder) encode(encode func(e *corpus.Encoder) corpus.Encoded, by func() (corpus.ImportOptions, error)) (*corpus.Corpus, error) {
	e.mutex.Lock()
	defer e.mutex.Unlock()
	if e.encoder == nil {
		options, err := by()
		if err != nil {
			return nil, err
		}
		if e.encoder, err = corpus.NewEncoder(options); err != nil {
			return nil, err
		}
	}
	return e.encoder.Corpus(0, []corpus.Encoded{encode(e.encoder)}), nil
}

// inferBatch is the number of documents whose shares are computed together.
const inferBatch = 1024

// inferred collects the topics of documents, computes their shares with several goroutines, and emits them in order.
type inferred struct {
	counted float64   // sweeps that count
	alpha   []float64 // K
	sum     float64   // Σα
	docs    *corpus.Corpus
	opts    InferOptions
	emit    func(*DocTopics) error

	pieces []uint64      // offsets of the pieces of documents, from 0
	ends   []uint64      // ends of documents, from 0
	next   int           // the document whose pieces are being added up
	joined []topic.Count // the sum of its pieces so far

	pending []DocTopics     // to be emitted
	sums    [][]topic.Count // their topics
	kept    []topic.Count   // memory of sums
}

// addPiece takes the topics of the next piece, and adds every document whose pieces are complete.
func (b *inferred) addPiece(piece int, sums []topic.Count) error {
	for _, e := range sums {
		at, found := slices.BinarySearchFunc(b.joined, e.Topic,
			func(x topic.Count, topic uint32) int { return cmp.Compare(x.Topic, topic) })
		if !found {
			b.joined = slices.Insert(b.joined, at, topic.Count{Topic: e.Topic})
		}
		b.joined[at].Count += e.Count
	}
	for ; b.next+1 < len(b.ends) && b.ends[b.next+1] <= b.pieces[piece+1]; b.next++ {
		if err := b.add(b.next, b.joined); err != nil {
			return err
		}
		b.joined = b.joined[:0]
	}
	return nil
}

// add takes the next document's topics.
func (b *inferred) add(doc int, sums []topic.Count) error {
	begin := len(b.kept)
	b.kept = append(b.kept, sums...)
	b.sums = append(b.sums, b.kept[begin:len(b.kept):len(b.kept)])
	n := len(b.pending)
	b.pending = slices.Grow(b.pending, 1)[:n+1] // reuses the memory of earlier documents
	b.pending[n] = DocTopics{
		Doc: doc, Tokens: len(b.docs.Doc(doc)), Topics: b.pending[n].Topics[:0], alpha: b.alpha,
		sum: b.sum,
	}
	if len(b.pending) < inferBatch {
		return nil
	}
	return b.flush()
}

// flush emits what has been collected.
func (b *inferred) flush() error {
	_ = parallel.Do(context.Background(), b.opts.Threads, len(b.pending),
		func(_, i int) { b.share(&b.pending[i], b.sums[i]) })
	for i := range b.pending {
		doc := &b.pending[i]
		if b.opts.Progress != nil && (doc.Doc%256 == 255 || doc.Doc == b.docs.NumDocs()-1) {
			b.opts.Progress(doc.Doc+1, b.docs.NumDocs())
		}
		if err := b.emit(doc); err != nil {
			return err
		}
	}
	b.pending, b.sums, b.kept = b.pending[:0], b.sums[:0], b.kept[:0]
	return nil
}

// share computes and sorts the shares of a document.
func (b *inferred) share(doc *DocTopics, sums []topic.Count) {
	for _, e := range sums {
		tokens := float64(e.Count) / b.counted
		share := (tokens + b.alpha[e.Topic]) / (float64(doc.Tokens) + b.sum)
		doc.Topics = append(doc.Topics, TopicShare{Topic: int(e.Topic), Share: share, Tokens: tokens})
	}
	slices.SortFunc(doc.Topics, func(x, y TopicShare) int {
		if x.Share != y.Share { // faster than cmp.Or; short documents spend most of their time here
			return cmp.Compare(y.Share, x.Share)
		}
		return x.Topic - y.Topic
	})
	if b.opts.Top > 0 {
		doc.Topics = doc.Topics[:min(b.opts.Top, len(doc.Topics))]
	}
}

// deviceDraws is the number of draws times topics from which "auto" takes a GPU for inference, and deviceTokens the
// number of tokens times √K for expected topics. With fewer, 16 cores are done before the GPU is ready.
const (
	deviceDraws  = 1 << 36
	deviceTokens = 1 << 27
)

// folding finds topics somewhere and emits those of each document.
type folding func(ctx context.Context, fold *fold.Fold, opts InferOptions, emit func(doc int, sums []topic.Count) error) error

// runFold finds topics on the device that the options name.
func runFold(ctx context.Context, fold *fold.Fold, opts InferOptions,
	emit func(doc int, sums []topic.Count) error,
) error {
	tokens, topics := float64(len(fold.Words)), float64(len(fold.Totals))
	worth := tokens*topics*float64(opts.Iterations) >= deviceDraws
	if opts.Iterations == 0 {
		worth = tokens*math.Sqrt(topics) >= deviceTokens
	}
	if at := where(opts.Device, 0); opts.Iterations == 0 && (at.Asked() || worth && opts.Device == "auto") {
		fold.Ahead() // while the GPU is opened
	}
	var fault error // set by a GPU that has begun; there is no second try
	placed, _, err := where(opts.Device, opts.DeviceMemory).Place(worth, func(d *device.Device, _ string) error {
		begun := false
		err := fold.RunOn(ctx, d, func(doc int, sums []topic.Count) error {
			begun = true
			return emit(doc, sums)
		})
		if err != nil && !begun {
			return err
		}
		if fault = err; fault == nil {
			engine.CloseBehind(d)
		} else {
			_ = d.Close() // a lost device cannot be closed properly either
		}
		return nil
	})
	switch {
	case err != nil:
		return err
	case placed:
		return fault
	}
	return fold.Run(ctx, emit)
}

// where returns the place to compute on that a name and a memory limit describe.
func where(name string, memory int64) engine.Where { return engine.Where{Device: name, Memory: memory} }
