package sampler

import (
	"fmt"
	"sort"
	"sync"

	"github.com/topoi-lda/topoi/internal/device"
	"github.com/topoi-lda/topoi/internal/grid"
)

// Plan is how a corpus is cut into parts for a sampler, and which of its
// documents belong to which round of an iteration. It is a function of the
// corpus and the options.
type Plan struct {
	P      *Problem
	info   Info
	blocks []grid.Block
	forget bool     // parts keep nothing for Changes
	stage  int      // entries of n_wk that light makes tables of at a time
	On     *PartsOn // where parts are sampled; nil: by the CPU

	mutex  sync.Mutex
	rounds map[int][]int // by number of rounds: the document at which each ends
}

// Cutting is what a sampler says about its parts.
type Cutting struct {
	Limits func(p *Problem) grid.Limits // of a block; for a part p as for its whole corpus
	Rounds func(t Tuning, iteration int) int
	Ends   func(p *Problem, blocks []grid.Block, rounds int) []int // the document at which each round ends
	Kernel func(p *Problem, old Kernel) Kernel                     // in the memory of an old one, unless nil
	Check  func(t Tuning) error                                    // nil: any tuning

	Slicewise bool // kernels take rows from Frozen.Sliced

	// On makes what parts share on a device; nil if they cannot be sampled there. OnFault
	// says why those of a corpus cannot.
	On      func(p *Problem, d *device.Device) *PartsOn
	OnFault func(p *Problem) error
	Several bool // several devices of a process may have a part each
}

// PlanFor cuts the corpus of p, whose words need not be there, for a sampler.
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

// ForgetChanges makes parts that are made from now on save the memory and time that
// Changes needs, which must not be called then.
func (l *Plan) ForgetChanges() { l.forget = true }

// SetStage bounds the memory of light's tables: of Frozen.Sliced it takes slices
// until they have at least so many entries, samples the tokens of their words,
// and goes on with the next. 0, the default, is no bound.
func (l *Plan) SetStage(entries int) { l.stage = entries }

// Slicewise says whether parts of the plan can take rows slice by slice.
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

// Cut cuts the corpus into at most n spans of about equal numbers of tokens; none
// is without blocks.
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

// CutTokens cuts the corpus into spans of at most the given number of tokens, if
// blocks allow it.
func (l *Plan) CutTokens(most int) []Span {
	var spans []Span
	first := 0
	for i, b := range l.blocks {
		if i > first && b.End-l.blocks[first].Begin > most {
			spans = append(spans, l.Span(first, i))
			first = i
		}
	}
	if first < len(l.blocks) {
		spans = append(spans, l.Span(first, len(l.blocks)))
	}
	return spans
}

// Rounds returns the number of rounds of an iteration.
func (l *Plan) Rounds(iteration int) int { return len(l.ends(iteration)) }

// Takes says whether a span has documents in a round: others need not take part
// in it.
func (l *Plan) Takes(s Span, at Step) bool {
	first, last := l.Docs(s, at)
	return first < last
}

// Docs returns the documents that a span has in a round.
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

// NewPart makes a part; words are those of its tokens.
func (l *Plan) NewPart(s Span, words []uint32) (*Part, error) {
	layout, err := l.NewLayout(s, words)
	if err != nil {
		return nil, err
	}
	return l.NewPartOf(s, layout, nil), nil
}

// NewPartOf makes a part from its layout, in the memory of another one of this
// plan, which is gone then, unless it is nil. The layout must stay as it is while
// the part is used.
func (l *Plan) NewPartOf(s Span, layout *Layout, instead *Part) *Part {
	t := instead
	if t == nil {
		t = newPart()
	}
	j := t.PartRounds.joined
	j.plan, j.span, j.words, j.rounds = l, s, layout.words, 0
	if l.On != nil {
		j.kernel = l.On.Kernel(l.Problem(s, layout))
	} else {
		j.kernel = l.info.Cutting.Kernel(l.Problem(s, layout), j.kernel)
	}
	j.can = j.kernel.Capabilities()
	return t
}

// WholeRound is Cutting.Ends of samplers whose iterations are one round.
func WholeRound(p *Problem, _ []grid.Block, _ int) []int { return []int{p.D()} }

// BlockRounds is Cutting.Ends of samplers whose rounds are runs of blocks.
func BlockRounds(p *Problem, blocks []grid.Block, n int) []int {
	var ends []int
	for _, run := range BlockRuns(nil, blocks, p.N(), n) {
		ends = append(ends, blocks[run[1]-1].LastDoc)
	}
	return ends
}

// BlockRuns appends to dst at most n runs of blocks, first and last+1, of about
// equal numbers of tokens, of which there are so many in all.
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

// DocRounds cuts documents into n runs of about equal numbers of tokens.
func DocRounds(p *Problem, _ []grid.Block, n int) []int {
	ends := make([]int, n)
	for r := range n - 1 {
		end := uint64(p.N()) * uint64(r+1) / uint64(n)
		ends[r] = sort.Search(p.D(), func(d int) bool { return p.Offsets[d] >= end })
	}
	ends[n-1] = p.D()
	return ends
}

// CutBlocks cuts blocks, the first of which has a number in the corpus, into spans of at
// most so many tokens, or one block.
func CutBlocks(blocks []grid.Block, number, most int) []Span {
	var spans []Span
	for first := 0; first < len(blocks); {
		b, last := blocks[first], first+1
		for last < len(blocks) && blocks[last].End-b.Begin <= most {
			last++
		}
		e := blocks[last-1]
		spans = append(spans, Span{
			FirstDoc: b.FirstDoc, LastDoc: e.LastDoc, Begin: b.Begin, End: e.End, FirstBlock: number + first, LastBlock: number + last,
		})
		first = last
	}
	return spans
}

// Evenly chooses n of count things, spread evenly.
func Evenly(n, count int) []bool {
	chosen := make([]bool, count)
	for i := range chosen {
		chosen[i] = (i+1)*n/count > i*n/count
	}
	return chosen
}
