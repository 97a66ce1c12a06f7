package sweep

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"time"

	"github.com/topoi-lda/topoi"
	"github.com/topoi-lda/topoi/analysis/eval"
	"github.com/topoi-lda/topoi/internal/human"
	"github.com/topoi-lda/topoi/internal/metrics"
	"github.com/topoi-lda/topoi/internal/prior"
	"github.com/topoi-lda/topoi/internal/sealed"
	"github.com/topoi-lda/topoi/internal/store"
)

// predicts returns what runs of a number of topics are ordered by: the held-out score, or the joint likelihood where
// there is none.
func (r *Record) predicts() float64 {
	if v, ok := r.Values[metrics.HeldOut]; ok {
		return v
	}
	return r.LogLikelihood
}

// measure makes the record of a model, but for what needs the others.
func (s *Sweep) measure(ctx context.Context, r Run, m *topoi.Model) (*Record, error) {
	manifest := m.Manifest()
	states, err := states(manifest)
	if err != nil && !errors.Is(err, errNoStates) {
		return nil, err
	}
	measured, err := eval.Measure(ctx, m, eval.MeasureOptions{WithoutCoherence: true, States: states, Threads: s.threads()})
	if err != nil {
		return nil, err
	}
	rec := &Record{
		Sweep: s.plan.digest(), Topics: r.Topics, Seed: r.Seed, Sampler: manifest.Options.Sampler,
		Iterations: manifest.Iterations,
		Stopped:    manifest.Stopped, Tokens: manifest.Tokens, Beta: manifest.BetaPerDraw(),
		Fingerprint: m.Fingerprint(),
		Measured:    *measured,
	}
	rec.Totals = m.TopicTokens() // not those of all draws
	rec.AlphaSum = prior.Sum(m.Alpha())
	if n := len(manifest.History); n > 0 { // the last sweep is always scored
		last := manifest.History[n-1]
		rec.LogLikelihood = last.LogLikelihood
		if last.Heldout != nil {
			rec.Set(metrics.HeldOut, *last.Heldout)
		}
	}
	return rec, nil
}

func (s *Sweep) threads() int { return s.options.Train.WithDefaults().Threads }

// readRecord reads the record of a run; the error wraps fs.ErrNotExist if it has not been done.
func (s *Sweep) readRecord(r Run) (*Record, error) {
	path := s.runFile(r, ".json")
	b, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	rec, err := parseRecord(b, r, s.plan.digest())
	if err != nil {
		return nil, fmt.Errorf("%s: %w: remove the file, and the run will be done again", path, err)
	}
	if word := rec.lastWord(); word >= s.corpus.NumWords() {
		return nil, fmt.Errorf("%s: it names word %d of a vocabulary of %d: remove the file, and the run will be done again",
			path, word, s.corpus.NumWords())
	}
	rec.Seconds = s.spent(r).Seconds()
	return rec, nil
}

// parseRecord reads the record of a run of the sweep with the given digest. Records of earlier versions have neither
// checksum nor digest; all others must have both right.
func parseRecord(b []byte, r Run, digest string) (*Record, error) {
	rec := &Record{}
	sealed, err := sealed.Unmarshal(b, rec)
	switch {
	case err != nil:
		return nil, err
	case rec.Run() != r:
		return nil, fmt.Errorf("it is the record of %s", rec.Run().Name())
	case sealed && rec.Sweep != digest:
		return nil, errors.New("it is the record of another sweep")
	}
	return rec, rec.check()
}

// check checks that nothing is missing of what tables are made of.
func (r *Record) check() error {
	sum := uint64(0)
	for _, n := range r.Totals {
		sum += n
	}
	switch {
	case len(r.Totals) != r.Topics || len(r.Top) != r.Topics:
		return fmt.Errorf("it has %d totals and %d lists of words for %d topics", len(r.Totals), len(r.Top), r.Topics)
	case sum != uint64(r.Tokens):
		return fmt.Errorf("its topics have %d tokens together, not %d", sum, r.Tokens)
	case len(r.Values) == 0 || len(r.ByTopic) == 0:
		return errors.New("it has no measures")
	}
	for name, values := range r.ByTopic {
		if len(values) != r.Topics {
			return fmt.Errorf("it has %d values of %s for %d topics", len(values), name, r.Topics)
		}
	}
	return nil
}

// lastWord returns the largest number of a word in the record; numbers below 0 count as too large.
func (r *Record) lastWord() int {
	last := uint(0)
	for _, words := range r.Top {
		for _, w := range words {
			last = max(last, uint(w))
		}
	}
	return int(min(last, math.MaxInt))
}

// spent returns the time that a run has trained so far, 0 if that is not known.
func (s *Sweep) spent(r Run) time.Duration {
	b, err := os.ReadFile(s.runFile(r, ".time"))
	if err != nil {
		return 0
	}
	d, _ := time.ParseDuration(string(b)) // a file that was cut short only loses time
	return d
}

// keepTime notes the time that a run has trained so far. It is told to people and decides nothing, so it need not be
// written with care.
func (s *Sweep) keepTime(r Run, d time.Duration) {
	_ = os.WriteFile(s.runFile(r, ".time"), []byte(d.String()), 0o666)
}

