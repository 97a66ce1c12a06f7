package export

import (
	"context"
	"io"
	"iter"
	"sync"

	"github.com/topoi-lda/topoi"
	"github.com/topoi-lda/topoi/internal/conveyor"
	"github.com/topoi-lda/topoi/topic"
)

// inOrder works on pieces with several goroutines. It passes the results to drain in the caller's goroutine
// and in the order of the pieces, so that the output does not depend on the number of goroutines. About
// twice as many pieces as there are threads exist at a time.
func inOrder[P, R any](ctx context.Context, threads int, pieces func(put func(P) error) error,
	work func(worker int, piece P) (R, error), drain func(R) error,
) error {
	type job struct {
		piece  P
		result R
	}
	next, stop := iter.Pull2(pulled(pieces))
	defer stop()
	c := conveyor.Conveyor[*job]{Threads: threads}
	for range 2 * threads {
		c.Jobs = append(c.Jobs, new(job))
	}
	c.Fill = func(j *job) (err error) {
		more := false
		if j.piece, err, more = next(); !more {
			return io.EOF
		}
		return err
	}
	c.Work = func(worker int, j *job) (err error) {
		j.result, err = work(worker, j.piece)
		return err
	}
	c.Drain = func(j *job) error { return drain(j.result) }
	return c.Run(ctx)
}

// pulled turns a function that puts pieces into an iterator. The last element may be an error.
func pulled[P any](pieces func(put func(P) error) error) iter.Seq2[P, error] {
	return func(yield func(P, error) bool) {
		enough := false
		err := pieces(func(piece P) error {
			if enough = !yield(piece, nil); enough {
				return context.Canceled
			}
			return nil
		})
		if err != nil && !enough {
			yield(*new(P), err)
		}
	}
}

// passage is the text for some units, such as documents.
type passage struct {
	text  line
	units int
}

// passages holds written passages, whose memory is reused.
var passages = sync.Pool{New: func() any { return new(passage) }}

// tellEvery is about how many bytes are written between progress reports.
const tellEvery = 1 << 20

// texts writes text about n units. Several goroutines make it in pieces: text appends the text of a piece
// and returns its number of units.
func texts[P any](j *job, w io.Writer, n int, pieces func(put func(P) error) error,
	text func(worker int, l *line, piece P) int,
) error {
	if err := j.step(0, n); err != nil {
		return err
	}
	done, untold := 0, 0
	err := inOrder(j.ctx, j.threads(), pieces, func(worker int, piece P) (*passage, error) {
		p := passages.Get().(*passage)
		p.text = p.text[:0]
		p.units = text(worker, &p.text, piece)
		return p, nil
	}, func(p *passage) error {
		_, err := w.Write(p.text)
		done, untold = done+p.units, untold+len(p.text)
		passages.Put(p)
		if err != nil || untold < tellEvery {
			return err
		}
		untold = 0
		return j.advance(done, n)
	})
	if err != nil {
		return err
	}
	return j.step(n, n)
}

// grouped returns a function that puts items in groups, each with a weight of about limit.
func grouped[T any](items func(put func(T) error) error, limit int, weight func(T) int,
) func(put func([]T) error) error {
	return func(put func([]T) error) error {
		var group []T
		total := 0
		err := items(func(item T) error {
			group, total = append(group, item), total+weight(item)
			if total < limit {
				return nil
			}
			full := group
			group, total = make([]T, 0, len(full)), 0
			return put(full)
		})
		if err != nil || len(group) == 0 {
			return err
		}
		return put(group)
	}
}

// span stands for the units lo, …, hi-1.
type span struct{ lo, hi int }

// spans cuts n units into spans of some size.
func spans(n, size int) func(put func(span) error) error {
	return func(put func(span) error) error {
		for lo := 0; lo < n; lo += size {
			if err := put(span{lo, min(lo+size, n)}); err != nil {
				return err
			}
		}
		return nil
	}
}

// wordText writes the text that text appends for every word of the vocabulary.
func (j *job) wordText(w io.Writer, text func(l *line, word int)) error {
	n := j.model.NumWords()
	return texts(j, w, n, spans(n, 1024), func(_ int, l *line, s span) int {
		for word := s.lo; word < s.hi; word++ {
			text(l, word)
		}
		return s.hi - s.lo
	})
}

// topicColumn is a topic with its non-zero n_wk by word.
type topicColumn struct {
	topic  int
	counts []topic.WordCount
}

// columnText writes the text that text appends for every topic.
func (j *job) columnText(w io.Writer, text func(l *line, c topicColumn)) error {
	n := j.model.NumTopics()
	return texts(j, w, n, func(put func(topicColumn) error) error {
		for k, column := range j.model.Columns(nil) {
			if err := put(topicColumn{k, append([]topic.WordCount(nil), column...)}); err != nil {
				return err
			}
		}
		return nil
	}, func(_ int, l *line, c topicColumn) int {
		text(l, c)
		return 1
	})
}

// each calls f with n_wk of all words.
func (c topicColumn) each(words int, f func(word int, n uint32)) {
	rest := c.counts
	for word := range words {
		n := uint32(0)
		if len(rest) > 0 && int(rest[0].Word) == word {
			n, rest = rest[0].Count, rest[1:]
		}
		f(word, n)
	}
}

// topicWords is a topic with its top words.
type topicWords struct {
	topic int
	words []topoi.WordWeight
}

// topWords returns a function that puts all topics with their n top words.
func (j *modelJob) topWords(n int) func(put func(topicWords) error) error {
	return func(put func(topicWords) error) error {
		for t := range j.model.Summary(nil, n) {
			if err := put(topicWords{t.Topic, j.model.Manifest().MeanCounts(t.Words)}); err != nil {
				return err
			}
		}
		return nil
	}
}

// topWordText writes the text that text appends for every topic with its n top words.
func (j *job) topWordText(w io.Writer, n int, text func(l *line, t topicWords)) error {
	return texts(j, w, j.model.NumTopics(), j.topWords(n), func(_ int, l *line, t topicWords) int {
		text(l, t)
		return 1
	})
}
