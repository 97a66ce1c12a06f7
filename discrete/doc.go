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
// One draw from each of many short-lived distributions is Binary's case on a
// CPU (Linear's for a few outcomes) and Butterfly's on a SIMD machine; a
// distribution drawn from again and again is Alias's.
//
// # Order
//
// A method in prefix order returns the smallest k whose prefix sum
// p_k = a_0 + … + a_k exceeds u σ. Methods in prefix order therefore agree on
// every u as long as the sums are exact, for example for weights that are whole
// numbers with σ at most 2^24 (float32) or 2^53 (float64). Where sums must be
// rounded, each method rounds in its own order, and two of them may differ for
// a u that lies within the rounding error of a prefix sum.
//
// # Weights
//
// Weights are finite and not negative, at least one is positive, and their sum
// is finite. Check says whether a slice of weights obeys these rules; building
// from one that does not is a programmer's fault and panics. An outcome of
// weight zero is never drawn, whatever the rounding.
package discrete

// Float is the type of weights and of random numbers.
type Float interface{ float32 | float64 }

// Sampler draws from one distribution. The zero value of every implementation
// is ready to be built; building again reuses its memory. A built Sampler may
// be drawn from by several goroutines at once.
type Sampler[F Float] interface {
	// Build takes the weights of all outcomes. It keeps no reference to them.
	Build(weights []F)

	// Draw returns the outcome for u in [0, 1): the same u gives the same
	// outcome. It panics before the first Build.
	Draw(u F) int
}

// Many draws one outcome from each of several distributions over the same K
// outcomes, as a SIMD machine does: one distribution per lane.
type Many[F Float] interface {
	// Build takes the weights of each lane: weights[r][k], at least one row and
	// all of the same length K. It keeps no reference to them.
	Build(weights [][]F)

	// Draw stores in dst[r] the outcome of lane r for u[r] in [0, 1). Both
	// slices have one element per lane built.
	Draw(dst []int, u []F)
}
