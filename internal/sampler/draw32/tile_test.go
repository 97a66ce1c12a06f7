package draw32

import (
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"testing"

	"github.com/topoi-lda/topoi/internal/alloc"
	"github.com/topoi-lda/topoi/internal/rng"
)

// randomTile makes a tile of n tokens over a few words and documents, with
// counts that contain the tokens.
func randomTile(r *rand.Rand, topics, n, words, docs int) *TileArgs {
	kpad := PaddedTopics(topics)
	a := &TileArgs{
		Topics: topics, LaneMask: LaneMask(topics), Own: float32(r.IntN(2)), Kpad: kpad,
		Dnt: alloc.AlignedFloats(docs * kpad), Ndk: make([]uint16, docs*kpad),
		Rows: alloc.AlignedFloats(words * kpad), Alpha: alloc.AlignedFloats(3 * kpad), Inv: alloc.AlignedFloats(kpad),
		AlphaAt: make([]uint32, docs), DocMask: math.MaxUint32,
		Cum: alloc.AlignedFloats(4 * (kpad + 4*Lanes)), Prefix: alloc.AlignedFloats(4 * 48),
		RowOf: make([]uint16, n), Docs: make([]uint16, n), Z: make([]uint16, n),
		Random: make([]uint32, n), Order: make([]uint16, n),
	}
	spread := float32(r.IntN(8)) // up to seven powers of ten between priors
	for k := range topics {
		for g := range 3 {
			a.Alpha[g*kpad+k] = (0.001 + r.Float32()) * pow10(-spread*r.Float32())
		}
		a.Inv[k] = 1 / (1 + 1e5*r.Float32())
		for w := range words {
			a.Rows[w*kpad+k] = 0.01
		}
	}
	for i := range n {
		a.Z[i], a.Docs[i], a.Random[i] = uint16(r.IntN(topics)), uint16(r.IntN(docs)), r.Uint32()
		a.RowOf[i] = uint16(i * words / n)
		a.Ndk[int(a.Docs[i])*kpad+int(a.Z[i])]++
		a.Rows[int(a.RowOf[i])*kpad+int(a.Z[i])]++
	}
	for range r.IntN(4 * topics) { // tokens of other words and documents
		a.Ndk[r.IntN(docs)*kpad+r.IntN(topics)]++
		a.Rows[r.IntN(words)*kpad+r.IntN(topics)] += float32(r.IntN(1000))
	}
	for d := range docs {
		a.AlphaAt[d] = uint32(r.IntN(3) * kpad)
		dntRowGo(a.Dnt[d*kpad:(d+1)*kpad], a.Ndk[d*kpad:(d+1)*kpad], a.Alpha[a.AlphaAt[d]:], a.Inv)
	}
	if r.IntN(2) == 0 { // one α for all
		a.AlphaAt, a.DocMask = oneAlpha, 0
	}
	a.Quads = new(Planner).plan(a.Order, a.Docs, docs)
	return a
}

func pow10(x float32) float32 {
	p := float32(1)
	for ; x <= -1; x++ {
		p /= 10
	}
	return p
}

func (a *TileArgs) clone() *TileArgs {
	b := *a
	b.Dnt, b.Ndk, b.Z = slices.Clone(a.Dnt), slices.Clone(a.Ndk), slices.Clone(a.Z)
	return &b
}

// inGridOrder returns a copy that draws the tokens one after the other.
func (a *TileArgs) inGridOrder() *TileArgs {
	b := a.clone()
	b.Order, b.Quads = make([]uint16, len(a.Order)), 0
	for i := range b.Order {
		b.Order[i] = uint16(i)
	}
	return b
}

