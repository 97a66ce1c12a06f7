package topoi

import (
	"encoding/json"
	"runtime"
	"time"

	"github.com/topoi-lda/topoi/corpus"
	"github.com/topoi-lda/topoi/internal/holdout"
	"github.com/topoi-lda/topoi/internal/machine"
	"github.com/topoi-lda/topoi/internal/option"
	"github.com/topoi-lda/topoi/internal/prior"
	"github.com/topoi-lda/topoi/internal/training"
	"github.com/topoi-lda/topoi/topic"
)

// Options describe a training run. The zero value of every field but Topics is a good default. Two runs
// with the same corpus, seed and options give the same bytes, whatever their Threads, Device, DeviceMemory,
// WorkDir, TimeLimit, checkpoint fields, Program and Events are.
//
// The tags define how an option is recorded, checked and shown as a flag of the command.
type Options struct {
	// Topics is K, the number of topics, from 1 to the sampler's limit. Required.
	Topics int `json:"topics" option:"path" flag:"k" in:"What to train" help:"<number> of topics (required)"`

	// Sampler names the algorithm; train.Samplers lists the names. Default "auto": topoi chooses by K, by the
	// corpus and by whether priors are learnt, never by the machine. In a cluster it chooses among the
	// samplers that can work on parts of a corpus.
	Sampler string `json:"sampler" option:"path" default:"auto" in:"What to train" help:"algorithm, by <name>; see topoi study --list"`

	// Tuning holds the sampler's own switches.
	Tuning Tuning `json:"tuning" option:"path" in:"Inside the samplers"`

	// Seed is the seed of all random numbers. Default 0.
	Seed uint64 `json:"seed" option:"path" in:"What to train" help:"random seed; the same <number> gives the same model"`

	// AlphaSum is Σ_k α_k at the start, spread evenly over the topics. Default 5, as in MALLET.
	AlphaSum float64 `json:"alpha_sum" option:"path" default:"5" range:">0" in:"What to train" help:"sum of α over all topics at the start"`

	// Beta is β at the start. Default 0.01.
	Beta float64 `json:"beta" option:"path" default:"0.01" range:">0" in:"What to train" help:"β at the start"`

	// OptimizeInterval is the number of iterations between estimations of α (asymmetric) and β (symmetric) by
	// Minka's fixed point. Σα does not fall below min(√K, mean document length)/2. On corpora with 2^25 tokens or
	// more the number doubles whenever the run becomes twice as long, from 200 iterations on. Default 5; negative: never.
	OptimizeInterval int `json:"optimize_interval" option:"path" default:"5" zero:"-1" in:"What to train" help:"<number> of iterations between estimations of α and β; 0: keep them fixed"`

	// SymmetricAlpha keeps α equal for all topics: estimation changes only Σα. Default false: every topic has its own α_k.
	SymmetricAlpha bool `json:"symmetric_alpha,omitempty" option:"path" in:"What to train" help:"learn one α for all topics instead of one for each"`

	// Prior describes where α comes from. Default "": it is estimated, see OptimizeInterval. With "hdp", a
	// hierarchical Dirichlet process finds the number of topics. Topics is then the largest number, 1,000 if it
	// is 0, and the model keeps the topics that got tokens. With "labels", a document has the topics of its
	// labels, and Free topics that all documents share; Topics follows from the labels, and a document without
	// labels may have all topics. With "covariates", α of a document depends on its columns, see Formula.
	Prior string `json:"prior,omitempty" option:"path" one:"hdp labels covariates"`

	// Formula names the columns on which topics depend, such as "~ party + s(date)". It is for the prior "covariates".
	Formula string `json:"formula,omitempty" option:"path"`

	// Free is the number of topics without a label. It is for the prior "labels". Default 0.
	Free int `json:"free,omitempty" option:"path" range:">=0"`

	// BurnIn is the number of iterations before the first estimation of priors. Default 20; negative: none.
	BurnIn int `json:"burn_in" option:"path" default:"20" zero:"-1" in:"What to train" help:"iterations before the first estimation"`

	// Iterations is the largest number of sweeps. Default 1000.
	Iterations int `json:"iterations" option:"stop" default:"1000" range:">=1" in:"When to stop" help:"stop after this <number> of sweeps at the latest"`

	// Tolerance ends the run when predictions no longer improve. The mean score of a window of sweeps is compared with
	// that of the window before. A window is a quarter of all sweeps, and at least five times EvaluateEvery (50 sweeps by
	// default), or ten times before an average of documents with fewer than 25 tokens. If cvb comes before the draws of an
	// average (see Draws), it is a sixth, and at least four times EvaluateEvery, and Tolerance is doubled with more than
	// 300 topics. The run ends if the score has risen by less than Tolerance nats per token and fallen by less than 10
	// times as much, and the joint likelihood risen by less than 30 times as much. On corpora with 2^25 tokens or more the
	// score may also rise by a standard error of the difference, and the joint likelihood by 100 times Tolerance. The
	// score is that of held-out documents, or of a sample of the training documents with their own counts taken out (see
	// Score.Sample). These can be compared while priors are learnt; the joint likelihood alone cannot. Before an average,
	// "auto" draws documents of 1,800 tokens or more for 0.05 / Tolerance sweeps at most (100 by default), and for 0.14 /
	// Tolerance with more than 300 topics. Default 0.0005; negative: never. UntilLL and UntilHeldout replace it.
	Tolerance float64 `json:"tolerance" option:"stop" default:"0.0005" zero:"-1" in:"When to stop" help:"stop when predictions improve by less than this from one quarter of the sweeps to the next, in nats per token; 0: never"`

	// Holdout is the fraction of documents that are left out of training and scored by document completion, 0 ≤ Holdout <
	// 1. Default 0: none. The documents are a random sample that depends only on their number, the fraction and
	// HoldoutSeed. Runs with other seeds, samplers and numbers of topics are therefore scored by the same documents.
	Holdout float64 `json:"holdout" option:"path" range:">=0 <1" in:"When to stop" help:"<fraction> of the documents, drawn at random, to keep out of training and to score"`

	// HoldoutSeed selects another sample of held-out documents. Default 0.
	HoldoutSeed uint64 `json:"holdout_seed,omitempty" option:"path" in:"When to stop" help:"random seed of the held-out sample, a <number>; --seed does not change it"`

	// HoldoutLast leaves out the last documents of the corpus instead of a sample,
	// for comparisons with published splits. Default false.
	HoldoutLast bool `json:"-" option:"path" in:"When to stop" help:"hold out the last documents instead of a sample, to compare with published splits"`

	// HoldoutTokens is the number of held-out tokens that are scored during training. If there are more, a
	// fixed random sample is scored. All are scored at the end of the run, and always with UntilHeldout.
	// Default 200,000; negative: all.
	HoldoutTokens int `json:"holdout_tokens,omitempty" option:"stop" default:"200000" zero:"-1" in:"When to stop" help:"score a sample of about this <number> of held-out tokens during training; all are scored at the end; 0: always all"`

	// Draws is the number of states whose counts the model adds up: the last one and others five sweeps apart. Its topics
	// are then averages, and predict better than those of one state. Default 0: the last state alone; with Sampler
	// "auto", up to 16 states (see [Manifest.Draws]). They are among the Iterations, and are at most a tenth of them.
	// 1: the last state alone. It cannot be combined with Memory, Prior and Pseudo, and not with a cluster.
	Draws int `json:"draws,omitempty" option:"stop" range:">=0" in:"When to stop" help:"<number> of states, five sweeps apart, over which the model averages; 1: the last one alone (default: up to 16 if auto chose the sampler)"`

	// UntilLL stops the run once the joint log-likelihood per token reaches it. Default 0: not used.
	UntilLL float64 `json:"until_ll,omitempty" option:"stop" in:"When to stop" help:"stop at this log-likelihood per token, such as -8.5"`

	// UntilHeldout stops the run once the held-out score per token reaches it. Default 0: not used.
	UntilHeldout float64 `json:"until_heldout,omitempty" option:"stop" in:"When to stop" help:"stop at this held-out score per token, such as -7.5"`

	// TimeLimit ends the run after the first sweep that finishes later than this. Default 0: none.
	TimeLimit time.Duration `json:"time_limit,omitempty" range:">=0" in:"When to stop" help:"stop after this time, such as 90s, 10m or 2h"`

	// EvaluateEvery is the number of iterations between scores. Default 0: 10 up to iteration 200, and
	// twice as many whenever the run becomes twice as long. That makes 43 scores in 1,000 iterations.
	EvaluateEvery int `json:"evaluate_every" option:"path" range:">=0" in:"When to stop" help:"<number> of iterations between evaluations; 0: 10 at first, doubled after 200, 400, 800 and so on"`

	// Threads is the number of goroutines; it never changes the result. Default: all cores.
	Threads int `json:"-" range:">=1" in:"How to run" help:"<number> of threads; does not change the result (default: all cores)"`

	// Device is where to train: "cpu", "cuda" or "cuda:N" for a GPU, "cuda:N,M" or "cuda:all" for several
	// GPUs that share the work of warp, or "auto". "auto" takes the first GPU if there is one, the sampler
	// can use it and the corpus is large enough, else the CPU. It never changes the result, with one
	// exception: panel is not repeatable on a GPU, so "auto" trains it on the CPU. Default "auto".
	Device string `json:"device,omitempty" default:"auto" in:"How to run" help:"<device> to train on: auto, cpu, cuda, cuda:N, or several GPUs as cuda:0,1 or cuda:all; changes the results of panel only"`

	// DeviceMemory is how many bytes of a GPU's memory to use. If a corpus needs more, batch streams it
	// through the GPU part by part in every sweep (the model must fit), and warp packs it to 4.4 bytes a
	// token or more. It never changes the result. Default 0: all that is free.
	DeviceMemory int64 `json:"-" unit:"bytes" in:"How to run" help:"<size> of GPU memory to use, such as 8GB; batch streams what does not fit, warp packs it (default: what is free)"`

	// Memory is how many bytes of memory training may use in all. If it needs more, warp and light keep
	// tokens and counts in files and work on them part by part, with the same result. A run that cannot keep
	// within the limit is refused. With Sampler "auto", the limit may change which sampler is chosen, but
	// nothing else about the result. Programs should also follow StartInfo.MemoryLimit. Default 0: no limit.
	Memory int64 `json:"-" range:">=0" unit:"bytes" in:"How to run" help:"<size> of memory to use, such as 4GB; warp and light keep the rest in files (default: what is needed)"`

	// WorkDir is the directory for the files of Memory. They can be several times as large as the corpus.
	// Default: the checkpoint's name with ".parts", or a temporary directory if there is no checkpoint.
	WorkDir string `json:"-" in:"How to run" help:"<directory> for the files of --memory (default CHECKPOINT.parts)"`

	// Checkpoint is the file that keeps the state of the run. It is replaced whole or not at all. Default "": none.
	Checkpoint string `json:"checkpoint,omitempty" in:"How to run" help:"<file> that keeps the state of the run (default MODEL.checkpoint)"`

	// CheckpointEvery is the number of iterations between checkpoints. Default 0: a minute, or 50 times as long as
	// writing one takes. Runs in files and by workers count 100 iterations then.
	CheckpointEvery int `json:"checkpoint_every,omitempty" range:">=0" zero:"9223372036854775807" in:"How to run" help:"<number> of iterations between checkpoints; 0: only when interrupted (default: a minute, more if writing takes long)"`

	// HoldCheckpoint is for programs that save the model as soon as they have it. The run then does not write the
	// checkpoint of the last iteration if the one before is less than 20 seconds old. If the model cannot be saved, call
	// [Model.WriteCheckpoint] to write it. A checkpoint with more than 128 MiB beside the topics, such as the
	// responsibilities of many tokens, is not even prepared. Default false: the checkpoint exists when train.Run returns.
	HoldCheckpoint bool `json:"-"`

	// Resume continues from the checkpoint if there is one.
	Resume bool `json:"-" in:"How to run" help:"continue from the checkpoint if there is one"`

	// Start is a state to begin with, in order to train a model further. A checkpoint that Resume finds
	// takes precedence. Start cannot be combined with Memory. Default nil: random topics.
	Start *Start `json:"-"`

	// Pseudo holds pseudo-counts of words in topics, for topics that are partly known. The samplers batch,
	// warp, sparse, gibbs and zero-order cvb support them. Default nil: none.
	Pseudo *topic.PseudoCounts `json:"-"`

	// Lineage lists what the model is made from, for programs that make a model from another one. The model
	// records it. Default nil: the model is made from a corpus and options alone.
	Lineage []Ancestor `json:"-"`

	// Shared holds what runs over one corpus have in common: see train.Share. The first run computes it, and
	// later runs reuse it. It never changes the result. Default nil: nothing is shared.
	Shared *Shared `json:"-"`

	// Program is the version of the program, for the model's record. Default: the version of this package
	// in the program's build.
	Program string `json:"-"`

	// Events are called as things happen.
	Events Events `json:"-"`
}

