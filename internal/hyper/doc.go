// Package hyper fits the Dirichlet parameters of a topic model to its counts,
// and evaluates the joint likelihood of words and topics. Both read nothing but
// counts.Histograms: integers, so that a result depends neither on the number
// of threads nor on the order in which they counted.
//
// Letters are those of package sampler; A = Σ_k α_k, and N_d is the length of
// document d.
package hyper
