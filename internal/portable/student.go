package portable

import "math"

const (
	farStudent  = 1e7   // degrees of freedom from which the normal distribution is corrected instead
	mostTerms   = 20000 // of the continued fraction, which needs about √df
	leastFactor = 1e-300
	nearlyEqual = 1e-16
	leastGammas = 40  // from here on the series of gammaRatio is exact to the last bit but one
	bisections  = 200 // 60 would do
)

// StudentTails returns the probability of an absolute value of at least t in Student's distribution with df > 0 degrees of
// freedom, which need not be a whole number. The relative error is below 10^-10.
func StudentTails(t, df float64) float64 {
	switch {
	case math.IsNaN(t) || math.IsNaN(df) || df <= 0:
		return math.NaN()
	case df > farStudent:
		return farTails(math.Abs(t), df)
	case t == 0:
		return 1
	case math.IsInf(t, 0):
		return 0
	}
	// I_x(df/2, 1/2) with x = df/(df + t²); 1 - x is computed without cancelling.
	square := float64(t * t)
	a, x, rest := float64(df/2), df/(df+square), square/(df+square)
	// x^a (1-x)^½ Γ(a + ½) / (Γ(a) Γ(½))
	lead := Exp(-float64(a*Log1p(square/df))) * math.Sqrt(rest) * gammaRatio(a) / math.Sqrt(math.Pi)
	if x < (a+1)/(a+2.5) {
		return min(1, float64(lead*betaFraction(x, a, 0.5))/a)
	}
	return 1 - float64(lead*betaFraction(rest, 0.5, a))/0.5
}

// farTails returns the tails of the normal distribution with the first term of their expansion in 1/df.
func farTails(t, df float64) float64 {
	square := float64(t * t)
	density := Exp(-square/2) * math.Sqrt(2/math.Pi)
	return Erfc(t/math.Sqrt2) + float64(density*float64(t*(square+1)))/(4*df)
}

// gammaRatio returns Γ(a + ½)/Γ(a).
func gammaRatio(a float64) float64 {
	below := 1.0
	for a < leastGammas { // Γ(a + ½)/Γ(a) = a/(a + ½) · Γ(a + 3/2)/Γ(a + 1)
		below = float64(below*a) / (a + 0.5)
		a++
	}
	square := float64(a * a)
	series := -1.0/8 + (1.0/192+(-1.0/640+17.0/14336/square)/square)/square
	return float64(below*math.Sqrt(a)) * Exp(series/a)
}

// betaFraction evaluates the continued fraction of the incomplete beta function (NIST Handbook, 8.17.22) by Lentz's
// method.
func betaFraction(x, a, b float64) float64 {
	kept := func(v float64) float64 {
		if math.Abs(v) < leastFactor {
			return leastFactor
		}
		return v
	}
	c, d := 1.0, 1/kept(1-float64((a+b)*x)/(a+1))
	f := d
	for i := 1.0; i < mostTerms; i++ {
		even := float64(float64(i*(b-i))*x) / float64((a+float64(2*i)-1)*(a+float64(2*i)))
		d, c = 1/kept(1+float64(even*d)), kept(1+even/c)
		f = float64(float64(f*d) * c)
		odd := -float64(float64((a+i)*(a+b+i))*x) / float64((a+float64(2*i))*(a+float64(2*i)+1))
		d, c = 1/kept(1+float64(odd*d)), kept(1+odd/c)
		step := float64(d * c)
		f = float64(f * step)
		if math.Abs(step-1) < nearlyEqual {
			break
		}
	}
	return f
}

// StudentQuantile returns t such that an absolute value of at least t has the probability tails, for 0 < tails < 1.
func StudentQuantile(tails, df float64) float64 {
	if !(tails > 0 && tails < 1) || !(df > 0) {
		return math.NaN()
	}
	low, high := 0.0, 1.0
	for StudentTails(high, df) > tails {
		low, high = high, float64(2*high)
	}
	for range bisections {
		middle := low + float64((high-low)/2)
		if middle == low || middle == high {
			break
		}
		if StudentTails(middle, df) > tails {
			low = middle
		} else {
			high = middle
		}
	}
	return high
}
