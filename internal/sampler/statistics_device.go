package sampler

import (
	"context"
	"slices"

	"github.com/topoi-lda/topoi/internal/counts"
	"github.com/topoi-lda/topoi/internal/cuda/kernels/layout"
	"github.com/topoi-lda/topoi/internal/device"
	"github.com/topoi-lda/topoi/internal/parallel"
)

// DeviceHistograms counts counts.Histograms on a device with kernels/statistics.cu.
type DeviceHistograms struct {
	p       *Problem
	rows    int                    // see docHistograms
	Docs    deviceHistogram        // of n_dk, for each of rows
	Words   deviceHistogram        // of n_wk
	all     *device.Buffer[uint32] // the memory of both, laid out by histogramParts, so that one copy fetches it
	lengths []uint64               // by length: number of documents; nil until docLengths counts them

	regression *regressionOn // of groupsOn.Learn; nil until needed

	arena *device.Arena
	room  *device.Host[uint32] // see Room
}

// statisticsCells is the largest number of cells of the n_dk histograms. All cells are copied to
// the host; counts that have no cell are listed one by one. Tests make it smaller.
var statisticsCells = 1 << 22

const (
	statisticsLeast = 15        // the smallest histogramLimit
	statisticsWords = 1<<16 - 1 // the largest n_wk that has a cell
)

// histogramLimit returns the largest n_dk that has a cell: the length of the longest document, if
// statisticsCells allows it. Groups get more cells, because these are copied for scores alone.
func histogramLimit(p *Problem, rows int) int {
	longest, cells := 0, statisticsCells
	if p.Groups != nil {
		cells *= 4
	}
	for d := range p.D() {
		longest = max(longest, int(p.Offsets[d+1]-p.Offsets[d]))
	}
	return max(statisticsLeast, min(longest, cells/rows-1))
}

// docHistograms returns the number of histograms of n_dk: one for each topic or, if there are groups, for each
// counts.Cell.
func docHistograms(p *Problem) int { return max(p.K, p.NumGroups()*(p.K+1)) }

// histogramParts returns where the parts of DeviceHistograms.all begin, and the end of the last. The order is: cells of
// Docs, cells of Words, the list of Words' larger counts, which is short, and that of Docs.
func histogramParts(p *Problem, rows, most int) (words, beyondWords, beyondDocs, end int) {
	const round = 64 // aligns arrays to this many numbers
	up := func(n int) int { return (n + round - 1) / round * round }
	list := func(most int) int { return 2 + 2*(p.N()/(most+1)) }
	words = up(rows * (most + 1))
	beyondWords = words + statisticsWords + 1
	beyondDocs = beyondWords + up(list(statisticsWords))
	return words, beyondWords, beyondDocs, beyondDocs + list(most)
}

// HistogramBytes returns the memory that NewDeviceHistograms takes, in bytes.
func HistogramBytes(p *Problem) int64 {
	rows := docHistograms(p)
	_, _, _, end := histogramParts(p, rows, histogramLimit(p, rows))
	return 4*int64(end) + regressionBytes(p)
}

func NewDeviceHistograms(p *Problem, a *device.Arena) *DeviceHistograms {
	rows := docHistograms(p)
	most := histogramLimit(p, rows)
	words, beyondWords, beyondDocs, end := histogramParts(p, rows, most)
	h := &DeviceHistograms{p: p, rows: rows, all: device.Alloc[uint32](a, end), arena: a}
	if a.Err() == nil {
		view := h.all.View
		h.Docs = deviceHistogram{each: true, most: most, cells: view(0, rows*(most+1)), beyond: view(beyondDocs, end)}
		h.Words = deviceHistogram{most: statisticsWords, cells: view(words, beyondWords)}
		h.Words.beyond = view(beyondWords, beyondDocs)
	}
	return h
}

// Zero sets all cells, and the lists as far as they are copied with them, to 0.
func (h *DeviceHistograms) Zero() error { return h.all.View(0, h.copied()).Zero() }

// copied returns how many numbers Read copies to the host at first.
func (h *DeviceHistograms) copied() int {
	_, _, beyondDocs, end := histogramParts(h.p, h.rows, h.Docs.most)
	return min(end, beyondDocs+2+2*listedAtOnce)
}

// Room returns memory for n numbers to copy counts into, valid until the next call. It is pinned
// and kept from score to score, because new memory costs more than the copy.
func (h *DeviceHistograms) Room(n int) ([]uint32, error) {
	device.GrowHost(h.arena, &h.room, n)
	if err := h.arena.Err(); err != nil {
		return nil, err
	}
	return h.room.Slice()[:n], nil
}

// listedAtOnce is how many counts without a cell are copied together with the cells. Tests make it smaller.
var listedAtOnce = 1 << 12

