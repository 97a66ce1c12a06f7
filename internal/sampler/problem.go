package sampler

import (
	"slices"

	"github.com/topoi-lda/topoi/internal/counts"
	"github.com/topoi-lda/topoi/internal/grid"
)

// Problem is the input of a sampler. It does not change during a run.
type Problem struct {
	Offsets []uint64 // D+1 positions, the first one 0; document d is Words[Offsets[d]:Offsets[d+1]]
	Words   []uint32 // N word ids, sorted inside each document
	V       int      // words in the vocabulary
	K       int      // topics
	Seed    uint64   // key of all randomness
	Threads int      // goroutines to use; never changes a result
	Tuning  Tuning   // choices that do change the result

	// Pseudo holds pseudo-counts m_wk, which a sampler adds to n_wk wherever it uses or returns it;
	// nil means none. It is nil in parts of a corpus, whose rows contain them already.
	Pseudo *counts.Pseudo

	// Groups holds the group of each document, where groups have priors of their own (Priors.Groups). nil means that
	// Priors.Alpha holds for all documents. Few says that a group may not have all topics.
	Groups []uint32
	Few    bool

	// Rows holds a row of numbers for each group, if its α follow from these and Priors.Lambda (hyper.Regression).
	Rows [][]float64

	// GroupsOf returns Priors.Groups as they follow from the rest of the priors, for workers to whom
	// others send that. Several goroutines may call it. nil means that there are no groups.
	GroupsOf func(*Priors) []Group

	Grids *grid.Cache // grids of earlier runs over the same Words, or nil; never changes a result

	laid func() any // see Laid

	Part *partOf // where the part lies in its corpus; nil for a whole corpus
}

// D returns the number of documents.
func (p *Problem) D() int { return len(p.Offsets) - 1 }

// NumGroups returns the number of groups of documents, 0 without groups.
func (p *Problem) NumGroups() int {
	if p.Groups == nil {
		return 0
	}
	return int(slices.Max(p.Groups)) + 1
}

// N returns the number of tokens.
func (p *Problem) N() int { return int(p.Offsets[p.D()]) }

// Priors are the Dirichlet parameters. They may change between sweeps.
type Priors struct {
	Alpha []float64 // K values α_k > 0
	Beta  float64   // β > 0

	Groups []Group     // by group (see Problem.Groups); nil: Alpha holds for all, or a device makes them from Lambda
	Lambda [][]float64 // K rows of numbers that Groups follow from, if they depend on columns; nil otherwise
}

// Group is the prior that some documents share: the topics that they may have, and the α of each.
type Group struct {
	Topics []uint32 // in increasing order, at least one
	Alpha  []float64
}

// AlphaOf returns the α of document d, which is 0 for topics that its group must not have. If there
// are groups it writes the result into dst (K values).
func (p *Problem) AlphaOf(dst []float64, d int, priors *Priors) []float64 {
	if p.Groups == nil {
		return priors.Alpha
	}
	clear(dst)
	group := priors.Groups[p.Groups[d]]
	for i, k := range group.Topics {
		dst[k] = group.Alpha[i]
	}
	return dst
}

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

// partOf describes where in its corpus a part's problem lies.
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
		s.FirstDoc, s.LastDoc = s.FirstDoc+of.FirstDoc, s.LastDoc+of.FirstDoc
		s.Begin, s.End = s.Begin+of.Begin, s.End+of.Begin
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

// Laid returns the data that Info.Lay prepared, once; after that, or without such data, nil.
func (p *Problem) Laid() any {
	if p.laid == nil {
		return nil
	}
	return p.laid()
}
