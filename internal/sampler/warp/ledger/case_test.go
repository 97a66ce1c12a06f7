package ledger

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/topoi-lda/topoi/internal/blob"
	"github.com/topoi-lda/topoi/internal/counts"
	"github.com/topoi-lda/topoi/internal/sampler/samplertest"
)

// ledgerCase is a corpus of words alone, cut into parts, whose tokens move from topic to topic.
type ledgerCase struct {
	topics, words int
	begins        []int        // of slices
	frequencies   []uint64     // of words
	parts         []ledgerPart // at least one
}

// ledgerPart is the tokens of a part, word after word.
type ledgerPart struct {
	frequencies []uint32 // V
	old, now    []uint16 // topics
}

// randomCase makes a case with words that do not occur, rare ones and frequent ones, of which some move together.
func randomCase(seed uint64) *ledgerCase {
	r := rand.New(rand.NewPCG(seed, 21))
	c := &ledgerCase{topics: []int{1, 2, 7, 31, 32, 33, 100, 257, 1000, 1024, 4099}[r.IntN(11)], words: 1 + r.IntN(40)}
	if seed%16 == 5 {
		c.words = 300 // gaps of two bytes
	}
	c.frequencies = make([]uint64, c.words)
	c.parts = make([]ledgerPart, 1+r.IntN(3))
	for i := range c.parts {
		c.parts[i].frequencies = make([]uint32, c.words)
	}
	for w := range c.words {
		most := []int{0, 1, 5, c.topics, 2 * c.topics, 5000}[r.IntN(6)]
		if c.words > 100 && r.IntN(8) > 0 {
			most = 0
		}
		for i := range c.parts {
			n := r.IntN(most + 1)
			c.parts[i].add(r, w, n, c.topics)
			c.frequencies[w] += uint64(n)
		}
	}
	c.begins = []int{0}
	for range r.IntN(4) {
		c.begins = append(c.begins, r.IntN(c.words+1))
	}
	c.begins = append(c.begins, c.words)
	slices.Sort(c.begins)
	return c
}

// add adds n tokens of a word. They stay, move anywhere, to neighbouring topics, or all to one.
func (p *ledgerPart) add(r *rand.Rand, w, n, topics int) {
	p.frequencies[w] = uint32(n)
	way, to, from := r.IntN(5), uint16(r.IntN(topics)), uint16(r.IntN(topics))
	for range n {
		old := uint16(r.IntN(topics))
		now := old
		switch {
		case way == 0:
			old, now = from, to
		case way == 1:
			now = uint16(r.IntN(topics))
		case way == 2 && r.IntN(4) == 0:
			now = uint16((int(old) + r.IntN(3)) % topics)
		case way == 3 && r.IntN(50) == 0:
			now = to
		}
		p.old, p.now = append(p.old, old), append(p.now, now)
	}
}

// table counts topics: V × K.
func (c *ledgerCase) table(topics func(p *ledgerPart) []uint16, parts ...ledgerPart) [][]int32 {
	table := make([][]int32, c.words)
	for w := range table {
		table[w] = make([]int32, c.topics)
	}
	for _, p := range parts {
		c.count(table, &p, topics(&p), 1)
	}
	return table
}

func (c *ledgerCase) count(table [][]int32, p *ledgerPart, topics []uint16, n int32) {
	at := 0
	for w, f := range p.frequencies {
		for range f {
			table[w][topics[at]] += n
			at++
		}
	}
}

// encode writes a table as blobs.
func (c *ledgerCase) encode(kind blob.Kind, table [][]int32) [][]byte {
	var blobs [][]byte
	for s := range len(c.begins) - 1 {
		var e blob.Encoder
		e.Begin(nil, c.id(kind)(s))
		for w := c.begins[s]; w < c.begins[s+1]; w++ {
			if kind == blob.Changes {
				e.Changes(uint32(w), counts.AppendChanges(nil, table[w]))
			} else {
				e.Counts(uint32(w), entriesOf(table[w]))
			}
		}
		blobs = append(blobs, e.Finish())
	}
	return blobs
}

func (c *ledgerCase) id(kind blob.Kind) func(slice int) blob.ID {
	return func(slice int) blob.ID {
		return blob.ID{Kind: kind, Job: 7, Round: 3, Slice: uint32(slice), Topics: uint32(c.topics)}
	}
}

func entriesOf(row []int32) (list []counts.Entry) {
	for k, n := range row {
		if n != 0 {
			list = append(list, counts.Entry{Topic: uint32(k), Count: uint32(n)})
		}
	}
	return list
}

// open opens blobs.
func (c *ledgerCase) open(t testing.TB, kind blob.Kind, blobs [][]byte) []blob.Decoder {
	t.Helper()
	decoders := make([]blob.Decoder, len(blobs))
	for s, b := range blobs {
		var err error
		decoders[s], err = blob.Open(b, c.id(kind)(s))
		samplertest.MustDo(t, err)
	}
	return decoders
}

func before(p *ledgerPart) []uint16 { return p.old }
func after(p *ledgerPart) []uint16  { return p.now }