// WithDefaults returns o with every default filled in.
func (o Options) WithDefaults() Options {
	option.SetDefaults(&o)
	if o.Prior == prior.HDP && o.Topics == 0 {
		o.Topics = mostTopicsHDP
	}
	if o.Threads == 0 {
		o.Threads = runtime.GOMAXPROCS(0)
	}
	if o.Program == "" {
		o.Program = machine.BuildVersion()
	}
	return o
}

// split returns the rule by which documents are held out.
func (o Options) split() holdout.By {
	return holdout.By{Share: o.Holdout, Seed: o.HoldoutSeed, Last: o.HoldoutLast}
}

// sampled reports whether the held-out documents are a random sample, not the last ones.
func (o Options) sampled() bool { return o.Holdout > 0 && !o.HoldoutLast }

// plainOptions are options without the methods MarshalJSON and UnmarshalJSON.
type plainOptions Options

// storedOptions are options as models, checkpoints and jobs store them. Models that lack the field hold out
// the last documents.
type storedOptions struct {
	plainOptions
	HoldoutSampled bool `json:"holdout_sampled,omitempty"`
}

// MarshalJSON writes the options that determine a model's bytes, and where else the state of the run is kept.
func (o Options) MarshalJSON() ([]byte, error) {
	return json.Marshal(storedOptions{plainOptions(o), o.sampled()})
}