// Has reports whether path is a file of the sweep that Verify knows: its plan, or the record of one of its runs.
func (d Dir) Has(path string) bool {
	path = filepath.Clean(path)
	if path == filepath.Join(string(d), planFile) {
		return true
	}
	r, ok := recordOf(path)
	s := Sweep{folder: folder{string(d)}}
	return ok && path == s.runFile(r, ".json") && d.Exists()
}

// recordOf returns the run whose record has the given path.
func recordOf(path string) (r Run, ok bool) {
	name := filepath.Base(path)
	_, err := fmt.Sscanf(name, "k%d-seed%d.json", &r.Topics, &r.Seed)
	return r, err == nil && name == r.Name()+".json"
}

// Verify compares a file that the sweep has with its checksum and with the sweep, and returns in words what it is. A
// record must belong to the model that was kept of its run.
func (d Dir) Verify(path string) (what string, err error) {
	dir := string(d)
	r, ok := recordOf(path)
	if !ok {
		p, err := readPlan(dir)
		return fmt.Sprintf("the plan of a sweep of %s", human.Of(len(p.Topics)*p.Seeds, "run")), err
	}
	p, err := readPlan(dir)
	if err != nil {
		return "", err
	}
	b, err := os.ReadFile(path)
	if err != nil {
		return "", err
	}
	rec, err := parseRecord(b, r, p.digest())
	if err != nil {
		return "", fmt.Errorf("%s: %w", path, err)
	}
	s := Sweep{folder: folder{dir}}
	if m, err := topoi.Open(s.modelDir(r)); err == nil { // a model that is damaged has a line of its own
		defer m.Close()
		if m.Fingerprint() != rec.Fingerprint {
			return "", fmt.Errorf("%s: it is the record of a model with fingerprint %s, and %s has %s", path,
				rec.Fingerprint,
				s.modelDir(r), m.Fingerprint())
		}
	}
	return "the record of a run with " + human.Of(r.Topics, "topic"), nil
}

// board is where a sweep's runs stand in the store, for workers to take: a list of jobs, and for each a mark of the
// worker that is at it, which expires when it dies.
type board struct {
	store *store.Store
	name  string
}

// posted is the content of the board.
type posted struct {
	Jobs  []string `json:"jobs"`  // that are to be done, first ones first
	Ended bool     `json:"ended"` // there will be no more
}

var (
	// post: KEYS board; ARGV text milliseconds.
	scriptPost = store.NewScript(`return redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2])`)

	// claim: KEYS mark; ARGV worker milliseconds. Takes a job that nobody is at, or keeps it.
	scriptClaim = store.NewScript(`
local has = redis.call('GET', KEYS[1])
if has and has ~= ARGV[1] then return 0 end
redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2])
return 1`)
)

const (
	boardLife = 24 * time.Hour   // of a list that nobody renews
	endLife   = 10 * time.Minute // for workers to see that a sweep has ended
	claimLife = 10 * time.Second // of a worker that says nothing
)

func openBoard(ctx context.Context, url, name string, patience time.Duration) (*board, error) {
	st, err := store.Open(ctx, store.Options{URL: url, Patience: patience})
	return &board{st, name}, err
}

func (b *board) close() { b.store.Close() }

func (b *board) key() string                { return "topoi:sweep:{" + b.name + "}" }
func (b *board) claimKey(job string) string { return b.key() + ":at:" + job }

// post returns which jobs are to be done.
func (b *board) post(ctx context.Context, p posted) error {
	text, err := json.Marshal(p)
	if err != nil {
		return err
	}
	life := boardLife
	if p.Ended {
		life = endLife
	}
	_, err = b.store.Run(ctx, scriptPost,
		store.Call{Keys: []string{b.key()}, Args: []string{string(text), milliseconds(life)}})
	return err
}

// read returns what the board says, nothing if there is none.
func (b *board) read(ctx context.Context) (p posted, err error) {
	values, err := b.store.Get(ctx, b.key())
	if err != nil || values[0] == nil {
		return p, err
	}
	if err := json.Unmarshal(values[0], &p); err != nil {
		return p, fmt.Errorf("the store has something else at %s than a sweep: %w", b.key(), err)
	}
	return p, nil
}

// claim takes a job for a worker, or keeps it.
func (b *board) claim(ctx context.Context, job, worker string) (bool, error) {
	answer, err := b.store.Run(ctx, scriptClaim,
		store.Call{Keys: []string{b.claimKey(job)}, Args: []string{worker, milliseconds(claimLife)}})
	if err != nil {
		return false, err
	}
	n, err := answer.AsInt64()
	return n == 1, err
}

// release lets others take a job.
func (b *board) release(ctx context.Context, job string) error {
	return b.store.Delete(ctx, b.claimKey(job))
}

func milliseconds(d time.Duration) string { return strconv.FormatInt(d.Milliseconds(), 10) }

// Pending lists the runs that have not been done.
func (s *Sweep) Pending() ([]Run, error) {
	var list []Run
	for _, r := range s.Runs() {
		_, err := s.readRecord(r)
		switch {
		case errors.Is(err, fs.ErrNotExist):
			list = append(list, r)
		case err != nil:
			return nil, err
		}
	}
	return list, nil
}
