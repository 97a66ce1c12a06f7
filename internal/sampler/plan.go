package sampler

import (
	"fmt"
	"sort"
	"sync"

	"github.com/topoi-lda/topoi/internal/grid"
	"github.com/topoi-lda/topoi/internal/lists"
)

// Plan describes how a corpus is cut into parts for a sampler, and which documents belong to which round
// of an iteration. It is a function of the corpus and the options.
type Plan struct {
	P      *Problem
	info   Info
	blocks []grid.Block
	forget bool     // parts store nothing for Changes
	stage  int      // entries of n_wk that light makes tables of at a time
	On     *PartsOn // the device that samples parts; nil: the CPU

	mutex  sync.Mutex
	rounds map[int][]int // by number of rounds: the document at which each ends
}

// PlanFor cuts the corpus of p for a sampler. It does not read p.Words, which may be nil.
func PlanFor(info Info, p *Problem) (*Plan, error) {
	if info.Cutting == nil {
		return nil, fmt.Errorf("sampler %q cannot work on a part of a corpus: choose batch, warp or light", info.Name)
	}
	if info.Cutting.Check != nil {
		if err := info.Cutting.Check(p.Tuning); err != nil {
			return nil, err
		}
	}
	return &Plan{P: p, info: info, blocks: grid.Cut(p.Offsets, info.Cutting.Limits(p)), rounds: map[int][]int{}}, nil
}

// ForgetChanges lets parts that are made from now on save the memory and time that Changes needs.
// Changes must not be called on them.
func (l *Plan) ForgetChanges() { l.forget = true }

// SetStage bounds the memory of light's tables: light takes slices of Frozen.Sliced until they have at least the given
// number of entries, samples the tokens of their words, and continues with the next. 0, the default, means no bound.
func (l *Plan) SetStage(entries int) { l.stage = entries }

// Slicewise reports whether parts of the plan can take rows slice by slice.
func (l *Plan) Slicewise() bool { return l.info.Cutting.Slicewise }

// Blocks returns the number of blocks of the corpus.
func (l *Plan) Blocks() int { return len(l.blocks) }

// Whole returns the span of the whole corpus.
func (l *Plan) Whole() Span { return l.Span(0, len(l.blocks)) }

// Span returns the span of blocks first … last-1.
func (l *Plan) Span(first, last int) Span {
	s := Span{FirstBlock: first, LastBlock: last}
	if first < last {
		s.FirstDoc, s.Begin = l.blocks[first].FirstDoc, l.blocks[first].Begin
		s.LastDoc, s.End = l.blocks[last-1].LastDoc, l.blocks[last-1].End
	}
	return s
}

// Cut cuts the corpus into at most n spans of about equal numbers of tokens. No span is empty.
func (l *Plan) Cut(n int) []Span {
	var spans []Span
	first, tokens := 0, l.P.N()
	for i, b := range l.blocks {
		if b.End*n >= tokens*(len(spans)+1) && len(spans) < n-1 || i == len(l.blocks)-1 {
			spans = append(spans, l.Span(first, i+1))
			first = i + 1
		}
	}
	return spans
}

// CutTokens cuts the corpus into spans of at most the given number of tokens, or of one block.
func (l *Plan) CutTokens(most int) []Span { return CutBlocks(l.blocks, 0, most) }

// Rounds returns the number of rounds of an iteration.
func (l *Plan) Rounds(iteration int) int { return len(l.ends(iteration)) }

// Takes reports whether a span has documents in a round. Other spans need not take part in it.
func (l *Plan) Takes(s Span, at Step) bool {
	first, last := l.Docs(s, at)
	return first < last
}

// Docs returns the documents first … last-1 that a span has in a round.
func (l *Plan) Docs(s Span, at Step) (first, last int) {
	ends := l.ends(at.Iteration)
	begin := 0
	if at.Round > 0 {
		begin = ends[at.Round-1]
	}
	first, last = max(s.FirstDoc, begin), min(s.LastDoc, ends[at.Round])
	return first, max(first, last)
}

