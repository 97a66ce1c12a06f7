package serve

import (
	"context"
	"runtime"
	"slices"
	"time"

	"github.com/topoi-lda/topoi"
	"github.com/topoi-lda/topoi/corpus"
	"github.com/topoi-lda/topoi/internal/guard"
	"github.com/topoi-lda/topoi/internal/lists"
	"github.com/topoi-lda/topoi/internal/parallel"
)

// workers are the workers of a queue.
type workers struct {
	queue   *queue
	limits  Limits
	metrics *metrics
	fault   func(what string, err error) // logs
	threads int                          // goroutines that share a batch

	// infer finds topics on a device. If it is nil, the CPU does.
	infer func(ctx context.Context, m *topoi.Model, docs *corpus.Corpus, o topoi.InferOptions,
		emit func(*topoi.DocTopics) error) error

	hook func(*item) // for tests: called for every document in a worker

	group guard.Group
}

// Sizes of batches. On a CPU a batch is large enough to be fast, and small enough that nobody waits long
// for its end: with K = 100 a text among 64 takes 0.63 of the time it takes alone, among a thousand 0.61. A
// GPU needs thousands of documents to be busy.
const (
	cpuBatch      = 64
	cpuWeight     = 128 << 10
	deviceBatch   = 8192
	deviceWeight  = 16 << 20
	deviceWorkers = 3 // batches in progress: one is read, one is on the device, one is written
)

// start starts the workers.
func (c *workers) start() {
	for range c.queue.workers {
		c.group.Go(func() {
			for batch := c.queue.take(); batch != nil; batch = c.queue.take() {
				c.work(batch)
				runtime.Gosched() // goroutines that have their answers send them first
			}
		})
	}
}

// stop waits until the workers have finished their batches.
func (c *workers) stop() {
	c.queue.close()
	c.group.Wait()
}

// hereDraws is the largest number of bytes of documents, times sweeps and topics, that a request's own goroutine
// may work on. That takes some hundredths of a second, during which it does not notice its time limit.
const hereDraws = 1 << 30

// offer passes items to the workers. If a worker is free and a single item does not take long, this
// goroutine does the work at once, which saves waking a worker and being woken.
func (c *workers) offer(r *request, items []*item) {
	weight := hereDraws / (r.draws.sweeps() * r.version.topics)
	if len(items) != 1 || items[0].doc.bytes() > weight {
		c.queue.put(r, items...)
		return
	}
	if !c.queue.lend(r, items[0]) {
		return
	}
	runtime.Gosched() // other requests add their items, and all are done together
	if batch := c.queue.takeHere(weight); batch != nil {
		c.work(batch)
	}
}

// work processes a batch.
func (c *workers) work(batch []*item) {
	begun := time.Now()
	v := batch[0].req.version
	kits := make([]*tools, min(c.threads, len(batch)))
	for i := range kits {
		kits[i] = v.borrow()
		defer v.giveBack(kits[i])
	}
	c.each(kits, batch, c.encode)
	todo := slices.DeleteFunc(slices.Clone(batch), func(it *item) bool { return it.err != nil })
	if len(todo) > 0 {
		c.draw(kits, todo)
	}
	took := time.Since(begun)
	c.metrics.batch(v, batch, took)
	c.queue.finish(batch, took)
}

// each calls f for every item, with as many goroutines as there are tools. A fault of one item does not
// affect the others.
func (c *workers) each(kits []*tools, items []*item, f func(t *tools, it *item)) {
	careful := func(t *tools, it *item) {
		err := guard.Try(func() error {
			f(t, it)
			return nil
		})
		if err != nil {
			c.fault("a document failed", err)
			it.err = err
		}
	}
	_ = parallel.Do(context.Background(), len(kits), len(items),
		func(worker, i int) { careful(kits[worker], items[i]) })
}

// encode finds the words of a document.
func (c *workers) encode(t *tools, it *item) {
	if c.hook != nil {
		c.hook(it)
	}
	it.Encoded = it.doc.encode(t.encoder)
	if n := len(it.Words); n > c.limits.Tokens {
		it.err = tooLarge("a document has %d words: at most %d are allowed", n, c.limits.Tokens)
	}
}

// draw finds the topics of documents. If that fails for all, it tries them one by one, so that no document
// suffers from its neighbours.
func (c *workers) draw(kits []*tools, items []*item) {
	err := guard.Try(func() error {
		if c.infer != nil {
			return c.drawOnDevice(kits, items)
		}
		return c.drawHere(kits[0], items)
	})
	switch {
	case err == nil:
	case len(items) == 1:
		c.fault("a document failed", err)
		items[0].err = err
	default:
		for _, it := range items {
			c.draw(kits, []*item{it})
		}
	}
}

// corpusOf joins documents to a corpus.
func corpusOf(t *tools, items []*item) *corpus.Corpus {
	docs := lists.Of(items, func(it *item) corpus.Encoded { return corpus.Encoded{Words: it.Words, Cuts: it.Cuts} })
	return t.encoder.Corpus(0, docs)
}

// drawHere finds topics on the CPU with this goroutine.
func (c *workers) drawHere(t *tools, items []*item) error {
	r := items[0].req
	return r.version.model.Infer(context.Background(), corpusOf(t, items), r.draws.options(1),
		func(d *topoi.DocTopics) error {
			it := items[d.Doc]
			c.each([]*tools{t}, items[d.Doc:d.Doc+1], func(t *tools, _ *item) { it.req.render(t, it, d) })
			return nil
		})
}

// drawOnDevice finds topics on a device. If that fails, the CPU finds the same ones.
func (c *workers) drawOnDevice(kits []*tools, items []*item) error {
	r := items[0].req
	docs := corpusOf(kits[0], items)
	found := make([]topoi.DocTopics, 0, len(items))
	keep := func(d *topoi.DocTopics) error {
		copied := *d
		copied.Topics = slices.Clone(d.Topics)
		found = append(found, copied)
		return nil
	}
	options := r.draws.options(c.threads)
	if err := c.infer(context.Background(), r.version.model, docs, options, keep); err != nil {
		c.fault("the device failed; the CPU does this batch", err)
		c.metrics.deviceFaults.Inc()
		found = found[:0]
		if err := r.version.model.Infer(context.Background(), docs, options, keep); err != nil {
			return err
		}
	}
	number := make(map[*item]int, len(items))
	for i, it := range items {
		number[it] = i
	}
	c.each(kits, items, func(t *tools, it *item) { it.req.render(t, it, &found[number[it]]) })
	return nil
}
