// Package light implements LightLDA (Yuan et al. 2015): Metropolis-Hastings with proposals that take constant time.
package light

import (
	"cmp"
	"context"
	"math/bits"
	"slices"

	"github.com/topoi-lda/topoi/internal/counts"
	"github.com/topoi-lda/topoi/internal/discrete"
	"github.com/topoi-lda/topoi/internal/parallel"
	"github.com/topoi-lda/topoi/internal/rng"
	"github.com/topoi-lda/topoi/internal/sampler"
	"github.com/topoi-lda/topoi/internal/sampler/aliasrows"
	"github.com/topoi-lda/topoi/internal/sampler/state"
)

// light is LightLDA (Yuan et al. 2015, §4): Metropolis-Hastings with two cheap proposals in turn for the conditional
//
//	p(k) ∝ (n_dk + α_k) · (n_wk + β) / (n_k + Vβ)     without the token itself
//
//	doc-proposal    q(k) ∝ n_dk + α_k                 the topic of another token of the document, or one drawn from α
//	word-proposal   q(k) ∝ (n_wk + β) / (n_k + Vβ)    from an alias table over the word's topics, or one for β that all words share
//
// Both cost O(1) whatever K. Document counts are always fresh. Word and topic counts are frozen for a round (a block
// of documents, Tuning.Rounds a sweep), with the token's own count taken out; their changes are added when the round
// ends. So documents of a round may be sampled in any order by any number of threads. n_wk is kept in hybrid rows and
// tables hold only topics that occur, so memory goes with N and not with V × K.
//
// Prefer it for many topics: from a few hundred on nothing exact keeps up with it. The paper counts the token itself
// in the doc-proposal; that proposal depends on where the chain stands, so here the token is left out, and its
// acceptance needs no document counts at all.
type light struct {
	state.Sparse
	steps    int
	proposal lightProposal
	rounds   []lightRound

	// Words first … first+count-1 have tables. Tokens of other words are not sampled.
	first, count int

	// These fields are frozen for a round.
	words       *aliasrows.Rows         // count rows: n_wk / (n_k + Vβ)
	inverse     []float64               // K: 1 / (n_k + Vβ)
	smooth      discrete.Alias[float64] // β / (n_k + Vβ)
	smoothSum   float64                 // their sum
	alphaTable  discrete.Alias[float64] // α_k
	alphaSum    float64                 // Σα
	beta, vbeta float64                 // β, Vβ

	scratch []lightScratch // one per worker
	before  []uint32       // N: topics before the round, by which merge finds moves; nil for a part
	moves   [][]move       // chunk × moveGroups: moves of a part's round, by chunk of documents and group of words
}

// lightProposal selects the proposals.
type lightProposal int

const (
	proposeInTurn lightProposal = iota
	proposeByDoc
	proposeByWord
)

// lightProposals are the values of Tuning.Proposal.
var lightProposals = map[string]lightProposal{"cycle": proposeInTurn, "doc": proposeByDoc, "word": proposeByWord}

// byDoc reports whether step n is a doc-proposal.
func (p lightProposal) byDoc(n int) bool { return p == proposeByDoc || p == proposeInTurn && n%2 == 0 }

// lightRound is a run of documents and the words in it.
type lightRound struct {
	firstDoc, endDoc int
	words            []uint32 // distinct
}

// move is a token of word w that went from topic old to topic new.
type move struct{ w, old, new uint32 }

// moveGroups is the number of groups of words whose moves can be applied in parallel.
const moveGroups = 64

// lightScratch is the scratch memory of one worker.
type lightScratch struct {
	ndk     []int32 // K: counts of the current document, zero between documents
	change  []int32 // K: changes of n_k in this round
	builder aliasrows.Builder
}

