package modelfile

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"

	"github.com/topoi-lda/topoi/corpus"
	"github.com/topoi-lda/topoi/internal/counts"
	"github.com/topoi-lda/topoi/internal/mapfile"
	"github.com/topoi-lda/topoi/internal/parallel"
	"github.com/topoi-lda/topoi/internal/topics"
	"github.com/topoi-lda/topoi/internal/wholefile"
	"github.com/topoi-lda/topoi/topic"
)

// Content holds the arrays of a model.
type Content struct {
	Words    corpus.Strings // V words
	Ends     []uint64       // V: row w of n_wk is Entries[Ends[w-1]:Ends[w]]
	Entries  []topic.Count  // the non-zero n_wk, by word, then by topic
	Totals   []uint64       // K: n_k
	Alpha    []float64      // K: α_k
	Pseudo   *counts.Pseudo // m_wk, which Entries and Totals include; may be nil
	Topics   topics.List    // N: z of every training token, corpus order
	Pipeline []byte         // the text options as JSON
}

// Rows returns the rows of n_wk.
func (c *Content) Rows() counts.SparseRows {
	return counts.SparseRows{Topics: len(c.Totals), Ends: c.Ends, Entries: c.Entries}
}

// TopicTokens returns the number of training tokens of every topic: Totals without pseudo-counts.
func (c *Content) TopicTokens() []uint64 {
	if c.Pseudo == nil {
		return c.Totals
	}
	tokens := make([]uint64, len(c.Totals))
	for k, n := range c.Pseudo.Totals() {
		tokens[k] = c.Totals[k] - n
	}
	return tokens
}

// EachChunk calls f with the bytes of the array of the given name, piece by piece.
func (c *Content) EachChunk(name string, f func([]byte) error) error {
	switch name {
	case Alpha:
		return f(mapfile.Bytes(c.Alpha))
	case Totals:
		return f(mapfile.Bytes(c.Totals))
	case RowEnds:
		return f(mapfile.Bytes(c.Ends))
	case Rows:
		return f(counts.BytesOf(c.Entries))
	case WordEnds:
		return f(mapfile.Bytes(c.wordEnds()))
	case Words:
		return c.eachWord(f)
	case Topics, TopicsWide:
		return c.Topics.EachChunk(len(c.Totals), f)
	case Pipeline:
		return f(c.Pipeline)
	case PseudoEnds, Pseudo:
		return c.eachPseudo(name == PseudoEnds, f)
	}
	panic("modelfile: no array " + name)
}

// wordEnds returns the end of every word in the bytes of all words.
func (c *Content) wordEnds() []uint64 {
	ends, end := make([]uint64, c.Words.Len()), uint64(0)
	for w := range ends {
		end += uint64(len(c.Words.Bytes(w)))
		ends[w] = end
	}
	return ends
}

// eachWord calls f with the words in pieces of about a megabyte.
func (c *Content) eachWord(f func([]byte) error) error {
	var buffer []byte
	for w := range c.Words.Len() {
		buffer = append(buffer, c.Words.Bytes(w)...)
		if len(buffer) > 1<<20 || w == c.Words.Len()-1 {
			if err := f(buffer); err != nil {
				return err
			}
			buffer = buffer[:0]
		}
	}
	return nil
}

// eachPseudo calls f with the ends of the rows of pseudo-counts, or with their entries.
func (c *Content) eachPseudo(ends bool, f func([]byte) error) error {
	end, buffer := uint64(0), []byte(nil)
	for w := range c.Pseudo.Words() {
		row := c.Pseudo.Row(w)
		if end += uint64(len(row)); ends {
			buffer = binary.LittleEndian.AppendUint64(buffer, end)
		} else {
			buffer = append(buffer, counts.BytesOf(row)...)
		}
	}
	return f(buffer)
}

// Describe hashes all arrays of a list.
func (c *Content) Describe(arrays []Array) {
	parallel.Each(len(arrays), func(i int) {
		s := wholefile.NewSummed(io.Discard)
		_ = c.EachChunk(arrays[i].Name, s.Put) // never fails
		arrays[i].set(s)
	})
}

// checkSizes makes the checks that cost O(K + V).
func (c *Content) checkSizes(tokens uint64) error {
	end := uint64(0)
	if len(c.Ends) > 0 {
		end = c.Ends[len(c.Ends)-1]
	}
	if end != uint64(len(c.Entries)) || !slices.IsSorted(c.Ends) {
		return fmt.Errorf("%s does not fit %s", RowEnds, Rows)
	}
	sum := uint64(0)
	for _, n := range c.Totals {
		sum += n
	}
	if sum != tokens {
		return fmt.Errorf("%s adds up to %d tokens, not %d", Totals, sum, tokens)
	}
	for k, a := range c.Alpha {
		if !(a > 0) || math.IsInf(a, 0) {
			return fmt.Errorf("α of topic %d is %v", k, a)
		}
	}
	return nil
}

// readPseudo sets the pseudo-counts from their arrays, and checks them against their number of tokens and the rows.
func (c *Content) readPseudo(ends []uint64, entries []topic.Count, tokens uint64) error {
	rows := c.Rows()
	for w := range ends {
		begin := uint64(0)
		if w > 0 {
			begin = ends[w-1]
		}
		if begin > ends[w] || ends[w] > uint64(len(entries)) {
			return fmt.Errorf("%s does not fit %s", PseudoEnds, Pseudo)
		}
		before := -1
		for _, e := range entries[begin:ends[w]] {
			if int(e.Topic) <= before || int(e.Topic) >= len(c.Totals) || e.Count == 0 ||
				e.Count > counts.CountIn(rows.Row(w), e.Topic) {
				return fmt.Errorf("%s does not fit %s at word %d", Pseudo, Rows, w)
			}
			before = int(e.Topic)
		}
	}
	c.Pseudo = counts.NewPseudo(len(ends), len(c.Totals), counts.SparseRows{
		Topics: len(c.Totals), Ends: ends,
		Entries: entries,
	}.Row)
	if c.Pseudo.Tokens() != tokens {
		return errors.New("the pseudo-counts do not add up to what the manifest says")
	}
	return nil
}

