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

// queue has the documents that wait for a worker.
//
// Requests stand in a ring. A worker takes the documents that wait for the same model and options together, an equal
// number of every request; it takes no more than its share of all, so that no worker is idle while another has many.
// Requests with few documents are taken apart from those with many, in turns with them: one with a single document
// waits for the end of what is at work, never for a batch of somebody's thousands. If nobody waits and a worker is
// free, a request with a single document is worked on by its own goroutine, which lends itself to the queue for the
// length of one batch.
type queue struct {
	mu      sync.Mutex
	changed *sync.Cond
	ring    []*request // that have documents waiting, the one whose turn it is first
	docs    int        // that wait
	bytes   int        // of them
	inside  int        // requests between enter and leave
	most    int        // of those
	workers int
	free    int           // workers that have nothing to do
	fewLast bool          // the last batch was of requests with few documents
	batch   int           // most documents of a batch
	weight  int           // bytes from which a batch is large enough
	wait    time.Duration // that the first document of a batch may wait for others
	each    float64       // seconds that a document takes, averaged over the last ones
	closed  bool
}

// request is a request whose documents need topics.
type request struct {
	ctx     context.Context
	version *version
	draws   draws

	// render makes the answer for a document, by a worker.
	render func(t *tools, it *item, d *topoi.DocTopics)

	notify chan struct{} // has one element when an item was done since it was last received

	// Of the queue's mutex.
	waiting []*item
	atWork  int // items that a worker has
	idle    chan struct{}
}

// item is a document on its way through the queue. Workers set what comes after doc.
type item struct {
	req    *request
	number int // in the request
	doc    document
	weight int // bytes
	came   time.Time

	corpus.Encoded        // of doc, without its id
	out            []byte // what render made
	err            error
	done           bool // of the queue's mutex
}

func newQueue(limits Limits, workers, batch, weight int, wait time.Duration) *queue {
	q := &queue{most: limits.Queue, workers: workers, free: workers, batch: batch, weight: weight, wait: wait}
	q.changed = sync.NewCond(&q.mu)
	return q
}

// enter lets a request in, or says that there are too many.
func (q *queue) enter(ctx context.Context, v *version, p *params, render func(*tools, *item, *topoi.DocTopics),
) (*request, error) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.inside >= q.most {
		return nil, busy(q.retry())
	}
	q.inside++
	return &request{ctx: ctx, version: v, draws: p.draws(), render: render, notify: make(chan struct{}, 1)}, nil
}

// put lets items of a request wait.
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

// lend puts the only item of a request and says whether the caller is to work in a worker's place: it must then call
// takeHere, once others had the time to put theirs.
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

// takeHere takes a batch for a goroutine that lends itself, of no more than so many bytes beyond its first document;
// nil if workers have taken all there was.
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

// leave takes a request out, when no worker is at it any more.
func (q *queue) leave(r *request) {
	q.mu.Lock()
	for i, other := range q.ring {
		if other == r {
			q.ring = append(q.ring[:i:i], q.ring[i+1:]...)
			break
		}
	}
	for _, it := range r.waiting {
		q.docs, q.bytes = q.docs-1, q.bytes-it.weight
	}
	r.waiting = nil
	var idle chan struct{}
	if r.atWork > 0 {
		idle = make(chan struct{})
		r.idle = idle
	}
	q.mu.Unlock()
	if idle != nil {
		<-idle
	}
	q.mu.Lock()
	q.inside--
	q.mu.Unlock()
}

// take waits for documents and returns some of one model and the same options; nil when the queue is closed.
func (q *queue) take() []*item {
	q.mu.Lock()
	defer q.mu.Unlock()
	for {
		switch rest := q.rest(); {
		case q.closed:
			return nil
		case q.free == 0: // another goroutine has lent itself
		case rest == 0:
			q.free--
			return q.gather(q.weight)
		case rest > 0:
			time.AfterFunc(rest, q.changed.Broadcast)
		}
		q.changed.Wait()
	}
}

// rest returns how long to wait for a batch; negative: until something comes.
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

// few is how many documents a request may have waiting to be one with few.
const few = 4

// gather takes a batch of at most so many bytes, or of one document, out of the ring. Requests that have more
// documents go behind those that were not looked at.
func (q *queue) gather(weight int) []*item {
	turn, others := q.turn()
	waiting := 0
	for _, r := range turn {
		waiting += len(r.waiting)
	}
	want := q.batch
	if q.wait == 0 { // workers share what waits
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

// turn returns the requests whose turn it is, which have the model and the options of the first one, and the others.
func (q *queue) turn() (turn, others []*request) {
	first := q.ring[0]
	same := func(r *request) bool { return r.version == first.version && r.draws == first.draws }
	isFew := func(r *request) bool { return len(r.waiting) <= few }
	mixed := slices.ContainsFunc(q.ring, func(r *request) bool { return same(r) && isFew(r) != isFew(first) })
	mixed = mixed && q.wait == 0 // a device takes all there is
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

// finish tells requests that their items are done, and what the batch took.
func (q *queue) finish(batch []*item, took time.Duration) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if n := len(batch); n > 0 {
		const weight = 0.05
		now := took.Seconds() / float64(n)
		q.each += weight * (now - cmp.Or(q.each, now))
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

// isDone says whether an item is done; what workers have set may be read then.
func (q *queue) isDone(it *item) bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	return it.done
}

// retryAfter returns the seconds after which the queue is likely to have room.
func (q *queue) retryAfter() int {
	q.mu.Lock()
	defer q.mu.Unlock()
	return q.retry()
}

func (q *queue) retry() int {
	seconds := float64(q.docs) * q.each / float64(q.workers)
	return int(min(60, max(1, math.Ceil(seconds))))
}

// waiting returns how many documents wait and how many requests there are.
func (q *queue) waitingDocs() (docs, requests int) {
	q.mu.Lock()
	defer q.mu.Unlock()
	return q.docs, q.inside
}

// close ends take.
func (q *queue) close() {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.closed = true
	q.changed.Broadcast()
}
