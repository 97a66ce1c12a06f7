package sampler

import (
	"context"

	"github.com/topoi-lda/topoi/internal/blob"
	"github.com/topoi-lda/topoi/internal/counts"
)

// Part is a run of whole blocks of a corpus, sampled against counts that are
// kept elsewhere: in another process, in a file, on another machine. Its state
// is the topics of its own tokens. For one round it needs the rows n_w of its
// own words and n_k, and what comes out are new topics; nothing else passes
// between parts. Its random numbers are those its tokens have in the whole
// corpus, so cutting a corpus never changes a result: rounds in which all parts
// see the same counts give, part by part, the topics of Sampler.Sweep.
//
// A part's methods are for one goroutine at a time, unless they say otherwise;
// Round uses Problem.Threads goroutines itself.
type Part interface {
	// Span says where in the corpus the part lies.
	Span() Span

	// Words returns the distinct words of the part in increasing order. The
	// slice belongs to the part.
	Words() []uint32

	// Start sets the state: to z, the topics of the part's tokens in corpus
	// order, or to those with which the sampler would start when z is nil.
	Start(z []uint32, priors *Priors) error

	// Round resamples once those of the part's tokens that are in the round
	// (see Plan.Takes), against model, which must count the part's tokens as
	// they are. Rounds come in order; one may be repeated after Start with the
	// topics before it. When ctx ends inside, the topics are left half-way.
	Round(ctx context.Context, at Step, model Frozen, priors *Priors) error

	// Topics copies the current topics into z, one per token of the part in
	// corpus order.
	Topics(z []uint32)

	// EachTopics calls f with the current topics, run after run in corpus order, in little memory where the
	// sampler has them in an order of its own. A run is valid until f returns.
	EachTopics(f func(z []uint32) error) error

	// OwnRow appends n_wk of the part's own tokens of word number i in Words, topics in increasing order. ok is false
	// if the sampler does not have its tokens by word.
	OwnRow(dst []counts.Entry, i int) (row []counts.Entry, ok bool)

	// Changes calls f for the words numbered lo … hi-1 in Words that the last
	// Round changed, in increasing order, with what is to be added to n_wk:
	// topics in increasing order, no zeros. The slice is valid until f returns.
	// Several goroutines may ask for different words at the same time.
	Changes(lo, hi int, f func(w uint32, changes []counts.Change))

	// ChangesByTopic is Changes that calls all instead of some, where it is as quick
	// for it, with what is to be added by topic: K numbers, among them zeros.
	ChangesByTopic(lo, hi int, some func(w uint32, changes []counts.Change), all func(w uint32, delta []int32))

	// TokenTotals sets totals (K) to n_k of the part's own tokens, and says whether it could: not every sampler
	// counts them in its rounds.
	TokenTotals(totals []uint64) bool

	// Memory is where the state is: a copy of these bytes, put back there on the
	// same kind of machine after Start or in place of it, and Restore bring the
	// state back.
	Memory() []byte

	// Restore is told that Memory holds a state again, that after the given
	// iteration. The next Round must have the α of that iteration; with iteration
	// 0 it may have any, and takes longer.
	Restore(iteration int)

	// AddDocs adds the part's documents to h.DocLengths and h.Topic, which has
	// K rows. With many topics that takes memory, for which what Changes needs is given up: it must have
	// been asked before.
	AddDocs(h *counts.Histograms)

	// Fetch brings the state here from a device on which it is kept. It must be called after a
	// Round before Topics, AddDocs and Memory.
	Fetch() error

	// NarrowTopics is Topics for topics of 16 bits, without Fetch of those that are on a device. It says whether it
	// could; else nothing was done.
	NarrowTopics(z []uint16) (bool, error)

	// CountDocs is AddDocs of a state that is on a device, to nothing and without Fetch; nil if it cannot be
	// counted there.
	CountDocs() (*counts.Histograms, error)

	// Bodies is what Changes tells, after a Round against RowsOn: encoded, slice by slice, and what is to be
	// added to n_k (K, modulo 2^64). They are valid until the next Round, and nil after any other one.
	Bodies() (slices []blob.Body, totals []uint64)

	// Close gives back what the part has on a device, after which it must not be used.
	Close() error
}

