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
	d, _, err := c.Open(0, func(int) (*device.Device, error) { return emulated.New("../../cuda/kernels"), nil })
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

// Where the device puts topics into order, and makes the first ones, they are the same:
// afresh, gone on from, and with little room.
func TestEmulatedOrderEqualsGo(t *testing.T) {
	orderEqualsGo(t, samplertest.Emulation(t), 6)
}

func TestOrderOnGPUEqualsGo(t *testing.T) {
	orderEqualsGo(t, samplertest.Gpu(t), samplertest.DeviceCases())
}

func orderEqualsGo(t *testing.T, d *device.Device, cases uint64) {
	t.Helper()
	for _, p := range []*sampler.Problem{ // words that a document has many times, and blocks that end anywhere
		samplertest.RandomProblem(1, 40, 7, 10, 700),
		samplertest.RandomProblem(2, 300, 50, 10, 200),
		samplertest.RandomProblem(3, 2, 3, 10, 5000),
	} {
		s, err := newBatchOn(p, d)
		samplertest.MustDo(t, err)
		sameLoads(t, s.(*batchOn))
		samplertest.MustDo(t, s.Close())
	}
	for seed := range cases {
		c := samplertest.RandomDeviceCase("batch", seed)
		samplertest.MustDo(t, c.Compare(t, func(p *sampler.Problem) (sampler.Remote, error) {
			s, err := newBatchOn(p, d)
			if err == nil && s.(*batchOn).places == nil && p.N() > 0 {
				t.Error("the CPU puts topics into order: this shows nothing")
			}
			return s, err
		}))
	}
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
		type list struct {
			on   *device.Buffer[uint32]
			want []uint32
		}
		lists := map[string]list{
			"words":     {load.home.words, s.p.Words[load.Begin:load.End]},
			"positions": {load.home.positions, order},
			"offsets":   {load.home.offsets, s.offsetsFrom(load.Span)},
		}
		if s.places != nil {
			lists["places"] = list{s.places, placesIn(s, load.Span)}
		}
		for name, c := range lists {
			got := make([]uint32, len(c.want))
			if err := c.on.Download(got); err != nil || !slices.Equal(got, c.want) {
				t.Errorf("K = %d: the %s of %+v are others (%v)", s.p.K, name, load.Span, err)
			}
		}
	}
}

// placesIn finds where the tokens of a load are drawn from their grid positions: in each document, those
// of a word by rising position.
func placesIn(s *batchOn, span sampler.Span) []uint32 {
	places := make([]uint32, span.Tokens())
	walker := grid.NewWalker(s.p.V)
	for _, b := range s.grid.Blocks[span.FirstBlock:span.LastBlock] {
		at := walker.Positions(nil, s.grid, b, s.p.Words)
		for d := b.FirstDoc; d < b.LastDoc; d++ {
			first, last := int(s.p.Offsets[d]), int(s.p.Offsets[d+1])
			for i := first; i < last; i++ {
				before := 0
				for j := first; j < last; j++ {
					if at[j-b.Begin] < at[i-b.Begin] {
						before++
					}
				}
				places[i-span.Begin] = uint32(first + before - span.Begin)
			}
		}
	}
	return places
}

// Runs with other numbers of topics have the same words on the device, and the same
// positions if the corpus is cut the same; those with little memory have what they need.
func TestCorpusStaysOnDevice(t *testing.T) {
	emulated.Need(t)
	var c device.Cache
	defer c.Close()
	p := samplertest.RandomProblem(3, 1200, 300, 10, 60)
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
	other := samplertest.RandomProblem(4, 1200, 300, 10, 60)
	other.Grids = p.Grids
	onCached(t, &c, other, 30, 0, func(*batchOn) {}) // another corpus has its own
}
