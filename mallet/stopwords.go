package mallet

import (
	_ "embed"
	"strings"
)

// smartWords are the English stop words of the SMART system (Salton and Buckley, Cornell University),
// which are public, without those that have an apostrophe. What remains of a text without them is what
// remains without MALLET's list, which has the same words, 524 with one that stands there twice.
//
//go:embed stopwords.txt
var smartWords string

// stopWords returns the stop words of --remove-stopwords.
func stopWords() []string { return strings.Fields(smartWords) }
