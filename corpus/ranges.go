package corpus

import (
	"errors"
	"fmt"
	"slices"

	"github.com/topoi-lda/topoi/corpus/internal/format"
	"github.com/topoi-lda/topoi/internal/mapfile"
)

// remoteTokens are the tokens of a corpus file that are read when they are needed.
type remoteTokens struct {
	read  func(b []byte, offset int64) error // fills b from the file
	begin int64                              // of the section of tokens
}

// OpenRanges opens a corpus file of the given size that lies elsewhere, for workers that train on a part of it. read
// fills b from a place of the file. OpenRanges reads where documents begin, and the words. [Corpus.ReadTokens] reads
// tokens; so does [Corpus.Gather] of a selection, whose documents can then be used as ever. Ids, labels and all else of
// documents are left out. path is used in messages only.
func OpenRanges(path string, size int64, read func(b []byte, offset int64) error) (*Corpus, error) {
	head := make([]byte, min(size, int64(format.TableEnd(format.MaxSections))))
	if err := read(head, 0); err != nil {
		return nil, err
	}
	h, err := format.Decode(head, uint64(size))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	d := decoder{header: h, loaded: map[string][]byte{}}
	c := &Corpus{remoteTokens: &remoteTokens{read: read}, fingerprint: fingerprintOf(h)}
	for _, s := range h.Sections {
		switch s.Name {
		case format.Offsets, format.Words + format.SuffixEnds, format.Words + format.SuffixBytes, format.Pipeline,
			format.Copies:
			b := mapfile.Aligned(int(s.Size))
			if err := read(b, int64(s.Offset)); err != nil {
				return nil, err
			}
			if d.loaded[s.Name] = b; format.DigestOf(b) != s.Digest && d.err == nil {
				d.err = format.Fault(s)
			}
		case format.Tokens:
			c.remoteTokens.begin = int64(s.Offset)
		}
	}
	c.offsets, c.words = mapfile.View[uint64](d.array(format.Offsets, h.Docs, 1, 8)),
		d.strings(format.Words, h.Words, false)
	c.pipeline, c.copyList = d.bytes(format.Pipeline), d.copies(h.Docs)
	if d.array(format.Tokens, h.Tokens, 0, 4); d.err == nil &&
		(!slices.IsSorted(c.offsets) || c.offsets[0] != 0 || c.offsets[h.Docs] != h.Tokens) {
		d.err = errors.New("the documents do not follow each other")
	}
	if d.err != nil {
		return nil, fmt.Errorf("%s: %w: %w; copy or import it again", path, ErrDamaged, d.err)
	}
	return c, nil
}

// Ranged reports whether the corpus was opened by [OpenRanges].
func (r *remoteTokens) Ranged() bool { return r != nil }

// ReadTokens returns the tokens lo, …, hi-1, as [Corpus.TokensBetween] does. It reads them if the corpus was opened by
// [OpenRanges].
func (c *Corpus) ReadTokens(lo, hi int) ([]uint32, error) {
	if c.remoteTokens == nil {
		return c.TokensBetween(lo, hi), nil
	}
	raw := mapfile.Aligned(4 * (hi - lo))
	err := c.remoteTokens.read(raw, c.remoteTokens.begin+4*int64(lo))
	tokens := mapfile.View[uint32](raw)
	if err == nil && hi > lo && int(slices.Max(tokens)) >= c.NumWords() {
		err = fmt.Errorf("%w: a token is no word of the vocabulary; copy or import it again", ErrDamaged)
	}
	return tokens, err
}
