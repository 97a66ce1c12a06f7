package sampler

import (
	"slices"

	"github.com/topoi-lda/topoi/internal/counts"
	"github.com/topoi-lda/topoi/internal/device"
)

// groupsOn implements counts.Raised by kernels/regression.cu. The bins of many groups are more numbers than a device
// could send to the CPU, and λ be learnt from there, in the time of a sweep.
type groupsOn struct {
	*DeviceHistograms
	listed []uint32 // pairs of cell and n, of counts that have no cell on the device, sorted
}

func (g *groupsOn) Bins() ([]counts.Bin, error) {
	cells, err := g.Room(g.Docs.cells.Len())
	if err == nil {
		err = g.Docs.cells.Download(cells)
	}
	if err != nil {
		return nil, err
	}
	tally := counts.TallyOf(cells, g.Docs.most+1, g.listed)
	g.countLengths(tally)
	return tally.Bins(), nil
}

func (g *groupsOn) countLengths(tally *counts.Tally) {
	for d, group := range g.p.Groups {
		tally.Count(counts.Cell(group, g.p.K, g.p.K), uint32(g.p.Offsets[d+1]-g.p.Offsets[d]))
	}
}

// sortedPairs returns a sorted copy of a list of pairs.
func sortedPairs(list []uint32) []uint32 {
	pairs, sorted := make([]uint64, len(list)/2), make([]uint32, len(list))
	for i := range pairs {
		pairs[i] = uint64(list[2*i])<<32 | uint64(list[2*i+1])
	}
	slices.Sort(pairs)
	for i, x := range pairs {
		sorted[2*i], sorted[2*i+1] = uint32(x>>32), uint32(x)
	}
	return sorted
}

// regressionOn is the state of groupsOn.Learn on a device. G is the number of groups, F that of numbers in their rows.
type regressionOn struct {
	queue                    *device.Queue
	rows                     *device.Buffer[float64] // G × F
	told                     *device.Buffer[float64] // λ, K × F, and the sums of α, G
	b, alpha, rises, scratch *device.Buffer[float64] // see the kernels
	ends, lengths            *device.Buffer[uint32]
	sent                     *device.Host[float64] // what told is sent and received as
}

// regressionSizes returns the lengths of the buffers rows, told, b, alpha, rises and scratch.
func regressionSizes(p *Problem) [6]int {
	g, k, f := len(p.Rows), p.K, 0
	if g > 0 {
		f = len(p.Rows[0])
	}
	return [6]int{g * f, k*f + g, g, g * k, 3 * g * k, min(k, regressionBlocks) * f * (f + 1)}
}

// regressionBlocks is how many topics are stepped at a time.
const regressionBlocks = 1024

// regressionBytes returns the memory that regressionOn takes at most, in bytes.
func regressionBytes(p *Problem) (bytes int64) {
	for _, n := range regressionSizes(p) {
		bytes += 8 * int64(n)
	}
	return bytes + 4*int64(len(p.Rows)+2*len(p.Groups))
}

// newRegression brings what does not change to the device.
func (g *groupsOn) newRegression() *regressionOn {
	a, tally, n := g.arena, counts.NewTally(g.p.Groups, g.p.K), regressionSizes(g.p)
	g.countLengths(tally)
	var ends, lengths []uint32
	for _, group := range counts.ByGroup(tally.Bins(), len(g.p.Rows), g.p.K) {
		for _, b := range group {
			lengths = append(lengths, b.N, b.Times)
		}
		ends = append(ends, uint32(len(lengths)/2))
	}
	room := func(i int) *device.Buffer[float64] { return device.Alloc[float64](a, n[i]) }
	return &regressionOn{
		a.Queue(), device.Upload(a, slices.Concat(g.p.Rows...)), room(1), room(2), room(3), room(4), room(5),
		device.Upload(a, ends), device.Upload(a, lengths), device.Pin[float64](a, n[1]),
	}
}

func (g *groupsOn) Learn(lambda [][]float64, rounds int) (next [][]float64, sums []float64, err error) {
	if g.regression == nil {
		g.regression = g.newRegression()
	}
	if err := g.arena.Err(); err != nil {
		return nil, nil, err
	}
	r, f := g.regression, len(lambda[0])
	sent, n := r.sent.Slice(), g.p.K*f
	copy(sent, slices.Concat(lambda...))
	if err := g.arena.Together(func() error {
		err := r.told.View(0, n).Send(r.queue, r.sent.View(0, n))
		if len(g.listed) > 0 {
			err = device.FirstError(err, g.Docs.beyond.View(2, 2+len(g.listed)).Upload(g.listed))
		}
		for range rounds {
			err = device.FirstError(err, g.bounds(), g.step())
		}
		return device.FirstError(err, g.bounds(), r.told.Receive(r.queue, r.sent), r.queue.Wait())
	}); err != nil {
		return nil, nil, err
	}
	for k := range lambda {
		next = append(next, slices.Clone(sent[k*f:(k+1)*f]))
	}
	return next, slices.Clone(sent[n:]), nil
}

// bounds queues the kernel that makes α from λ, its sums and b.
func (g *groupsOn) bounds() error {
	r, k, groups := g.regression, g.p.K, len(g.p.Rows)
	f := len(g.p.Rows[0])
	return r.queue.Launch("regression", "regression_bounds", device.Shape{Blocks: min(4096, groups), Threads: 128},
		r.rows, r.told,
		uint32(groups), uint32(k), uint32(f), r.ends, r.lengths, r.alpha, r.told.View(k*f, k*f+groups), r.b)
}

// step queues the kernels that add up rises and take a step of λ.
func (g *groupsOn) step() (err error) {
	r, k, groups, n := g.regression, g.p.K, len(g.p.Rows), g.p.K*len(g.p.Rows)
	err = r.queue.Launch("regression", "regression_rises", device.Shape{Blocks: min(4096, n/4+1), Threads: 128}, // a warp for each
		g.Docs.cells, uint32(g.Docs.most), uint32(k), uint32(n), r.alpha, r.rises)
	if pairs := len(g.listed) / 2; pairs > 0 {
		err = device.FirstError(err, r.queue.Launch("regression", "regression_listed",
			device.Shape{Blocks: min(4096, pairs/128+1), Threads: 128},
			g.Docs.beyond.View(2, 2+2*pairs), uint32(pairs), uint32(k), uint32(n), r.alpha, r.rises))
	}
	return device.FirstError(err, r.queue.Launch("regression", "regression_step",
		device.Shape{Blocks: min(k, regressionBlocks), Threads: 128, Shared: 2 * 8 * 128},
		r.rows, r.told, uint32(groups), uint32(k), uint32(len(g.p.Rows[0])), r.alpha, r.rises, r.b, r.scratch))
}
