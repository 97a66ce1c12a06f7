package serve

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"errors"
	"io"
	"net/http"
	"slices"
	"time"

	"golang.org/x/sync/semaphore"

	"github.com/topoi-lda/topoi"
	"github.com/topoi-lda/topoi/export"
	"github.com/topoi-lda/topoi/internal/guard"
	"github.com/topoi-lda/topoi/internal/human"
)

// isLines reports whether a body of this kind has a document on every line.
func isLines(kind string) bool {
	return slices.Contains([]string{
		"application/x-ndjson", "application/ndjson", "application/jsonl", "application/x-jsonlines",
		"application/json-lines",
	}, kind)
}

// byteOrderMark may stand before the first line.
const byteOrderMark = "\ufeff"

// streamWindow is the largest number of documents of a stream that are in progress.
const streamWindow = 512

// stream is a request whose documents are answered line by line as they arrive. One goroutine reads,
// workers find topics, and the request's own goroutine writes in order.
type stream struct {
	s      *Server
	ctx    context.Context
	req    *request
	in     *bufio.Reader
	order  chan *streamed
	number int           // number of the next document
	ended  chan struct{} // closed when the reader reads no more from the body

	params *params
	topics int64               // the most bytes of the topics of a document
	room   *semaphore.Weighted // for the answers to documents in progress
}

// streamed is a document of a stream, or the reason why there are no more.
type streamed struct {
	*item
	held int64 // bytes taken from the budget
	cost int64 // bytes taken from the stream's room
	err  error
}

// answerLines answers a body of lines.
func (s *Server) answerLines(a *answer, r *http.Request, p *params) error {
	v, err := s.models.use(p.model)
	if err != nil {
		return err
	}
	defer v.done()
	_ = a.control.EnableFullDuplex() // HTTP/2 is always full-duplex
	raw := &patientReader{in: r.Body, control: a.control, idle: s.limits.Idle}
	r.Body = raw
	err = s.follow(a, r, raw, v, p)
	if raw.drain() && !raw.stopped {
		return err
	}
	// The rest of the body would be taken for the next request. net/http may also have met the deadline set
	// by stop, which cancels the context of every later request on the connection.
	if a.status != 0 {
		return cmp.Or(err, errGone)
	}
	a.Header().Set("Connection", "close")
	return err
}

// follow reads and answers until the end of the body, or until a time limit.
func (s *Server) follow(a *answer, r *http.Request, raw *patientReader, v *version, p *params) error {
	// net/http cancels its context when a read fails, which would hide why it failed.
	ctx, cancel := context.WithTimeout(context.WithoutCancel(r.Context()), s.limits.StreamTime)
	defer cancel()
	in, err := openBody(r, s.limits.Stream)
	if err != nil {
		return err
	}
	req, err := s.queue.enter(ctx, v, p, renderLine(v, p))
	if err != nil {
		return err
	}
	defer s.queue.leave(req)
	t := &stream{
		s: s, ctx: ctx, req: req, in: bufio.NewReaderSize(in, 64<<10),
		order: make(chan *streamed, streamWindow), ended: make(chan struct{}),
		params: p, topics: v.topicsCost(p), room: semaphore.NewWeighted(s.limits.Answer),
	}
	var reader guard.Group
	reader.Go(t.read)
	a.Header().Set("Topoi-Fingerprint", v.fingerprint)
	a.Header().Set("Cache-Control", "no-store")
	err = t.write(a)
	cancel()
	select {
	case <-t.ended:
	default:
		raw.stop()
	}
	for left := range t.order { // the reader ends now
		s.buffered.Release(left.held)
	}
	reader.Wait()
	return err
}

// read reads documents until there are no more.
func (t *stream) read() {
	defer close(t.order)
	if mark, _ := t.in.Peek(len(byteOrderMark)); string(mark) == byteOrderMark {
		_, _ = t.in.Discard(len(byteOrderMark))
	}
	for {
		next := &streamed{}
		line, err := t.line(next)
		if err == nil {
			next.item = &item{number: t.number}
			next.doc, err = t.parse(line)
		}
		if err == nil {
			err = t.reserve(next)
		}
		if next.err = err; err == nil {
			t.number++
			t.s.queue.put(t.req, next.item)
		} else {
			close(t.ended) // before the writer sees it, so that nobody has to stop this reader
		}
		select {
		case t.order <- next:
		case <-t.ctx.Done():
			t.s.buffered.Release(next.held)
			return
		}
		if err != nil {
			return
		}
	}
}

// reserve waits until there is room for the answer to a document.
func (t *stream) reserve(next *streamed) error {
	cost := next.doc.lineCost(t.params, t.topics)
	if cost > t.s.limits.Answer {
		return tooLarge("the answer to a document may have %s, and %s are the limit: set top",
			human.Bytes(cost), human.Bytes(t.s.limits.Answer)).about(t.number)
	}
	if err := t.room.Acquire(t.ctx, cost); err != nil {
		return err
	}
	next.cost = cost
	return nil
}

// parse reads the document of a line.
func (t *stream) parse(line []byte) (document, error) {
	if at := invalidUTF8(line); at >= 0 {
		return document{}, badRequest("byte %d of the line is not UTF-8", at+1).about(t.number)
	}
	doc, err := parseDocument(line, t.s.limits)
	if err != nil {
		err = problemOf(err).about(t.number)
	}
	return doc, err
}

