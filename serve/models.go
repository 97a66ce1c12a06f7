package serve

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sync/atomic"

	"github.com/topoi-lda/topoi/internal/human"
)

// served is a model under its name.
type served struct {
	source  Source
	current atomic.Pointer[version]
	seen    string // what the directory looked like when it was opened; of the watcher
	failed  string // the last failure that was logged; of the watcher
}

// registry has the models that are served, in order.
type registry struct {
	list        []*served
	noDocuments bool
}

// openModels opens all models.
func openModels(sources []Source, noDocuments bool) (*registry, error) {
	g := &registry{noDocuments: noDocuments}
	var faults []error
	for _, source := range sources {
		m := &served{source: source, seen: look(source.Path)}
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

// close closes all models that no request uses, and lets the last request close others.
func (g *registry) close() {
	for _, m := range g.list {
		if v := m.current.Swap(nil); v != nil {
			v.done()
		}
	}
}

// use returns the present version of a model, the first one if name is empty. The caller
// must call its done.
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
	var names []string
	for _, m := range g.list {
		names = append(names, m.source.Name)
	}
	return nil, notFound("there is no model %s%s", shown(name), human.Hint(name, names))
}

// The files of a model's directory that change when it does, see docs/formats.md.
const (
	manifestFile = "manifest.json"
	labelsFile   = "labels.json"
	corpusFile   = "corpus.topoi"
)

// look returns a text that changes when the model in a directory does.
func look(dir string) string {
	text := ""
	for _, name := range []string{manifestFile, labelsFile, corpusFile} {
		info, err := os.Stat(filepath.Join(dir, name))
		if err != nil {
			text += "- "
			continue
		}
		text += fmt.Sprintf("%d %d %s ", info.Size(), info.ModTime().UnixNano(), identity(info))
	}
	return text
}

func hasDocuments(dir string) bool {
	_, err := os.Stat(filepath.Join(dir, corpusFile))
	return err == nil
}

// reload takes up models that changed on disk. It tells of each what happened.
func (g *registry) reload(tell func(m *served, v *version, err error)) {
	for _, m := range g.list {
		now := look(m.source.Path)
		if now == m.seen {
			continue
		}
		v, err := openVersion(m.source, g.noDocuments)
		if err != nil {
			if err.Error() != m.failed { // it may be half-way replaced: try again, but tell once
				m.failed = err.Error()
				tell(m, nil, err)
			}
			continue
		}
		if look(m.source.Path) != now { // replaced while it was opened
			v.done()
			continue
		}
		m.seen, m.failed = now, ""
		if old := m.current.Load(); old.tag == v.tag {
			v.done() // written again, but the same
			continue
		}
		m.current.Swap(v).done()
		tell(m, v, nil)
	}
}
