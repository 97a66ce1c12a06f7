package cvb

import "github.com/topoi-lda/topoi/internal/sampler"

// Info describes cvb. The zero-order form with full steps is zeroCVB, the others are in reference.go.
var Info = sampler.Info{
	Near:    1,
	Name:    "cvb",
	Summary: "collapsed variational Bayes on the grid, with variances or zero-order",
	Cost:    "O(K)",
	Source:  "Teh, Newman & Welling 2007; Yan, Xu & Qi 2009, §3.2",
	MaxK:    1 << 16,
	Guided:  isZero,
	Tables: func(p *sampler.Problem) uint64 {
		if isZero(p) {
			return zeroTables(p)
		}
		return cvbTables(p)
	},
	New: func(p *sampler.Problem) (sampler.Sampler, error) {
		if isZero(p) {
			return newZeroCVB(p)
		}
		return newCVB(p)
	},
	NewOn: newZeroOn,
	Busy:  isZero,
}
