package modelfile

import (
	"github.com/topoi-lda/topoi/internal/topics"
	"github.com/topoi-lda/topoi/topic"
)

// Renumbering gives the new number of each topic that has tokens. Others have none.
type Renumbering []uint32

// DropEmpty leaves topics without tokens out of Totals and Alpha, and returns the numbers that the others get.
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

// List returns topics of tokens by their new numbers.
func (now Renumbering) List(z topics.List) topics.List {
	wide := make([]uint32, z.Len())
	for i := range wide {
		wide[i] = now[z.At(i)]
	}
	return topics.List{Wide: wide}
}

// From renumbers the topics of a row from an element on. Live topics keep their order.
func (now Renumbering) From(row []topic.Count, begin int) []topic.Count {
	for i := range row[begin:] {
		row[begin+i].Topic = now[row[begin+i].Topic]
	}
	return row
}

// Stream returns a state by the new numbers of topics.
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
