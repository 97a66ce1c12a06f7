package topoi

import (
	"errors"
	"fmt"
	"math"
	"runtime"
	"time"

	"github.com/topoi-lda/topoi/internal/nearest"
	"github.com/topoi-lda/topoi/internal/sampler"
)

// Tuning holds choices inside a sampler that change its result; the zero value
// of each field means the sampler's own default.
type Tuning = sampler.Tuning

// Options describe a training run. The zero value of every field but Topics is
// a good default. Two runs with equal options (Threads, Device, DeviceMemory, WorkDir, TimeLimit,
// checkpoint fields, Program and Events aside), the same corpus and the same seed give the same bytes.
type Options struct {
	// Topics is K, the number of topics: 1 to the sampler's limit. Required.
	Topics int

	// Sampler names the algorithm; Samplers lists them. Default "auto": chosen
	// from K and the corpus, never from the machine.
	Sampler string

	// Tuning holds the sampler's own switches.
	Tuning Tuning

	// AlphaSum is Σ_k α_k at the start, spread evenly over the topics.
	// Default 5, as in MALLET.
	AlphaSum float64

	// Beta is β at the start. Default 0.01.
	Beta float64

	// OptimizeInterval re-estimates α (asymmetric) and β (symmetric) by Minka's
	// fixed point every so many iterations. Σα does not fall below
	// min(√K, mean document length)/2. Default 5; negative: never.
	OptimizeInterval int

	// BurnIn is the number of iterations before the first re-estimation.
	// Default 20; negative: none.
	BurnIn int

	// Iterations is the largest number of sweeps. Default 1000.
	Iterations int

	// Seed is the key of all randomness. Default 0.
	Seed uint64

	// Threads is the number of goroutines; it never changes the result.
	// Default: all cores.
	Threads int

	// Device says where to train: "cpu", "cuda" or "cuda:N" for a GPU, or "auto"
	// for the first GPU if there is one, the sampler can use it and the corpus is
	// worth it, else the CPU. It never changes the result, except that panel is not
	// repeatable on a GPU, which "auto" therefore never takes for it. Default "auto".
	Device string

	// DeviceMemory is how many bytes of a GPU's memory to use. A corpus that needs more
	// passes through the GPU part by part in every sweep; the model must fit. It
	// never changes the result. Default 0: what is free.
	DeviceMemory int64

	// Memory is how many bytes of memory training may use, everything included. When
	// more would be needed, warp and light keep tokens and counts in files and work
	// on them part by part, with the same result; what cannot be done in so much is
	// refused. With "auto" it may decide the sampler, and nothing else about the
	// result. Default 0: no bound.
	Memory int64

	// WorkDir is the directory for these files, which can be several times as large
	// as the corpus. Default: the checkpoint's name with ".parts", or a temporary
	// directory if there is no checkpoint.
	WorkDir string

	// EvaluateEvery is the number of iterations between likelihoods. Default 10.
	EvaluateEvery int

	// Holdout is the fraction of documents that is left out of training and scored
	// by document completion instead. 0 ≤ Holdout < 1. Default 0: none. The documents
	// are a random sample that depends on their number, the fraction and HoldoutSeed
	// alone: runs of other seeds, samplers and numbers of topics are scored by the
	// same documents.
	Holdout float64

	// HoldoutSeed draws another sample of held-out documents. Default 0.
	HoldoutSeed uint64

	// HoldoutLast leaves out the last documents of the corpus instead of a sample,
	// for comparisons with published splits. Default false.
	HoldoutLast bool

	// UntilLL stops the run once the joint log-likelihood per token reaches it.
	// Default 0: not used.
	UntilLL float64

	// UntilHeldout stops the run once the held-out score per token reaches it.
	// Default 0: not used.
	UntilHeldout float64

	// Tolerance ends the run when predictions no longer get better: when the mean
	// score of the last quarter of all evaluations, and at least of five, is less than
	// Tolerance nats per token above that of the quarter before, and the joint
	// likelihood has risen by less than 30 times as much. The score is that of held-out
	// documents, or of a sample of the training documents with their own counts
	// taken out (see Score.Sample): both can be compared while priors are learnt,
	// which the joint likelihood alone cannot. Default 0.0005; negative: never. It is
	// not used together with UntilLL or UntilHeldout.
	Tolerance float64

	// TimeLimit ends the run at the first end of a sweep after so much time.
	// Default 0: none.
	TimeLimit time.Duration

	// Checkpoint is the file that keeps the state of the run, replaced whole or
	// not at all. Default "": none.
	Checkpoint string

	// CheckpointEvery is the number of iterations between checkpoints.
	// Default 100.
	CheckpointEvery int

	// Resume continues from the checkpoint file if there is one.
	Resume bool

	// Shared is what runs over one corpus have in common, made by [Share], so that every
	// run but the first need not make it again. It never changes the result. Default
	// nil: nothing.
	Shared *Shared

	// Program is the version of the program, which the model records; it changes nothing
	// else. Default: the version of this package in the program's build.
	Program string

	// Events are told what happens.
	Events Events
}

