package sampler

import (
	"context"

	"github.com/topoi-lda/topoi/internal/counts"
)

// Step names a round: an iteration, counted from 1, and a round inside it,
// counted from 0. A round is an iteration of warp, a mini-batch of batch, and
// one of Tuning.Rounds of light.
type Step struct {
	Iteration, Round int
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

	// Round resamples the documents first … last-1 of the problem, those in a
	// round of the sampler's.
	Round(ctx context.Context, iteration, first, last int, model *Frozen, priors *Priors) error

	// AddMoves gives n the topics before and after the last round of tokens of word w,
	// at least of those that changed.
	AddMoves(w int, n *Net)

	// Memory and Restore are as in PartTopics.
	Memory() []byte
	Restore(iteration int)

	// Documents counts the problem's documents.
	Documents() *counts.Histograms

	// Capabilities returns what the kernel can do beyond this. It is asked once.
	Capabilities() KernelCapabilities
}

// KernelCapabilities are what some kernels can do and others need not: functions that may be nil.
// Those that are not explained here do what the methods of Part with their names say.
type KernelCapabilities struct {
	EachTopics   func(f func(z []uint32) error) error
	NarrowTopics func(z []uint16) (bool, error)
	TokenTotals  func(totals []uint64) bool

	// BringNear brings the tokens of word w and of some that follow into a cache, and returns the
	// first word whose tokens it did not bring.
	BringNear func(w int) (end int)
}