var Info = sampler.Info{
	Near:    0.25,
	Files:   sampler.Files{Parts: true},
	Name:    "light",
	Summary: "LightLDA: Metropolis-Hastings with doc- and word-proposals; for many topics",
	Cost:    "O(1)",
	Source:  "Yuan et al. 2015, §4",
	MaxK:    1 << 24,
	New:     newLight,
	Cutting: &lightCutting,
}

func newLight(p *sampler.Problem) (sampler.Sampler, error) {
	l := makeLight(p, state.NewSparse(p))
	l.count = p.V
	l.rounds = lightRounds(p, lightRoundsOf(p.Tuning, 0))
	l.words = aliasrows.New(counts.Frequencies(p.Words, p.V), p.K, false)
	l.before = make([]uint32, p.N())
	return l, nil
}

// makeLight returns a sampler without rounds and alias tables.
func makeLight(p *sampler.Problem, own state.Sparse) *light {
	l := &light{
		Sparse:   own,
		steps:    cmp.Or(p.Tuning.MHSteps, 4),
		proposal: lightProposals[p.Tuning.Proposal],
		inverse:  make([]float64, p.K),
		scratch:  make([]lightScratch, max(1, p.Threads)),
	}
	for i := range l.scratch {
		l.scratch[i] = lightScratch{ndk: make([]int32, p.K), change: make([]int32, p.K)}
	}
	return l
}

// lightRoundsOf returns the number of rounds of an iteration.
func lightRoundsOf(t sampler.Tuning, _ int) int { return cmp.Or(t.Rounds, 1) }

// lightRounds cuts the documents into n runs of about equal numbers of tokens.
func lightRounds(p *sampler.Problem, n int) []lightRound {
	seen := make([]int, p.V) // 1 + the last round in which a word was seen
	rounds := make([]lightRound, 0, n)
	d := 0
	for r, end := range sampler.DocRounds(p, nil, n) {
		round := lightRound{firstDoc: d, endDoc: end}
		for _, w := range p.Words[p.Offsets[d]:p.Offsets[end]] {
			if seen[w] != r+1 {
				seen[w] = r + 1
				round.words = append(round.words, w)
			}
		}
		d = end
		rounds = append(rounds, round)
	}
	return rounds
}

// chunks returns the number of tasks of a round.
func (r lightRound) chunks() int {
	return (r.endDoc - r.firstDoc + state.DocChunk - 1) / state.DocChunk
}

// Sweep implements Sampler. If ctx ends inside a round, the state is incomplete and must not be used.
func (l *light) Sweep(ctx context.Context, iteration int, priors *sampler.Priors) error {
	random := sampler.Draws{Key: rng.NewKey(l.P.Seed), Iteration: uint32(iteration), Purpose: sampler.ForDraw}
	l.takeAlpha(priors.Alpha)
	for _, round := range l.rounds {
		l.freeze(priors)
		if err := l.buildTables(ctx, round.words); err != nil {
			return err
		}
		lo, hi := l.P.Offsets[round.firstDoc], l.P.Offsets[round.endDoc]
		copy(l.before[lo:hi], l.Z[lo:hi])
		if err := l.sampleRound(ctx, round, random, priors.Alpha); err != nil {
			return err
		}
		l.merge(lo, hi)
	}
	return nil
}

// takeAlpha builds the table for the document proposal's α.
func (l *light) takeAlpha(alpha []float64) {
	l.alphaTable.Build(alpha)
	l.alphaSum = 0
	for _, a := range alpha {
		l.alphaSum += a
	}
}

// freeze computes from n_k the values that stay fixed during a round.
func (l *light) freeze(priors *sampler.Priors) {
	l.beta, l.vbeta = priors.Beta, float64(float64(l.P.CorpusWords())*priors.Beta)
	weights := make([]float64, l.P.K)
	l.smoothSum = 0
	for k, n := range l.Nk {
		l.inverse[k] = 1 / (float64(n) + l.vbeta)
		weights[k] = float64(l.beta * l.inverse[k])
		l.smoothSum += weights[k]
	}
	l.smooth.Build(weights)
}

