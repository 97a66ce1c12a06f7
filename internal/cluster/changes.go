package cluster

import (
	"context"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/topoi-lda/topoi/internal/blob"
	"github.com/topoi-lda/topoi/internal/counts"
	"github.com/topoi-lda/topoi/internal/sampler"
)

// changeRows are what a part changed, by its words, on their way into blobs: the changes
// of the part's word number i are entries[ends[i-1]:ends[i]].
type changeRows struct {
	ends    []int
	entries []counts.Change
}

func (c *changeRows) row(i int) []counts.Change {
	begin := 0
	if i > 0 {
		begin = c.ends[i-1]
	}
	return c.entries[begin:c.ends[i]]
}

// append adds the changes of the next word.
func (c *changeRows) append(changes []counts.Change) {
	c.entries = append(c.entries, changes...)
	c.ends = append(c.ends, len(c.entries))
}

// collect takes what the last round of a part changed, by several goroutines.
func (c *changeRows) collect(part sampler.Part, threads int) {
	words := part.Words()
	n := min(8*threads, len(words))
	runs := make([]changeRows, n)
	var next atomic.Int64
	var group sync.WaitGroup
	for range threads {
		group.Go(func() {
			for {
				i := int(next.Add(1)) - 1
				if i >= n {
					return
				}
				lo, hi := len(words)*i/n, len(words)*(i+1)/n
				run, at := &runs[i], lo
				part.Changes(lo, hi, func(w uint32, changes []counts.Change) {
					for words[at] != w {
						at++
					}
					run.fill(at - lo)
					run.append(changes)
				})
				run.fill(hi - lo)
			}
		})
	}
	group.Wait()
	for _, run := range runs {
		begin := len(c.entries)
		c.entries = append(c.entries, run.entries...)
		for _, end := range run.ends {
			c.ends = append(c.ends, begin+end)
		}
	}
}

// fill gives the words up to the given number that are left no changes.
func (c *changeRows) fill(words int) {
	for len(c.ends) < words {
		c.ends = append(c.ends, len(c.entries))
	}
}

// countPart counts the rows of a part's own tokens as blobs of counts, one per
// slice. words are those of its tokens, z their topics.
func countPart(ctx context.Context, words, z []uint32, cut *cut, topics int, id func(slice int) blob.ID) ([][]byte, error) {
	begins := make([]int, len(cut.slice)+1)
	for _, w := range words {
		begins[w+1]++
	}
	for w := range cut.slice {
		begins[w+1] += begins[w]
	}
	next := append([]int(nil), begins[:len(cut.slice)]...)
	sorted := make([]uint32, len(z)) // topics by word
	for i, w := range words {
		sorted[next[w]] = z[i]
		next[w]++
	}
	row := make([]counts.Entry, 0, topics)
	count := make([]uint32, topics)
	blobs := make([][]byte, len(cut.words))
	var e blob.Encoder
	for i := range blobs {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		e.Begin(nil, id(i))
		for _, w := range cut.words[i] {
			row = countTopics(row[:0], count, sorted[begins[w]:begins[w+1]])
			e.Counts(w, row)
		}
		blobs[i] = e.Finish()
	}
	return blobs, nil
}

// countTopics appends how often each topic occurs in z. count is zero before and
// after.
func countTopics(row []counts.Entry, count []uint32, z []uint32) []counts.Entry {
	for _, k := range z {
		count[k]++
	}
	if len(z) > len(count)/8 {
		for k, n := range count {
			if n > 0 {
				row = append(row, counts.Entry{Topic: uint32(k), Count: n})
			}
		}
		clear(count)
		return row
	}
	slices.Sort(z)
	for _, k := range z {
		if count[k] > 0 {
			row = append(row, counts.Entry{Topic: k, Count: count[k]})
			count[k] = 0
		}
	}
	return row
}
