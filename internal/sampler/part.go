package sampler

import (
	"context"

	"github.com/topoi-lda/topoi/internal/counts"
)

// Step identifies a round: the iteration, from 1, and the round inside it, from 0. A round is an
// iteration of warp, a mini-batch of batch, or one of the Tuning.Rounds of light.
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

// partOf says where in its corpus a part's problem lies.
type partOf struct {
	span  Span
	words int // V of the corpus; V of the problem counts the part's own words
	n     int // N of the corpus

	Distinct []uint32 // the part's words in increasing order: word i of the problem is word Distinct[i] of the corpus

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

// InCorpus returns where documents and tokens of a span of p are in the corpus.
func (p *Problem) InCorpus(s Span) Span {
	if p.Part != nil {
		of := p.Part.span
		s.FirstDoc, s.LastDoc, s.Begin, s.End = s.FirstDoc+of.FirstDoc, s.LastDoc+of.FirstDoc, s.Begin+of.Begin, s.End+of.Begin
	}
	return s
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

	// Round resamples the documents first … last-1 of the problem, which are those in one round.
	Round(ctx context.Context, iteration, first, last int, model *Frozen, priors *Priors) error

	// AddMoves passes n the moves of word w's tokens in the last round. It may leave out tokens
	// whose topic did not change.
	AddMoves(w int, n *Net)

	// Memory and Restore do what those of PartTopics say.
	Memory() []byte
	Restore(iteration int)

	// Documents returns the histograms of the problem's documents.
	Documents() *counts.Histograms

	// Capabilities returns the optional functions of the kernel. It is called once.
	Capabilities() KernelCapabilities
}

// KernelCapabilities are functions that a kernel may leave nil. Those without a comment do what the
// methods of Part with their names say.
type KernelCapabilities struct {
	EachTopics   func(f func(z []uint32) error) error
	NarrowTopics func(z []uint16) (bool, error)
	TokenTotals  func(totals []uint64) bool

	// BringNear loads the tokens of word w and of some words after it into the cache, and returns
	// the first word whose tokens it did not load.
	BringNear func(w int) (end int)
}
