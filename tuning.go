package topoi

// Tuning holds choices inside a sampler that change its result. The zero value of a field means the sampler's own
// default; samplers ignore fields that do not concern them. What the tags say makes flags, checks, records and
// comparisons: a new choice is a field here.
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

	// StartTopics is the number of topics per word with which batch, light and warp begin: each word's tokens
	// are spread over so many, drawn for the word. Rows are then short from the beginning on, which
	// a model of very many topics needs to fit (docs/cluster.md). 1 to 65536; as many as the model has: all.
	// Default: all topics.
	StartTopics int `json:"start_topics,omitempty" range:">=1 <=65536" help:"batch, light, warp: <number> of topics per word to begin with (default: all; as many as -k: all, even if auto would begin otherwise)"`

	// StartLift describes how many times as likely as any other topic one topic per word is when batch, light and
	// warp begin, unless StartTopics is set. "auto" sets it for warp where priors are fixed: topics part sooner
	// (docs/samplers/warp.md). 1 to 65536. Default: all topics are as likely.
	StartLift int `json:"start_lift,omitempty" range:">=1 <=65536" in:""`

	// AliasEvery is the number of draws after which alias builds a table anew: a word's table after so many tokens of
	// the word, the one that all words share after so many tokens. 1 is exact and slow. Default: as many as the table
	// has topics.
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
