package effects

import (
	"math"
	"slices"
	"strconv"
	"testing"

	"github.com/topoi-lda/topoi/corpus/column"
)

// exact returns a result whose estimates have no error, since shares are 0.1 + 0.2·[party = b] + 0.05·x. The mean of x
// is 1.5 over all documents, and differs between parties.
func exact(t *testing.T, formula string) *Result {
	t.Helper()
	party, x := values{"a", "a", "a", "b", "b", "b", "b", "b"}, values{"0", "0", "1", "2", "0", "4", "2", "3"}
	first := make([]int, len(party))
	for d := range first {
		n, _ := strconv.Atoi(x[d])
		first[d] = 2 + n
		if party[d] == "b" {
			first[d] += 4
		}
	}
	columns := []column.Column{
		{Name: "party", Kind: column.Category, Values: party},
		{Name: "x", Kind: column.Number, Values: x},
	}
	return compute(t, shared(20, first...), Options{Formula: formula, Columns: columns, Topics: []int{1, 0}})
}

// A level's prediction is the average over all documents of what they would have with this level: the other columns
// stay as they are.
func TestPredictionsAverageOtherColumns(t *testing.T) {
	r := exact(t, "~ party + x")
	points, err := r.Predict("party", 40)
	if err != nil || len(points) != 2 || points[0].Value != "a" || points[1].Value != "b" {
		t.Fatal(points, err)
	}
	near(t, "the share for a", points[0].Shares[1].Estimate, 0.1+0.05*1.5)
	near(t, "the share for b", points[1].Shares[1].Estimate, 0.3+0.05*1.5)
	near(t, "the other topic's share for b", points[1].Shares[0].Estimate, 0.7-0.05*1.5)

	points, err = r.Predict("x", 5)
	if err != nil || len(points) != 5 {
		t.Fatal(points, err)
	}
	for i, p := range points {
		near(t, "a point", p.At, float64(i))
		near(t, "its share", p.Shares[1].Estimate, 0.1+0.2*5/8+0.05*float64(i))
	}
	if points, err = r.Predict("x", 1); err != nil || len(points) != 2 || points[0].Value != "0" ||
		points[1].Value != "4" {
		t.Errorf("one point asked for gives %v, want both ends (%v)", points, err)
	}
}

// A column that the formula uses twice has one value, whichever of its functions comes first: shares are
// 0.1 + 0.025·x + 0.1·log2 x.
func TestPredictionsOfAColumnUsedTwice(t *testing.T) {
	m := shared(40, 5, 10, 16, 24, 5, 10, 16, 24)
	columns := []column.Column{{Name: "x", Kind: column.Number, Values: values{"1", "2", "4", "8", "1", "2", "4", "8"}}}
	for _, formula := range []string{"~ x + log(x)", "~ log(x) + x"} {
		r := compute(t, m, Options{Formula: formula, Columns: columns, Topics: []int{0}})
		points, err := r.Predict("x", 3)
		if err != nil || len(points) != 3 {
			t.Fatal(points, err)
		}
		middle := 4.5
		if formula == "~ log(x) + x" {
			middle = math.Sqrt(8) // half way between the logarithms
		}
		for i, x := range []float64{1, middle, 8} {
			near(t, formula+": a share", points[i].Shares[0].Estimate, 0.1+0.025*x+0.1*math.Log2(x))
			if want := strconv.FormatFloat(x, 'g', 6, 64); points[i].Value != want {
				t.Errorf("%s: point %d is at %s, want %s", formula, i, points[i].Value, want)
			}
		}
		difference, err := r.Contrast("x", "8", "2")
		if err != nil {
			t.Fatal(err)
		}
		near(t, formula+": a difference", difference[0].Estimate, 0.025*6+0.1*2)
	}
}

