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

// lightCutting is how light works on parts: the same code, whose n_wk has the
// part's words only and is filled before a round instead of being brought up to
// date after it. Any run of documents will do for a block, since random numbers
// go by token.
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

// BlockLimits bound what light has for blocks.
var BlockLimits = grid.Limits{Tokens: 1 << 14, Docs: 1 << 12}

// lightPart is light on a part.
type lightPart struct {
	*light
	firstMove []int  // V+1: word w has moved[firstMove[w]:firstMove[w+1]]
	moved     []move // moves of the last round by word

	// Of the words of a stage:
	entries []counts.Entry // the frozen rows
	sizes   []uint64       // tokens of each row
	lengths []uint64       // entries of each row
}

func (l *lightPart) Round(ctx context.Context, iteration, first, last int, model *sampler.Frozen, priors *sampler.Priors) error {
	random := sampler.Draws{Key: rng.NewKey(l.P.Seed), Iteration: uint32(iteration), Purpose: sampler.ForDraw}
	for k, n := range model.Totals {
		l.Nk[k] = int32(n)
	}
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
		clear(l.scratch[i].change) // n_k is kept elsewhere
	}
	return nil
}

// eachStage makes tables of the frozen rows and calls sample when they are ready:
// once, or for rows that are Sliced as often as Plan.SetStage wants it. A document's
// tokens are sorted by word, so stage after stage samples them in their order.
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

// take copies frozen rows, those of words up to end-1 that have not been taken.
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

// stage makes tables of the rows taken, samples, and forgets them.
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

func (l *lightPart) Memory() []byte { return mapfile.Bytes(l.Z) }
func (l *lightPart) Restore(int)    {}

// Capabilities implements sampler.Kernel.
func (l *lightPart) Capabilities() sampler.KernelCapabilities { return sampler.KernelCapabilities{} }
