// Package limits has what an import takes for granted: in how many documents a word must be, and may be, if nobody says
// so, and how much an input of some size may declare.
package limits

import (
	"fmt"

	"github.com/topoi-lda/topoi/corpus/source"
	"github.com/topoi-lda/topoi/internal/human"
)

// By default, a corpus of text drops no rare words if it has fewer than smallCorpus documents, and no
// common ones if it has fewer than tinyCorpus.
const (
	smallCorpus = 100
	tinyCorpus  = 20
)

// MinDF returns the number of documents that a word of text must be in when corpus.ImportOptions.MinDF is
// 0. For a corpus of docs documents that is 1 below 100, 2 below 1,000, 3 below 10,000, else 5. A word in
// fewer documents cannot show with which words it occurs, and half of all words are in one document alone.
// If more than half of the tokens would be lost, the import takes a smaller number.
func MinDF(docs int64) int64 {
	switch {
	case docs < smallCorpus:
		return 1
	case docs < 1_000:
		return 2
	case docs < 10_000:
		return 3
	}
	return 5
}

// MaxDF returns the number of documents that a word of text may be in when corpus.ImportOptions.MaxDF is 0,
// for a corpus with the given numbers of documents and tokens. It is half of the documents; or nine tenths
// if they have more than 500 tokens on average, because long documents contain most of the common words of
// the language. Below 20 documents it is all of them.
func MaxDF(docs, tokens int64) int64 {
	switch {
	case docs < tinyCorpus:
		return docs
	case tokens > 500*docs:
		return docs * 9 / 10
	}
	return docs / 2
}

// An input may declare a fixed number of documents, ids and tokens, plus a number for each of its bytes as stored.
// Real corpora stay far below. A wrong or malicious header is refused before memory and disk are spent on it.
const (
	freeDocs, docsPerByte     = 1 << 20, 1 << 4  // empty lines, compressed
	freeIDs, idsPerByte       = 1 << 22, 1 << 10 // hashed ids use 2^24 and more
	freeTokens, tokensPerByte = 1 << 26, 1 << 8  // counts of thousands, compressed
)

// proportion returns an error if n is out of proportion to the input's size. It accepts any n from a source
// that does not know its size.
func proportion(src source.Source, what string, n, free, perByte int64) error {
	read, total := BytesRead(src)
	size := max(read, total)
	if n <= free || size == 0 || n/perByte <= size {
		return nil
	}
	return fmt.Errorf("the input has %s but refers to %s %s; check its header, ids and counts",
		human.Of(int(size), "byte"), human.Count(int(n)), what)
}

// Check returns an error if an input has too many documents or tokens for its size.
func Check(src source.Source, docs, tokens int64) error {
	if err := proportion(src, "documents", docs, freeDocs, docsPerByte); err != nil {
		return err
	}
	return proportion(src, "tokens", tokens, freeTokens, tokensPerByte)
}

// Words returns an error if an input has too large a number of a word for its size.
func Words(src source.Source, n int64) error {
	return proportion(src, "words", n, freeIDs, idsPerByte)
}

// BytesRead returns how many bytes of the input have been read and how many there are. Both are 0 if the
// source does not know.
func BytesRead(src source.Source) (read, total int64) {
	if r, ok := src.(interface{ Progress() (read, total int64) }); ok {
		return r.Progress()
	}
	return 0, 0
}
