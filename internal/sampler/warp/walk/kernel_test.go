package walk

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/topoi-lda/topoi/internal/simd"
)

// eachSet runs a check with every instruction set that this machine has kernels for, and without.
func eachSet(t *testing.T, check func(t *testing.T)) {
	if simd.AVX512 {
		t.Run("AVX-512", check)
		simd.AVX512 = false
		defer func() { simd.AVX512 = true }()
	}
	if simd.Vectors {
		t.Run(simd.Name(), check)
	}
	simd.Without(func() { t.Run("portable", check) })
}

// randomCells are cells of K topics with few or many tokens, which the first and the last topic always have.
func randomCells(r *rand.Rand, topics int) []TopicCell {
	cells := make([]TopicCell, topics)
	most := []int32{2, 40, math.MaxInt32}[r.IntN(3)]
	for k := range cells {
		cells[k] = TopicCell{Inv: r.Float32(), Prior: r.Float32(), Total: r.Uint32()}
		if r.IntN(3) == 0 || k == 0 || k == topics-1 {
			cells[k].N = 1 + r.Int32N(most)
		}
	}
	return cells
}

// column has n numbers below most, and room behind them that kernels may write.
func column(r *rand.Rand, n, most int) []uint32 {
	list := make([]uint32, n, n+Slack)
	for i := range list {
		list[i] = uint32(r.IntN(most))
	}
	return list
}

func TestStepAndDrawKernels(t *testing.T) {
	eachSet(t, func(t *testing.T) {
		r := rand.New(rand.NewPCG(5, 6))
		for i := range 2000 {
			topics, n := 1+r.IntN(300), 1+r.IntN(200)
			row := &Row{Cells: randomCells(r, topics), Each: i%2 == 0, Prior: r.Float32()}
			z, own, proposal := column(r, n, topics), column(r, n, topics), column(r, n, topics)
			x, y := column(r, n, math.MaxUint32), column(r, n, math.MaxUint32)
			if i%3 == 0 {
				copy(own, z)
			}
			want := slices.Clone(z)
			StepGo(want, own, proposal, x, row)
			if Step(z, own, proposal, x, row); !slices.Equal(z, want) {
				t.Fatalf("case %d: steps to %v, want %v", i, z, want)
			}

			places := column(r, 1+r.IntN(100), topics)
			mix := NewMix(len(places), []float64{0, 1e-9, 3, 1e9}[r.IntN(4)])
			var alias Alias
			if i%4 < 2 {
				alias.Threshold, alias.Other = column(r, topics, math.MaxUint32), column(r, topics, topics)
			}
			drawn := slices.Clone(proposal)
			DrawGo(drawn, x, y, places, mix, uint32(topics), alias)
			if Draw(proposal, x, y, places, mix, uint32(topics), alias); !slices.Equal(proposal, drawn) {
				t.Fatalf("case %d: proposes %v, want %v", i, proposal, drawn)
			}
		}
	})
}

func TestExpandAndSetDenseKernels(t *testing.T) {
	eachSet(t, func(t *testing.T) {
		r := rand.New(rand.NewPCG(7, 8))
		for i := range 1000 {
			k := 1 + r.IntN(150)
			row := make([]int32, k)
			for j := range row {
				if r.IntN(1+i%5) == 0 {
					row[j] = r.Int32N(50)
				}
			}
			cells, want := make([]TopicCell, k), make([]TopicCell, k)
			seen, listed := make([]uint32, k+1), make([]uint32, k+1)
			n, sum := setDense(cells, seen, row)
			m, total := setDenseGo(want, listed, row, 0)
			if n != m || sum != total || !slices.Equal(cells, want) || !slices.Equal(seen[:n], listed[:m]) {
				t.Fatalf("case %d: %d topics %v with %d tokens, want %d, %v, %d", i, n, seen[:n], sum, m, listed[:m], total)
			}
			got, places := make([]uint32, sum+Slack), make([]uint32, sum+Slack)
			Expand(got, seen[:n], cells)
			if ExpandGo(places, seen[:n], cells); !slices.Equal(got[:sum], places[:sum]) {
				t.Fatalf("case %d: places %v, want %v", i, got[:sum], places[:sum])
			}
		}
	})
}

