package ondisk

import (
	"errors"
	"fmt"
	"math"
	"math/bits"
	"slices"
	"strings"

	"github.com/topoi-lda/topoi/internal/grid"
	"github.com/topoi-lda/topoi/internal/human"
	"github.com/topoi-lda/topoi/internal/sampler"
)

// ErrBudget is wrapped by the errors about a budget that cannot be kept.
var ErrBudget = errors.New("the memory budget cannot be kept")

// Budget describes how memory is divided: the fixed costs, and how large parts may be.
type Budget struct {
	InMemory     bool // everything fits; the other fields are not used
	SliceBytes   int  // largest slice of warp's vocabulary with its tokens, in bytes
	PartTokens   int  // most tokens in a part of light, unless a block has more
	RowsInMemory bool // whether light keeps all of n_wk in memory
	Stage        int  // entries of n_wk in light's tables at a time

	Items []Item // the fixed costs, largest first
}

// Item is one use of memory.
type Item struct {
	What  string
	Bytes uint64
}

// Run describes a run to Fit.
type Run struct {
	Sampler sampler.Info
	Problem *sampler.Problem
	Memory  uint64   // bytes that may be used
	HeldOut []uint32 // words of the held-out documents
	Split   uint64   // bytes of the lists of training documents and their offsets

	// Release does what Config.Release says.
	Release func(lo, hi int)
}

// collector is the factor by which the heap may grow beyond what is in use between two garbage
// collections. It also covers errors of the estimates below.
const collector = 1.2

// Forced replaces the budget of every run unless it is nil. Tests set it to train small corpora from files.
var Forced *Budget

// Fit returns how to divide the budget, or an error that says how much memory is needed.
func Fit(r Run) (*Budget, error) {
	if Forced != nil {
		return Forced, nil
	}
	c, err := newCosts(r)
	if err != nil {
		return nil, err
	}
	if need := c.inMemory(); need <= float64(r.Memory) {
		return &Budget{InMemory: true}, nil
	}
	if r.Sampler.Files.None(r.Problem) {
		return nil, fmt.Errorf("%w: sampler %q needs %s in memory, and %s were allowed: "+
			"allow more, or choose sampler warp or light, which can train from files",
			ErrBudget, r.Sampler.Name, human.Bytes(int64(c.inMemory())), human.Bytes(int64(r.Memory)))
	}
	return c.fit(float64(r.Memory))
}

// Needs returns the bytes that a run takes when everything is in memory, and the largest number of
// entries that its n_wk can have.
func Needs(r Run) (memory, entries uint64, err error) {
	c, err := newCosts(r)
	if err != nil {
		return 0, 0, err
	}
	return uint64(c.inMemory()), uint64(c.entries), nil
}

// costs are a run's needs in bytes.
type costs struct {
	run       Run
	n, v, k   float64
	threads   float64
	segments  float64 // warp's segments per token
	largest   float64 // tokens of the largest block
	entries   float64 // most entries of n_wk
	rowBytes  float64 // of n_wk, stored as blobs
	longest   float64 // tokens of the most frequent word
	heldOut   float64 // entries of rows of held-out words
	tokenSize float64 // of a topic
	perToken  float64 // bytes per token of a part of light
	least     float64 // the smallest value of Budget.SliceBytes with which warp works
	stageSize float64 // bytes per entry of light's tables
}

// newCosts computes the costs in one pass over the corpus.
func newCosts(r Run) (*costs, error) {
	p := r.Problem
	c := &costs{run: r, n: float64(p.N()), v: float64(p.V), k: float64(p.K), tokenSize: 2}
	c.threads = float64(max(1, p.Threads))
	if p.K > 1<<16 {
		c.tokenSize = 4
	}
	frequencies := make([]uint64, p.V)
	const piece = 1 << 22
	for lo := 0; lo < p.N(); lo += piece {
		hi := min(p.N(), lo+piece)
		for _, w := range p.Words[lo:hi] {
			frequencies[w]++
		}
		if r.Release != nil {
			r.Release(lo, hi)
		}
	}
	blocks := len(grid.Cut(p.Offsets, grid.Limits{Tokens: 1 << 16, Docs: 1 << 16})) // as many as warp has
	slices := 0.0
	for _, n := range frequencies {
		if r.Sampler.Files.Stream != nil {
			size := float64(sliceBytes(n, blocks, r.Sampler.Files.Stream, p))
			slices += size
			c.least = max(c.least, size)
		}
		entries := float64(min(n, uint64(p.K)))
		c.entries += entries
		c.rowBytes += 4 + float64(entries*entryBytes(float64(n), c.k))
		c.longest = max(c.longest, float64(n))
	}
	c.least = max(c.least, float64(slices/mostSlices)+1)
	held := make([]bool, p.V)
	for _, w := range r.HeldOut {
		if !held[w] {
			held[w] = true
			c.heldOut += float64(min(frequencies[w], uint64(p.K)))
		}
	}
	if r.Sampler.Files.None(p) {
		return c, nil
	}
	plan, err := sampler.PlanFor(r.Sampler, p)
	if err != nil {
		return nil, err
	}
	c.measureBlocks(plan)
	c.setPerToken()
	return c, nil
}

