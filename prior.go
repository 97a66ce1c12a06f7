package topoi

import "github.com/topoi-lda/topoi/analysis/effects"

// Values of Options.Prior.
const (
	PriorHDP    = "hdp"    // a hierarchical Dirichlet process finds the number of topics
	PriorLabels = "labels" // the topics of a document are those of its labels

	PriorCovariates = "covariates" // the topics of a document depend on its columns
)

// Priors lists the values of Options.Prior.
func Priors() []string { return []string{PriorHDP, PriorLabels, PriorCovariates} }

// MaxTopicsHDP is the default of Options.Topics with PriorHDP.
const MaxTopicsHDP = 1000

// Covariates is the prior of a model that was trained with PriorCovariates. A document whose columns give
// the numbers x has
//
//	α_k = exp(λ_k0 + Σ_f λ_kf (x_f − mean_f) / scale_f)
//
// A document that lacks a value has α_k = exp(λ_k0), which is Model.Alpha.
type Covariates struct {
	Coding effects.Coding `json:"coding"` // how columns become numbers
	Names  []string       `json:"names"`  // F names of the numbers; the first is the intercept
	Mean   []float64      `json:"mean"`   // F
	Scale  []float64      `json:"scale"`  // F
	Lambda [][]float64    `json:"lambda"` // K × F
}

// lambda returns λ, or nil without covariates.
func (c *Covariates) lambda() [][]float64 {
	if c == nil {
		return nil
	}
	return c.Lambda
}
