// Package cluster is a worker of a job in which many workers train one model through a store. A session runs the
// machines of package protocol, with package exchange as their hands, until the model is complete.
// docs/internals/cluster.md says how a cluster works.
//
// The corpus is cut into parts by documents and the vocabulary into slices by words. In a round every part is sampled
// once, by whichever worker has it, and what it changed in each slice is written as one blob whose key names round,
// slice and part. Everything is a function of corpus, options and seed, so a blob written twice, or by two workers,
// is the same blob: who does what decides how fast a job goes, never what comes out.
package cluster
