package serve

import (
	"cmp"
	"context"
	"math"
	"sync"
	"time"

	"github.com/topoi-lda/topoi"
)

// queue has the documents that wait for a worker.
//
// Requests stand in a ring. A worker takes the documents that wait for the same model and
// options together, an equal number of every request, so that one with a single document
// does not wait for all documents of one with thousands; it takes no more than its share of
// all, so that no worker is idle while another has many.
type queue struct {
	mu      sync.Mutex
	changed *sync.Cond
	ring    []*request // that have documents waiting, the one whose turn it is first
	docs    int        // that wait
	bytes   int        // of them
	inside  int        // requests between enter and leave
	most    int        // of those
	workers int
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

	words   []uint32
	unknown int
	out     []byte // what render made
	err     error
	done    bool // of the queue's mutex
}

func newQueue(limits Limits, workers, batch, weight int, wait time.Duration) *queue {
	q := &queue{most: limits.Queue, workers: workers, batch: batch, weight: weight, wait: wait}
	q.changed = sync.NewCond(&q.mu)
	return q
}

// enter lets a request in, or says that there are too many.
func (q *queue) enter(ctx context.Context, v *version, p *params, render func(*tools, *item, *topoi.DocTopics)) (*request, error) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.inside >= q.most {
		return nil, busy(q.retry())
	}
	q.inside++
	return &request{ctx: ctx, version: v, draws: p.draws(), render: render, notify: make(chan struct{}, 1)}, nil
}

// put lets an item of a request wait.
func (q *queue) put(r *request, items ...*item) {
	q.mu.Lock()
	defer q.mu.Unlock()
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
	if len(items) > 1 {
		q.changed.Broadcast()
	} else {
		q.changed.Signal()
	}
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

// take waits for documents and returns some of one model and the same options; nil when
// the queue is closed.
func (q *queue) take() []*item {
	q.mu.Lock()
	defer q.mu.Unlock()
	for {
		switch rest := q.rest(); {
		case q.closed:
			return nil
		case rest == 0:
			return q.gather()
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

// gather takes a batch out of the ring. Requests that have more documents go behind those
// that were not looked at.
func (q *queue) gather() []*item {
	want := q.batch
	if q.wait == 0 { // workers share what waits
		want = min(want, (q.docs+q.workers-1)/q.workers)
	}
	var others, turn []*request
	for _, r := range q.ring {
		if first := q.ring[0]; r.version == first.version && r.draws == first.draws {
			turn = append(turn, r)
		} else {
			others = append(others, r)
		}
	}
	each := max(1, want/len(turn))
	var batch []*item
	bytes := 0
	for len(turn) > 0 && len(batch) < want && bytes < q.weight {
		r := turn[0]
		turn = turn[1:]
		for n := min(each, len(r.waiting), want-len(batch)); n > 0 && bytes < q.weight; n-- {
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
