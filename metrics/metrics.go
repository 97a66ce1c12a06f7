// Package metrics computes the measures by which people choose the number of topics: how well a model
// predicts documents that it has not seen, how well its topics read, how far they are from each other, and
// how they describe the corpus. [All] lists them with unit, formula and source.
//
// With K topics, V words, D documents and N training tokens, n_wk the tokens of word w in
// topic k, n_k = Σ_w n_wk, n_dk those of document d, and the priors α and β,
//
//	φ_wk = (n_wk + β)/(n_k + Vβ),   θ_dk = (n_dk + α_k)/(N_d + Σα).
//
// Logarithms are natural. No measure forms the K × V table: all follow from the non-zero counts, and all
// but one from a single pass over them. Results are the same bits for any number of threads.
//
// None of the measures is the right one. docs/choosing.md relies on held-out prediction and on stability over
// seeds (package stability). The others are there because people know them, and to show where they disagree.
package metrics

import (
	"math"
	"slices"
)

// Direction says which values of a metric are better.
type Direction string

// The directions.
const (
	Higher Direction = "higher"
	Lower  Direction = "lower"
)

// The names of the metrics, which are the columns of tables.
const (
	HeldOut     = "heldout"
	NPMI        = "npmi"
	CV          = "c_v"
	UMass       = "umass"
	Exclusivity = "exclusivity"
	Diversity   = "diversity"
	InvertedRBO = "inverted_rbo"
	Stability   = "stability"
	CaoJuan     = "cao_juan_2009"
	Arun        = "arun_2010"
	Deveaud     = "deveaud_2014"
	Griffiths   = "griffiths_2004"
	Seconds     = "seconds"
)

// Metric describes one measure of a model.
type Metric struct {
	Name     string    `json:"name"`  // the column of tables
	Title    string    `json:"title"` // for people
	Unit     string    `json:"unit"`
	Better   Direction `json:"better"`
	PerTopic bool      `json:"per_topic"` // whether every topic has a value; the model's value is their mean
	Formula  string    `json:"formula"`
	Source   string    `json:"source"`
}

// All lists the metrics in the order of tables. Stability and Seconds do not describe a single model: the
// first compares several (package stability), the second describes a run.
func All() []Metric {
	return []Metric{
		{
			HeldOut, "held-out", "nats per token", Higher, false,
			"mean of log Σ_k θ_k φ_wk over every other token of documents not trained on, θ folded in from the rest",
			"Wallach, Murray, Salakhutdinov, Mimno, Evaluation methods for topic models, ICML 2009, section 5.1",
		},
		{
			Stability, "stability over seeds", "Jaccard index, 0 to 1", Higher, true,
			"mean over the other seeds, and over topics matched by the Hungarian method, of |T ∩ T'|/|T ∪ T'|, T the 20 most probable words",
			"Greene, O'Callaghan, Cunningham, How many topics? Stability analysis for topic models, ECML PKDD 2014",
		},
		{
			NPMI, "NPMI coherence", "-1 to 1", Higher, true,
			"mean over pairs of the 10 top words of log (p(i,j)/(p(i)p(j)))/−log p(i,j), p the share of training documents",
			"Lau, Newman, Baldwin, Machine reading tea leaves, EACL 2014",
		},
		{
			CV, "C_V coherence", "-1 to 1", Higher, true,
			"mean over the 10 top words i of cos(v_i, Σ_j v_j), v_ij = NPMI(i,j) with ε = 10⁻¹², windows are whole training documents",
			"Röder, Both, Hinneburg, Exploring the space of topic coherence measures, WSDM 2015",
		},
		{
			UMass, "UMass coherence", "nats per pair", Higher, true,
			"mean over pairs i > j of the 10 top words of log (D(i,j) + 1)/D(j), D training documents that hold them",
			"Mimno, Wallach, Talley, Leenders, McCallum, Optimizing semantic coherence in topic models, EMNLP 2011",
		},
		{
			Exclusivity, "exclusivity", "0 to 10", Higher, true,
			"Σ over the 10 top words of 1/(0.7/R_ex + 0.3/R_fr), ranks/V of φ_wk/Σ_j φ_wj and of φ_wk in the topic",
			"Roberts et al., Structural topic models for open-ended survey responses, AJPS 2014; R package stm",
		},
		{
			Diversity, "diversity", "share of top words", Higher, false,
			"distinct words among the 10 top words of all topics, divided by their number",
			"Dieng, Ruiz, Blei, Topic modeling in embedding spaces, TACL 2020",
		},
		{
			InvertedRBO, "inverted RBO", "0 to 1", Higher, false,
			"1 − mean over pairs of topics of the extrapolated rank-biased overlap of their 10 top words, p = 0.9",
			"Webber, Moffat, Zobel, A similarity measure for indefinite rankings, TOIS 2010, Eq. 32; Bianchi, Terragni, Hovy, ACL 2021",
		},
		{
			CaoJuan, "Cao Juan 2009", "cosine, 0 to 1", Lower, false,
			"mean over i < j of cos(φ_i, φ_j)",
			"Cao, Xia, Li, Zhang, Tang, A density-based method for adaptive LDA model selection, Neurocomputing 2009",
		},
		{
			Arun, "Arun 2010", "nats", Lower, false,
			"Σ (σ − L)(log σ − log L), σ the singular values of φ and L = Σ_d N_d θ_d, both sorted and of sum 1",
			"Arun, Suresh, Veni Madhavan, Narasimha Murthy, On finding the natural number of topics with LDA, PAKDD 2010",
		},
		{
			Deveaud, "Deveaud 2014", "nats", Higher, false,
			"Σ over i < j of ½(KL(φ_i‖φ_j) + KL(φ_j‖φ_i)), divided by K(K−1)",
			"Deveaud, SanJuan, Bellot, Accurate and effective latent concept modeling for ad hoc IR, 2014; R package ldatuning",
		},
		{
			Griffiths, "Griffiths 2004", "nats", Higher, false,
			"−log mean of exp(−ℓ) over states in the second half of the sweeps, ℓ = log p(w | z, β)",
			"Griffiths, Steyvers, Finding scientific topics, PNAS 2004",
		},
		{
			Seconds, "seconds", "s", Lower, false,
			"time spent in sweeps and estimation of priors, not in scoring and saving",
			"",
		},
	}
}

// Griffiths2004 returns the logarithm of the harmonic mean of exp(ℓ) over states of a chain after burn-in,
// ℓ = log p(w | z, β) in nats. It is an estimate of log p(w | K). With the median med of ℓ it is
//
//	med − log mean exp(med − ℓ),
//
// or NaN without states. The estimator has an infinite variance in general, and the worst state dominates
// it. It is here because people know it.
func Griffiths2004(states []float64) float64 {
	if len(states) == 0 {
		return math.NaN()
	}
	sorted := slices.Sorted(slices.Values(states))
	middle := sorted[len(sorted)/2]
	// The worst state has the largest term: it is taken out, so that nothing overflows.
	worst, sum := middle-sorted[0], 0.0
	for _, l := range sorted {
		sum += math.Exp(middle - l - worst)
	}
	return middle - worst - math.Log(sum/float64(len(sorted)))
}