// UnmarshalJSON reads what MarshalJSON has written.
func (o *Options) UnmarshalJSON(text []byte) error {
	s := storedOptions{plainOptions: plainOptions(*o)}
	if err := json.Unmarshal(text, &s); err != nil {
		return err
	}
	s.HoldoutLast = s.Holdout > 0 && !s.HoldoutSampled
	*o = Options(s.plainOptions)
	return nil
}

// mostTopicsHDP is the default of Options.Topics with the prior "hdp".
const mostTopicsHDP = 1000

// Start is a state in which a run begins, instead of random topics and the priors of its options. It is
// taken from a model that is to be trained further, or comes from elsewhere.
type Start struct {
	Topics    []uint32  // N topics, one for every token in the order of the corpus, held-out documents included
	Alpha     []float64 // K: α_k
	Beta      float64   // β
	Iteration int       // sweeps that led to this state, at least 1; Options.Iterations counts them
}

// Ancestor is one step by which a model was made from more than a corpus and options.
type Ancestor struct {
	Kind   string `json:"kind"`                  // "seeds", "update", "edit" or "by-time"
	From   string `json:"fingerprint,omitempty"` // of the model it was made from
	Docs   int    `json:"docs,omitempty"`        // training documents of that model
	Detail string `json:"detail"`                // what was done, in words

	By    string  `json:"by,omitempty"`    // length of the slices of "by-time", such as "year"
	Carry float64 `json:"carry,omitempty"` // share of the counts that each slice took from the one before
}

