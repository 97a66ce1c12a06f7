package counts

import (
	"iter"
	"slices"

	"github.com/topoi-lda/topoi/internal/lists"
	"github.com/topoi-lda/topoi/topic"
)

// columnsMost is the largest number of elements that Columns holds at a time: 256 MB. A larger column is held alone.
const columnsMost = 1 << 25

// SparseRows holds the rows of n_wk, one after the other.
type SparseRows struct {
	Topics  int      // K
	Ends    []uint64 // V: where the row of word w ends in Entries
	Entries []topic.Count
}

// Row returns the topics of word w, nil if there is no such word.
func (r SparseRows) Row(w int) []topic.Count {
	if w < 0 || w >= len(r.Ends) {
		return nil
	}
	begin := uint64(0)
	if w > 0 {
		begin = r.Ends[w-1]
	}
	return r.Entries[begin:r.Ends[w]:r.Ends[w]]
}

// Columns yields topics with their non-zero n_wk in increasing word order. It yields the given topics in the given
// order, or all of them if topics is nil; topics that do not exist are left out. A slice is valid until the next one.
// SparseRows are turned into columns in parts, with one pass over all rows for every 256 MB of columns and one more, so
// that memory grows only with K (8 bytes a topic).
func (r SparseRows) Columns(topics []int) iter.Seq2[int, []topic.WordCount] {
	return r.columns(topics, columnsMost)
}

func (r SparseRows) columns(topics []int, most int) iter.Seq2[int, []topic.WordCount] {
	return func(yield func(int, []topic.WordCount) bool) {
		if topics == nil {
			topics = lists.Upto(r.Topics)
		} else {
			topics = r.existing(topics)
		}
		sizes := make([]uint32, r.Topics)
		for _, e := range r.Entries {
			sizes[e.Topic]++
		}
		c := columnRun{place: make([]uint32, r.Topics)}
		for rest := topics; len(rest) > 0; {
			n, elements := 0, 0
			for n < len(rest) && c.place[rest[n]] == 0 && (n == 0 || elements+int(sizes[rest[n]]) <= most) {
				elements += int(sizes[rest[n]])
				n++
				c.place[rest[n-1]] = uint32(n)
			}
			c.gather(r, rest[:n], sizes)
			for i, k := range rest[:n] {
				if !yield(k, c.column(i)) {
					return
				}
			}
			rest = rest[n:]
		}
	}
}

// existing returns the topics that there are.
func (r SparseRows) existing(topics []int) []int {
	unknown := func(k int) bool { return k < 0 || k >= r.Topics }
	if !slices.ContainsFunc(topics, unknown) {
		return topics
	}
	return slices.DeleteFunc(slices.Clone(topics), unknown)
}

// columnRun holds the columns of some topics.
type columnRun struct {
	place    []uint32 // K: 1 + the topic's number in the run, or 0
	ends     []int    // end of each column in elements
	elements []topic.WordCount
}

func (c *columnRun) column(i int) []topic.WordCount {
	begin := 0
	if i > 0 {
		begin = c.ends[i-1]
	}
	return c.elements[begin:c.ends[i]:c.ends[i]]
}

// gather makes the columns of the given topics, which are distinct and have their places.
func (c *columnRun) gather(r SparseRows, topics []int, sizes []uint32) {
	c.ends = c.ends[:0]
	end := 0
	for _, k := range topics {
		c.ends = append(c.ends, end) // the column's beginning, until it is filled
		end += int(sizes[k])
	}
	c.elements = slices.Grow(c.elements[:0], end)[:end]
	for w := range r.Ends {
		for _, e := range r.Row(w) {
			if i := c.place[e.Topic]; i > 0 {
				c.elements[c.ends[i-1]] = topic.WordCount{Word: uint32(w), Count: e.Count}
				c.ends[i-1]++
			}
		}
	}
	for _, k := range topics {
		c.place[k] = 0
	}
}
