package discrete

import (
	"fmt"
	"testing"

	"pgregory.net/rapid"
)

// figureWeights gives weight i of lane x the value 2^i in "digit" x, so that a
// sum shows whose weights and which of them it adds: with W lanes, entry
// X_v^w is (2^v + … + 2^w) and the owner is told by building one lane at a time.
func figureWeights(w, lane int) [][]float64 {
	weights := make([][]float64, w)
	for r := range weights {
		weights[r] = make([]float64, w)
		if r == lane {
			for i := range weights[r] {
				weights[r][i] = float64(int(1) << i)
			}
		}
	}
	return weights
}

// figure returns the butterfly table of one block symbolically: "C0-3" for C_0^3.
func figure(t *testing.T, w int, form Form) [][]string {
	rows := make([][]string, w)
	for i := range rows {
		rows[i] = make([]string, w)
	}
	for lane := range w {
		b := Butterfly[float64]{Lanes: w, Form: form}
		b.outcomes = w
		b.load(figureWeights(w, lane), w)
		b.butterfly(b.table, w)
		for i := range w {
			for j := range w {
				entry := int(b.table[i*w+j])
				if entry == 0 {
					continue
				}
				if rows[i][j] != "" {
					t.Fatalf("row %d, lane %d adds weights of two lanes", i, j)
				}
				rows[i][j] = symbol(lane, entry)
			}
		}
	}
	return rows
}

// symbol names the sum whose bits are set in entry.
func symbol(lane, entry int) string {
	v := 0
	for entry>>v&1 == 0 {
		v++
	}
	w := v
	for entry>>(w+1)&1 == 1 {
		w++
	}
	if entry != (2<<w)-(1<<v) {
		return fmt.Sprintf("%c%b", 'A'+lane, entry)
	}
	return fmt.Sprintf("%c%d-%d", 'A'+lane, v, w)
}

// The tables of the paper: the formula below Figure 4 for every W, and rows of
// Figure 5 (W = 16) as printed.
func TestPattern(t *testing.T) {
	for _, w := range []int{2, 4, 8, 16, 32} {
		for _, form := range []Form{AddSubtract, Plain} {
			table := figure(t, w, form)
			for i := range w - 1 { // the last row is every lane's own sum
				for j := range w {
					m := i ^ (i + 1)
					k := m / 2
					v := j &^ k
					if form == Plain {
						v = j &^ m
					}
					want := fmt.Sprintf("%c%d-%d", 'A'+(i&^m)+(j&m), v, v+k)
					if table[i][j] != want {
						t.Errorf("W = %d, form %d, row %d, lane %d: %s, want %s", w, form, i, j, table[i][j], want)
					}
				}
			}
			for j := range w {
				if want := fmt.Sprintf("%c0-%d", 'A'+j, w-1); table[w-1][j] != want {
					t.Errorf("W = %d, form %d: sum of lane %d is %s", w, form, j, table[w-1][j])
				}
			}
		}
	}
}

func TestFigure5(t *testing.T) {
	table := figure(t, 16, AddSubtract)
	for i, want := range map[int]string{
		0:  "[A0-0 B1-1 A2-2 B3-3 A4-4 B5-5 A6-6 B7-7 A8-8 B9-9 A10-10 B11-11 A12-12 B13-13 A14-14 B15-15]",
		1:  "[A0-1 B0-1 C2-3 D2-3 A4-5 B4-5 C6-7 D6-7 A8-9 B8-9 C10-11 D10-11 A12-13 B12-13 C14-15 D14-15]",
		3:  "[A0-3 B0-3 C0-3 D0-3 E4-7 F4-7 G4-7 H4-7 A8-11 B8-11 C8-11 D8-11 E12-15 F12-15 G12-15 H12-15]",
		7:  "[A0-7 B0-7 C0-7 D0-7 E0-7 F0-7 G0-7 H0-7 I8-15 J8-15 K8-15 L8-15 M8-15 N8-15 O8-15 P8-15]",
		11: "[I0-3 J0-3 K0-3 L0-3 M4-7 N4-7 O4-7 P4-7 I8-11 J8-11 K8-11 L8-11 M12-15 N12-15 O12-15 P12-15]",
		15: "[A0-15 B0-15 C0-15 D0-15 E0-15 F0-15 G0-15 H0-15 I0-15 J0-15 K0-15 L0-15 M0-15 N0-15 O0-15 P0-15]",
	} {
		if got := fmt.Sprint(table[i]); got != want {
			t.Errorf("row %d:\n got %s\nwant %s", i, got, want)
		}
	}
}

// The distribution of 16 outcomes that section 2 of the paper works through, in
// hundredths, and its prefix sums.
func TestWorkedExample(t *testing.T) {
	prefix := []float64{18, 27, 108, 117, 171, 270, 378, 405, 468, 477, 594, 630, 711, 846, 855, 900}
	weights := make([]float64, len(prefix))
	last := 0.0
	for k, p := range prefix {
		weights[k], last = p-last, p
	}
	var s Linear[float64]
	s.Build(weights)
	if fmt.Sprint(s.prefix) != fmt.Sprint(prefix) {
		t.Errorf("prefix sums are %v", s.prefix)
	}
	for _, v := range variants[float64]() {
		if !v.ordered {
			continue
		}
		for k, p := range prefix {
			// In the middle of the outcome's share, where rounding cannot matter.
			u := (p - weights[k]/2) / 900
			for r, got := range drawInAllLanes(v, weights, u) {
				if got != k {
					t.Errorf("%s, lane %d draws %d for u = %v, want %d", v.name, r, got, u, k)
				}
			}
		}
	}
}

