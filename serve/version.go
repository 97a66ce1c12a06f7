package serve

import (
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"

	"github.com/zeebo/xxh3"

	"github.com/topoi-lda/topoi"
	"github.com/topoi-lda/topoi/corpus"
	"github.com/topoi-lda/topoi/export"
	"github.com/topoi-lda/topoi/internal/guard"
)

// version is a model as it was on disk at some time. It is closed when it has been
// replaced and nobody uses it any more.
type version struct {
	name  string // of the model
	model *topoi.Model
	docs  *corpus.Corpus // the training documents; nil if there are none, or they are not to be shown

	topics      int // K
	fingerprint string
	tag         string // changes with everything that answers are made of

	users atomic.Int64 // 1 for the registry, and 1 for each request
	tools tools        // from which others are cloned
	idle  sync.Pool    // of *tools

	page    lazy[[]byte]
	similar lazy[*neighbours]
}

// tools are what one goroutine needs to answer with a version.
type tools struct {
	encoder *corpus.Encoder
	lines   *export.Lines
	theta   []float64 // K
	buffer  []byte
}

// openVersion opens the model in a directory.
func openVersion(source Source, noDocuments bool) (v *version, err error) {
	defer guard.Files(&err)()
	m, err := topoi.Open(source.Path)
	if err != nil {
		return nil, err
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, m.Close())
		}
	}()
	v = &version{name: source.Name, model: m, topics: m.NumTopics(), fingerprint: m.Fingerprint()}
	v.users.Store(1)
	options, err := m.ImportOptions()
	if err != nil {
		return nil, fmt.Errorf("%s: %w", source.Path, err)
	}
	if v.tools.encoder, err = corpus.NewEncoder(options); err != nil {
		return nil, fmt.Errorf("%s: %w", source.Path, err)
	}
	if v.tools.lines, err = export.NewLines(m); err != nil {
		return nil, err
	}
	if !noDocuments && hasDocuments(source.Path) {
		if v.docs, err = m.Docs(); err != nil { // at once: later another model may be there
			return nil, err
		}
	}
	v.tag, err = v.makeTag()
	return v, err
}

// makeTag hashes what answers depend on beside the request.
func (v *version) makeTag() (string, error) {
	labels, err := v.model.Labels()
	if err != nil {
		return "", err
	}
	h := xxh3.New()
	fmt.Fprintf(h, "%q %q %q %t", v.name, v.fingerprint, v.model.Manifest().Pipeline, v.docs != nil)
	_, _ = h.Write(labels.Encode())
	sum := h.Sum128().Bytes()
	return hex.EncodeToString(sum[:]), nil
}

// use says that a request uses the version, unless it is closed.
func (v *version) use() bool {
	for {
		n := v.users.Load()
		if n == 0 {
			return false
		}
		if v.users.CompareAndSwap(n, n+1) {
			return true
		}
	}
}

// done ends what use or openVersion began.
func (v *version) done() {
	if v.users.Add(-1) == 0 {
		_ = v.model.Close() // nothing was written that could be lost
	}
}

// borrow returns tools for one goroutine.
func (v *version) borrow() *tools {
	if t, ok := v.idle.Get().(*tools); ok {
		return t
	}
	return &tools{encoder: v.tools.encoder.Clone(), lines: v.tools.lines.Clone()}
}

func (v *version) giveBack(t *tools) { v.idle.Put(t) }

// lazy is a value that is made once, when it is first asked for.
type lazy[T any] struct {
	mu    sync.Mutex
	made  chan struct{} // closed when it is made; nil before it is asked for
	value T
	err   error
}

// get returns the value. Making it goes on when ctx ends, for those who come later.
func (l *lazy[T]) get(ctx context.Context, v *version, make_ func() (T, error)) (T, error) {
	l.mu.Lock()
	if l.made == nil {
		l.made = make(chan struct{})
		if !v.use() {
			panic("serve: a closed version is in use")
		}
		go func() {
			defer v.done()
			defer close(l.made)
			l.err = guard.Try(func() (err error) {
				l.value, err = make_()
				return err
			})
		}()
	}
	made := l.made
	l.mu.Unlock()
	select {
	case <-made:
		return l.value, l.err
	case <-ctx.Done():
		var none T
		return none, ctx.Err()
	}
}
