// Package hyper fits the Dirichlet parameters of a topic model to its counts,
// and evaluates the joint likelihood of words and topics. Both read nothing but
// counts.Histograms: integers, so that a result depends neither on the number
// of threads nor on the order in which they counted. The parameters do not
// depend on the machine either: they are computed by the four basic operations
// of IEEE 754 alone, and a conversion around each product that is added to
// something keeps the compiler from fusing the two.
//
// Letters are those of package sampler; A = Σ_k α_k, and N_d is the length of
// document d.
package hyper
