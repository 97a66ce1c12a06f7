// Package mallet stands in for the topic models of MALLET (McCallum 2002): its
// commands import-file, import-dir, import-svmlight, train-topics, infer-topics and
// evaluate-topics, with its options, its defaults (those of release 2.0.8) and its
// output files. So programs that call MALLET can call topoi instead.
//
// Each command is a type: Flags defines its options, Check returns all faults, Run does
// the work. What MALLET keeps as Java objects is a file or directory of topoi: a
// corpus in place of an instance list, a model in place of a model, an inferencer and
// an evaluator. An option that topoi cannot honour is refused in a sentence; what it
// does in another way is said once. docs/mallet.md lists both.
package mallet
