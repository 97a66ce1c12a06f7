package effects

import (
	"context"
	"math"

	"github.com/topoi-lda/topoi/internal/portable"
)

// loneShare is the share of an estimate's variance that may come from what a single document, or a single cluster,
// says. Residuals know nothing of that share; where there is more, the estimate has no interval.
const loneShare = 0.01

// doubt says how far estimates can be relied on: sums of coefficients with given factors.
type doubt struct {
	r *regression
	// alone are the directions that a single document decides, if documents are independent, in the coordinates of
	// leverage. Those of clusters are found with their degrees of freedom.
	alone [][]float64
}

// newDoubt finds the documents without which the regression would have fewer coefficients.
func (r *regression) newDoubt(ctx context.Context) (*doubt, error) {
	u := &doubt{r: r}
	if r.groups != nil {
		return u, nil
	}
	p := len(r.design.names)
	x, room, places := make([]float64, p), r.design.newScratch(), []int(nil)
	for i, d := range r.design.docs {
		if i%piece == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		r.design.row(x, int(d), room, nil)
		r.scale.apply(x)
		places = placesOf(places[:0], x)
		if sparseSquare(r.inverse, x, places) < mostLeverage {
			continue
		}
		row := append([]float64(nil), x...)
		r.factored.forward(row)
		u.alone = append(u.alone, row)
	}
	return u, nil
}

// sparseSquare returns x'm x, where the places are known at which x is not 0.
func sparseSquare(m, x []float64, places []int) (sum float64) {
	for _, i := range places {
		row, f := m[i*len(x):], 0.0
		for _, j := range places {
			f += float64(row[j] * x[j])
		}
		sum += float64(f * x[i])
	}
	return sum
}

// direction returns the vector v with c'Vc = v'(L'VL)v for a sum of coefficients with the factors c.
func (u *doubt) direction(c []float64) []float64 {
	v := u.r.scale.factors(c, u.r.design.intercept)
	u.r.factored.forward(v)
	return v
}

// ofCoefficients returns the degrees of freedom of each coefficient.
func (u *doubt) ofCoefficients(ctx context.Context) ([]float64, error) {
	p := u.r.factored.p
	all := make([][]float64, p)
	for i := range all {
		if !u.r.factored.aliased[i] {
			all[i] = u.direction(unit(p, i))
		}
	}
	return u.freedoms(ctx, all)
}

// ofSums returns the degrees of freedom of sums of coefficients, and which of them the documents determine.
func (u *doubt) ofSums(ctx context.Context, factors [][]float64) (free []float64, determined []bool, err error) {
	all := make([][]float64, len(factors))
	determined = make([]bool, len(factors))
	for i, c := range factors {
		if determined[i] = u.r.determined(u.r.scale.factors(c, u.r.design.intercept)); determined[i] {
			all[i] = u.direction(c)
		}
	}
	free, err = u.freedoms(ctx, all)
	return free, determined, err
}

// freedoms returns the degrees of freedom along some directions, 0 for one that has no interval and for nil.
func (u *doubt) freedoms(ctx context.Context, all [][]float64) ([]float64, error) {
	free := make([]float64, len(all))
	if u.r.groups != nil {
		most := max(1, mostSquares/(u.r.factored.p*u.r.factored.p))
		for first := 0; first < len(all); first += most {
			last := min(len(all), first+most)
			if err := u.r.satterthwaite(ctx, all[first:last], free[first:last]); err != nil {
				return nil, err
			}
		}
		return free, nil
	}
	for i, v := range all {
		if v == nil {
			continue
		}
		lone, whole := 0.0, dot(v, v)
		for _, q := range u.alone {
			lone += square(dot(q, v))
		}
		if whole > 0 && lone <= float64(loneShare*whole) {
			free[i] = u.r.free
		}
	}
	return free, nil
}

// mostSquares bounds the numbers that satterthwaite keeps.
const mostSquares = 1 << 24

// satterthwaite sets free to Satterthwaite's degrees of freedom of clustered variances along some directions v (Bell
// and McCaffrey 2002). If errors are independent and equally large, the variance is a sum of G squares with
// covariances
//
//	P_gh = δ_gh v'A_g M_g A_g v - v'A_g M_g M_h A_h v,   A_g = (I - M_g)^-½
//
// and the degrees of freedom are (Σ_g P_gg)² / Σ_gh P_gh².
func (r *regression) satterthwaite(ctx context.Context, directions [][]float64, free []float64) error {
	p := r.factored.p
	sums := make([]freedom, len(directions))
	for i := range sums {
		sums[i] = freedom{square: make([]float64, p*p), t: make([]float64, p)}
	}
	l, x, room := r.newLeverager(), make([]float64, p), r.design.newScratch()
	for g := range r.groups.len() {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		docs := r.groups.at(g)
		l.begin(len(docs))
		for _, d := range docs {
			r.design.row(x, int(d), room, nil)
			r.scale.apply(x)
			l.add(x)
		}
		found, err := l.end()
		if err != nil {
			return err
		}
		for i, v := range directions {
			if v != nil {
				sums[i].add(&found, v)
			}
		}
	}
	for i, v := range directions {
		if v != nil && sums[i].lone <= float64(loneShare*dot(v, v)) {
			free[i] = sums[i].degrees(p)
		}
	}
	return nil
}

// freedom adds up what Satterthwaite's formula needs over the clusters.
type freedom struct {
	lone   float64   // part of v'v along directions that a single cluster decides
	trace  float64   // Σ_g P_gg
	own    float64   // Σ_g d_g² - 2 d_g t_g't_g with d_g = v'A_g M_g A_g v, t_g = M_g A_g v
	square []float64 // p×p: Σ_g t_g t_g', upper triangle
	t      []float64
}

// add adds a cluster.
func (f *freedom) add(of *leverage, v []float64) {
	clear(f.t)
	d := 0.0
	for i, q := range of.vectors {
		along, value := dot(q, v), of.values[i]
		if value >= mostLeverage {
			f.lone += square(along)
			continue
		}
		d += float64(value / (1 - value) * square(along))
		c := float64(value*along) / math.Sqrt(1-value)
		for j := range f.t {
			f.t[j] += float64(c * q[j])
		}
	}
	length := dot(f.t, f.t)
	f.trace += d - length
	f.own += square(d) - float64(2*float64(d*length))
	addOuter(f.square, f.t, 1)
}

// degrees returns the degrees of freedom, 0 if there is no variance.
func (f *freedom) degrees(p int) float64 {
	squares := f.own
	for i := range p {
		squares += square(f.square[i*p+i])
		for j := i + 1; j < p; j++ {
			squares += float64(2 * square(f.square[i*p+j]))
		}
	}
	if !(f.trace > 0 && squares > 0) {
		return 0
	}
	return square(f.trace) / squares
}

// unit returns p factors of which one is 1 and all others are 0.
func unit(p, i int) []float64 {
	c := make([]float64, p)
	c[i] = 1
	return c
}

func square(x float64) float64 { return float64(x * x) }

// reach returns how many standard errors an interval reaches to each side, for each number of degrees of freedom.
func reach(interval float64, free []float64) []float64 {
	known, all := map[float64]float64{}, make([]float64, len(free))
	for i, df := range free {
		if _, ok := known[df]; !ok {
			known[df] = portable.StudentQuantile(1-interval, df)
		}
		all[i] = known[df]
	}
	return all
}
