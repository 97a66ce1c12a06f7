package warp

import (
	"testing"

	"github.com/topoi-lda/topoi/internal/device"
	"github.com/topoi-lda/topoi/internal/device/emulated"
	"github.com/topoi-lda/topoi/internal/grid"
	"github.com/topoi-lda/topoi/internal/sampler"
	"github.com/topoi-lda/topoi/internal/sampler/samplertest"
)

// onCached makes warp for some topics on the device of a cache, and leaves the device.
func onCached(t *testing.T, c *device.Cache, p *sampler.Problem, k int, limit int64) sampler.Remote {
	t.Helper()
	d, _, err := c.Open(0, func(int) (*device.Device, error) { return emulated.New("../../cuda/kernels"), nil })
	samplertest.MustDo(t, err)
	d.Limit(limit)
	own := *p
	own.K = k
	s, err := newWarpOn(&own, d)
	samplertest.MustDo(t, err)
	samplertest.MustDo(t, s.Close())
	samplertest.MustDo(t, d.Leave())
	return s
}

// Lists of the corpus stay for runs with other numbers of topics, those of groups for runs
// whose groups are as large; all give way to a run that needs the room.
func TestCorpusStaysOnDevice(t *testing.T) {
	emulated.Need(t)
	var c device.Cache
	defer c.Close()
	p := samplertest.RandomProblem(3, 2000, 300, 10, 40)
	p.Grids = new(grid.Cache)
	first := onCached(t, &c, p, 10, 0).(*warpOn[uint16])
	again := onCached(t, &c, p, 11, 0).(*warpOn[uint16])
	if again.byDoc != first.byDoc || again.byWord != first.byWord || again.docGroups.list != first.docGroups.list ||
		again.wordGroups.list != first.wordGroups.list || again.wordGroups.n != first.wordGroups.n {
		t.Error("the corpus was copied once more")
	}
	if again.state == first.state || first.docGroups.n == 0 || first.wordGroups.n == 0 {
		t.Error("topics are shared, or there are no groups")
	}
	large := onCached(t, &c, p, 4000, 0).(*warpOn[uint16])
	if large.byDoc != first.byDoc || large.wordGroups.rows == first.wordGroups.rows || large.wordGroups.list == first.wordGroups.list {
		t.Errorf("positions are others, or groups of %d and %d words have the same lists", first.wordGroups.rows, large.wordGroups.rows)
	}
	if _, ok := onCached(t, &c, p, 10, residentBytes(p)-1).(*warpOn[uint16]); ok {
		t.Fatal("it has room for all: this shows nothing")
	}
	if last := onCached(t, &c, p, 10, 0).(*warpOn[uint16]); last.byDoc == first.byDoc {
		t.Error("positions did not give way")
	}
}
