package sampler

import (
	"github.com/topoi-lda/topoi/internal/counts"
	"github.com/topoi-lda/topoi/internal/cuda/kernels/layout"
	"github.com/topoi-lda/topoi/internal/device"
)

// DeviceHistograms is counts.Histograms counted on a device by kernels/statistics.cu.
type DeviceHistograms struct {
	p     *Problem
	Docs  deviceHistogram // of n_dk, for each topic
	Words deviceHistogram // of n_wk
}

// Largest counts that have cells. Those of n_dk are chosen so that there are at most
// statisticsCells cells, but not fewer than statisticsLeast for each topic.
const (
	statisticsCells = 1 << 24
	statisticsLeast = 15
	statisticsMost  = 1023
	statisticsWords = 1<<16 - 1
)

// histogramLimit is the largest n_dk that has a cell.
func histogramLimit(k int) int { return min(statisticsMost, max(statisticsLeast, statisticsCells/k-1)) }

// HistogramBytes is how much memory newDeviceHistograms takes.
func HistogramBytes(p *Problem) int64 {
	bytes := func(topics, most int) int64 { return 4 * (int64(topics)*int64(most+1) + 2 + 2*int64(p.N()/(most+1))) }
	return bytes(p.K, histogramLimit(p.K)) + bytes(1, statisticsWords)
}

func NewDeviceHistograms(p *Problem, a *device.Arena) *DeviceHistograms {
	h := &DeviceHistograms{
		p: p, Docs: newDeviceHistogram(a, p.K, histogramLimit(p.K), p.N()), Words: newDeviceHistogram(a, 1, statisticsWords, p.N()),
	}
	h.Docs.each = true
	return h
}

func (h *DeviceHistograms) Zero() error { return device.FirstError(h.Docs.Zero(), h.Words.Zero()) }

// Read waits for the counts and puts them together; nk is n_k.
func (h *DeviceHistograms) Read(nk []uint32) (*counts.Histograms, error) {
	result := NewHistograms(h.p.K)
	for d := range h.p.D() {
		result.DocLengths = Bump(result.DocLengths, int(h.p.Offsets[d+1]-h.p.Offsets[d]))
	}
	for k, n := range nk {
		result.TopicTotals[k] = uint64(n)
	}
	err := h.Docs.Read(func(k, n, times int) { result.Topic[k] = bumpBy(result.Topic[k], n, times) })
	if err != nil {
		return nil, err
	}
	err = h.Words.Read(func(_, n, times int) { result.WordTopic = bumpBy(result.WordTopic, n, times) })
	return &result.Histograms, err
}

// bumpBy adds to h[n], growing h when n is beyond its end.
func bumpBy[T uint32 | uint64](h []T, n, times int) []T {
	h = Bump(h, n)
	h[n] += T(times) - 1
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

// Read calls add for every count that occurs, in no order.
func (h *deviceHistogram) Read(add func(k, n, times int)) error {
	cells, beyond := make([]uint32, h.topics*(h.most+1)), make([]uint32, 2)
	if err := device.FirstError(h.cells.Download(cells), h.beyond.Download(beyond)); err != nil {
		return err
	}
	for k := range h.topics {
		for n, times := range cells[k*(h.most+1) : (k+1)*(h.most+1)] {
			if times > 0 {
				add(k, n, int(times))
			}
		}
	}
	pairs := make([]uint32, 2+2*int(beyond[0]))
	if len(pairs) == 2 {
		return nil
	}
	err := h.beyond.Download(pairs)
	for pairs = pairs[2:]; len(pairs) > 0; pairs = pairs[2:] {
		add(int(pairs[0]), int(pairs[1]), 1)
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
