package corpus

// Corpus is a read-only collection of documents. It is safe for use by many
// goroutines. Slices returned by its methods belong to the corpus and must
// not be changed; when the corpus was opened from a file they point into the
// memory map and are invalid after Close.
type Corpus struct {
	offsets []uint64 // D+1 values: document d is tokens[offsets[d]:offsets[d+1]]
	tokens  []uint32 // N word ids, sorted inside each document

	words  Strings // V words, indexed by word id
	ids    Strings // D document ids, or empty when the input had none
	labels Strings // D labels, or empty when the input had none
	times  Strings // D times as written in the input, or empty

	pipeline    []byte // the text pipeline's options as JSON, empty when the input came tokenised
	fingerprint string // hash of the content, see Fingerprint

	close func() error // releases the memory map; nil for a corpus in memory
}

// NumDocs returns D, the number of documents, empty ones included.
func (c *Corpus) NumDocs() int { return len(c.offsets) - 1 }

// NumWords returns V, the size of the vocabulary.
func (c *Corpus) NumWords() int { return c.words.Len() }

// NumTokens returns N, the number of tokens in all documents.
func (c *Corpus) NumTokens() int { return len(c.tokens) }

// Offsets returns the D+1 positions at which documents begin in Tokens.
func (c *Corpus) Offsets() []uint64 { return c.offsets }

// Tokens returns the N word ids of all documents, one after the other.
func (c *Corpus) Tokens() []uint32 { return c.tokens }

// Doc returns the sorted word ids of document d.
func (c *Corpus) Doc(d int) []uint32 { return c.tokens[c.offsets[d]:c.offsets[d+1]] }

// Words returns the vocabulary, indexed by word id.
func (c *Corpus) Words() Strings { return c.words }

// Word returns the word with id w.
func (c *Corpus) Word(w int) string { return c.words.At(w) }

// Close releases the memory map of a corpus opened from a file. The corpus
// and everything obtained from it must not be used afterwards.
func (c *Corpus) Close() error {
	if c.close == nil {
		return nil
	}
	return c.close()
}