// Shared holds what runs over one corpus with the same held-out documents have in common: the training documents
// in one piece, their cut into blocks, and the GPU, if there is one, which stays open with the documents in its
// memory. Runs with Options.Shared reuse what is there and add what they make. Only one run at a time may use it.
type Shared struct {
	of *training.Shared
}

// NewShared is for package train: other programs cannot construct its parameter, and call train.Share.
func NewShared(of *training.Shared) *Shared { return &Shared{of} }

// Of is for package train. It returns nil if nothing is shared.
func (s *Shared) Of() *training.Shared {
	if s == nil {
		return nil
	}
	return s.of
}

// Close releases the GPU. Call it when the runs are over. A later run opens the GPU again.
func (s *Shared) Close() error { return s.of.Devices.Close() }

// Docs returns the training documents. They are valid as long as the corpus is.
func (s *Shared) Docs() *corpus.Corpus { return s.of.Docs }

// Heldout returns the held-out documents, or nil if there are none.
func (s *Shared) Heldout() *corpus.Corpus { return s.of.Heldout }

// Tuning holds choices inside a sampler that change its result. The zero value of a field means the sampler's own
// default; samplers ignore fields that do not concern them. Flags, checks, records and comparisons follow from the
// tags, so that a new choice is a field here and nothing else.
type Tuning struct {
	// MiniBatches is the number of mini-batches into which batch and panel cut a sweep; after each, counts that are
	// not fresh are brought up to date. 1 to 65536. Default: 8 in the first ten sweeps, 1 after; 10 for panel.
	MiniBatches int `json:"mini_batches,omitempty" range:">=1 <=65536" help:"batch: <number> of mini-batches per sweep (default: 8 in the first ten sweeps, then 1)"`

	// OwnCount reports whether batch leaves a token's own count "in" when drawing its
	// topic, or takes it "out". In runs as plain Go: it is for study. Default "out".
	OwnCount string `json:"own_count,omitempty" one:"in out" help:"batch: leave a token's own count in when drawing its topic, or take it out (default out)"`

	// Fresh describes which counts batch changes at once and which at the end of a
	// mini-batch, such as "doc=immediate,word=delayed,topic=delayed", which is the
	// default. Other choices run a slower sampler made for studying them.
	Fresh string `json:"fresh,omitempty" help:"batch: <which> counts change at once, such as doc=immediate,word=delayed,topic=delayed (the default)"`

	// MHSteps is the number of Metropolis-Hastings proposals per token and sweep. For warp it is M, the proposals of
	// each kind per token and sweep. 1 to 256. Default 2 for alias and warp, 4 for light.
	MHSteps int `json:"mh_steps,omitempty" range:">=1 <=256" help:"alias, light, warp: Metropolis-Hastings proposals per token (default 2, 4 for light)"`

	// Proposal selects light's proposals: "doc", "word", or "cycle" for both in turn. Default "cycle".
	Proposal string `json:"proposal,omitempty" one:"doc word cycle" help:"light: <which> proposals, doc, word or cycle for both in turn (default cycle)"`

	// Rounds is the number of blocks of documents into which light cuts a sweep; after each, the word and topic
	// counts it works with are brought up to date. 1 to 65536. Default 1.
	Rounds int `json:"rounds,omitempty" range:">=1 <=65536" help:"light: <number> of times a sweep that word counts are brought up to date (default 1)"`

	// Staleness is the number of rounds after which the changes that one part of the corpus makes reach the others (a
	// round is an iteration of warp, a mini-batch of batch, one of Rounds of light). Only batch, warp and light work
	// on parts. 0 to 16. Default 0: at once.
	Staleness int `json:"staleness,omitempty" range:">=0 <=16" help:"batch, light, warp: <rounds> after which a part's changes reach other parts of the corpus (default 0: at once)"`

	// Parts is the number of parts into which the corpus is cut when there is Staleness; without, it changes nothing.
	// 1 to 65536. Default: one for every 8 million tokens, from 2 to 8, or fewer for a corpus of fewer blocks.
	Parts int `json:"parts,omitempty" range:">=1 <=65536" help:"batch, light, warp with staleness: <number> of parts of the corpus (default: one for every 8 million tokens, from 2 to 8)"`

	// StartTopics is the number of topics per word with which batch, light and warp begin. These topics are drawn for
	// each word, and the word's tokens are spread over them. Rows are then short from the first sweep, which a model of
	// very many topics needs to fit (docs/cluster.md). 1 to 65536; K means all topics, without the
	// StartLift of "auto". Default: all topics.
	StartTopics int `json:"start_topics,omitempty" range:">=1 <=65536" help:"batch, light, warp: <number> of topics per word to begin with (default: all; as many as -k: all, even if auto would begin otherwise)"`

	// StartLift makes one topic per word more likely than the others when batch, light and warp begin: it is the ratio
	// of their probabilities. StartTopics takes precedence. "auto" sets it for warp where priors are fixed, because
	// topics then separate sooner (docs/samplers/warp.md). 1 to 65536. Default: all topics are equally likely.
	StartLift int `json:"start_lift,omitempty" range:">=1 <=65536" in:""`

	// AliasEvery is the number of draws after which alias rebuilds a table. The draws of a word's table are tokens of
	// that word; those of the table that all words share are tokens of any word. 1 is exact and slow. Default: the
	// number of topics in the table.
	AliasEvery int `json:"alias_every,omitempty" range:">=1 <=2147483647" help:"alias: <draws> between builds of a table (default: as many as it has topics)"`

	// Partitions is P of grid and cvb: documents and words are cut into P groups each, and P tiles are worked on at
	// once. More than the number of threads balances better and keeps topic counts fresher; every document is counted
	// P times a sweep. 1 to 4096. Default 16.
	Partitions int `json:"partitions,omitempty" range:">=1 <=4096" help:"grid, cvb: <number> of groups of documents and of words (default 16)"`

	// CVB selects cvb's update: "second" with means and variances, or "zero" with means alone. Default "second".
	CVB string `json:"cvb,omitempty" one:"second zero" help:"cvb: <order> of the update, second with variances or zero without (default second)"`

	// Step is μ of cvb, the size of the step from old to new natural parameters
	// at the end of an epoch. Above 0, at most 1. Default 1.
	Step float64 `json:"step,omitempty" range:">0 <=1" help:"cvb: <size> of the step in natural parameters, at most 1 (default 1)"`

	// ExactSweeps is the number of sweeps with which zero-order cvb begins by drawing topics exactly, as batch does.
	// Where priors are learnt, 40 of them find better topics. 0 to 65536. Default 0.
	ExactSweeps int `json:"exact_sweeps,omitempty" option:"path" range:">=0 <=65536" in:"Inside the samplers" help:"cvb, zero-order: <number> of first sweeps that draw exactly, as batch does (default 0)"`

	// Adapt lets the learned Σα decide whether zero-order cvb ends with exact draws, as batch does them: after the first
	// 100 sweeps where Σα is more than five times the least value that learning allows, and right after ExactSweeps where
	// it is more than twice that value (1.5 times from 1,000 tokens a document on). Documents of 1,800 tokens or more are
	// drawn to the end, unless Σα is also more than 18. Default false; "auto" sets it where priors are learnt.
	Adapt bool `json:"adapt,omitempty" help:"cvb, zero-order: end with exact draws where the learned sum of α is large"`

	// Uncollapsed makes mean draw θ and φ from their posteriors instead of taking the posteriors' means. Default false.
	Uncollapsed bool `json:"uncollapsed,omitempty" help:"mean: draw θ and φ instead of taking their means"`

	// Draw names the method of package discrete by which mean draws topics: "linear", "binary", "alias", "butterfly"
	// or "butterfly-plain", or "transposed", which is binary read in another order by a GPU. All but "alias" give the
	// same topics up to rounding. Default "linear".
	Draw string `json:"draw,omitempty" one:"linear binary alias butterfly butterfly-plain transposed" help:"mean: <method> of drawing topics (default linear)"`

	// Precision is that of mean's weights and their sums: "float32" or "float64". Default "float64".
	Precision string `json:"precision,omitempty" one:"float32 float64" help:"mean: of weights and their sums, float32 or float64 (default float64)"`
}
