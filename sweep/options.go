// Package sweep trains models with several numbers of topics and several seeds on one corpus, measures all of them by
// package metrics, and says which number of topics they speak for, with reasons. It decides nothing: the models are
// there to be looked at.
//
// A sweep is a directory. Runs are done one after the other, or by the workers of a cluster, and each leaves a record
// when it is done. A sweep that was killed goes on with the runs that have none, and the run that it was at from its
// checkpoint. All tables are functions of corpus and options: they have the same bytes however often it was killed.
// What depends on the machine, the times, is in a table of its own.
//
//	DIR/sweep.json        what is swept: corpus, options, numbers of topics, seeds
//	DIR/corpus.topoi      the documents, imported once
//	DIR/runs/             records and checkpoints of runs
//	DIR/models/           the models that are kept
//	DIR/pages/            pages of models, made by package explore
//	DIR/sweep.csv         a row for every run (and sweep.parquet)
//	DIR/topics.csv        a row for every topic of every run (and topics.parquet)
//	DIR/stability.csv     how every two runs of a number of topics agree
//	DIR/recommendation.json  what the numbers speak for, and why
//	DIR/times.csv         seconds of every run
//	DIR/index.html        all of it as a page
package sweep

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"
	"time"

	"github.com/topoi-lda/topoi"
	"github.com/topoi-lda/topoi/analysis/eval"
	"github.com/topoi-lda/topoi/cluster"
	"github.com/topoi-lda/topoi/corpus"
	"github.com/topoi-lda/topoi/internal/human"
	"github.com/topoi-lda/topoi/internal/machine"
	"github.com/topoi-lda/topoi/internal/rng"
	"github.com/topoi-lda/topoi/train"
)

// Options say what is swept. Topics is required.
type Options struct {
	// Topics are the numbers of topics, rising and different.
	Topics []int

	// Seeds is the number of runs for each of them, with the seeds Train.Seed, Train.Seed + 1 and so on. Default 5.
	Seeds int

	// Train holds the options that all runs share. Topics, Seed, Checkpoint, Resume, Shared and Events are the sweep's.
	// Holdout should be set: without held-out documents there is no score that numbers of topics can be compared by.
	// A negative CheckpointEvery keeps no checkpoints within runs, which then begin anew when they were killed.
	Train topoi.Options

	// Keep describes which models stay: "all", "best" (for each number of topics the run that predicts best), or "none".
	// Default "all".
	Keep string

	// Pages describes in the same way which of them get a page. Default "best".
	Pages string

	// Sample is the share of the documents that the corpus is a sample of, to be told; see [Sample]. Default 0: it is
	// the whole.
	Sample Sampled

	// Cluster, if not nil, has the runs done by workers elsewhere.
	Cluster *Cluster

	// Name of the sweep, shown in the page. Default: "sweep".
	Name string

	// Events are told what happens.
	Events Events
}

// Which models are kept, or shown.
const (
	keepAll  = "all"
	keepBest = "best" // for each number of topics the run that predicts best
	keepNone = "none"
)

// kept lists the values of Keep.
func kept() []string { return []string{keepAll, keepBest, keepNone} }

// WithDefaults returns o with every default filled in.
func (o Options) WithDefaults() Options {
	o.Seeds = cmp.Or(o.Seeds, 5)
	o.Keep = cmp.Or(o.Keep, keepAll)
	o.Pages = cmp.Or(o.Pages, keepBest)
	o.Name = cmp.Or(o.Name, "sweep")
	return o
}

// Validate returns all faults of the options at once, joined, or nil.
func (o Options) Validate() error {
	faults := []error{human.FaultIf(len(o.Topics) == 0, "there are no numbers of topics to sweep")}
	for i, k := range o.Topics {
		if i > 0 && k <= o.Topics[i-1] {
			faults = append(faults, fmt.Errorf("the numbers of topics must increase: %d comes after %d", k,
				o.Topics[i-1]))
		}
	}
	faults = append(faults, human.FaultIf(o.Seeds < 0, "the number of seeds is %d: it must be at least 1", o.Seeds))
	for what, k := range map[string]string{"models": o.Keep, "pages": o.Pages} {
		if k != "" && !slices.Contains(kept(), k) {
			faults = append(faults, fmt.Errorf("the %s to keep are %q: it must be %s%s", what, k, "all, best or none",
				human.Hint(k, kept())))
		}
	}
	run := o.Train
	run.CheckpointEvery = max(run.CheckpointEvery, 0)
	for _, k := range o.Topics { // those that one is too many or too few for
		run.Topics = k
		if err := train.Validate(run); err != nil {
			return errors.Join(append(faults, err)...)
		}
	}
	return errors.Join(faults...)
}

// pageBytes is the largest size of a model's page.
const pageBytes = 32 << 20

// machineMemory and freeBytes are what this machine has; tests have others.
var (
	machineMemory = machine.Memory
	freeBytes     = machine.DiskFree
)

