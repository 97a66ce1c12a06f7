package topoi

import (
	"cmp"
	"context"
	"math"
	"slices"

	"github.com/topoi-lda/topoi/corpus"
	"github.com/topoi-lda/topoi/internal/device"
	"github.com/topoi-lda/topoi/internal/engine"
	"github.com/topoi-lda/topoi/internal/parallel"
	"github.com/topoi-lda/topoi/internal/sampler/fold"
	"github.com/topoi-lda/topoi/topic"
)

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
