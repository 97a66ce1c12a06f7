package serve

import (
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/zeebo/xxh3"

	"github.com/topoi-lda/topoi"
	"github.com/topoi-lda/topoi/corpus"
	"github.com/topoi-lda/topoi/export"
	"github.com/topoi-lda/topoi/internal/guard"
	"github.com/topoi-lda/topoi/internal/human"
	"github.com/topoi-lda/topoi/internal/labelsfile"
	"github.com/topoi-lda/topoi/internal/lists"
)

// served is a model with its name.
type served struct {
	source  Source
	current atomic.Pointer[version]
	seen    fileStates // of the directory when it was opened; used by the watcher only
	failed  string     // the last failure that was logged; used by the watcher only
}

// registry holds the models that are served, in order.
type registry struct {
	list        []*served
	noDocuments bool
}

// openModels opens all models.
func openModels(sources []Source, noDocuments bool) (*registry, error) {
	g := &registry{noDocuments: noDocuments}
	var faults []error
	for _, source := range sources {
		m := &served{source: source, seen: lookModel(source.Path)}
		v, err := openVersion(source, noDocuments)
		if err != nil {
			faults = append(faults, err)
			continue
		}
		m.current.Store(v)
		g.list = append(g.list, m)
	}
	if err := errors.Join(faults...); err != nil {
		g.close()
		return nil, err
	}
	return g, nil
}

// close closes the models that no request uses. The last request closes any other.
func (g *registry) close() {
	for _, m := range g.list {
		if v := m.current.Swap(nil); v != nil {
			v.done()
		}
	}
}

// use returns the present version of a model, or of the first model if name is empty. The caller must call its done.
func (g *registry) use(name string) (*version, error) {
	for _, m := range g.list {
		if name != "" && m.source.Name != name {
			continue
		}
		for {
			v := m.current.Load()
			if v == nil {
				return nil, notReady(1, "the server is shutting down")
			}
			if v.use() { // else it has just been replaced
				return v, nil
			}
		}
	}
	names := lists.Of(g.list, func(m *served) string { return m.source.Name })
	return nil, notFound("there is no model %s%s", shown(name), human.Hint(name, names))
}

// Files in a model's directory that change with the model; see docs/formats.md.
const (
	manifestFile = "manifest.json"
	labelsFile   = "labels.json"
	corpusFile   = "corpus.topoi"
)

// fileStates tell whether files have changed. A file that cannot be read has none.
type fileStates []os.FileInfo

// look returns the states of files in a directory, or of one whose path is given without it.
func look(dir string, names ...string) fileStates {
	return lists.Of(names, func(name string) os.FileInfo {
		info, _ := os.Stat(filepath.Join(dir, name))
		return info
	})
}

// lookModel returns the states of the files that change when the model in a directory changes.
func lookModel(dir string) fileStates { return look(dir, manifestFile, labelsFile, corpusFile) }

// same reports whether no file has changed, come or gone.
func (s fileStates) same(t fileStates) bool {
	return slices.EqualFunc(s, t, func(a, b os.FileInfo) bool {
		if a == nil || b == nil {
			return a == b
		}
		return os.SameFile(a, b) && a.Size() == b.Size() && a.ModTime().Equal(b.ModTime())
	})
}

func hasDocuments(dir string) bool {
	_, err := os.Stat(filepath.Join(dir, corpusFile))
	return err == nil
}

// reload opens models that have changed on disk. It calls tell with the result for each.
func (g *registry) reload(tell func(m *served, v *version, err error)) {
	for _, m := range g.list {
		now := lookModel(m.source.Path)
		if now.same(m.seen) {
			continue
		}
		v, err := openVersion(m.source, g.noDocuments)
		if err != nil {
			if err.Error() != m.failed { // the directory may be partly replaced: try again, but report it once
				m.failed = err.Error()
				tell(m, nil, err)
			}
			continue
		}
		if !lookModel(m.source.Path).same(now) { // replaced while it was opened
			v.done()
			continue
		}
		m.seen, m.failed = now, ""
		if old := m.current.Load(); old.tag == v.tag {
			v.done() // written again without a change
			continue
		}
		m.current.Swap(v).done()
		tell(m, v, nil)
	}
}

// version is a model as it was on disk at some time. It is closed after it has been replaced, when nobody
// uses it any more.
type version struct {
	name  string // of the model
	model *topoi.Model
	docs  *corpus.Corpus // the training documents; nil if there are none, or they must not be shown

	topics      int // K
	fingerprint string
	tag         string // changes with everything that answers depend on

	users atomic.Int64 // 1 for the registry, plus 1 for each request
	tools tools        // the original from which others are cloned
	idle  sync.Pool    // of *tools

	label func() int // length of the longest name of a topic

	page    lazy[[]byte]
	similar lazy[*neighbours]
}

// tools holds what one goroutine needs to answer with a version.
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
	v.label = sync.OnceValue(v.longestLabel)
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
		if v.docs, err = m.Docs(); err != nil { // open them now, because another model may be there later
			return nil, err
		}
	}
	v.tag, err = v.makeTag()
	return v, err
}

// makeTag hashes everything beside the request that answers depend on.
func (v *version) makeTag() (string, error) {
	labels, err := v.model.Labels()
	if err != nil {
		return "", err
	}
	h := xxh3.New()
	fmt.Fprintf(h, "%q %q %q %t", v.name, v.fingerprint, v.model.Manifest().Pipeline, v.docs != nil)
	_, _ = h.Write(labelsfile.Encode(labels))
	sum := h.Sum128().Bytes()
	return hex.EncodeToString(sum[:]), nil
}

// use registers a request with the version. It returns false if the version is closed.
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

// done ends a use that use or openVersion began.
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

// lazy is a value that is computed when it is first requested.
type lazy[T any] struct {
	mu    sync.Mutex
	made  chan struct{} // closed when the value exists; nil before the first request
	value T
	err   error
}

// get returns the value. If ctx ends, the computation continues for later requests.
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