// A column that is used by its levels and as a number is predicted at its levels, whichever comes first: shares are
// 0.1, 0.2 and 0.05 where x is 1, 2 and 4, and 0.02·x·z more; the mean of z is 1.
func TestPredictionsOfLevelsAndNumbers(t *testing.T) {
	var x, z values
	var first []int
	for _, level := range []int{1, 2, 4} {
		for times := range 3 {
			x, z = append(x, strconv.Itoa(level)), append(z, strconv.Itoa(times))
			first = append(first, map[int]int{1: 10, 2: 20, 4: 5}[level]+2*level*times)
		}
	}
	columns := []column.Column{
		{Name: "x", Kind: column.Number, Values: x},
		{Name: "z", Kind: column.Number, Values: z},
		{Name: "date", Kind: column.Date, Values: numbers(9, func(i int) string { return "200" + x[i] + "-01-01" })},
	}
	for _, formula := range []string{"~ factor(x) + x:z", "~ x:z + x + factor(x)", "~ x + log(x) + factor(x) + x:z"} {
		r := compute(t, shared(100, first...), Options{Formula: formula, Columns: columns, Topics: []int{0}})
		points, err := r.Predict("x", 40)
		if err != nil || len(points) != 3 {
			t.Fatal(points, err)
		}
		for i, want := range []float64{0.12, 0.24, 0.13} {
			near(t, formula+": a share", points[i].Shares[0].Estimate, want)
			if points[i].Value != []string{"1", "2", "4"}[i] {
				t.Errorf("%s: point %d is at %s", formula, i, points[i].Value)
			}
		}
		difference, err := r.Contrast("x", "4", "2")
		if err != nil {
			t.Fatal(err)
		}
		near(t, formula+": a difference", difference[0].Estimate, 0.13-0.24)
		if _, err := r.Contrast("x", "3", "2"); err == nil {
			t.Errorf("%s: no document has the value 3", formula)
		}
	}
	r := compute(t, shared(100, first...), Options{Formula: "~ date + factor(date)", Columns: columns, Topics: []int{0}})
	points, err := r.Predict("date", 40)
	if err != nil || len(points) != 3 || points[2].Value != "2004-01-01" {
		t.Fatal(points, err)
	}
	near(t, "the share of a date", points[2].Shares[0].Estimate, 0.13)
}

// Values of a contrast are numbers for a column of numbers, and dates, whose unit is a year, for one of dates.
func TestContrastsOfNumbersAndDates(t *testing.T) {
	r := exact(t, "~ x + party")
	difference, err := r.Contrast("x", "4", "3")
	if err != nil {
		t.Fatal(err)
	}
	near(t, "a difference of 1", difference[0].Estimate, -0.05)
	near(t, "in the other topic", difference[1].Estimate, 0.05)
	if _, err := r.Contrast("x", "2001-01-01", "3"); err == nil ||
		err.Error() != `column x: "2001-01-01" is not a number` {
		t.Error(err)
	}

	dates := values{"2000-01-01", "2001-01-01", "2003-07-01", "2004-05-05", "2007-12-30"}
	columns := []column.Column{{Name: "date", Kind: column.Date, Values: dates}}
	r = compute(t, shared(20, 2, 3, 9, 10, 15), Options{Formula: "~ date", Columns: columns, Topics: []int{0}})
	difference, err = r.Contrast("date", "2003-01-01", "2001-01-01")
	if err != nil {
		t.Fatal(err)
	}
	const years = 730 / 365.2425
	near(t, "a difference of two years", difference[0].Estimate, years*r.Effects[0][1].Estimate)
	near(t, "its error", difference[0].Error, years*r.Effects[0][1].Error)
	points, err := r.Predict("date", 3)
	if err != nil || points[0].Value != "2000-01-01" || points[1].Value != "2003-12-31" ||
		points[2].Value != "2007-12-30" {
		t.Errorf("%v, want the first day, the middle and the last (%v)", points, err)
	}
	if _, err := r.Contrast("date", "2004-01-01", "x"); err == nil || err.Error() != `column date: "x" is not a date` {
		t.Error(err)
	}
}