// recordsAgree compares kernels that copy tokens with the portable way, for one form of records.
func recordsAgree[T Topic](t *testing.T, name string, m, topics int, tokens func() *Tokens[T]) {
	r := rand.New(rand.NewPCG(9, 10))
	cells := make([]TopicCell, topics)
	for i := range 300 {
		blocks := 1 + r.IntN(4)
		lengths := make([]int, blocks)
		var begins []int
		all := 0
		for b := range lengths {
			begins = append(begins, all)
			lengths[b] = 1 + r.IntN(60)
			all += lengths[b]
		}
		var segments []Segment
		for b, n := range lengths {
			if begin := r.IntN(n); r.IntN(3) > 0 || b == blocks-1 {
				segments = append(segments, Segment{Block: uint32(b), Begin: uint32(begin), N: uint32(1 + r.IntN(n-begin))})
			}
		}
		fill := func() (*Tokens[T], *Columns) {
			random := rand.New(rand.NewPCG(11, uint64(i)))
			tk := tokens()
			tk.M, tk.Begins = m, begins
			switch {
			case tk.Small != nil:
				tk.Small = make([]uint32, all)
			case tk.Packed != nil:
				tk.Packed = make([]uint64, all)
			default:
				tk.Lay(all, m, tk.Stride)
			}
			c := NewColumns(m)
			for b, n := range lengths {
				for place := range n {
					for j := range m + 1 {
						k := uint32(random.IntN(topics))
						if j == 0 {
							c.Z[0] = k
						} else {
							c.proposal[j-1][0] = k
						}
					}
					c.at[0], c.block[0] = uint32(place), uint32(b)
					tk.put(&c, 0)
					if tk.KeepsOld() {
						tk.Topics[(begins[b]+place+1)*tk.Stride-1] = T(random.IntN(topics))
					}
				}
			}
			return tk, &c
		}
		// work loads, changes and stores tokens, and lists everything that others may look at.
		work := func() (list []uint32) {
			tk, c := fill()
			take := func(n int) {
				list = append(list, c.at[:n]...)
				list = append(list, c.block[:n]...)
				list = append(list, c.Z[:n]...)
				for j := range m {
					list = append(list, c.proposal[j][:n]...)
				}
			}
			n := tk.Load(c, segments)
			take(n)
			copy(c.Own[:n], c.Z[:n])
			for j := range n {
				c.Z[j] = uint32((int(c.Z[j]) + j) % topics)
				c.proposal[0][j] = uint32(j % topics)
			}
			tk.Store(c, segments, n)
			b := blocks - 1
			places := make([]uint16, 1+lengths[b]/2)
			for j := range places {
				places[j] = uint16(2 * j % lengths[b])
			}
			tk.LoadDoc(c, b, places)
			take(len(places))
			for j := range places {
				c.Z[j] = uint32((int(places[j]) + 1) % topics)
			}
			tk.StoreDoc(c, b, len(places))
			for block, n := range lengths {
				for place := range n {
					tk.Get(c, 0, block, place)
					take(1)
				}
			}
			tk.Prefetch(segments)
			tk.PrefetchRun(nil, 0, all)
			tk.PrefetchCells(segments, cells)
			tk.PrefetchDoc(b, places, cells)
			if tk.KeepsOld() {
				moved := make([]uint64, MostTokens+Slack)
				some, rest := tk.moved(moved, segments)
				list = append(list, uint32(len(rest)))
				for _, x := range some {
					list = append(list, uint32(x&0xffff), uint32(x>>48))
				}
			}
			return list
		}
		got := work()
		var want []uint32
		simd.Without(func() { want = work() })
		if !slices.Equal(got, want) {
			t.Fatalf("%s, case %d: got %v, want %v", name, i, got, want)
		}
	}
}

func TestRecordKernels(t *testing.T) {
	eachSet(t, func(t *testing.T) {
		recordsAgree(t, "packed", 2, 1<<21, func() *Tokens[uint32] { return &Tokens[uint32]{Packed: []uint64{}} })
		recordsAgree(t, "small", 2, 1<<10, func() *Tokens[uint16] { return &Tokens[uint16]{Small: []uint32{}} })
		recordsAgree(t, "pairs", 1, 1<<16, func() *Tokens[uint16] { return &Tokens[uint16]{Stride: 2} })
		recordsAgree(t, "with the old topic", 2, 300, func() *Tokens[uint16] { return &Tokens[uint16]{Stride: 4} })
		recordsAgree(t, "quads", 3, 1<<16, func() *Tokens[uint16] { return &Tokens[uint16]{Stride: 4} })
		recordsAgree(t, "wide", 2, 1<<20, func() *Tokens[uint32] { return &Tokens[uint32]{Stride: 3} })
	})
}
