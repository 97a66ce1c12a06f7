package serve

import (
	"cmp"
	"context"
	"math"
	"slices"
	"sync"
	"time"

	"github.com/topoi-lda/topoi"
	"github.com/topoi-lda/topoi/corpus"
)

// queue holds the documents that wait for a worker.
//
// Requests are in a ring. A worker takes documents that wait for the same model and options, an equal number from
// every request. It takes no more than its share, so that no worker is idle while another has many. Requests with
// few documents are taken separately from those with many, in turns, so that a single document waits only for the
// work in progress, never for a batch of somebody's thousands. If nothing waits and a worker is free, the
// goroutine of a request with a single document does the work itself, in place of a worker, for one batch.
type queue struct {
	mu      sync.Mutex
	changed *sync.Cond
	ring    []*request // requests with waiting documents; the first one is next
	docs    int        // waiting documents
	bytes   int        // bytes of waiting documents
	inside  int        // requests between enter and leave
	most    int        // largest number of them
	workers int
	free    int           // idle workers
	fewLast bool          // the last batch came from requests with few documents
	batch   int           // largest number of documents in a batch
	weight  int           // bytes from which a batch is large enough
	wait    time.Duration // how long the first document of a batch may wait for others
	each    float64       // mean time of the latest documents, in seconds
	closed  bool
}

// request is a request whose documents need topics.
type request struct {
	ctx     context.Context
	version *version
	draws   draws

	// render makes the answer for a document. Workers call it.
	render func(t *tools, it *item, d *topoi.DocTopics)

	notify chan struct{} // has one element if an item was done since the last receive

	// Guarded by the queue's mutex.
	waiting []*item
	atWork  int // items that workers have taken
	idle    chan struct{}
}

// item is a document in the queue. Workers set the fields after came.
type item struct {
	req    *request
	number int // number in the request
	doc    document
	weight int // bytes
	came   time.Time

	corpus.Encoded        // doc as word ids, without its id
	out            []byte // result of render
	err            error
	done           bool // guarded by the queue's mutex
}

func newQueue(limits Limits, workers, batch, weight int, wait time.Duration) *queue {
	q := &queue{most: limits.Queue, workers: workers, free: workers, batch: batch, weight: weight, wait: wait}
	q.changed = sync.NewCond(&q.mu)
	return q
}

// enter admits a request, or returns an error if there are too many.
func (q *queue) enter(ctx context.Context, v *version, p *params, render func(*tools, *item, *topoi.DocTopics),
) (*request, error) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.inside >= q.most {
		return nil, busy(q.retry())
	}
	q.inside++
	return &request{ctx: ctx, version: v, draws: p.draws, render: render, notify: make(chan struct{}, 1)}, nil
}

// put adds items of a request to those that wait.
func (q *queue) put(r *request, items ...*item) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.add(r, items...)
	if len(items) > 1 {
		q.changed.Broadcast()
	} else {
		q.changed.Signal()
	}
}

// lend adds the only item of a request and reports whether the caller shall work in place of a worker. It
// must then call takeHere, after others have had time to add their items.
func (q *queue) lend(r *request, it *item) bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	here := q.free > 0 && len(q.ring) == 0 && q.wait == 0 && !q.closed
	q.add(r, it)
	if here {
		q.free--
	} else {
		q.changed.Signal()
	}
	return here
}

// takeHere takes a batch for such a caller, with at most weight bytes beyond its first document. It returns
// nil if workers have taken everything.
func (q *queue) takeHere(weight int) []*item {
	q.mu.Lock()
	defer q.mu.Unlock()
	if len(q.ring) == 0 {
		q.free++
		return nil
	}
	return q.gather(min(weight, q.weight))
}

// add appends items to those that wait.
func (q *queue) add(r *request, items ...*item) {
	now := time.Now()
	for _, it := range items {
		it.req, it.weight, it.came = r, it.doc.bytes(), now
		q.bytes += it.weight
	}
	q.docs += len(items)
	if len(r.waiting) == 0 && len(items) > 0 {
		q.ring = append(q.ring, r)
	}
	r.waiting = append(r.waiting, items...)
}

// leave removes a request once no worker is working on it.
func (q *queue) leave(r *request) {
	q.mu.Lock()
	q.ring = slices.DeleteFunc(q.ring, func(other *request) bool { return other == r })
	for _, it := range r.waiting {
		q.docs, q.bytes = q.docs-1, q.bytes-it.weight
	}
	r.waiting = nil
	if r.atWork > 0 {
		idle := make(chan struct{})
		r.idle = idle
		q.mu.Unlock()
		<-idle
		q.mu.Lock()
	}
	q.inside--
	q.mu.Unlock()
}