// Sampled describes what a sampled corpus is a sample of. The zero value is a corpus that is none.
type Sampled struct {
	Share       float64 `json:"share,omitempty"` // of the documents
	Seed        uint64  `json:"seed,omitempty"`
	Docs        int     `json:"docs,omitempty"`        // of the whole corpus
	Tokens      int     `json:"tokens,omitempty"`      // likewise
	Fingerprint string  `json:"fingerprint,omitempty"` // likewise
}

// forSample is the purpose of the random numbers that choose the documents of a sample.
const forSample = 0x73616d70

// Sample returns a random share of the documents, in their order, over the same vocabulary. It depends on the number
// of documents, the share and the seed alone, and a smaller sample is part of a larger one.
func Sample(c *corpus.Corpus, share float64, seed uint64) (*corpus.Corpus, Sampled, error) {
	if !(share > 0 && share < 1) {
		return nil, Sampled{}, fmt.Errorf("the share of documents to sample is %v: it must be above 0 and below 1",
			share)
	}
	n := int(share * float64(c.NumDocs()))
	if n < 2 || c.NumDocs() > math.MaxUint32 {
		return nil, Sampled{}, fmt.Errorf("%v of %d documents cannot be sampled", share, c.NumDocs())
	}
	type keyed struct {
		key uint64
		doc uint32
	}
	key, list := rng.NewKey(seed), make([]keyed, c.NumDocs())
	for d := range list {
		b := key.Block(uint32(d), 0, 0, forSample)
		list[d] = keyed{uint64(b[0])<<32 | uint64(b[1]), uint32(d)}
	}
	slices.SortFunc(list, func(a, b keyed) int { return cmp.Or(cmp.Compare(a.key, b.key), cmp.Compare(a.doc, b.doc)) })
	docs := make([]uint32, n)
	for i := range docs {
		docs[i] = list[i].doc
	}
	slices.Sort(docs)
	return c.Select(docs), Sampled{share, seed, c.NumDocs(), c.NumTokens(), c.Fingerprint()}, nil
}

// Events are called as things happen, from the goroutine that called Run. Any of them may be nil.
type Events struct {
	Begin func(RunInfo)         // before a run
	Done  func(RunInfo)         // after it, with its record
	Phase func(topoi.PhaseInfo) // work that is no run
	Train topoi.Events          // of the run that is at work; runs of a cluster tell nothing
}

// RunInfo is told about a run.
type RunInfo struct {
	Run
	Number, Of int           // this is run Number, from 1, of all
	Left       time.Duration // estimated for this run and those after it, or those after it when done; 0: not known
	Record     *Record       // when done: without coherence and stability, which need all runs
}

func (e Events) phase(name string, done, total int) {
	if e.Phase != nil {
		e.Phase(topoi.PhaseInfo{Name: name, Done: int64(done), Total: int64(total)})
	}
}

// Cluster has runs done by workers elsewhere, one worker a run: a run is a job of one part in the store, and a list
// there says which runs are to be done. Models have the same bytes as those that the same sampler trains here; "auto"
// chooses among those that clusters have.
type Cluster struct {
	// Where is the store, and Where.Name that of the sweep there: jobs are called by it and the name of their run.
	Where cluster.Job

	// Layout describes where workers get the corpus, beside other things. Default: see cluster.Layout.
	Layout cluster.Layout

	// Lease is how long a worker that says nothing counts as alive. Default 10 s.
	Lease time.Duration

	// AtOnce is the number of runs in the store at a time. Default 8.
	AtOnce int

	// Poll is the time between looks at the runs. Default half a second.
	Poll time.Duration

	// Waiting is called once when nobody has begun a run for a while. Default: nobody is told.
	Waiting func()
}

// Run is one model of a sweep.
type Run struct {
	Topics int
	Seed   uint64
}

// Name returns the name of a run's files.
func (r Run) Name() string { return fmt.Sprintf("k%d-seed%d", r.Topics, r.Seed) }

// Record is the record of a run, which stays even if its model does not.
type Record struct {
	Topics        int              `json:"topics"`
	Seed          uint64           `json:"seed"`
	Sampler       string           `json:"sampler"`
	Iterations    int              `json:"iterations"`
	Stopped       topoi.StopReason `json:"stopped"`
	Tokens        int              `json:"tokens"`                   // N, in training
	LogLikelihood float64          `json:"log_likelihood_per_token"` // joint, nats
	AlphaSum      float64          `json:"alpha_sum"`
	Beta          float64          `json:"beta"`
	Fingerprint   string           `json:"fingerprint"`
	Sweep         string           `json:"sweep,omitempty"` // which sweep it belongs to: a hash of its corpus and options
	eval.Measured

	Seconds float64 `json:"-"` // of training; from a file of its own
}

// Run returns which run it is.
func (r *Record) Run() Run { return Run{r.Topics, r.Seed} }
