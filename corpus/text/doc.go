// Package text turns raw text into the tokens a topic model counts.
//
// A [Pipeline] made from [Options] does, in this order: removal of markup,
// normalisation (NFKC, case folding), cutting into words (Unicode word
// boundaries, UAX #29; Chinese by a dictionary, Japanese and Korean into
// overlapping pairs of characters), dropping of numbers and of words too short
// or too long, dropping of stop words, stemming, joining of phrases.
// docs/text.md explains each step, its default and the reason for it. [Detect]
// finds out whose stop words a text needs.
//
// The tokens of a text depend on the text and the options alone. Options are
// stored as JSON with a corpus, so that text seen later is treated as the text
// the model was trained on.
package text
