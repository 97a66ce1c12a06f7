package cvb

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
)

// randomTile makes a tile of random pairs, some of many tokens, whose counts are
// the sums of their responsibilities and of others.
func randomTile(r *rand.Rand, pairs, rows, k int) *tile {
	kpad := padded(k)
	t := &tile{
		pairs: make([]pair, pairs), gamma: make([]uint8, pairs*kpad), kpad: kpad,
		docs: make([]int32, rows*kpad), words: make([]int32, rows*kpad),
		alpha: make([]float32, kpad), beta: prior(0.01), inv: make([]float32, kpad),
		old: make([]float32, kpad), weights: make([]float32, kpad),
	}
	for j := range k {
		t.alpha[j] = prior(r.ExpFloat64())
		t.inv[j] = float32(r.ExpFloat64())
	}
	for i := range t.pairs {
		p := pair{doc: uint32(r.IntN(rows)), word: uint32(r.IntN(rows)), count: 1}
		if r.IntN(4) == 0 {
			p.count = uint32(1 + r.IntN(5000))
		}
		t.pairs[i] = p
		for j := range kpad {
			t.gamma[i*kpad+j] = none
			if j >= k {
				continue
			}
			others := int32(r.IntN(1 << (1 + r.IntN(20))))
			if r.IntN(3) > 0 {
				t.gamma[i*kpad+j] = uint8(r.Uint32())
			}
			n := int32(p.count) * units[t.gamma[i*kpad+j]]
			t.docs[int(p.doc)*kpad+j] += n + others
			t.words[int(p.word)*kpad+j] += n
		}
	}
	return t
}

func (t *tile) clone() *tile {
	c := *t
	c.gamma, c.docs, c.words = slices.Clone(t.gamma), slices.Clone(t.docs), slices.Clone(t.words)
	c.old, c.weights = make([]float32, t.kpad), make([]float32, t.kpad)
	return &c
}

// Assembly gives the bytes of portable Go, for all widths and for no pair at all.
func TestUpdatePaths(t *testing.T) {
	for name, path := range updatePaths() {
		for _, k := range []int{1, 2, 15, 16, 17, 50, 100, 250} {
			for _, pairs := range []int{0, 1, 2, 60} {
				t.Run(fmt.Sprintf("%s/%d topics/%d pairs", name, k, pairs), func(t *testing.T) {
					got := randomTile(rand.New(rand.NewPCG(uint64(k), uint64(pairs))), pairs, 7, k)
					want := got.clone()
					for range 3 {
						path(got)
						updateGo(want)
					}
					if !slices.Equal(got.gamma, want.gamma) || !slices.Equal(got.docs, want.docs) || !slices.Equal(got.words, want.words) {
						t.Error("not what portable Go gives")
					}
				})
			}
		}
	}
}

func TestSumRowsPaths(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for name, path := range sumPaths() {
		for _, kpad := range []int{16, 32, 112} {
			for _, n := range []int{1, 2, 9} {
				rows := make([]int32, n*kpad)
				for i := range rows {
					rows[i] = int32(r.Uint32())
				}
				got, want := make([]int64, kpad), make([]int64, kpad)
				path(got, rows)
				sumRowsGo(want, rows)
				if !slices.Equal(got, want) {
					t.Errorf("%s, %d rows of %d: not what portable Go gives", name, n, kpad)
				}
			}
		}
	}
	sums := []int64{1, 2}
	if sumRows(sums, nil); sums[0] != 0 || sums[1] != 0 {
		t.Error("no rows do not sum to nothing")
	}
}

// All bytes, and the most that a lane can hold.
func TestLaneSumsPaths(t *testing.T) {
	for name, path := range lanePaths() {
		for _, kpad := range []int{16, 32, 112, MaxTopics} {
			gamma := make([]uint8, kpad)
			for i := range gamma {
				gamma[i] = uint8(i * 37)
				if kpad == MaxTopics {
					gamma[i] = 0x7f // γ = 1
				}
			}
			var got, want [lanes]int32
			path(&got, gamma)
			if laneSumsGo(&want, gamma); got != want {
				t.Errorf("%s, %d topics: %v, want %v", name, kpad, got, want)
			}
		}
	}
}

// Topics of all lanes, where few, many, one or all of them are likely, and those that pad a row are never drawn.
func TestDrawPaths(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	for _, k := range []int{1, 5, 16, 17, 100, 112, 1000, MaxTopics} {
		for _, likely := range []float64{0, 0.05, 1} {
			gamma := emptyRow(padded(k))
			for i := range k {
				if random.Float64() < likely {
					gamma[i] = uint8(random.Uint32())
				}
			}
			gamma[random.IntN(k)] = 0x60
			got, want, sums := make([]uint32, 300), make([]uint32, 300), make([]int32, len(gamma))
			u := random.Uint32()
			draw(got, gamma, sums, u)
			drawGo(want, gamma, u)
			if !slices.Equal(got, want) {
				t.Errorf("%d topics, %.2f of them likely: not what portable Go gives", k, likely)
			}
			if slices.Max(got) >= uint32(k) {
				t.Errorf("topic %d of %d", slices.Max(got), k)
			}
		}
	}
}

func BenchmarkUpdate(b *testing.B) {
	for _, k := range []int{50, 100} {
		paths := updatePaths()
		if paths == nil {
			paths = map[string]func(*tile){}
		}
		paths["go"] = updateGo
		for name, path := range paths {
			b.Run(fmt.Sprintf("%s/%d topics", name, k), func(b *testing.B) {
				const pairs = 10_000
				t := randomTile(rand.New(rand.NewPCG(1, 1)), pairs, 500, k)
				n := 0
				for b.Loop() {
					path(t)
					n += pairs
				}
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(n), "ns/pair")
			})
		}
	}
}
