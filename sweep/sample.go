package sweep

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/topoi-lda/topoi/corpus"
	"github.com/topoi-lda/topoi/internal/rng"
)

// Sampled says what a sampled corpus is a sample of. The zero value is a corpus that is
// none.
type Sampled struct {
	Share       float64 `json:"share,omitempty"` // of the documents
	Seed        uint64  `json:"seed,omitempty"`
	Docs        int     `json:"docs,omitempty"`        // of the whole corpus
	Tokens      int     `json:"tokens,omitempty"`      // likewise
	Fingerprint string  `json:"fingerprint,omitempty"` // likewise
}

// forSample is the purpose of the random numbers that choose the documents of a sample.
const forSample = 0x73616d70

// Sample returns a random share of the documents, in their order, over the same
// vocabulary. It depends on the number of documents, the share and the seed alone, and a
// smaller sample is part of a larger one.
func Sample(c *corpus.Corpus, share float64, seed uint64) (*corpus.Corpus, Sampled, error) {
	if !(share > 0 && share < 1) {
		return nil, Sampled{}, fmt.Errorf("the share of documents to sample is %v: it must be above 0 and below 1", share)
	}
	n := int(share * float64(c.NumDocs()))
	if n < 2 || c.NumDocs() > corpus.MaxSelect {
		return nil, Sampled{}, fmt.Errorf("%v of %d documents cannot be sampled", share, c.NumDocs())
	}
	type keyed struct {
		key uint64
		doc uint32
	}
	key, list := rng.NewKey(seed), make([]keyed, c.NumDocs())
	for d := range list {
		b := key.Block(uint32(d), 0, 0, forSample)
		list[d] = keyed{uint64(b[0])<<32 | uint64(b[1]), uint32(d)}
	}
	slices.SortFunc(list, func(a, b keyed) int { return cmp.Or(cmp.Compare(a.key, b.key), cmp.Compare(a.doc, b.doc)) })
	docs := make([]uint32, n)
	for i := range docs {
		docs[i] = list[i].doc
	}
	slices.Sort(docs)
	return c.Select(docs), Sampled{share, seed, c.NumDocs(), c.NumTokens(), c.Fingerprint()}, nil
}
