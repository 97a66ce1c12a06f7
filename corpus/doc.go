// Package corpus holds what a topic model is trained on: D documents over a
// vocabulary of V words, N tokens in all.
//
// A corpus lives in one file that is written once, whole or not at all, and
// memory-mapped afterwards ([Open]). [Import] makes such a file from raw text
// or from any of the usual corpus formats; [Load] does the same and opens the
// result; [FromTokens] builds a small corpus in memory.
//
// Inside a document the tokens are sorted by word id. Documents keep their
// number even when they are empty, so document d of the input is document d
// of every output.
package corpus