// Read waits for the counts and returns them; nk is n_k.
func (h *DeviceHistograms) Read(nk []uint32) (*counts.Histograms, error) {
	result := NewHistograms(h.p.K)
	result.DocLengths = slices.Clone(h.docLengths())
	counts.Copy(result.TopicTotals, nk)
	words, beyondWords, beyondDocs, _ := histogramParts(h.p, h.rows, h.Docs.most)
	first, width := 0, h.Docs.most+1
	if h.p.Groups != nil {
		first = words // the cells of documents stay on the device
	}
	copied, err := h.Room(h.copied() - first)
	if err != nil {
		return nil, err
	}
	if err := h.all.View(first, h.copied()).Download(copied); err != nil {
		return nil, err
	}
	words, beyondWords, beyondDocs = words-first, beyondWords-first, beyondDocs-first
	_ = parallel.Do(context.Background(), h.p.Threads, h.p.K+1, func(_, k int) {
		if k--; k < 0 { // first, because it takes longest
			result.WordTopic = bins[uint64](copied[words:beyondWords])
			return
		}
		if h.p.Groups == nil {
			result.Topic[k] = bins[uint32](copied[k*width : (k+1)*width])
		}
	})
	eachListed(copied[beyondWords:], func(_, n int) { result.WordTopic = Bump(result.WordTopic, n) })
	list := copied[beyondDocs:]
	if n := 2 + 2*int(list[0]); n > len(list) {
		list = make([]uint32, n)
		if err := h.Docs.beyond.Download(list); err != nil {
			return nil, err
		}
	}
	if h.p.Groups != nil {
		result.Raised = &groupsOn{h, sortedPairs(list[2 : 2+2*list[0]])}
		return &result.Histograms, nil
	}
	eachListed(list, func(k, n int) { result.Topic[k] = Bump(result.Topic[k], n) })
	return &result.Histograms, nil
}

// docLengths counts the documents' lengths, once.
func (h *DeviceHistograms) docLengths() []uint64 {
	if h.lengths == nil {
		for d := range h.p.D() {
			h.lengths = Bump(h.lengths, int(h.p.Offsets[d+1]-h.p.Offsets[d]))
		}
	}
	return h.lengths
}

// bins returns the cells up to the last that is not empty.
func bins[T uint32 | uint64](cells []uint32) []T {
	n := len(cells)
	for n > 0 && cells[n-1] == 0 {
		n--
	}
	if n == 0 {
		return nil
	}
	h := make([]T, n)
	for i, times := range cells[:n] {
		h[i] = T(times)
	}
	return h
}

// eachListed calls add for every count of a list, in no order.
func eachListed(list []uint32, add func(k, n int)) {
	for pairs := list[2 : 2+2*list[0]]; len(pairs) > 0; pairs = pairs[2:] {
		add(int(pairs[0]), int(pairs[1]))
	}
}

// deviceHistogram has the fields of Histogram in statistics.cu.
type deviceHistogram struct {
	each   bool                   // every topic has its own cells
	most   int                    // larger counts are in beyond
	cells  *device.Buffer[uint32] // (K or 1) × (most+1)
	beyond *device.Buffer[uint32] // the number of pairs, an unused number, pairs of topic and count
}

// Args returns the last arguments of statistics_table, and of statistics_rows except for a flag.
func (h *deviceHistogram) Args() []any { return []any{h.cells, uint32(h.most), h.beyond} }

// StatisticsNear is the number of a histogram's cells in shared memory.
const StatisticsNear = layout.StatisticsNear

// StatisticsRows describes the rows that statistics_rows counts.
type StatisticsRows struct {
	Kernel    string // "16" or "32": bits of a topic
	Tokens    any    // buffer of topics
	Stride    int    // from one topic to the next
	Positions *device.Buffer[uint32]
	Direct    bool                   // tokens are in order, Positions is not used
	First     *device.Buffer[uint32] // members+1
	Members   int
	Limit     int                    // members with more tokens are skipped
	Scratch   *device.Buffer[uint32] // K numbers for each block of threads; nil for shared memory
	Scratches int
	Groups    *device.Buffer[uint32] // of members; nil without groups
}

// Count queues the kernel that counts rows from tokens.
func (h *deviceHistogram) Count(q *device.Queue, processors, k int, r StatisticsRows) error {
	if r.Members == 0 {
		return nil
	}
	shape := device.Shape{Blocks: min(r.Members, 16*processors), Threads: 128, Shared: 4 * (StatisticsNear + k)}
	if r.Scratch != nil {
		shape.Blocks, shape.Shared = min(r.Members, r.Scratches), 4*StatisticsNear
	} else {
		r.Scratch = h.beyond // not used
	}
	if r.Groups != nil {
		return q.Launch("statistics", "statistics_groups", shape, device.Flatten([]any{
			r.Tokens, r.First, uint32(r.Members), r.Scratch, device.Flag(shape.Shared > 4*StatisticsNear), uint32(k),
			h.Args(), r.Groups,
		})...)
	}
	return q.Launch("statistics", "statistics_rows_"+r.Kernel, shape, device.Flatten([]any{
		r.Tokens, uint32(r.Stride), r.Positions, device.Flag(r.Direct), r.First, uint32(r.Members), uint32(r.Limit),
		r.Scratch, device.Flag(shape.Shared > 4*StatisticsNear), uint32(k), h.Args(), device.Flag(h.each),
	})...)
}

// CountTable queues the kernel that counts rows of a table: rows × stride numbers, where K numbers
// from offset on are a row.
func (h *deviceHistogram) CountTable(q *device.Queue, processors int, table *device.Buffer[uint32],
	rows, stride, offset, k int,
) error {
	if rows == 0 {
		return nil
	}
	shape := device.Shape{Blocks: min(rows, 8*processors), Threads: 256, Shared: 4 * StatisticsNear}
	return q.Launch("statistics", "statistics_table", shape, device.Flatten([]any{
		table, uint32(rows), uint32(stride), uint32(offset), uint32(k), h.Args(),
	})...)
}