// Step names a round: an iteration, counted from 1, and a round inside it,
// counted from 0. A round is an iteration of warp, a mini-batch of batch, and
// one of Tuning.Rounds of light.
type Step struct {
	Iteration, Round int
}

// Frozen is a version of the counts. Several goroutines may use it at once.
type Frozen interface {
	// AppendRow gives n_wk of the words for which it is asked.
	counts.Rows

	// TopicTotals returns n_k of the whole corpus. The caller does not change it.
	TopicTotals() []uint64
}

// Dense is a Frozen that keeps some rows with a number for every topic, which can be
// had without making a list of them.
type Dense interface {
	Frozen

	// DenseRow returns n_wk of a word by topic (K), or nil if AppendRow has to be
	// asked. The caller does not change it. A row that is not kept as such is put
	// together in room, of K numbers, and is there until the caller uses them again.
	DenseRow(w int, room []int32) []int32
}

// Span is a run of whole blocks of a corpus.
type Span struct {
	FirstDoc, LastDoc     int // documents FirstDoc … LastDoc-1
	Begin, End            int // tokens Begin … End-1
	FirstBlock, LastBlock int // blocks of the sampler's grid FirstBlock … LastBlock-1
}

// Docs returns the number of documents.
func (s Span) Docs() int { return s.LastDoc - s.FirstDoc }

// Tokens returns the number of tokens.
func (s Span) Tokens() int { return s.End - s.Begin }

// partOf is what a problem that is a part knows of its corpus.
type partOf struct {
	span  Span
	words int // V of the corpus; V of the problem counts the part's own words
	n     int // N of the corpus

	Distinct []uint32 // the part's own words in increasing order: what word i of the problem is in the corpus

	Forget bool // as in Plan
	Stage  int  // as in Plan
}

// Origin returns the number of p's first token in the corpus.
func (p *Problem) Origin() int {
	if p.Part == nil {
		return 0
	}
	return p.Part.span.Begin
}

// OriginBlock returns the number of p's first block in the corpus.
func (p *Problem) OriginBlock() int {
	if p.Part == nil {
		return 0
	}
	return p.Part.span.FirstBlock
}

// CorpusWords returns V of the corpus: the one in Vβ.
func (p *Problem) CorpusWords() int {
	if p.Part == nil {
		return p.V
	}
	return p.Part.words
}

// CorpusTokens returns N of the corpus.
func (p *Problem) CorpusTokens() int {
	if p.Part == nil {
		return p.N()
	}
	return p.Part.n
}

// Kernel is a sampler that can sample its problem as a part. Words are numbered
// as in the problem.
type Kernel interface {
	Start(z []uint32, priors *Priors) error
	Topics(z []uint32)

	// round resamples the documents first … last-1, those of the problem in a
	// round of the sampler's.
	Round(ctx context.Context, iteration, first, last int, model Frozen, priors *Priors) error

	// addMoves gives n the topics before and after the last round of tokens of word w,
	// at least of those that changed.
	AddMoves(w int, n *Net)

	// memory and restore are as in Part.
	Memory() []byte
	Restore(iteration int)

	// documents counts the problem's documents.
	Documents() *counts.Histograms
}

// KernelOn is a kernel whose state can be on a device, with the rows that it sees: then it is
// given RowsOn as they are. Its methods are as in Part.
type KernelOn interface {
	Kernel
	Fetch() error
	NarrowTopics(z []uint16) (bool, error)
	CountDocs() (*counts.Histograms, error)
	Bodies() (slices []blob.Body, totals []uint64)
	Close() error
}