// WithDefaults returns o with every default filled in.
func (o Options) WithDefaults() Options {
	def := func(p *int, v int) {
		if *p == 0 {
			*p = v
		}
	}
	deff := func(p *float64, v float64) {
		if *p == 0 {
			*p = v
		}
	}
	if o.Sampler == "" {
		o.Sampler = "auto"
	}
	if o.Device == "" {
		o.Device = "auto"
	}
	if o.Program == "" {
		o.Program = buildVersion()
	}
	deff(&o.AlphaSum, 5)
	deff(&o.Beta, 0.01)
	deff(&o.Tolerance, 0.0005)
	def(&o.OptimizeInterval, 5)
	def(&o.BurnIn, 20)
	def(&o.Iterations, 1000)
	def(&o.Threads, runtime.GOMAXPROCS(0))
	def(&o.EvaluateEvery, 10)
	def(&o.CheckpointEvery, 100)
	return o
}

// Validate returns all faults of the options at once, joined, or nil.
func (o Options) Validate() error {
	o = o.WithDefaults()
	var faults []error
	fault := func(format string, args ...any) { faults = append(faults, fmt.Errorf(format, args...)) }

	limit := maxTopics
	if o.Sampler != "auto" {
		info, ok := sampler.Find(o.Sampler)
		if !ok {
			fault("unknown sampler %q%s", o.Sampler, nearest.Hint(o.Sampler, Samplers()))
		} else {
			limit = info.MaxK
		}
	}
	switch {
	case o.Topics < 1:
		fault("the number of topics is %d: it must be at least 1", o.Topics)
	case o.Topics > limit:
		fault("the number of topics is %d: sampler %q takes at most %d", o.Topics, o.Sampler, limit)
	}
	if !(o.AlphaSum > 0) || math.IsInf(o.AlphaSum, 0) {
		fault("the sum of α is %v: it must be above 0", o.AlphaSum)
	}
	if !(o.Beta > 0) || math.IsInf(o.Beta, 0) {
		fault("β is %v: it must be above 0", o.Beta)
	}
	if o.Iterations < 1 {
		fault("the number of iterations is %d: it must be at least 1", o.Iterations)
	}
	if o.Threads < 1 {
		fault("the number of threads is %d: it must be at least 1", o.Threads)
	}
	if err := validateDevice(o.Device, o.DeviceMemory); err != nil {
		faults = append(faults, err)
	}
	if o.Memory < 0 {
		fault("the memory to use is %d bytes: it must not be negative", o.Memory)
	}
	if o.EvaluateEvery < 1 {
		fault("the evaluation interval is %d: it must be at least 1", o.EvaluateEvery)
	}
	if o.CheckpointEvery < 1 {
		fault("the checkpoint interval is %d: it must be at least 1", o.CheckpointEvery)
	}
	if !(o.Holdout >= 0 && o.Holdout < 1) {
		fault("the held-out fraction is %v: it must be at least 0 and below 1", o.Holdout)
	}
	if o.Holdout == 0 && (o.HoldoutLast || o.HoldoutSeed != 0) {
		fault("which documents are held out was said, but not how many: set the held-out fraction, for example 0.1")
	}
	if o.HoldoutLast && o.HoldoutSeed != 0 {
		fault("a seed draws a sample of held-out documents, and the last ones were asked for: choose one of the two")
	}
	if o.UntilHeldout != 0 && o.Holdout == 0 {
		fault("stopping at a held-out score needs held-out documents: set the held-out fraction, for example 0.1")
	}
	if o.TimeLimit < 0 {
		fault("the time limit is %v: it must not be negative", o.TimeLimit)
	}
	if o.Resume && o.Checkpoint == "" {
		fault("resuming needs the checkpoint file's name")
	}
	if err := o.Tuning.Validate(); err != nil {
		faults = append(faults, err)
	}
	return errors.Join(faults...)
}

// maxTopics is the largest K that any sampler takes.
const maxTopics = 1 << 20
