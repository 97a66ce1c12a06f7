package batch

import (
	"cmp"
	"slices"

	"github.com/topoi-lda/topoi/internal/sampler"
)

// The sampler of AGA-LDA (Moon et al. 2018, Algorithm 2) under its own name: word and topic counts change at once,
// document counts when a mini-batch ends. On a CPU it is fresh with these switches: panels of words in a defined
// order, so that any number of threads gives the same bytes. On a GPU panelOn runs the paper's kernels, whose atomic
// additions happen in any order: there a run is not repeatable.

// panelFreshness is AGA-LDA's choice among its eight.
var panelFreshness = Freshness{Word: true, Topic: true}

// panelBatches is the number of mini-batches of a sweep unless Tuning.MiniBatches says
// otherwise: about as many as the paper has of each corpus.
const panelBatches = 10

func newPanel(p *sampler.Problem) (sampler.Sampler, error) {
	q := *p
	q.Tuning.MiniBatches = cmp.Or(p.Tuning.MiniBatches, panelBatches)
	return newFresh(&q, panelFreshness), nil
}

// panelPlan is the order in which a GPU draws panel's tokens: by mini-batch, by column panel, by document.
type panelPlan struct {
	order   []uint32 // N: the place of each token in the corpus
	docs    []uint32 // N: its document, counted from the mini-batch's first
	panels  []panelOfBatch
	batches []panelBatch
	most    int // tokens of a mini-batch that one panel of several words has at most, about
}

// panelOfBatch is the part of a panel that lies in a mini-batch: the work of one block
// of threads. Four numbers, as panel.cu reads them.
type panelOfBatch struct {
	word, words uint32 // its words; words is 0 if rows are not to be copied to shared memory
	begin, end  uint32 // its tokens, as places in order
}

// panelBatch is a mini-batch.
type panelBatch struct {
	docs                 int // documents
	firstPanel, endPanel int
	begin, end           int // tokens
}

// panelRange is a panel: a range of words, or one hot word.
type panelRange struct {
	first, end uint32
	hot        bool
}

// panelTokens is for how many tokens of a mini-batch words are put together, so that the
// work is spread over the GPU's multiprocessors. The row of a word with more stays in
// device memory, where several blocks of threads take so many of its tokens each.
func panelTokens(p *sampler.Problem, batches int) int { return max(1<<9, p.N()/batches/512) }

// planPanels plans for so many mini-batches, with panels of at most width words; with
// width 0 no row fits shared memory.
func planPanels(p *sampler.Problem, batches, width int) *panelPlan {
	plan := &panelPlan{order: make([]uint32, p.N()), docs: make([]uint32, p.N()), most: panelTokens(p, batches)}
	ranges := panelRanges(p, batches*plan.most, max(1, width))
	rangeOf := make([]uint32, p.V)
	for i, r := range ranges {
		for w := r.first; w < r.end; w++ {
			rangeOf[w] = uint32(i)
		}
	}
	for b := range batches {
		plan.addBatch(p, p.D()*b/batches, p.D()*(b+1)/batches, ranges, rangeOf, width == 0)
	}
	return plan
}

// panelRanges cuts the vocabulary into ranges of so many words and tokens at most.
func panelRanges(p *sampler.Problem, limit, width int) []panelRange {
	tokens := make([]int, p.V)
	for _, w := range p.Words {
		tokens[w]++
	}
	var ranges []panelRange
	sum := 0
	for w, n := range tokens {
		last := len(ranges) - 1
		if last < 0 || ranges[last].hot || n > limit || int(ranges[last].end-ranges[last].first) == width ||
			sum+n > limit {
			ranges = append(ranges, panelRange{first: uint32(w), end: uint32(w), hot: n > limit})
			last, sum = last+1, 0
		}
		ranges[last].end++
		sum += n
	}
	return ranges
}

// addBatch plans documents first … end-1: tokens sorted by panel, largest panels first so that none is begun late.
func (plan *panelPlan) addBatch(p *sampler.Problem, first, end int, ranges []panelRange, rangeOf []uint32,
	inMemory bool,
) {
	begin := int(p.Offsets[first])
	batch := panelBatch{docs: end - first, firstPanel: len(plan.panels), begin: begin, end: int(p.Offsets[end])}
	ends := make([]int, len(ranges)+1)
	for _, w := range p.Words[batch.begin:batch.end] {
		ends[rangeOf[w]+1]++
	}
	ends[0] = begin
	for i := range ranges {
		ends[i+1] += ends[i]
	}
	for i, r := range ranges {
		plan.addPanel(r, ends[i], ends[i+1], inMemory)
	}
	batch.endPanel = len(plan.panels)
	slices.SortStableFunc(plan.panels[batch.firstPanel:], func(a, b panelOfBatch) int {
		return cmp.Compare(b.end-b.begin, a.end-a.begin)
	})
	next := ends[:len(ranges)] // the next free place of each panel
	for d := first; d < end; d++ {
		for i := p.Offsets[d]; i < p.Offsets[d+1]; i++ {
			r := rangeOf[p.Words[i]]
			plan.order[next[r]], plan.docs[next[r]] = uint32(i), uint32(d-first)
			next[r]++
		}
	}
	plan.batches = append(plan.batches, batch)
}

// addPanel adds the tokens begin … end-1 of a panel, in several pieces if it is hot.
func (plan *panelPlan) addPanel(r panelRange, begin, end int, inMemory bool) {
	if begin == end {
		return
	}
	if !r.hot && !inMemory {
		plan.panels = append(plan.panels, panelOfBatch{r.first, r.end - r.first, uint32(begin), uint32(end)})
		return
	}
	for ; begin < end; begin += plan.most {
		plan.panels = append(plan.panels, panelOfBatch{r.first, 0, uint32(begin), uint32(min(end, begin+plan.most))})
	}
}

// numbers are the panels as panel.cu reads them.
func (plan *panelPlan) numbers() []uint32 {
	list := make([]uint32, 0, 4*len(plan.panels))
	for _, p := range plan.panels {
		list = append(list, p.word, p.words, p.begin, p.end)
	}
	return list
}

// mostDocs is the number of documents of the largest mini-batch.
func (plan *panelPlan) mostDocs() int {
	most := 0
	for _, b := range plan.batches {
		most = max(most, b.docs)
	}
	return most
}
