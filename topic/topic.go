// Package topic has what packages below and above topoi say of topics in common, so
// that models of other programs can be given to rank, topicmap and eval.
package topic

// Count is how often a topic occurs where it occurs at all: n_wk in the row of a word w,
// n_dk in that of a document d.
type Count struct {
	Topic uint32 // k
	Count uint32 // never 0
}
