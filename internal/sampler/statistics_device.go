package sampler

import (
	"context"
	"slices"

	"github.com/topoi-lda/topoi/internal/counts"
	"github.com/topoi-lda/topoi/internal/cuda/kernels/layout"
	"github.com/topoi-lda/topoi/internal/device"
	"github.com/topoi-lda/topoi/internal/parallel"
)

// DeviceHistograms is counts.Histograms counted on a device by kernels/statistics.cu.
type DeviceHistograms struct {
	p       *Problem
	Docs    deviceHistogram // of n_dk, for each topic
	Words   deviceHistogram // of n_wk
	lengths []uint64        // how many documents have so many tokens; nil until somebody asks

	arena *device.Arena
	room  *device.Host[uint32] // see Room; nil until somebody asks
}

// statisticsCells is how many cells the histograms of n_dk may have: all of them are copied to the host,
// and larger counts one by one. Tests make it smaller.
var statisticsCells = 1 << 22

const (
	statisticsLeast = 15        // the largest n_dk that has a cell at any rate
	statisticsWords = 1<<16 - 1 // the largest n_wk that has one
)

// histogramLimit is the largest n_dk that has a cell: that of the longest document, if there is room.
func histogramLimit(p *Problem) int {
	longest := 0
	for d := range p.D() {
		longest = max(longest, int(p.Offsets[d+1]-p.Offsets[d]))
	}
	return max(statisticsLeast, min(longest, statisticsCells/p.K-1))
}

// HistogramBytes is how much memory newDeviceHistograms takes.
func HistogramBytes(p *Problem) int64 {
	bytes := func(topics, most int) int64 { return 4 * (int64(topics)*int64(most+1) + 2 + 2*int64(p.N()/(most+1))) }
	return bytes(p.K, histogramLimit(p)) + bytes(1, statisticsWords)
}

func NewDeviceHistograms(p *Problem, a *device.Arena) *DeviceHistograms {
	h := &DeviceHistograms{
		p: p, Docs: newDeviceHistogram(a, p.K, histogramLimit(p), p.N()), Words: newDeviceHistogram(a, 1, statisticsWords, p.N()), arena: a,
	}
	h.Docs.each = true
	return h
}

func (h *DeviceHistograms) Zero() error { return device.FirstError(h.Docs.Zero(), h.Words.Zero()) }

// Room returns memory for n numbers to copy counts to from the device, which is valid until the
// next call. It is pinned, and kept from score to score: new memory costs more than the copy.
func (h *DeviceHistograms) Room(n int) ([]uint32, error) {
	device.GrowHost(h.arena, &h.room, n)
	if err := h.arena.Err(); err != nil {
		return nil, err
	}
	return h.room.Slice()[:n], nil
}

