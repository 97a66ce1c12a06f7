package discrete

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"gonum.org/v1/gonum/stat/distuv"
	"pgregory.net/rapid"
)

var (
	_ Sampler[float32] = (*Linear[float32])(nil)
	_ Sampler[float32] = (*Binary[float32])(nil)
	_ Sampler[float32] = (*Alias[float32])(nil)
	_ Many[float32]    = (*Butterfly[float32])(nil)
	_ Many[float32]    = (*Each[float32])(nil)
)

// shapes are distributions with something awkward about each.
func shapes[F Float]() map[string][]F {
	fill := func(n int, f func(k int) float64) []F {
		a := make([]F, n)
		for k := range a {
			a[k] = F(f(k))
		}
		return a
	}
	return map[string][]F{
		"one outcome":     {3},
		"two equal":       {1, 1},
		"flat 19":         fill(19, func(int) float64 { return 0.1 }),
		"zipf 100":        fill(100, func(k int) float64 { return 1 / float64(k+1) }),
		"mostly zero 70":  fill(70, func(k int) float64 { return float64((k % 9) / 8 * k) }),
		"zero ends 40":    fill(40, func(k int) float64 { return max(0, 100-math.Pow(float64(k)-20, 2)) }),
		"one large of 33": fill(33, func(k int) float64 { return 1 + float64(k/32)*40 }),
	}
}

func TestChiSquare(t *testing.T) {
	t.Run("float32", testChiSquare[float32])
	t.Run("float64", testChiSquare[float64])
}

// testChiSquare compares 60,000 draws with the weights. The bound is the 1 - 10^-6
// quantile: with the fixed seeds a test either always passes or always fails,
// and a correct method would fail for less than one choice of seeds in 5,000
// (about 170 comparisons). An outcome drawn with probability off by a tenth is
// beyond the bound by far for all but the rarest outcomes.
func testChiSquare[F Float](t *testing.T) {
	const draws = 60_000
	us := make([]F, draws)
	for i := range us {
		us[i] = uniform[F](42, i)
	}
	for name, weights := range shapes[F]() {
		prefix := exactPrefix(weights)
		sum := prefix[len(prefix)-1]
		for _, v := range variants[F]() {
			counts := make([]float64, len(weights))
			for _, k := range drawLanes(v, weights, us) {
				counts[k]++
			}
			chi2, df := 0.0, -1.0
			for k, a := range weights {
				if a == 0 {
					if counts[k] > 0 {
						t.Errorf("%s, %s: outcome %d of weight zero drawn %v times", name, v.name, k, counts[k])
					}
					continue
				}
				expected := draws * float64(a) / sum
				chi2 += (counts[k] - expected) * (counts[k] - expected) / expected
				df++
			}
			if df == 0 {
				continue
			}
			if bound := (distuv.ChiSquared{K: df}).Quantile(1 - 1e-6); chi2 > bound {
				t.Errorf("%s, %s: chi-square %.1f above %.1f", name, v.name, chi2, bound)
			}
		}
	}
}

// Every lane has its own distribution and its own random number: what a lane
// draws must be what it would draw alone.
func TestLanesAreIndependent(t *testing.T) {
	for _, k := range []int{1, 7, 8, 19, 32, 33, 100} {
		for _, v := range variants[float32]() {
			lanes := min(v.lanes, 5)
			weights := make([][]float32, lanes)
			us := make([]float32, lanes)
			for r := range weights {
				weights[r] = make([]float32, k)
				for i := range weights[r] {
					weights[r][i] = uniform[float32](uint64(k), r*1000+i)
				}
				us[r] = uniform[float32](99, r*k)
			}
			got := make([]int, lanes)
			many := v.many()
			many.Build(weights)
			many.Draw(got, us)
			for r := range weights {
				// The same lane with everything around it gone.
				alone := make([][]float32, r+1)
				for i := range alone {
					alone[i] = make([]float32, k)
					alone[i][0] = 1
				}
				alone[r] = weights[r]
				many.Build(alone)
				want := make([]int, r+1)
				many.Draw(want, us[:r+1])
				if got[r] != want[r] {
					t.Errorf("%s, K = %d, lane %d: %d among others, %d alone", v.name, k, r, got[r], want[r])
				}
			}
		}
	}
}

// Sums too small to be multiplied by u without rounding up to themselves.
func TestSubnormalSums(t *testing.T) {
	const tiny = math.SmallestNonzeroFloat32
	for _, weights := range [][]float32{{tiny}, {0, tiny, 0}, {tiny, 0, 2 * tiny, 0}} {
		for _, v := range variants[float32]() {
			for _, u := range []float32{0, 0.3, 0.5, 0.9, below(float32(1))} {
				for r, k := range drawInAllLanes(v, weights, u) {
					if weights[k] == 0 {
						t.Errorf("%s: lane %d draws %d of %v for u = %v", v.name, r, k, weights, u)
					}
				}
			}
		}
	}
}

