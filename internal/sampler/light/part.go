package light

import (
	"context"

	"github.com/topoi-lda/topoi/internal/alloc"
	"github.com/topoi-lda/topoi/internal/counts"
	"github.com/topoi-lda/topoi/internal/grid"
	"github.com/topoi-lda/topoi/internal/mapfile"
	"github.com/topoi-lda/topoi/internal/rng"
	"github.com/topoi-lda/topoi/internal/sampler"
	"github.com/topoi-lda/topoi/internal/sampler/aliasrows"
	"github.com/topoi-lda/topoi/internal/sampler/state"
)

// lightCutting describes how light works on parts. The code is the same, but n_wk has the part's words only and is
// filled before a round instead of being updated after it. Blocks may be any runs of documents, since random
// numbers belong to tokens.
var lightCutting = sampler.Cutting{
	Limits: func(*sampler.Problem) grid.Limits { return BlockLimits },
	Rounds: lightRoundsOf,
	Ends:   sampler.DocRounds,

	Slicewise: true,
	Kernel: func(p *sampler.Problem, old sampler.Kernel) sampler.Kernel {
		l, ok := old.(*lightPart)
		if !ok {
			l = &lightPart{light: makeLight(p, state.Sparse{Tokens: state.Tokens{Nk: make([]int32, p.K)}})}
		}
		l.P, l.Z = p, alloc.Resize(l.Z, p.N())
		return l
	},
}

// BlockLimits are the limits of light's blocks.
var BlockLimits = grid.Limits{Tokens: 1 << 14, Docs: 1 << 12}

// lightPart is light on a part.
type lightPart struct {
	*light
	firstMove []int  // V+1: word w has moved[firstMove[w]:firstMove[w+1]]
	moved     []move // moves of the last round by word

	// These fields describe the words of a stage.
	entries []counts.Entry // the frozen rows
	sizes   []uint64       // tokens of each row
	lengths []uint64       // entries of each row
}

func (l *lightPart) Round(ctx context.Context, iteration, first, last int, model *sampler.Frozen,
	priors *sampler.Priors,
) error {
	random := sampler.Draws{Key: rng.NewKey(l.P.Seed), Iteration: uint32(iteration), Purpose: sampler.ForDraw}
	counts.Copy(l.Nk, model.Totals)
	l.takeAlpha(priors.Alpha)
	l.freeze(priors)
	round := lightRound{firstDoc: first, endDoc: last}
	l.forgetMoves(round)
	err := l.eachStage(ctx, model, func() error { return l.sampleRound(ctx, round, random, priors.Alpha) })
	if err != nil {
		return err
	}
	if !l.P.Part.Forget {
		l.sortMoves(round)
	}
	for i := range l.scratch {
		clear(l.scratch[i].change) // n_k is stored elsewhere
	}
	return nil
}

// eachStage builds tables of the frozen rows and calls sample when they are ready: once or, if rows are Sliced, as
// often as Plan.SetStage requires. A document's tokens are sorted by word, so the stages sample them in their order.
func (l *lightPart) eachStage(ctx context.Context, model *sampler.Frozen, sample func() error) error {
	l.first, l.count = 0, 0
	if model.Sliced == nil {
		l.take(model.Rows, l.P.V)
		return l.stage(ctx, sample)
	}
	ends := model.Sliced.Begins[1:]
	for i, end := range ends {
		if end > l.first+l.count {
			rows, done, err := model.Sliced.Open(i)
			if err != nil {
				return err
			}
			l.take(rows, end)
			done()
		}
		if i == len(ends)-1 || l.P.Part.Stage > 0 && len(l.entries) >= l.P.Part.Stage {
			if err := l.stage(ctx, sample); err != nil {
				return err
			}
		}
	}
	return nil
}

// take copies the frozen rows of words up to end-1 that were not copied yet.
func (l *lightPart) take(rows counts.Rows, end int) {
	for w := l.first + l.count; w < end; w++ {
		begin := len(l.entries)
		l.entries = rows.AppendRow(l.entries, w)
		size := uint64(0)
		for _, e := range l.entries[begin:] {
			size += uint64(e.Count)
		}
		l.sizes, l.lengths = append(l.sizes, size), append(l.lengths, uint64(len(l.entries)-begin))
	}
	l.count = end - l.first
}

// stage builds tables of the copied rows, calls sample, and drops the rows.
func (l *lightPart) stage(ctx context.Context, sample func() error) error {
	l.Table = counts.NewTable(l.P.K, l.sizes)
	l.words = aliasrows.New(l.lengths, l.P.K, false)
	rest := l.entries
	words := make([]uint32, l.count)
	for w, n := range l.lengths {
		for _, e := range rest[:n] {
			l.Table.Add(w, int(e.Topic), int32(e.Count))
		}
		rest, words[w] = rest[n:], uint32(l.first+w)
	}
	if err := l.buildTables(ctx, words); err != nil {
		return err
	}
	if err := sample(); err != nil {
		return err
	}
	l.first, l.count = l.first+l.count, 0
	l.entries, l.sizes, l.lengths = l.entries[:0], l.sizes[:0], l.lengths[:0]
	return nil
}