// Every way to draw a tile must give the same topics and leave the same
// counts, bit for bit, as drawing its tokens one after the other.
func TestTilePathsAgree(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	drawn, inQuads := 0, 0
	for _, topics := range []int{1, 2, 3, 16, 17, 31, 32, 33, 63, 64, 65, 100, 128, 129, 160, 161, 200, 256, 500, 512, 544, 545, 577, 1000, 1024, 1056, 1057, 1500, 3000, 10000} {
		for range 40 {
			a := randomTile(r, topics, 1+r.IntN(1+20000/topics), 1+r.IntN(6), 1+r.IntN(40))
			drawn, inQuads = drawn+len(a.Z), inQuads+4*a.Quads
			want := a.inGridOrder()
			drawTileGo(want)
			paths := tilePaths()
			paths["go"] = drawTileGo
			for name, draw := range paths {
				got := a.clone()
				draw(got)
				if !slices.Equal(got.Z, want.Z) {
					i := 0
					for got.Z[i] == want.Z[i] {
						i++
					}
					t.Fatalf("%s, K = %d: token %d of %d got topic %d, want %d (old %d, own %v)", name, topics, i, len(a.Z), got.Z[i], want.Z[i], a.Z[i], a.Own)
				}
				if !slices.Equal(got.Ndk, want.Ndk) || !slices.Equal(got.Dnt, want.Dnt) {
					t.Fatalf("%s, K = %d: counts differ", name, topics)
				}
			}
		}
	}
	t.Logf("%d draws, %d of them in quads", drawn, inQuads)
}

func TestRowPathsAgree(t *testing.T) {
	r := rand.New(rand.NewPCG(9, 10))
	for n := 16; n <= 512; n += 16 {
		counts, few := make([]int32, n), make([]uint16, n)
		alpha, inv := make([]float32, n), make([]float32, n)
		for k := range n {
			counts[k], few[k] = int32(r.Uint32()>>1>>r.IntN(31)), uint16(r.Uint32())
			alpha[k], inv[k] = r.Float32(), r.Float32()
		}
		want, got := make([]float32, n), make([]float32, n)
		FloatRowGo(want, counts, 0.01)
		for name, row := range floatPaths() {
			if row(got, counts, 0.01); !slices.Equal(got, want) {
				t.Errorf("floatRow by %s differs for %d topics", name, n)
			}
		}
		dntRowGo(want, few, alpha, inv)
		for name, row := range dntPaths() {
			if row(got, few, alpha, inv); !slices.Equal(got, want) {
				t.Errorf("dntRow by %s differs for %d topics", name, n)
			}
		}
	}
}

// BenchmarkTile draws a block's worth of documents, whose rows fill most of a
// second-level cache, in tiles like those of a real corpus.
func BenchmarkTile(b *testing.B) {
	for _, topics := range []int{100, 1000} {
		r := rand.New(rand.NewPCG(1, 2))
		words := TileWords(PaddedTopics(topics))
		a := randomTile(r, topics, 256*words, words, Limits(1<<30, PaddedTopics(topics)).Docs)
		paths := tilePaths()
		paths["go"] = drawTileGo
		for name, draw := range paths {
			b.Run(name+"/K="+strconv.Itoa(topics), func(b *testing.B) {
				for i := 0; i < b.N; i += len(a.Z) {
					for j := range a.Random {
						a.Random[j] = a.Random[j]*747796405 + 2891336453
					}
					draw(a)
				}
			})
		}
	}
}

// A draw with integer weights must follow them: chi-square over many draws.
func TestDraw32FollowsWeights(t *testing.T) {
	for _, topics := range []int{1, 5, 32, 45, 100} {
		kpad := PaddedTopics(topics)
		d, w, cum := make([]float32, kpad), make([]float32, kpad), make([]float32, kpad)
		total := 0.0
		for k := range topics {
			d[k], w[k] = float32(k%7+1), 0.5
			total += float64(d[k] * w[k])
		}
		z := uint32(topics / 2)
		delta := d[z] * w[z] / 2 // the old topic has half its weight
		total -= float64(delta)
		const n = 200000
		seen := make([]float64, topics)
		key := rng.NewKey(7)
		for i := range uint32(n) {
			seen[Draw(d, w, cum, topics, z, delta, rng.Float32(key.Block(i, 0, 0, 0)[0]))]++
		}
		chi := 0.0
		for k := range seen {
			p := float64(d[k] * w[k])
			if uint32(k) == z {
				p -= float64(delta)
			}
			want := p / total * n
			chi += (seen[k] - want) * (seen[k] - want) / want
		}
		// Mean topics-1, variance 2(topics-1): five deviations are beyond chance.
		if f := float64(topics - 1); chi > f+5*math.Sqrt(2*f)+1e-9 {
			t.Errorf("K = %d: chi-square %.1f", topics, chi)
		}
	}
}