// warp is the paper's SIMD machine, step by step: Algorithms 8 to 10 with every
// register of every lane and every shuffle. Registers are [lane][index].
type warp struct {
	w, k int
	p    [][]float32 // p'[lane][K]
	sum  []float32
}

// shfl lets each lane read the value of the lane it names.
func shfl[T any](value []T, from func(lane int) int) []T {
	got := make([]T, len(value))
	for r := range got {
		got[r] = value[from(r)]
	}
	return got
}

// compute is Algorithm 8; products[m][k] stands for θ[m,k] φ[c,k].
func (x *warp) compute(products [][]float32) {
	w := x.w
	x.p, x.sum = make([][]float32, w), make([]float32, w)
	a := make([][]float32, w)
	for r := range w {
		x.p[r], a[r] = make([]float32, x.k), make([]float32, w)
	}
	j := 0
	for ; j < x.k%w; j++ {
		for r := range w {
			x.sum[r] += products[r][j]
			x.p[r][j] = x.sum[r]
		}
	}
	for ; j < x.k; j += w {
		for r := range w {
			for k := range w {
				a[r][k] = products[k][j+r]
			}
		}
		for bit := 1; bit < w; bit *= 2 {
			for i := range w / (2 * bit) {
				d := 2*bit*i + bit - 1
				h := make([]float32, w)
				for r := range w {
					if h[r] = a[r][d+bit]; r&bit != 0 {
						h[r] = a[r][d]
					}
				}
				v := shfl(h, func(r int) int { return r ^ bit })
				for r := range w {
					if r&bit != 0 {
						a[r][d] = a[r][d+bit]
					}
					a[r][d+bit] = a[r][d] + v[r]
					x.p[r][j+d] = a[r][d]
				}
			}
		}
		for r := range w {
			x.sum[r] += a[r][w-1]
			x.p[r][j+w-1] = x.sum[r]
		}
	}
}

// search is Algorithm 9, in lock step.
func (x *warp) search(u []float32) []int {
	w, remnant := x.w, x.k%x.w
	stop, base, found := make([]float32, w), make([]int, w), make([]int, w)
	for r := range w {
		stop[r] = x.sum[r] * u[r]
		j, k := 0, x.k/w-1
		for j < k {
			mid := (j + k) / 2
			if stop[r] < x.p[r][mid*w+remnant+w-1] {
				k = mid
			} else {
				j = mid + 1
			}
		}
		base[r] = remnant + j*w
	}
	if x.k >= w {
		found = x.searchBlock(stop, base)
	}
	for r := range w {
		if base[r] > 0 && stop[r] < x.p[r][base[r]-1] {
			for i := range remnant {
				if stop[r] < x.p[r][i] {
					found[r] = i
					break
				}
			}
		}
	}
	return found
}

// searchBlock is Algorithm 10, in lock step.
func (x *warp) searchBlock(stop []float32, base []int) []int {
	w := x.w
	low, high, flip := make([]float32, w), make([]float32, w), make([]int, w)
	for r := range w {
		if base[r] > 0 {
			low[r] = x.p[r][base[r]-1]
		}
		high[r] = x.p[r][base[r]+w-1]
	}
	for bit := w / 2; bit > 0; bit /= 2 {
		mask := ((w - 1) * (2 * bit)) & (w - 1)
		y := make([]float32, w)
		for i := range w / (2 * bit) {
			d := bit - 1 + 2*bit*i
			hisBase := shfl(base, func(r int) int { return d&mask + r&^mask })
			mine := make([]float32, w)
			for r := range w {
				mine[r] = x.p[r][hisBase[r]+d]
			}
			t := shfl(mine, func(r int) int { return r ^ flip[r] })
			for r := range w {
				if (r^d)&mask == 0 {
					y[r] = t[r]
				}
			}
		}
		for r := range w {
			compare := low[r] + y[r]
			if r&bit != 0 {
				compare = high[r] - y[r]
			}
			if stop[r] < compare {
				high[r] = compare
				flip[r] ^= bit & r
			} else {
				low[r] = compare
				flip[r] ^= bit &^ r
			}
		}
	}
	found := make([]int, w)
	for r := range w {
		found[r] = base[r] + (flip[r] ^ r)
	}
	return found
}

// The table and the draws of Butterfly are those of the paper's warp, bit for bit.
// All weights are positive: a zero is where the two part on purpose.
func TestButterflyIsTheWarp(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		w := rapid.SampledFrom([]int{2, 8, 16, 32}).Draw(t, "W")
		k := rapid.OneOf(rapid.IntRange(1, 40), rapid.IntRange(41, 140)).Draw(t, "K")
		seed := rapid.Uint64().Draw(t, "seed")
		weights, u := make([][]float32, w), make([]float32, w)
		for r := range weights {
			weights[r] = make([]float32, k)
			for i := range weights[r] {
				weights[r][i] = 1e-6 + uniform[float32](seed, r*k+i)
			}
			u[r] = uniform[float32](seed+1, r)
		}
		simulated := warp{w: w, k: k}
		simulated.compute(weights)
		b := Butterfly[float32]{Lanes: w}
		b.Build(weights)
		for i := range k {
			for r := range w {
				if b.table[i*w+r] != simulated.p[r][i] {
					t.Fatalf("p'[%d] of lane %d is %g, the warp's %g", i, r, b.table[i*w+r], simulated.p[r][i])
				}
			}
		}
		got := make([]int, w)
		b.Draw(got, u)
		if want := simulated.search(u); fmt.Sprint(got) != fmt.Sprint(want) {
			t.Fatalf("drew %v, the warp %v", got, want)
		}
	})
}