// Quantiles lie between order statistics as R's quantile() puts them by default: of 1, 2, 4, 8 the median is 3, the
// first quarter 1.75, nine tenths 6.8.
func TestQuantiles(t *testing.T) {
	sorted := []float64{1, 2, 4, 8}
	for p, want := range map[float64]float64{0: 1, 0.25: 1.75, 0.5: 3, 0.75: 5, 0.9: 6.8, 1: 8} {
		near(t, "a quantile", quantile(sorted, p), want)
	}
}

// Knots of s(x, 5) over 0 … 9 are its ends, four times, and the tertiles 3 and 6. The basis functions of splines::bs(x,
// knots = c(3, 6)) are computed with exact fractions by their recursion; the first is left out.
func TestSplines(t *testing.T) {
	e := &encoder{variable: &variable{column: "x", call: "s", text: "s(x, 5)", df: 5}}
	for x := range 10 {
		e.numbers = append(e.numbers, float64(x))
	}
	e.numbers = append(e.numbers, math.NaN())
	if err := e.placeKnots(); err != nil || !slices.Equal(e.knots, []float64{0, 0, 0, 0, 3, 6, 9, 9, 9, 9}) {
		t.Fatal(e.knots, err)
	}
	dst := make([]float64, 5)
	for x, want := range map[float64][]float64{
		0:   {0, 0, 0, 0, 0},
		-3:  {0, 0, 0, 0, 0},
		3:   {0.25, 7.0 / 12, 1.0 / 6, 0, 0},
		4.5: {0.03125, 0.46875, 0.46875, 0.03125, 0},
		9:   {0, 0, 0, 0, 1},
		12:  {0, 0, 0, 0, 1},
	} {
		e.fill(dst, x, false, 0)
		for i := range dst {
			near(t, "a basis function", dst[i], want[i])
		}
	}
}

// Whatever the knots, also where many are the same, basis functions are not negative and add up to 1 with the first
// one, which is left out; at an end one of them is 1: the first or the last, unless inner knots lie there.
func TestSplinesOfTies(t *testing.T) {
	for _, heavy := range []string{"0", "4", "9"} { // most values are the smallest, in the middle, or the largest
		column := column.Column{Name: "x", Kind: column.Number, Values: numbers(100, func(i int) string {
			if i%4 > 0 {
				return heavy
			}
			return strconv.Itoa(i / 4 % 10)
		})}
		for _, df := range []int{3, 4, 7, 12} {
			e := &encoder{variable: &variable{column: "x", call: "s", df: df}}
			if err := e.readNumbers(&column); err != nil {
				t.Fatal(err)
			}
			if e.width(false) != df || len(e.knots) != df+5 {
				t.Errorf("%d degrees: %d columns and %d knots", df, e.width(false), len(e.knots))
			}
			dst := make([]float64, df)
			for x := -1.0; x < 11; x += 0.25 {
				e.fill(dst, x, false, 0)
				sum := 0.0
				for _, b := range dst {
					if !(b >= -1e-12 && b <= 1+1e-12) {
						t.Fatalf("most are %s, %d degrees, at %v: %v", heavy, df, x, dst)
					}
					sum += b
				}
				inner := e.knots[4 : len(e.knots)-4]
				switch {
				case x <= 0 && !slices.Contains(inner, 0):
					near(t, "the sum at the beginning", sum, 0)
				case x >= 9 && !slices.Contains(inner, 9):
					near(t, "the last function at the end", dst[df-1], 1)
				case x <= 0 || x >= 9:
					near(t, "the largest function at an end with more knots", slices.Max(dst), 1)
				case sum > 1+1e-12 || sum == 0:
					t.Errorf("most are %s, %d degrees, at %v: %v", heavy, df, x, dst)
				}
			}
		}
	}
}