// Check checks that topics are in range, rows sorted, and that rows and assignments add up to the topic totals.
func (c *Content) Check() error {
	k := len(c.Totals)
	rows, wrong := counts.Totals(c.Rows(), len(c.Ends), k)
	if wrong >= 0 {
		return fmt.Errorf("the row of word %d is not sorted, or holds a topic beyond %d or a count of 0", wrong, k-1)
	}
	if !slices.Equal(rows, c.Totals) {
		return fmt.Errorf("the rows of %s do not add up to %s", Rows, Totals)
	}
	tokens, err := c.Topics.Count(k)
	if err != nil {
		return err
	}
	if !slices.Equal(tokens, c.TopicTokens()) {
		return fmt.Errorf("the topics of the tokens do not add up to %s", Totals)
	}
	return nil
}

// CheckWords checks that every word occurs in the documents as often as its row says.
func (c *Content) CheckWords(docs *corpus.Corpus) error {
	left, rows := make([]int64, len(c.Ends)), c.Rows()
	for w := range left {
		for _, e := range rows.Row(w) {
			left[w] += int64(e.Count)
		}
		left[w] -= int64(c.Pseudo.WordTokens(w))
	}
	for w, n := range Frequencies(docs) {
		left[w] -= int64(n)
	}
	for w, n := range left {
		if n != 0 {
			return fmt.Errorf("the row of word %d has %d tokens more than %s", w, n, Documents)
		}
	}
	return nil
}

// Of returns the content of the model restricted to some of its documents, whose tokens have the topics z. It returns
// ctx's error when ctx ends before.
func (c *Content) Of(ctx context.Context, docs *corpus.Corpus, z []uint32) (*Content, error) {
	part := &Content{
		Words: c.Words, Alpha: c.Alpha, Totals: make([]uint64, len(c.Totals)),
		Topics: topics.List{Wide: z},
	}
	table, begin := counts.NewTable(len(c.Totals), Frequencies(docs)), 0
	for d := range docs.NumDocs() {
		if d&0xfff == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		doc := docs.Doc(d)
		for i, w := range doc {
			k := z[begin+i]
			part.Totals[k]++
			table.Add(int(w), int(k), 1)
		}
		begin += len(doc)
	}
	part.Entries, part.Ends = counts.Gather(table, docs.NumWords(), 0)
	return part, nil
}

// LastDraw returns the content with the counts of the topics of tokens alone.
func (c *Content) LastDraw() *Content {
	last, rows := *c, c.Rows()
	last.Pseudo, last.Totals, last.Entries, last.Ends = nil, c.TopicTokens(), nil, make([]uint64, len(c.Ends))
	for w := range c.Ends {
		for _, e := range rows.Row(w) {
			if e.Count -= counts.CountIn(c.Pseudo.Row(w), e.Topic); e.Count > 0 {
				last.Entries = append(last.Entries, e)
			}
		}
		last.Ends[w] = uint64(len(last.Entries))
	}
	return &last
}

// Frequencies counts the tokens of every word.
func Frequencies(docs *corpus.Corpus) []uint64 {
	const piece = 1 << 22
	sum := make([]uint64, docs.NumWords())
	for lo := 0; lo < docs.NumTokens(); lo += piece {
		for _, w := range docs.TokensBetween(lo, min(docs.NumTokens(), lo+piece)) {
			sum[w]++
		}
		docs.Release(lo, min(docs.NumTokens(), lo+piece))
	}
	return sum
}

// Renumbering has the new number of each topic that has tokens.
type Renumbering []uint32

// DropEmpty removes topics without tokens from Totals and Alpha, and returns the new numbers of the others.
func (c *Content) DropEmpty() Renumbering {
	now, totals, alpha := make(Renumbering, len(c.Totals)), []uint64(nil), []float64(nil)
	for k, n := range c.Totals {
		now[k] = uint32(len(totals))
		if n > 0 {
			totals, alpha = append(totals, n), append(alpha, c.Alpha[k])
		}
	}
	c.Totals, c.Alpha = totals, alpha
	return now
}

// List returns the topics of tokens with their new numbers.
func (now Renumbering) List(z topics.List) topics.List {
	wide := make([]uint32, z.Len())
	for i := range wide {
		wide[i] = now[z.At(i)]
	}
	return topics.List{Wide: wide}
}

// From renumbers the topics of a row from element begin on. Topics keep their order.
func (now Renumbering) From(row []topic.Count, begin int) []topic.Count {
	for i := range row[begin:] {
		row[begin+i].Topic = now[row[begin+i].Topic]
	}
	return row
}

// Stream returns a state with the new numbers of topics.
func (now Renumbering) Stream(s Streamed) Streamed { return renumbered{s, now} }

type renumbered struct {
	Streamed
	now Renumbering
}

func (r renumbered) AppendRow(dst []topic.Count, w int) []topic.Count {
	return r.now.From(r.Streamed.AppendRow(dst, w), len(dst))
}

func (r renumbered) EachTopics(f func(begin int, z []uint32) error) error {
	return r.Streamed.EachTopics(func(begin int, z []uint32) error {
		return f(begin, r.now.List(topics.List{Wide: z}).Wide)
	})
}