// Read waits for the counts and puts them together; nk is n_k.
func (h *DeviceHistograms) Read(nk []uint32) (*counts.Histograms, error) {
	result := NewHistograms(h.p.K)
	result.DocLengths = slices.Clone(h.docLengths())
	for k, n := range nk {
		result.TopicTotals[k] = uint64(n)
	}
	topics, err := h.copy(&h.Docs)
	if err != nil {
		return nil, err
	}
	width := h.Docs.most + 1
	_ = parallel.Do(context.Background(), h.p.Threads, h.p.K, func(_, k int) {
		result.Topic[k] = appendBins(result.Topic[k], topics[k*width:(k+1)*width])
	})
	if err := h.Docs.listed(func(k, n int) { result.Topic[k] = Bump(result.Topic[k], n) }); err != nil {
		return nil, err
	}
	words, err := h.copy(&h.Words)
	if err != nil {
		return nil, err
	}
	result.WordTopic = appendBins(result.WordTopic, words)
	return &result.Histograms, h.Words.listed(func(_, n int) { result.WordTopic = Bump(result.WordTopic, n) })
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

// copy copies the cells of a histogram to the host.
func (h *DeviceHistograms) copy(of *deviceHistogram) ([]uint32, error) {
	cells, err := h.Room(of.topics * (of.most + 1))
	if err != nil {
		return nil, err
	}
	return cells, of.cells.Download(cells)
}

// appendBins appends the cells up to the last that is not empty.
func appendBins[T uint32 | uint64](h []T, cells []uint32) []T {
	n := len(cells)
	for n > 0 && cells[n-1] == 0 {
		n--
	}
	for _, times := range cells[:n] {
		h = append(h, T(times))
	}
	return h
}

// deviceHistogram is Histogram of statistics.cu.
type deviceHistogram struct {
	topics int                    // how many have cells: K, or 1 for all together
	each   bool                   // every topic has its own cells
	most   int                    // larger counts are in beyond
	cells  *device.Buffer[uint32] // topics × (most+1)
	beyond *device.Buffer[uint32] // their number, a number without use, pairs of topic and count
}

func newDeviceHistogram(a *device.Arena, topics, most, tokens int) deviceHistogram {
	return deviceHistogram{
		topics: topics, most: most,
		cells: device.Alloc[uint32](a, topics*(most+1)), beyond: device.Alloc[uint32](a, 2+2*(tokens/(most+1))),
	}
}

func (h *deviceHistogram) Zero() error {
	return device.FirstError(h.cells.Zero(), h.beyond.View(0, 2).Zero())
}

// Args are the last arguments of statistics_table, and of statistics_rows but for a flag.
func (h *deviceHistogram) Args() []any { return []any{h.cells, uint32(h.most), h.beyond} }

// listed calls add for every count that has no cell, in no order.
func (h *deviceHistogram) listed(add func(k, n int)) error {
	beyond := make([]uint32, 2)
	if err := h.beyond.Download(beyond); err != nil || beyond[0] == 0 {
		return err
	}
	pairs := make([]uint32, 2+2*int(beyond[0]))
	err := h.beyond.Download(pairs)
	for pairs = pairs[2:]; len(pairs) > 0; pairs = pairs[2:] {
		add(int(pairs[0]), int(pairs[1]))
	}
	return err
}

// StatisticsNear is how many cells of a histogram lie in shared memory.
const StatisticsNear = layout.StatisticsNear

// StatisticsRows says which rows statistics_rows counts.
type StatisticsRows struct {
	Kernel    string // "16" or "32": bits of a topic
	Tokens    any    // buffer of topics
	Stride    int    // from one topic to the next
	Positions *device.Buffer[uint32]
	Direct    bool                   // tokens are in order, positions is not used
	First     *device.Buffer[uint32] // members+1
	Members   int
	Limit     int                    // members with more tokens are left out
	Scratch   *device.Buffer[uint32] // K numbers for each block of threads; nil for shared memory
	Scratches int
}

// Count launches the counting of rows.
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
	return q.Launch("statistics", "statistics_rows_"+r.Kernel, shape, device.Flatten([]any{
		r.Tokens, uint32(r.Stride), r.Positions, device.Flag(r.Direct), r.First, uint32(r.Members), uint32(r.Limit),
		r.Scratch, device.Flag(shape.Shared > 4*StatisticsNear), uint32(k), h.Args(), device.Flag(h.each),
	})...)
}

// CountTable launches the counting of rows that are there: rows × stride numbers, of which K from offset on
// are a row.
func (h *deviceHistogram) CountTable(q *device.Queue, processors int, table *device.Buffer[uint32], rows, stride, offset, k int) error {
	if rows == 0 {
		return nil
	}
	shape := device.Shape{Blocks: min(rows, 8*processors), Threads: 256, Shared: 4 * StatisticsNear}
	return q.Launch("statistics", "statistics_table", shape, device.Flatten([]any{
		table, uint32(rows), uint32(stride), uint32(offset), uint32(k), h.Args(),
	})...)
}