// ends returns the documents at which the rounds of an iteration end.
func (l *Plan) ends(iteration int) []int {
	n := l.info.Cutting.Rounds(l.P.Tuning, iteration)
	l.mutex.Lock()
	defer l.mutex.Unlock()
	if l.rounds[n] == nil {
		l.rounds[n] = l.info.Cutting.Ends(l.P, l.blocks, n)
	}
	return l.rounds[n]
}

// WholeRound is the Cutting.Ends of samplers whose iterations are one round.
func WholeRound(p *Problem, _ []grid.Block, _ int) []int { return []int{p.D()} }

// BlockRounds is the Cutting.Ends of samplers whose rounds are runs of blocks.
func BlockRounds(p *Problem, blocks []grid.Block, n int) []int {
	return lists.Of(BlockRuns(nil, blocks, p.N(), n), func(run [2]int) int { return blocks[run[1]-1].LastDoc })
}

// BlockRuns appends to dst at most n runs of blocks, as the first and one after the last, of about
// equal numbers of tokens. tokens is the number of tokens in all blocks.
func BlockRuns(dst [][2]int, blocks []grid.Block, tokens, n int) [][2]int {
	begin := 0
	for i, b := range blocks {
		if b.End*n >= tokens*(len(dst)+1) || i == len(blocks)-1 {
			dst = append(dst, [2]int{begin, i + 1})
			begin = i + 1
		}
	}
	return dst
}

// DocRounds is the Cutting.Ends of samplers whose rounds are runs of documents, of about equal numbers of tokens.
func DocRounds(p *Problem, _ []grid.Block, n int) []int {
	ends := make([]int, n)
	for r := range n - 1 {
		end := uint64(p.N()) * uint64(r+1) / uint64(n)
		ends[r] = sort.Search(p.D(), func(d int) bool { return p.Offsets[d] >= end })
	}
	ends[n-1] = p.D()
	return ends
}

// CutBlocks cuts blocks into spans of at most the given number of tokens, or of one block. number
// is that of the first block in the corpus.
func CutBlocks(blocks []grid.Block, number, most int) []Span {
	var spans []Span
	for first := 0; first < len(blocks); {
		b, last := blocks[first], first+1
		for last < len(blocks) && blocks[last].End-b.Begin <= most {
			last++
		}
		e := blocks[last-1]
		spans = append(spans, Span{
			FirstDoc: b.FirstDoc, LastDoc: e.LastDoc, Begin: b.Begin, End: e.End,
			FirstBlock: number + first, LastBlock: number + last,
		})
		first = last
	}
	return spans
}

// Evenly marks n of count things, spread evenly.
func Evenly(n, count int) []bool {
	chosen := make([]bool, count)
	for i := range chosen {
		chosen[i] = (i+1)*n/count > i*n/count
	}
	return chosen
}

// NewLayout computes the layout of a span from the words of its tokens.
func (l *Plan) NewLayout(s Span, words []uint32) (*Layout, error) {
	if len(words) != s.Tokens() {
		return nil, fmt.Errorf("a part of %d tokens was given %d words", s.Tokens(), len(words))
	}
	layout := &Layout{}
	layout.words, layout.Local = localWords(words, l.P.V)
	return layout, nil
}

// Problem returns the problem of sampling a span by itself.
func (l *Plan) Problem(s Span, layout *Layout) *Problem {
	own := *l.P
	own.Pseudo = nil // the frozen rows contain them
	if l.P.Groups != nil {
		own.Groups = l.P.Groups[s.FirstDoc:s.LastDoc]
	}
	own.Offsets = make([]uint64, s.Docs()+1)
	for i := range own.Offsets {
		own.Offsets[i] = l.P.Offsets[s.FirstDoc+i] - uint64(s.Begin)
	}
	own.Words, own.V = layout.Local, len(layout.words)
	own.Part = &partOf{span: s, words: l.P.V, n: l.P.N(), Distinct: layout.words, Forget: l.forget, Stage: l.stage}
	return &own
}
