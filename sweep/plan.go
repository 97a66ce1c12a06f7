package sweep

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/zeebo/xxh3"

	"github.com/topoi-lda/topoi"
	"github.com/topoi-lda/topoi/corpus"
	"github.com/topoi-lda/topoi/internal/claim"
	"github.com/topoi-lda/topoi/internal/sealed"
	"github.com/topoi-lda/topoi/internal/wholefile"
	"github.com/topoi-lda/topoi/train"
)

// Sweep is a sweep in its directory.
type Sweep struct {
	folder
	corpus  *corpus.Corpus
	options Options
	plan    plan
	shared  *topoi.Shared

	// Left is the number of runs that are still to be done. Memory is the most bytes that the largest of them takes, and
	// Disk what they all will write: models, records, one checkpoint, pages and tables. Run refuses to begin where that
	// does not fit.
	Left         int
	Memory, Disk uint64
}

// plan is the content of sweep.json.
type plan struct {
	Version int     `json:"version"`
	Corpus  string  `json:"corpus_fingerprint"`
	Sample  Sampled `json:"sample"`
	// what determines models; without the number of topics, and its seed is the first one
	Train   topoi.Options `json:"train"`
	Topics  []int         `json:"topics"`
	Seeds   int           `json:"seeds"`
	Program string        `json:"program,omitempty"`
}

const planVersion = 1

// errExists is wrapped by the error about a directory that holds a sweep already.
var errExists = errors.New("there is already a sweep")

// Dir is a directory that holds a sweep, or will.
type Dir string

// Corpus returns the path where the sweep has its documents.
func (d Dir) Corpus() string { return filepath.Join(string(d), "corpus.topoi") }

// Exists reports whether there is a sweep already.
func (d Dir) Exists() bool {
	_, err := os.Stat(filepath.Join(string(d), planFile))
	return err == nil
}

const planFile = "sweep.json"

// Sample returns what the documents of the sweep are a sample of.
func (d Dir) Sample() (Sampled, error) {
	p, err := readPlan(string(d))
	return p.Sample, err
}

// Check refuses a directory that holds something else than a sweep.
func (d Dir) Check() error {
	entries, err := os.ReadDir(string(d))
	if err != nil {
		return nil // nothing is there, or making it will tell
	}
	for _, e := range entries {
		if e.Name() != filepath.Base(d.Corpus()) && !strings.HasPrefix(e.Name(), ".") && !d.Exists() {
			return fmt.Errorf("%s exists and holds other files than a sweep, such as %s: choose another directory", d,
				e.Name())
		}
	}
	return nil
}

// PutCorpus puts the documents of a sweep into its directory, which is made if it is not there: as a link where c is
// a file, so that models link to it too.
func (d Dir) PutCorpus(c *corpus.Corpus) error {
	dir := string(d)
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return wholefile.Explain(dir, err)
	}
	owned, err := claim.Share(claim.In(dir))
	if err != nil {
		return err
	}
	defer owned.Release()
	path := d.Corpus()
	if err := os.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err // of a sweep that was killed before it began
	}
	return c.SaveLinked(path)
}

// Begin begins a sweep in dir, or goes on with the one that is there if resume is set. c is the corpus at
// Dir(dir).Corpus(). A sweep that goes on may have other numbers of topics and seeds: runs that were done with the same
// options are taken over.
func Begin(dir string, c *corpus.Corpus, o Options, resume bool) (*Sweep, error) {
	if err := o.Validate(); err != nil {
		return nil, err
	}
	s := &Sweep{folder: folder{dir}, corpus: c, options: o.WithDefaults()}
	s.plan = plan{
		Version: planVersion, Corpus: c.Fingerprint(), Sample: o.Sample,
		Train: determining(o.Train), Topics: o.Topics, Seeds: s.options.Seeds, Program: o.Train.Program,
	}
	old, err := readPlan(dir)
	switch {
	case errors.Is(err, fs.ErrNotExist):
	case err != nil:
		return nil, err
	case !resume:
		return nil, fmt.Errorf("%w in %s: continue it, or choose another directory", errExists, dir)
	default:
		if err := old.refuse(s.plan, dir); err != nil {
			return nil, err
		}
	}
	if s.shared, err = train.Share(c, s.options.Train); err != nil {
		return nil, err
	}
	if err = s.predict(); err != nil {
		return nil, err
	}
	return s, s.settle()
}

// settle makes the directory. The plan comes first, so that one that was killed in between is known for a sweep.
func (s *Sweep) settle() error {
	if err := os.MkdirAll(s.dir, 0o777); err != nil {
		return wholefile.Explain(s.dir, err)
	}
	owned, err := claim.Share(claim.In(s.dir))
	if err != nil {
		return err
	}
	defer owned.Release()
	if err := writeSealed(filepath.Join(s.dir, planFile), s.plan); err != nil {
		return err
	}
	for _, sub := range []string{"runs", "models", "pages"} {
		if err := os.MkdirAll(filepath.Join(s.dir, sub), 0o777); err != nil {
			return wholefile.Explain(s.dir, err)
		}
	}
	return nil
}

// digest returns a hash of what all runs of the sweep have in common.
func (p plan) digest() string {
	b, _ := json.Marshal(p.Train) // numbers and strings
	return strconv.FormatUint(xxh3.HashString(p.Corpus+"\n"+string(b)), 16)
}