// sortMoves sorts the moves of a round by word.
func (l *lightPart) sortMoves(round lightRound) {
	lists := l.moves[:round.chunks()*moveGroups]
	first := append(l.firstMove[:0], make([]int, l.P.V+1)...)
	for _, list := range lists {
		for _, m := range list {
			first[m.w+1]++
		}
	}
	for w := range l.P.V {
		first[w+1] += first[w]
	}
	if n := first[l.P.V]; n > cap(l.moved) {
		l.moved = make([]move, n)
	} else {
		l.moved = l.moved[:n]
	}
	for _, list := range lists {
		for _, m := range list {
			l.moved[first[m.w]] = m
			first[m.w]++
		}
	}
	copy(first[1:], first) // every word's end has become the next one's beginning
	first[0] = 0
	l.firstMove = first
}

func (l *lightPart) AddMoves(w int, n *sampler.Net) {
	moved := l.moved[l.firstMove[w]:l.firstMove[w+1]]
	n.Begin(len(moved))
	for _, m := range moved {
		n.Move(m.old, m.new)
	}
}

func (l *lightPart) Documents() *counts.Histograms {
	chunks := (l.P.D() + state.DocChunk - 1) / state.DocChunk
	h := sampler.CountHistograms(l.P, chunks, func(h *sampler.Histograms, _, i int) {
		for d := i * state.DocChunk; d < min(l.P.D(), (i+1)*state.DocChunk); d++ {
			h.AddDoc(l.Z[l.P.Offsets[d]:l.P.Offsets[d+1]])
		}
	})
	return &h.Histograms
}

func (l *lightPart) Memory() []byte { return mapfile.Memory(l.Z) }
func (l *lightPart) Restore(int)    {}

func (l *lightPart) Capabilities() sampler.KernelCapabilities { return sampler.KernelCapabilities{} }

// lightChain is the Markov chain of one token on light's frozen model. Its stationary distribution is
//
//	p(k) ∝ (n_dk + α_k) · φ_k     φ_k = (n_wk + β) / (n_k + Vβ)
//
// with n_dk of the document's other tokens as they are, and n_wk, n_k frozen,
// less one for the topic that the token itself had when they were.
type lightChain struct {
	*light
	doc   []uint32  // topics of the document
	ndk   []int32   // K: its counts
	alpha []float64 // K
	i     int       // the token's place in the document
	w     int       // its word
	own   uint32    // its topic when the model was frozen
}

// candidate is a topic with the numbers that its acceptance needs.
type candidate struct {
	k   uint32
	phi float64 // φ_k
	q   float64 // the word-proposal's (n_wk + β) / (n_k + Vβ), own count included
}

// At returns the candidate for topic k.
func (c *lightChain) At(k uint32) candidate {
	n := float64(c.Table.Get(c.w, int(k)))
	q := (n + c.beta) * c.inverse[k]
	if k != c.own {
		return candidate{k, q, q}
	}
	return candidate{k, (n - 1 + c.beta) / (float64(c.Nk[k]) - 1 + c.vbeta), q}
}

// walk subtracts the token from n_dk, makes the sampler's number of steps from topic k, and adds the token to
// the topic where the chain ends. token is its number in the corpus. The proposals also alternate from sweep
// to sweep, so that one step a sweep still uses both.
func (c *lightChain) walk(k uint32, token uint64, random sampler.Draws) uint32 {
	c.ndk[k]--
	s := c.At(k)
	for step := range c.steps {
		u := random.Step(token, step)
		propose, accept := rng.Float64(u[0], u[1]), rng.Float64(u[2], u[3])
		if c.proposal.byDoc(int(random.Iteration) + step) {
			s = c.docStep(s, propose, accept)
		} else {
			s = c.wordStep(s, propose, accept)
		}
	}
	c.ndk[s.k]++
	return s.k
}

// docStep proposes with q(k) ∝ n_dk + α_k: p(t) q(s) / (p(s) q(t)) = φ_t / φ_s.
func (c *lightChain) docStep(s candidate, propose, accept float64) candidate {
	others := len(c.doc) - 1
	x := float64(propose * (float64(others) + c.alphaSum))
	var k uint32
	if x < float64(others) {
		j := int(x)
		if j >= c.i {
			j++
		}
		k = c.doc[j]
	} else {
		k = uint32(c.alphaTable.Draw(sampler.Unit((x - float64(others)) / c.alphaSum)))
	}
	if k == s.k {
		return s
	}
	if t := c.At(k); accept*s.phi < t.phi {
		return t
	}
	return s
}

// wordStep proposes with q(k) ∝ (n_wk + β) / (n_k + Vβ).
func (c *lightChain) wordStep(s candidate, propose, accept float64) candidate {
	sum := c.words.Sum[c.w]
	x := float64(propose * (sum + c.smoothSum))
	var k uint32
	if x < sum {
		k = c.words.Draw(c.w, sampler.Unit(x/sum))
	} else {
		k = uint32(c.smooth.Draw(sampler.Unit((x - sum) / c.smoothSum)))
	}
	if k == s.k {
		return s
	}
	t := c.At(k)
	pS := (float64(c.ndk[s.k]) + c.alpha[s.k]) * s.phi
	pT := (float64(c.ndk[k]) + c.alpha[k]) * t.phi
	if accept*(pS*t.q) < pT*s.q {
		return t
	}
	return s
}