// line returns the next line that is not blank, or io.EOF. It takes the line's memory from the budget on
// behalf of next.
func (t *stream) line(next *streamed) ([]byte, error) {
	var line []byte
	for {
		piece, err := t.in.ReadSlice('\n')
		if len(bytes.TrimSpace(piece)) > 0 || len(line) > 0 {
			if int64(len(line)+len(piece)) > t.s.limits.Body {
				return nil, tooLarge("a line has more than %d bytes, which is the limit",
					t.s.limits.Body).about(t.number)
			}
			if fault := t.s.buffered.Acquire(t.ctx, int64(len(piece))); fault != nil {
				return nil, fault
			}
			next.held += int64(len(piece))
			line = append(line, piece...)
		}
		switch {
		case errors.Is(err, bufio.ErrBufferFull):
			continue
		case len(line) == 0 && err == nil:
			continue // blank
		case len(line) == 0 || err != nil && err != io.EOF:
			return nil, err
		}
		return bytes.TrimSpace(line), nil
	}
}

// write writes answers in the order of the documents. It sends them whenever it would have to wait.
func (t *stream) write(a *answer) error {
	out := newPieces(a)
	a.Header().Set("Content-Type", "application/x-ndjson")
	for {
		next, err := t.next(a, out)
		if err == nil {
			err = next.err
		}
		if err == nil {
			err = t.s.queue.await(next.item, func() { t.flush(a, out) })
		}
		if err == nil && next.item.err != nil {
			err = problemOf(next.item.err).about(next.number)
		}
		if next != nil {
			t.s.buffered.Release(next.held)
			t.room.Release(next.cost)
		}
		if err != nil {
			return t.end(a, out, err)
		}
		out.add(next.out)
		if out.err != nil {
			return out.err
		}
	}
}

// next returns the next document that was read.
func (t *stream) next(a *answer, out *pieces) (*streamed, error) {
	select {
	case next, open := <-t.order:
		return next, t.lost(open)
	default:
	}
	t.flush(a, out)
	select {
	case next, open := <-t.order:
		return next, t.lost(open)
	case <-t.ctx.Done():
		return nil, t.ctx.Err()
	}
}

// lost returns why the reader ended without an error of its own, if it has.
func (t *stream) lost(open bool) error {
	if open {
		return nil
	}
	return cmp.Or(t.ctx.Err(), errors.New("the reader of a stream failed"))
}

// flush sends the output so far.
func (t *stream) flush(a *answer, out *pieces) {
	if len(out.buffer) > 0 && out.flush() == nil {
		a.hurry()
		_ = a.control.Flush() // the next write returns the error
	}
}

// end ends the answer: after the last document, or with a line that describes the error.
func (t *stream) end(a *answer, out *pieces, err error) error {
	switch {
	case errors.Is(err, io.EOF):
		if a.status == 0 && len(out.buffer) == 0 {
			a.WriteHeader(http.StatusOK)
		}
		return out.flush()
	case a.status == 0 && len(out.buffer) == 0:
		return err
	case errors.Is(err, context.DeadlineExceeded):
		err = newProblem(http.StatusServiceUnavailable, "timeout", "the stream took longer than %s",
			t.s.limits.StreamTime)
	}
	t.s.logFault("a stream failed", err)
	out.add(problemOf(err).body())
	t.flush(a, out)
	return out.err
}

// patientReader allows a client the idle time before each read.
type patientReader struct {
	in      io.ReadCloser
	control *http.ResponseController
	idle    time.Duration
	stopped bool // stop was called
}

func (p *patientReader) Read(b []byte) (int, error) {
	_ = p.control.SetReadDeadline(time.Now().Add(p.idle)) // requests in tests have no deadline
	return p.in.Read(b)
}

func (p *patientReader) Close() error { return p.in.Close() }

// drain reads some of the data that the client may have sent already, because closing a connection with
// unread bytes loses the end of the answer. It reports whether everything was read.
func (p *patientReader) drain() bool {
	_ = p.control.SetReadDeadline(time.Now().Add(min(p.idle, time.Second)))
	_, err := io.CopyN(io.Discard, p.in, 1<<20)
	return err == io.EOF
}

// stop ends a waiting Read, and makes later ones fail.
func (p *patientReader) stop() {
	p.stopped = true
	_ = p.control.SetReadDeadline(time.Now().Add(-time.Second))
}

// renderLine returns a function that makes the line of a document, as topoi infer writes it.
func renderLine(v *version, p *params) func(t *tools, it *item, d *topoi.DocTopics) {
	options := export.Options{Top: p.top, MinTheta: p.minTheta}
	return func(t *tools, it *item, d *topoi.DocTopics) {
		t.buffer = t.lines.Append(t.buffer[:0], it.number, it.doc.head(), d, options)
		if p.words {
			t.buffer = withWords(t.buffer, wordTopics(t, v.model, slices.Sorted(slices.Values(it.Words)), d))
		}
		it.out = append(make([]byte, 0, len(t.buffer)), t.buffer...)
	}
}