// readPlan reads sweep.json.
func readPlan(dir string) (plan, error) {
	var p plan
	path := filepath.Join(dir, planFile)
	b, err := os.ReadFile(path)
	if err != nil {
		return p, err
	}
	if _, err := sealed.Unmarshal(b, &p); err != nil {
		return p, fmt.Errorf("%s: %w: it is not what a sweep writes; choose another directory, or remove the file",
			path, err)
	}
	if p.Version != planVersion {
		return p, fmt.Errorf("%s is of version %d, and this program knows version %d: choose another directory", path,
			p.Version, planVersion)
	}
	return p, nil
}

// refuse refuses to go on with a sweep of other documents or options.
func (p plan) refuse(now plan, dir string) error {
	if p.Corpus != now.Corpus {
		return fmt.Errorf("%s is a sweep of another corpus: its fingerprint is %s and that of the one given is %s; "+
			"give the same documents, or choose another directory", dir, p.Corpus, now.Corpus)
	}
	if was, is, name := difference(p.Train, now.Train); name != "" {
		return fmt.Errorf("%s was begun with %s %s, not %s: its runs could not be compared; give the same options, "+
			"or choose another directory", dir, name, was, is)
	}
	return nil
}

// determining returns the options that determine models, defaults filled in, without the number of topics.
func determining(o topoi.Options) topoi.Options {
	o = o.WithDefaults()
	o.Topics, o.Device, o.Checkpoint, o.CheckpointEvery, o.TimeLimit = 0, "", "", 0, 0
	return o
}

// difference names the first option in which two runs differ.
func difference(a, b topoi.Options) (was, is, name string) {
	x, y := fields(a), fields(b)
	for name := range y {
		if _, has := x[name]; !has {
			x[name] = nil
		}
	}
	for _, name := range slices.Sorted(maps.Keys(x)) {
		if !bytes.Equal(x[name], y[name]) {
			return cmp.Or(string(x[name]), "none"), cmp.Or(string(y[name]), "none"), name
		}
	}
	return "", "", ""
}

// fields returns the options by name.
func fields(o topoi.Options) map[string]json.RawMessage {
	b, _ := json.Marshal(o) // numbers and strings
	var list map[string]json.RawMessage
	_ = json.Unmarshal(b, &list)
	return list
}

// Runs lists all runs, those of the first seed first: so the whole range of topics is seen early.
func (s *Sweep) Runs() []Run {
	var list []Run
	for i := range s.options.Seeds {
		for _, k := range s.options.Topics {
			list = append(list, Run{k, s.options.Train.Seed + uint64(i)})
		}
	}
	return list
}

// folder names the files of runs.
type folder struct{ dir string }

func (s folder) runFile(r Run, suffix string) string {
	return filepath.Join(s.dir, "runs", r.Name()+suffix)
}
func (s folder) modelDir(r Run) string { return filepath.Join(s.dir, "models", r.Name()) }
func (s folder) pageFile(r Run) string { return filepath.Join(s.dir, "pages", r.Name()+".html") }

// runOptions are the options of a run.
func (s *Sweep) runOptions(r Run) topoi.Options {
	o := s.options.Train
	o.Topics, o.Seed, o.Shared, o.Events = r.Topics, r.Seed, s.shared, s.options.Events.Train
	o.HoldCheckpoint = true // what it would keep is soon done again
	if o.CheckpointEvery >= 0 {
		o.Checkpoint, o.Resume = s.runFile(r, ".checkpoint"), true
	} else {
		o.CheckpointEvery = 0
	}
	return o
}

// writeSealed writes a value as a file with a checksum, whole or not at all.
func writeSealed(path string, value any) error {
	b, err := sealed.Marshal(value, "\t")
	if err != nil {
		return err
	}
	return wholefile.Put(path, b)
}

// writeJSON writes a value as a file, whole or not at all.
func writeJSON(path string, value any) error {
	b, err := json.MarshalIndent(value, "", "\t")
	if err != nil {
		return err
	}
	return wholefile.Put(path, append(b, '\n'))
}

// predict finds what the runs that are left will take.
func (s *Sweep) predict() error {
	pending, err := s.Pending()
	if err != nil || len(pending) == 0 {
		return err
	}
	largest := slices.MaxFunc(pending, func(a, b Run) int { return a.Topics - b.Topics })
	run, err := train.Predict(s.corpus, s.runOptions(largest), s.dir)
	if err != nil {
		return err
	}
	s.Left, s.Memory, s.Disk = len(pending), run.Memory, run.Checkpoint
	if s.options.Cluster != nil {
		s.Disk = 0 // checkpoints are in the store
	}
	models, pages := 0, 0
	for _, r := range pending {
		s.Disk += uint64(r.Topics)*1024 + 4096 // its record
	}
	switch s.options.Keep {
	case keepAll:
		models = len(pending)
	case keepBest:
		models = min(len(pending), len(s.options.Topics)+1)
	}
	switch s.options.Pages {
	case keepAll:
		pages = models
	case keepBest:
		pages = min(models, len(s.options.Topics))
	}
	s.Disk += uint64(models)*run.Model + uint64(pages)*min(pageBytes, 16*uint64(s.corpus.NumTokens()))
	return nil
}
