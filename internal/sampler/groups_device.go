package sampler

import (
	"github.com/topoi-lda/topoi/internal/counts"
	"github.com/topoi-lda/topoi/internal/device"
)

// groupsOn implements counts.Raised. A prior that depends on groups is learnt from a sum for every group and topic,
// which are far fewer numbers than the bins: the device adds them up.
type groupsOn struct {
	*DeviceHistograms
	listed []uint32 // pairs of cell and n, of counts that have no cell on the device
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
	return tally.Bins(g.p.Threads), nil
}

func (g *groupsOn) countLengths(tally *counts.Tally) {
	for d, group := range g.p.Groups {
		tally.Count(counts.Cell(group, g.p.K, g.p.K), uint32(g.p.Offsets[d+1]-g.p.Offsets[d]))
	}
}

func (g *groupsOn) Lengths() [][]counts.Bin {
	if g.inGroup == nil {
		tally := counts.NewTally(g.p.Groups, g.p.K)
		g.countLengths(tally)
		g.inGroup = counts.ByGroup(tally.Bins(g.p.Threads), g.p.NumGroups(), g.p.K)
	}
	return g.inGroup
}

// sumsOf returns the number of float64 that Rises needs on a device: see statistics_rises.
func sumsOf(p *Problem) int { return 4 * p.NumGroups() * p.K }

func (g *groupsOn) Rises(dst, alpha [][]float64) error {
	k, n := g.p.K, len(alpha)*g.p.K
	device.GrowHost(g.arena, &g.sent, g.sums.Len())
	if g.queue == nil {
		g.queue = g.arena.Queue()
	}
	if err := g.arena.Err(); err != nil {
		return err
	}
	room := g.sent.Slice()
	for i, row := range alpha {
		copy(room[i*k:], row)
	}
	shape, end := device.Shape{Blocks: min(4096, n/4+1), Threads: 128}, 2*n // a warp for each group and topic
	if len(g.listed) > 0 {
		end = len(room)
	}
	if err := g.arena.Together(func() error {
		return device.FirstError(
			g.sums.View(0, n).Send(g.queue, g.sent.View(0, n)),
			g.queue.Launch("statistics", "statistics_rises", shape, g.Docs.cells, uint32(g.Docs.most), uint32(k),
				uint32(n), g.sums),
			g.sums.View(n, end).Receive(g.queue, g.sent.View(n, end)),
			g.queue.Wait())
	}); err != nil {
		return err
	}
	for i, row := range dst {
		copy(row, room[n+i*k:])
	}
	rise, at, last := 0.0, 0.0, -1
	for _, b := range counts.TallyOf(nil, 0, g.listed).Bins(g.p.Threads) { // goes on where the cells end
		group, t := int(b.Cell)/(k+1), b.Topic(k)
		if i := group*k + t; i != last {
			rise, at, last = room[2*n+i], room[3*n+i], i
		}
		for ; at < float64(b.N); at++ {
			rise += 1 / (alpha[group][t] + at)
		}
		dst[group][t] += float64(float64(b.Times) * rise)
	}
	return nil
}