// entryBytes estimates the size of a blob's entry for a word of n tokens: the gap to the topic
// before, seven bits a byte, and a count, which seldom fits into the same byte.
func entryBytes(n, k float64) float64 {
	entries := min(n, k)
	if entries == 0 {
		return 0
	}
	size := math.Ceil(float64(bits.Len64(uint64(4*k/entries)+1)) / 7)
	if n > 2*entries {
		size++
	}
	return size
}

// measureBlocks finds the largest block, and estimates the segments per token from up to eight blocks.
func (c *costs) measureBlocks(plan *sampler.Plan) {
	p := c.run.Problem
	blocks := plan.Blocks()
	for b := range blocks {
		c.largest = max(c.largest, float64(plan.Span(b, b+1).Tokens()))
	}
	tokens, segments := 0, 0
	for i := range min(8, blocks) {
		span := plan.Span(i*blocks/min(8, blocks), i*blocks/min(8, blocks)+1)
		words := slices.Clone(p.Words[span.Begin:span.End])
		slices.Sort(words)
		tokens, segments = tokens+len(words), segments+len(slices.Compact(words))
		if c.run.Release != nil {
			c.run.Release(span.Begin, span.End)
		}
	}
	c.segments = float64(segments) / max(1, float64(tokens))
}

// setPerToken sets the costs of a token and of a table entry of light.
func (c *costs) setPerToken() {
	if c.run.Sampler.Files.Groups {
		const topics, words, grid = 4 + 4, 4 + 4, 24 // the state and a copy; the layout, and sorted; blocks and tiles
		c.perToken = topics + words + grid + float64(4*c.tableSlot())
	} else if c.run.Sampler.Files.Parts {
		const topics = 4 // the sampler's, and again while the model is written
		const words = 4
		own := float64(4 * c.tableSlot()) // at most four slots of a hash row: the part's own counts
		c.perToken = topics + words + topics + own
		c.stageSize = 8 + 16 + float64(4*c.tableSlot()) // rows, alias tables, counts
	}
}

// sliceBytes returns what a word of n tokens adds to the memory of a slice: its tokens, its
// segments, at most one for each block and one for each stream.SegmentTokens tokens, and its entry
// in the list of words. One goroutine sorts all segments once, which takes 16 more bytes for each.
func sliceBytes(n uint64, blocks int, stream *sampler.Stream, p *sampler.Problem) int {
	segments := min(int(n), blocks+int(n)/stream.SegmentTokens)
	return max(int(n)*stream.RecordBytes(p)+12*segments, 28*segments/max(1, p.Threads)) + 12
}

// record returns the size of a token's topic and proposals in warp's files.
func (c *costs) record() float64 {
	return float64(c.run.Sampler.Files.Stream.RecordBytes(c.run.Problem))
}

// tableSlot returns the size of a slot of counts.Table.
func (c *costs) tableSlot() float64 {
	if c.k <= 1<<16 {
		return 4
	}
	return 8
}

// items returns the fixed costs. Sizes per topic are those of the arrays of the sampler, its
// workers, the sums of counts and the estimation of priors. Products are rounded before they become whole: some
// processors subtract 2^63 from large ones on the way.
func (c *costs) items() []Item {
	d := float64(c.run.Problem.D())
	const perTopic, perWorker = 96, 96
	topics := fmt.Sprintf("counts and priors of %d topics with %d threads", int(c.k), int(c.threads))
	longest, blocks := 0.0, 0.0
	if c.run.Sampler.Files.Stream != nil {
		longest = c.threads * (float64(4*c.longest) + float64(16*min(c.k, c.longest)))
		blocks = c.largest * (float64(c.threads*(c.record()+2)) + float64(sortedBlocks*(8+float64(40*c.segments))))
	}
	groups := 0.0
	if g := float64(c.run.Problem.NumGroups()); g > 0 {
		groups = float64(4*c.v*c.k) + float64(4*d) + float64(g*c.k*(4*8+float64(4*c.threads))) // n_wk; α, its bound and its steps; histograms
	}
	return []Item{
		{"tables of exact draws and priors of groups", uint64(groups)},
		{"the program", 48 << 20},
		{"positions of documents", uint64(float64(16*d)) + c.run.Split},
		{"the vocabulary", uint64(float64(48 * c.v))},
		{topics, uint64(float64(c.k * (perTopic + float64(c.threads*perWorker))))},
		{"estimating priors and likelihood", uint64(float64(c.k * 96 * (1 + c.threads)))},
		{"the row of the most frequent word", uint64(longest)},
		{"blocks of tokens", uint64(blocks)},
		{"rows of held-out words", uint64(float64(8 * c.heldOut))},
	}
}

