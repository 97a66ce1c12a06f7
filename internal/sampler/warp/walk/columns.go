package walk

import (
	"github.com/topoi-lda/topoi/internal/rng"
	"github.com/topoi-lda/topoi/internal/sampler"
)

// Columns are the tokens being worked on, an array for each property. All
// have the same length; vector code may write up to Slack values beyond the
// tokens in use, never beyond that length.
type Columns struct {
	at, block []uint32    // place in the block, block
	Own, Z    []uint32    // topic before the phase, topic now
	proposal  [][]uint32  // M proposals
	random    []rng.Words // ⌈M/2⌉ times four random words
	old       []uint32    // topic before the last word phase, of records that keep it; of others anything
}

// Slack is the length of a vector.
const Slack = sampler.MovedRoom - MostTokens

func NewColumns(m int) Columns {
	c := Columns{proposal: make([][]uint32, m), random: make([]rng.Words, (m+1)/2)}
	c.Grow(MostTokens)
	return c
}

// Grow makes room for n tokens.
func (c *Columns) Grow(n int) {
	if n+Slack <= len(c.Z) {
		return
	}
	n = max(n, 2*len(c.Z)) + Slack
	c.at, c.block = make([]uint32, n), make([]uint32, n)
	c.Own, c.Z, c.old = make([]uint32, n), make([]uint32, n), make([]uint32, n)
	for j := range c.proposal {
		c.proposal[j] = make([]uint32, n)
	}
	for i := range c.random {
		for word := range c.random[i] {
			c.random[i][word] = make([]uint32, n)
		}
	}
}

// Draw fills the random words of the first n tokens.
func (c *Columns) Draw(n int, key rng.Key, iteration uint32, purpose rng.Purpose) {
	for i := range c.random {
		key.Blocks(&c.random[i], c.at[:n], iteration, uint32(purpose)+uint32(i)<<8, c.block[:n])
	}
}

// Walk moves the first n tokens through their proposals.
func (c *Columns) Walk(n int, row *Row) {
	copy(c.Own[:n], c.Z[:n])
	for j, proposal := range c.proposal {
		Step(c.Z[:n], c.Own, proposal, c.random[j/2][j%2*2], row)
	}
}

// Propose draws new proposals for the first n tokens.
func (c *Columns) Propose(n int, places []uint32, mix Mix, topics int, alias Alias) {
	for j, proposal := range c.proposal {
		random := &c.random[j/2]
		Draw(proposal[:n], random[j%2*2], random[j%2*2+1], places, mix, uint32(topics), alias)
	}
}
