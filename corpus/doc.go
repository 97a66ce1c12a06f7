// Package corpus holds what a topic model is trained on: D documents over a
// vocabulary of V words, N tokens in all.
//
// A corpus lives in one file that is written once, whole or not at all, and
// memory-mapped afterwards ([Open]). [Import] makes such a file from raw text
// or from any of the usual corpus formats, in bounded memory however large the
// input; [Load] does the same and opens the result; [Generate] draws a
// synthetic corpus. [FromTexts], [FromTokens], [FromIDs] and [Builder] make small corpora in
// memory, which [Corpus.Save] can write.
//
// Inside a document the tokens are sorted by word id. Documents keep their
// number even when they are empty, so document d of the input is document d
// of every output; the user's ids, labels and times go along.
//
// Package source reads the formats, package text cuts text into tokens; this
// package numbers words, prunes them, finds phrases and keeps the result.
// docs/formats.md has the grammar of the file.
package corpus