func TestBadWeights(t *testing.T) {
	nan, inf := float32(math.NaN()), float32(math.Inf(1))
	for _, c := range []struct {
		weights []float32
		want    string
	}{
		{nil, faultNone},
		{[]float32{0, 0, 0}, faultZero},
		{[]float32{1, -1, 5}, faultNegative},
		{[]float32{1, nan, 5}, faultNaN},
		{[]float32{-inf, 1}, faultNegative},
		{[]float32{inf, 1}, faultInf},
		{[]float32{3e38, 3e38}, faultOverflow},
		{make([]float32, 64), faultZero},
	} {
		if err := Check(c.weights); err == nil || !strings.HasPrefix(err.Error(), c.want) {
			t.Errorf("Check(%v) = %v, want %q", c.weights, err, c.want)
		}
		for _, v := range variants[float32]() {
			if got := panicOf(func() { v.many().Build([][]float32{c.weights}) }); got != c.want {
				t.Errorf("%s: Build(%v) panics with %v, want %q", v.name, c.weights, got, c.want)
			}
		}
	}
	if err := Check([]float32{1, nan}); err == nil || !strings.Contains(err.Error(), "a[1]") {
		t.Errorf("Check does not name the weight: %v", err)
	}
	if err := Check([]float64{0, 3e38, 3e38}); err != nil {
		t.Errorf("good weights refused: %v", err)
	}
}

func TestMisuse(t *testing.T) {
	for _, v := range variants[float64]() {
		for _, u := range []float64{-0.1, 1, 2, math.NaN()} {
			m := v.many()
			m.Build([][]float64{{1, 2}})
			if got := panicOf(func() { m.Draw(make([]int, 1), []float64{u}) }); got != faultU {
				t.Errorf("%s: u = %v: panics with %v", v.name, u, got)
			}
			if got := panicOf(func() { m.Draw(make([]int, 2), []float64{0, 0}) }); got != faultLanes {
				t.Errorf("%s: two numbers for one lane: panics with %v", v.name, got)
			}
		}
		if got := panicOf(func() { v.many().Draw(nil, nil) }); got != faultUnbuilt {
			t.Errorf("%s: Draw before Build panics with %v", v.name, got)
		}
		if got := panicOf(func() { v.many().Build(nil) }); got != faultLanes {
			t.Errorf("%s: Build without lanes panics with %v", v.name, got)
		}
		if v.lanes > 1 {
			if got := panicOf(func() { v.many().Build([][]float64{{1, 2}, {1}}) }); got != faultRagged {
				t.Errorf("%s: ragged weights: panics with %v", v.name, got)
			}
		}
	}
	for name, s := range map[string]Sampler[float64]{
		"linear": &Linear[float64]{}, "binary": &Binary[float64]{}, "alias": &Alias[float64]{},
	} {
		if got := panicOf(func() { s.Draw(0) }); got != faultUnbuilt {
			t.Errorf("%s: Draw before Build panics with %v", name, got)
		}
	}
	for _, w := range []int{-1, 3, 64} {
		if got := panicOf(func() { (&Butterfly[float64]{Lanes: w}).Build([][]float64{{1}}) }); got != faultWidth {
			t.Errorf("%d lanes: panics with %v", w, got)
		}
	}
}

// A method built again must not remember anything.
func TestRebuild(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		first, second := adversarial(t), adversarial(t)
		u := adversarialU(t, second)
		for _, v := range variants[float32]() {
			used, fresh := v.many(), v.many()
			used.Build([][]float32{first})
			got, want := make([]int, 1), make([]int, 1)
			used.Build([][]float32{second})
			fresh.Build([][]float32{second})
			used.Draw(got, []float32{u})
			fresh.Draw(want, []float32{u})
			if got[0] != want[0] {
				t.Fatalf("%s draws %d, a fresh one %d", v.name, got[0], want[0])
			}
		}
	})
}

func panicOf(f func()) (v any) {
	defer func() { v = recover() }()
	f()
	return nil
}

func TestByName(t *testing.T) {
	for _, name := range Names() {
		m, err := ByName[float32](name)
		if err != nil {
			t.Fatal(err)
		}
		weights := make([][]float32, 32)
		for r := range weights {
			weights[r] = []float32{0, 1, 0}
		}
		m.Build(weights)
		dst := make([]int, 32)
		m.Draw(dst, make([]float32, 32))
		if fmt.Sprint(dst[0], dst[31]) != "1 1" {
			t.Errorf("%s drew %v", name, dst)
		}
	}
	if _, err := ByName[float32]("huffman"); err == nil || !strings.Contains(err.Error(), "butterfly") {
		t.Errorf("unknown name: %v", err)
	}
}

// Table must describe the same columns that Pick uses.
func TestAliasTable(t *testing.T) {
	var s Alias[float32]
	s.Build([]float32{1, 0, 5, 2})
	own, alias := s.Table()
	for column := range own {
		for _, u := range []float32{0, 0.2, 0.5, 0.9} {
			want := column
			if u >= own[column] {
				want = int(alias[column])
			}
			if got := s.Pick(column, u); got != want {
				t.Errorf("column %d, u = %v: Pick %d, table %d", column, u, got, want)
			}
		}
	}
}
