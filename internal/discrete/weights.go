// Package discrete draws from discrete distributions given by relative weights:
// outcome k of K is drawn with probability a_k / σ, where σ = Σ_k a_k.
//
// All methods are built from weights and then turn a uniform random number u in
// [0, 1) into an outcome. They differ in what building and drawing cost:
//
//	method        build    draw            memory   order
//	Linear        K        K/2             K        prefix
//	Binary        K        log K           K        prefix
//	Alias         K        1               2 K      none
//	Butterfly     K        log K           K        prefix
//
// One draw from each of many short-lived distributions is Binary's case on a CPU (Linear's for a few outcomes) and
// Butterfly's on a SIMD machine; a distribution drawn from again and again is Alias's.
//
// # Order
//
// A method in prefix order returns the smallest k whose prefix sum p_k = a_0 + … + a_k exceeds u σ. Methods in prefix
// order therefore agree on every u as long as the sums are exact, for example for weights that are whole numbers with
// σ at most 2^24 (float32) or 2^53 (float64). Where sums must be rounded, each method rounds in its own order, and
// two of them may differ for a u that lies within the rounding error of a prefix sum.
//
// # Weights
//
// Weights are finite and not negative, at least one is positive, and their sum is finite. Check says whether a slice
// of weights obeys these rules; building from one that does not is a programmer's fault and panics. An outcome of
// weight zero is never drawn, whatever the rounding.
package discrete

import (
	"errors"
	"fmt"
	"math"
)

// What can be wrong with weights, in the words of the panics.
const (
	faultNone     = "discrete: no weights"
	faultNegative = "discrete: negative weight"
	faultNaN      = "discrete: weight is not a number"
	faultInf      = "discrete: infinite weight"
	faultZero     = "discrete: all weights are zero"
	faultOverflow = "discrete: sum of weights overflows"

	faultU       = "discrete: u outside [0, 1)"
	faultUnbuilt = "discrete: Draw before Build"
	faultLanes   = "discrete: number of lanes does not match"
	faultRagged  = "discrete: lanes have different numbers of weights"
)

// Check returns nil if a distribution can be built from the weights, and
// otherwise an error that names the first weight at fault.
func Check[F Float](weights []F) error {
	fault, k := findFault(weights)
	switch {
	case fault == "":
		return nil
	case k < 0:
		return errors.New(fault)
	default:
		return fmt.Errorf("%s: a[%d] = %v", fault, k, weights[k])
	}
}

// findFault returns what is wrong with the weights and where (-1: with their sum), or an empty string.
func findFault[F Float](weights []F) (fault string, k int) {
	if len(weights) == 0 {
		return faultNone, -1
	}
	var sum F
	for k, a := range weights {
		switch {
		case a != a:
			return faultNaN, k
		case a < 0:
			return faultNegative, k
		case isInf(a):
			return faultInf, k
		}
		sum += a
	}
	switch {
	case sum == 0:
		return faultZero, -1
	case isInf(sum):
		return faultOverflow, -1
	}
	return "", -1
}

// mustBuild panics unless every weight was found not negative (which excludes NaN) and their sum, in whatever order
// the caller added them, is positive and finite. It is the cheap check of a build; the slow look for the reason is
// taken only on the way to the panic.
func mustBuild[F Float](weights []F, notNegative bool, sum F) {
	if notNegative && sum > 0 && !isInf(sum) {
		return
	}
	if fault, _ := findFault(weights); fault != "" {
		panic(fault)
	}
	panic(faultOverflow) // in the caller's order only
}

func isInf[F Float](x F) bool { return math.IsInf(float64(x), 1) }

// target returns u' = σ u, made smaller than σ where rounding would reach it
// (which happens only when σ is subnormal), so that some prefix sum exceeds it.
func target[F Float](u, sum F) F {
	if !(u >= 0 && u < 1) {
		panic(faultU)
	}
	if t := F(sum * u); t < sum {
		return t
	}
	return below(sum)
}

// below returns the largest F smaller than x > 0.
func below[F Float](x F) F {
	switch x := any(x).(type) {
	case float32:
		return F(math.Nextafter32(x, 0))
	case float64:
		return F(math.Nextafter(x, 0))
	}
	panic("unreachable")
}

// nearestPositive returns k if its weight is positive, otherwise the nearest
// smaller outcome with a positive weight, otherwise the nearest larger one.
//
// Methods that find prefix sums on the fly may reach the same sum along two paths with two roundings; a u' between
// the two leads to an outcome whose share of the sum is empty. Its neighbours with a share are as right for that u'
// as rounding allows.
func nearestPositive(k, n int, positive func(k int) bool) int {
	for i := min(k, n-1); i >= 0; i-- {
		if positive(i) {
			return i
		}
	}
	for i := k + 1; i < n; i++ {
		if positive(i) {
			return i
		}
	}
	panic(faultZero)
}

// Float is the type of weights and of random numbers.
type Float interface{ float32 | float64 }

// Sampler draws from one distribution. The zero value of every implementation is ready to be built; building again
// reuses its memory. A built Sampler may be drawn from by several goroutines at once.
type Sampler[F Float] interface {
	// Build takes the weights of all outcomes. It keeps no reference to them.
	Build(weights []F)

	// Draw returns the outcome for u in [0, 1): the same u gives the same outcome. It panics before the first Build.
	Draw(u F) int
}

// Many draws one outcome from each of several distributions over the same K
// outcomes, as a SIMD machine does: one distribution per lane.
type Many[F Float] interface {
	// Build takes the weights of each lane: weights[r][k], at least one row and
	// all of the same length K. It keeps no reference to them.
	Build(weights [][]F)

	// Draw stores in dst[r] the outcome of lane r for u[r] in [0, 1). Both slices have one element per lane built.
	Draw(dst []int, u []F)
}
