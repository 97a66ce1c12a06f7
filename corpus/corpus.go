// Package corpus holds the documents on which topic models are trained: D documents over a vocabulary of V
// words, with N tokens in all.
//
// A corpus is one file that is written once, whole or not at all, and memory-mapped afterwards ([Open]). [Import]
// makes such a file from raw text or from any of the usual corpus formats. It needs a bounded amount of memory,
// however large the input is. [Load] does the same and opens the result. [Generate] draws a synthetic corpus.
// [FromTexts], [FromTokens], [FromIDs] and [Builder] make small corpora in memory; [Corpus.Save] writes them.
//
// The tokens of a document are sorted by word id. Empty documents keep their number, so that document d of
// the input is document d of every output. Ids, labels and times of documents are kept as well.
//
// Package source reads the formats, and package text cuts text into tokens. This package numbers words,
// prunes them, finds phrases and stores the result. docs/formats.md has the grammar of the file.
package corpus

import (
	"encoding/json"
	"fmt"
	"sync"

	"github.com/topoi-lda/topoi/corpus/internal/copies"
	"github.com/topoi-lda/topoi/corpus/internal/format"
	"github.com/topoi-lda/topoi/corpus/text"
	"github.com/topoi-lda/topoi/internal/mapfile"
)

// Corpus is a read-only collection of documents. It is safe for use by many goroutines. Slices returned by
// its methods belong to the corpus and must not be changed. If the corpus was opened from a file, they
// point into the memory map and are invalid after Close.
type Corpus struct {
	offsets []uint64 // D+1 values: document d is tokens[offsets[d]:offsets[d+1]]
	tokens  []uint32 // N word ids, sorted inside each document; nil for a selection

	words Strings // V words, indexed by word id
	tags
	origin
	copyList      // which documents are copies of others
	*remoteTokens // where tokens are read from; nil unless they are elsewhere

	parts    []uint64   // offsets of the pieces of documents; nil if documents are not cut into pieces
	pipeline []byte     // the text pipeline's options as JSON; empty if the input was tokenised
	whole    *Corpus    // the corpus that this one is a view of; nil if it is not a view
	selected *selection // the tokens of a view made by Select; nil for all others

	fingerprint func() string // see Fingerprint; computed at most once
	file        *file         // the open file; nil for a corpus in memory and for a view
}

// copyList is embedded for its methods.
type copyList = copies.List

// newCorpus completes a corpus whose arrays are in place.
func newCorpus(c Corpus) *Corpus {
	p := &c
	p.fingerprint = sync.OnceValue(func() string { return format.Fingerprint(digestsOf(p)) })
	return p
}

// NumDocs returns D, the number of documents, empty ones included.
func (c *Corpus) NumDocs() int { return len(c.offsets) - 1 }

// NumWords returns V, the size of the vocabulary.
func (c *Corpus) NumWords() int { return c.words.Len() }

// NumTokens returns N, the number of tokens in all documents.
func (c *Corpus) NumTokens() int { return int(c.offsets[len(c.offsets)-1] - c.offsets[0]) }

// Offsets returns the D+1 positions at which documents begin in Tokens.
func (c *Corpus) Offsets() []uint64 { return c.offsets }

// Tokens returns the N word ids of all documents, one document after the other. The first call on a
// selection copies its tokens; see [Corpus.Gather].
func (c *Corpus) Tokens() []uint32 {
	if c.selected != nil {
		return c.selected.all()
	}
	return c.tokens
}

// Doc returns the sorted word ids of document d.
func (c *Corpus) Doc(d int) []uint32 {
	if c.selected != nil {
		return c.selected.doc(d)
	}
	return c.tokens[c.offsets[d]:c.offsets[d+1]]
}

// Words returns the vocabulary, indexed by word id.
func (c *Corpus) Words() Strings { return c.words }

// Word returns the word with id w.
func (c *Corpus) Word(w int) string { return c.words.At(w) }

// Pipeline returns the options of the text pipeline that cut the documents into tokens, as JSON, so that
// new text can be treated in the same way. It is empty if the input was tokenised.
func (c *Corpus) Pipeline() []byte { return c.pipeline }

// TextOptions returns the options that [Corpus.Pipeline] holds. ok is false, and they are the zero value,
// if the input was tokenised and has no phrases.
func (c *Corpus) TextOptions() (opts text.Options, ok bool, err error) {
	if len(c.pipeline) == 0 {
		return opts, false, nil
	}
	if err := json.Unmarshal(c.pipeline, &opts); err != nil {
		return opts, false, fmt.Errorf("the text options of the corpus cannot be read: %w", err)
	}
	return opts, true, nil
}

// Fingerprint identifies the content: words, documents, ids, labels and times. It depends neither on the
// path of the file nor on the way the corpus was made. Two corpora with the same fingerprint train the same
// model. Which documents are copies is part of it, if there are any. Text options, titles and snippets are not part of it, because they do not change a model.
//
// For a corpus opened from a file, the fingerprint is computed from the file's checksums. [Corpus.Verify]
// compares these with the content.
func (c *Corpus) Fingerprint() string { return c.fingerprint() }

// Close releases the memory map of a corpus opened from a file. The corpus
// and everything obtained from it must not be used afterwards.
func (c *Corpus) Close() error {
	if c.selected != nil {
		return c.selected.close()
	}
	if c.file == nil {
		return nil
	}
	return c.file.data.Close()
}

// namedStrings is a list of strings with the name of its sections.
type namedStrings struct {
	name string
	list Strings
}

// sectionsOf returns the lists of strings that a file of the corpus has, without absent ones.
func sectionsOf(c *Corpus) []namedStrings {
	all := []namedStrings{{format.Words, c.words}}
	for i, list := range c.tags.lists() {
		if list.Len() > 0 {
			all = append(all, namedStrings{tagSections[i], *list})
		}
	}
	for i, d := range c.columns {
		if d.Role == "" {
			all = append(all, namedStrings{columnSection(i), d.list})
		}
	}
	return all
}

// digestsOf returns the checksums that the content's sections have in a file.
func digestsOf(c *Corpus) map[string]format.Digest {
	m := map[string]format.Digest{
		format.Offsets: format.DigestOf(mapfile.Bytes(c.offsets)),
		format.Tokens:  format.DigestOf(mapfile.Bytes(c.Tokens())),
	}
	for _, l := range sectionsOf(c) {
		s := l.list.packed()
		m[l.name+format.SuffixEnds] = format.DigestOf(mapfile.Bytes(s.ends))
		m[l.name+format.SuffixBytes] = format.DigestOf(s.bytes)
	}
	if c.copyList != nil {
		m[format.Copies] = format.DigestOf(mapfile.Bytes(c.copyList))
	}
	return m
}