// buildTables builds the alias tables of words for a round.
func (l *light) buildTables(ctx context.Context, words []uint32) error {
	factor := func(k uint32) float64 { return l.inverse[k] }
	const chunk = 256
	return parallel.Do(ctx, l.P.Threads, (len(words)+chunk-1)/chunk, func(worker, task int) {
		for _, w := range words[task*chunk : min((task+1)*chunk, len(words))] {
			l.words.Build(int(w)-l.first, l.Table, &l.scratch[worker].builder, factor)
		}
	})
}

// forgetMoves empties the lists of a round's moves.
func (l *light) forgetMoves(round lightRound) {
	for len(l.moves) < round.chunks()*moveGroups {
		l.moves = append(l.moves, nil)
	}
	for i := range l.moves {
		l.moves[i] = l.moves[i][:0]
	}
}

// sampleRound resamples every document of a round and records a part's moves.
func (l *light) sampleRound(ctx context.Context, round lightRound, random sampler.Draws, alpha []float64) error {
	return parallel.Do(ctx, l.P.Threads, round.chunks(), func(worker, chunk int) {
		s := &l.scratch[worker]
		var moves [][]move
		if l.P.Part != nil && !l.P.Part.Forget {
			moves = l.moves[chunk*moveGroups : (chunk+1)*moveGroups]
		}
		first := round.firstDoc + chunk*state.DocChunk
		for d := first; d < min(first+state.DocChunk, round.endDoc); d++ {
			l.sampleDoc(s, moves, d, random, alpha)
		}
	})
}

// sampleDoc resamples the tokens of one document whose words have tables.
func (l *light) sampleDoc(s *lightScratch, moves [][]move, d int, random sampler.Draws, alpha []float64) {
	lo, hi := l.P.Offsets[d], l.P.Offsets[d+1]
	begin, end := l.within(l.P.Words[lo:hi])
	if begin == end {
		return
	}
	doc := l.Z[lo:hi]
	for _, k := range doc {
		s.ndk[k]++
	}
	for i := begin; i < end; i++ {
		w, old := l.P.Words[lo+uint64(i)], doc[i]
		chain := lightChain{light: l, doc: doc, ndk: s.ndk, alpha: alpha, i: i, w: int(w) - l.first, own: old}
		k := chain.walk(old, uint64(l.P.Origin())+lo+uint64(i), random)
		if k != old {
			doc[i] = k
			s.change[old]--
			s.change[k]++
			if moves != nil {
				moves[w%moveGroups] = append(moves[w%moveGroups], move{w, old, k})
			}
		}
	}
	for _, k := range doc {
		s.ndk[k] = 0
	}
}

// within returns the range of a document's words, which are sorted, that have tables.
func (l *light) within(doc []uint32) (begin, end int) {
	if l.count == l.P.V {
		return 0, len(doc)
	}
	begin, _ = slices.BinarySearch(doc, uint32(l.first))
	end, _ = slices.BinarySearch(doc, uint32(l.first+l.count))
	return begin, end
}

// merge adds the moves of tokens lo … hi-1 to n_wk and n_k. Integer sums do not depend on the order of
// addition. Every task scans all tokens and takes those of its words. A list of moves would save the scans,
// but take three times as much memory as before.
func (l *light) merge(lo, hi uint64) {
	groups := uint32(1) << bits.Len(uint(2*max(1, l.P.Threads)))
	words, z := l.P.Words[lo:hi], l.Z[lo:hi]
	_ = parallel.Do(context.Background(), l.P.Threads, int(groups), func(_, group int) {
		for i, old := range l.before[lo:hi] {
			if w, k := words[i], z[i]; k != old && w&(groups-1) == uint32(group) {
				l.Table.Add(int(w), int(old), -1)
				l.Table.Add(int(w), int(k), 1)
			}
		}
	})
	for i := range l.scratch {
		counts.Add(l.Nk, l.scratch[i].change)
		clear(l.scratch[i].change)
	}
}