// fit divides the memory that the fixed costs leave.
func (c *costs) fit(memory float64) (*Budget, error) {
	b := &Budget{Items: c.items()}
	fixed := 0.0
	for _, item := range b.Items {
		fixed += float64(item.Bytes)
	}
	left := memory/collector - fixed
	if c.run.Sampler.Files.Stream != nil {
		least := float64(c.threads * c.least)
		if left < least {
			return nil, c.refuse(append(b.Items, Item{"the most frequent words at work", uint64(least)}), memory)
		}
		b.SliceBytes = int(left / c.threads)
		return b, nil
	}
	if c.rowBytes <= left/3 {
		b.RowsInMemory = true
		left -= c.rowBytes
		b.Items = append(b.Items, Item{"counts of all words, in memory", uint64(c.rowBytes)})
	} else {
		slices := float64(c.threads * 2 * c.rowBytes / wordSlices)
		left -= slices
		b.Items = append(b.Items, Item{"counts of the words at work", uint64(slices)})
	}
	if c.stageSize > 0 {
		largest := float64(c.entries/wordSlices) * 2
		stage := max(left/3/c.stageSize, largest)
		b.Stage = max(1, int(min(stage, c.entries+1)-largest))
		left -= float64(c.stageSize * min(stage, c.entries))
		b.Items = append(b.Items, Item{"tables of the words at work", uint64(float64(c.stageSize * min(stage, c.entries)))})
	}
	least := float64(c.largest * c.perToken)
	if left < least {
		block := Item{fmt.Sprintf("one block of %d tokens, read, sampled and written", int(c.largest)), uint64(least)}
		return nil, c.refuse(append(b.Items, block), memory)
	}
	b.PartTokens = int(left / c.perToken)
	return b, nil
}

// refuse returns the error that lists how much memory is needed for what.
func (c *costs) refuse(items []Item, memory float64) error {
	slices.SortStableFunc(items, func(a, b Item) int { return int(min(1, max(-1, float64(b.Bytes)-float64(a.Bytes)))) })
	need := 0.0
	var list []string
	for _, item := range items {
		need += float64(item.Bytes)
		if float64(item.Bytes) > memory/100 {
			list = append(list, fmt.Sprintf("%s for %s", human.Bytes(int64(item.Bytes)), item.What))
		}
	}
	need *= collector
	return fmt.Errorf("%w: %s were allowed and at least %s are needed: %s, and a fifth more for garbage: "+
		"allow %s, or ask for fewer topics",
		ErrBudget, human.Bytes(int64(memory)), human.Bytes(int64(need)), strings.Join(list, ", "),
		human.Bytes(int64(need)))
}

// inMemory returns the memory of a run when everything is in memory, including the making of the model.
func (c *costs) inMemory() float64 {
	need := 0.0
	for _, item := range c.items() {
		need += float64(item.Bytes)
	}
	need += float64(4*c.n) + float64(4*c.n) + float64(2*8*c.entries) // words, and the model's topics and rows
	switch info := c.run.Sampler; {
	case info.Files.Stream != nil:
		need += float64(c.n * (max(8, c.record()) + 2 + float64(12*c.segments)))
	case info.Files.Parts && !info.Files.Groups:
		need += float64(4*c.n) + float64(12*c.n) + float64(c.entries*(16+float64(4*c.tableSlot())))
	default:
		need += float64(16 * c.n)
		if info.Tables != nil {
			need += float64(info.Tables(c.run.Problem))
		}
	}
	return need * collector
}

// mostSlices bounds the number of slices, because each has an open file while they are written.
const mostSlices = 512

// sortedBlocks is the number of blocks that are sorted at a time.
const sortedBlocks = 8
