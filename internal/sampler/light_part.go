package sampler

import (
	"context"

	"github.com/topoi-lda/topoi/internal/counts"
	"github.com/topoi-lda/topoi/internal/grid"
	"github.com/topoi-lda/topoi/internal/rng"
)

// lightCutting is how light works on parts: the same code, whose n_wk has the
// part's words only and is filled before a round instead of being brought up to
// date after it. Any run of documents will do for a block, since random numbers
// go by token.
var lightCutting = cutting{
	limits: func(*Problem) grid.Limits { return lightBlockLimits },
	rounds: lightRoundsOf,
	ends:   docRounds,
	kernel: func(p *Problem) kernel {
		state := tableState{p: p, z: make([]uint32, p.N()), nk: make([]int32, p.K)}
		return &lightPart{light: makeLight(p, state)}
	},
}

// lightBlockLimits bound what light has for blocks.
var lightBlockLimits = grid.Limits{Tokens: 1 << 14, Docs: 1 << 12}

// lightPart is light on a part.
type lightPart struct {
	*light
	first   []int          // V+1: word w has moved[first[w]:first[w+1]]
	moved   []move         // moves of the last round by word
	entries []counts.Entry // the frozen rows
	sizes   []uint64       // V: tokens of each row
	lengths []uint64       // V: entries of each row
}

func (l *lightPart) round(ctx context.Context, iteration, first, last int, model Frozen, priors *Priors) error {
	random := draws{key: rng.NewKey(l.p.Seed), iteration: uint32(iteration), purpose: forDraw}
	for k, n := range model.TopicTotals() {
		l.nk[k] = int32(n)
	}
	l.takeAlpha(priors.Alpha)
	l.freeze(priors)
	l.take(model)
	words := make([]uint32, l.p.V)
	for w := range words {
		words[w] = uint32(w)
	}
	if err := l.buildTables(ctx, words); err != nil {
		return err
	}
	round := lightRound{firstDoc: first, endDoc: last}
	if err := l.sampleRound(ctx, round, random, priors.Alpha); err != nil {
		return err
	}
	l.sortMoves(round)
	return nil
}

// take copies the frozen rows.
func (l *lightPart) take(model Frozen) {
	l.entries, l.sizes, l.lengths = l.entries[:0], l.sizes[:0], l.lengths[:0]
	for w := range l.p.V {
		begin := len(l.entries)
		l.entries = model.AppendRow(l.entries, w)
		size := uint64(0)
		for _, e := range l.entries[begin:] {
			size += uint64(e.Count)
		}
		l.sizes, l.lengths = append(l.sizes, size), append(l.lengths, uint64(len(l.entries)-begin))
	}
	l.table = counts.NewTable(l.p.K, l.sizes)
	l.words = newAliasRows(l.lengths, l.p.K)
	rest := l.entries
	for w, n := range l.lengths {
		for _, e := range rest[:n] {
			l.table.Add(w, int(e.Topic), int32(e.Count))
		}
		rest = rest[n:]
	}
}

// sortMoves sorts the moves of a round by word, and forgets what they change in
// n_k.
func (l *lightPart) sortMoves(round lightRound) {
	lists := l.moves[:round.chunks()*moveGroups]
	l.first = append(l.first[:0], make([]int, l.p.V+1)...)
	for _, list := range lists {
		for _, m := range list {
			l.first[m.w+1]++
		}
	}
	for w := range l.p.V {
		l.first[w+1] += l.first[w]
	}
	if n := l.first[l.p.V]; n > cap(l.moved) {
		l.moved = make([]move, n)
	} else {
		l.moved = l.moved[:n]
	}
	for _, list := range lists {
		for _, m := range list {
			l.moved[l.first[m.w]] = m
			l.first[m.w]++
		}
	}
	copy(l.first[1:], l.first) // every word's end has become the next one's beginning
	l.first[0] = 0
	for i := range l.scratch {
		clear(l.scratch[i].change)
	}
}

func (l *lightPart) eachMove(w int, f func(old, new uint32)) {
	for _, m := range l.moved[l.first[w]:l.first[w+1]] {
		f(m.old, m.new)
	}
}

func (l *lightPart) docHistograms() *histograms {
	chunks := (l.p.D() + docChunk - 1) / docChunk
	return countHistograms(l.p, chunks, func(h *histograms, _, i int) {
		for d := i * docChunk; d < min(l.p.D(), (i+1)*docChunk); d++ {
			h.addDoc(l.z[l.p.Offsets[d]:l.p.Offsets[d+1]])
		}
	})
}