// take waits for documents and returns some with the same model and options. It returns nil when the queue is closed.
func (q *queue) take() []*item {
	q.mu.Lock()
	defer q.mu.Unlock()
	for {
		switch rest := q.rest(); {
		case q.closed:
			return nil
		case q.free == 0: // a request's own goroutine works in place of a worker
		case rest == 0:
			q.free--
			return q.gather(q.weight)
		case rest > 0:
			time.AfterFunc(rest, q.changed.Broadcast)
		}
		q.changed.Wait()
	}
}

// rest returns how long to wait for a batch; a negative time means until something arrives.
func (q *queue) rest() time.Duration {
	if len(q.ring) == 0 {
		return -1
	}
	if q.wait == 0 || q.docs >= q.batch || q.bytes >= q.weight {
		return 0
	}
	oldest := q.ring[0].waiting[0].came
	for _, r := range q.ring {
		if came := r.waiting[0].came; came.Before(oldest) {
			oldest = came
		}
	}
	return max(0, q.wait-time.Since(oldest))
}

// few is the largest number of waiting documents in a request with few documents.
const few = 4

// gather removes a batch of at most weight bytes, or of one document, from the ring. Requests with further
// documents go behind those that were not considered.
func (q *queue) gather(weight int) []*item {
	turn, others := q.turn()
	waiting := 0
	for _, r := range turn {
		waiting += len(r.waiting)
	}
	want := q.batch
	if q.wait == 0 { // workers share the waiting documents
		want = min(want, (waiting+q.workers-1)/q.workers)
	}
	each := max(1, want/len(turn))
	var batch []*item
	bytes := 0
	fits := func(it *item) bool { return len(batch) == 0 || bytes+it.weight <= weight }
	for len(turn) > 0 && len(batch) < want && fits(turn[0].waiting[0]) {
		r := turn[0]
		turn = turn[1:]
		for n := min(each, len(r.waiting), want-len(batch)); n > 0 && fits(r.waiting[0]); n-- {
			it := r.waiting[0]
			r.waiting[0], r.waiting = nil, r.waiting[1:]
			r.atWork++
			batch, bytes = append(batch, it), bytes+it.weight
		}
		if len(r.waiting) > 0 {
			turn = append(turn, r)
		}
	}
	q.ring = append(others, turn...)
	q.docs, q.bytes = q.docs-len(batch), q.bytes-bytes
	return batch
}

// turn returns the requests that are next, which have the model and the options of the first one, and the others.
func (q *queue) turn() (turn, others []*request) {
	first := q.ring[0]
	same := func(r *request) bool { return r.version == first.version && r.draws == first.draws }
	isFew := func(r *request) bool { return len(r.waiting) <= few }
	mixed := slices.ContainsFunc(q.ring, func(r *request) bool { return same(r) && isFew(r) != isFew(first) })
	mixed = mixed && q.wait == 0 // a device takes everything
	q.fewLast = mixed && !q.fewLast
	for _, r := range q.ring {
		if same(r) && (!mixed || isFew(r) == q.fewLast) {
			turn = append(turn, r)
		} else {
			others = append(others, r)
		}
	}
	return turn, others
}

// finish informs requests that their items are done, and records how long the batch took.
func (q *queue) finish(batch []*item, took time.Duration) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if n := len(batch); n > 0 {
		const weight = 0.05
		now := took.Seconds() / float64(n)
		q.each += float64(weight * (now - cmp.Or(q.each, now)))
		q.each = cmp.Or(q.each, now)
	}
	for _, it := range batch {
		r := it.req
		it.done = true
		r.atWork--
		if r.idle != nil && r.atWork == 0 {
			close(r.idle)
			r.idle = nil
		}
		select {
		case r.notify <- struct{}{}:
		default:
		}
	}
	if q.free++; len(q.ring) > 0 {
		q.changed.Signal()
	}
}

// await waits until an item is done, or its request ends. It calls idle before it waits.
func (q *queue) await(it *item, idle func()) error {
	for !q.isDone(it) {
		idle()
		select {
		case <-it.req.notify:
		case <-it.req.ctx.Done():
			return it.req.ctx.Err()
		}
	}
	return nil
}

// isDone reports whether an item is done. Only then may the fields be read that workers set.
func (q *queue) isDone(it *item) bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	return it.done
}

// retryAfter returns the number of seconds after which the queue is likely to have room.
func (q *queue) retryAfter() int {
	q.mu.Lock()
	defer q.mu.Unlock()
	return q.retry()
}

func (q *queue) retry() int {
	seconds := float64(q.docs) * q.each / float64(q.workers)
	return int(min(60, max(1, math.Ceil(seconds))))
}

// waitingDocs returns the numbers of waiting documents and of requests.
func (q *queue) waitingDocs() (docs, requests int) {
	q.mu.Lock()
	defer q.mu.Unlock()
	return q.docs, q.inside
}

// close makes take return nil.
func (q *queue) close() {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.closed = true
	q.changed.Broadcast()
}
