package batch

import (
	"slices"
	"testing"

	"github.com/topoi-lda/topoi/internal/device"
	"github.com/topoi-lda/topoi/internal/device/emulated"
	"github.com/topoi-lda/topoi/internal/grid"
	"github.com/topoi-lda/topoi/internal/sampler"
	"github.com/topoi-lda/topoi/internal/sampler/samplertest"
)

// onCached makes batch for some topics on the device of a cache, lets look at it, and leaves
// the device.
func onCached(t *testing.T, c *device.Cache, p *sampler.Problem, k int, limit int64, look func(s *batchOn)) {
	t.Helper()
	d, _, err := c.Open(0, func(int) (*device.Device, error) { return emulated.New(""), nil })
	samplertest.MustDo(t, err)
	own := *p
	own.K = k
	if limit > 0 {
		limit += leastMemory(&own, d)
	}
	d.Limit(limit)
	s, err := newBatchOn(&own, d)
	samplertest.MustDo(t, err)
	sameLoads(t, s.(*batchOn))
	look(s.(*batchOn))
	samplertest.MustDo(t, s.Close())
	samplertest.MustDo(t, d.Leave())
}

// sameLoads compares what the device has of the loads that stay with what they are.
func sameLoads(t *testing.T, s *batchOn) {
	t.Helper()
	for _, load := range s.loads {
		if load.home == nil {
			continue
		}
		order := make([]uint32, load.Tokens())
		s.drawingOrder(load.Span, order)
		for name, c := range map[string]struct {
			on   *device.Buffer[uint32]
			want []uint32
		}{
			"words":     {load.home.words, s.p.Words[load.Begin:load.End]},
			"positions": {load.home.positions, order},
			"offsets":   {load.home.offsets, s.offsetsFrom(load.Span)},
		} {
			got := make([]uint32, len(c.want))
			if err := c.on.Download(got); err != nil || !slices.Equal(got, c.want) {
				t.Errorf("K = %d: the %s of %+v are others (%v)", s.p.K, name, load.Span, err)
			}
		}
	}
}

// Runs with other numbers of topics have the same words on the device, and the same
// positions if the corpus is cut the same; those with little memory have what they need.
func TestCorpusStaysOnDevice(t *testing.T) {
	var c device.Cache
	p := samplertest.RandomProblem(3, 3000, 300, 10, 60)
	p.Grids = new(grid.Cache)
	var first *batchRoom
	onCached(t, &c, p, 10, 0, func(s *batchOn) { first = s.loads[0].home })
	onCached(t, &c, p, 30, 0, func(s *batchOn) {
		if home := s.loads[0].home; home.words != first.words || home.positions != first.positions || home.offsets != first.offsets {
			t.Error("the corpus was copied once more")
		}
		if s.loads[0].home.topics == first.topics {
			t.Error("topics are shared")
		}
	})
	onCached(t, &c, p, 1900, 0, func(s *batchOn) { // other blocks
		if home := s.loads[0].home; home.words != first.words || home.positions == first.positions {
			t.Error("words are others, or positions are not")
		}
	})
	onCached(t, &c, p, 30, 0, func(s *batchOn) {
		if s.loads[0].home.positions != first.positions {
			t.Error("positions gave way without need")
		}
	})
	for range 2 {
		onCached(t, &c, p, 1900, 20_000, func(s *batchOn) { // nothing else has room
			if len(s.loads) < 2 {
				t.Error("everything stays: this shows nothing")
			}
		})
	}
	onCached(t, &c, p, 30, 0, func(s *batchOn) {
		if s.loads[0].home.words == first.words {
			t.Error("words did not give way")
		}
	})
	other := samplertest.RandomProblem(4, 3000, 300, 10, 60)
	other.Grids = p.Grids
	onCached(t, &c, other, 30, 0, func(*batchOn) {}) // another corpus has its own
}
