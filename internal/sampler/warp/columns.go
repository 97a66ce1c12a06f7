package warp

import (
	"github.com/topoi-lda/topoi/internal/rng"
	"github.com/topoi-lda/topoi/internal/sampler"
)

// warpColumns are the tokens being worked on, an array for each property. All
// have the same length; vector code may write up to warpSlack values beyond the
// tokens in use, never beyond that length.
type warpColumns struct {
	at, block []uint32    // place in the block, block
	own, z    []uint32    // topic before the phase, topic now
	proposal  [][]uint32  // M proposals
	random    []rng.Words // ⌈M/2⌉ times four random words
	old       []uint32    // topic before the last word phase, of records that keep it; of others anything
}

// warpSlack is the length of a vector.
const warpSlack = sampler.MovedRoom - warpChunk

func newWarpColumns(m int) warpColumns {
	c := warpColumns{proposal: make([][]uint32, m), random: make([]rng.Words, (m+1)/2)}
	c.grow(warpChunk)
	return c
}

// grow makes room for n tokens.
func (c *warpColumns) grow(n int) {
	if n+warpSlack <= len(c.z) {
		return
	}
	n = max(n, 2*len(c.z)) + warpSlack
	c.at, c.block = make([]uint32, n), make([]uint32, n)
	c.own, c.z, c.old = make([]uint32, n), make([]uint32, n), make([]uint32, n)
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
func (c *warpColumns) Draw(n int, key rng.Key, iteration uint32, purpose rng.Purpose) {
	for i := range c.random {
		key.Blocks(&c.random[i], c.at[:n], iteration, uint32(purpose)+uint32(i)<<8, c.block[:n])
	}
}

// walk moves the first n tokens through their proposals.
func (c *warpColumns) walk(n int, row *warpRow) {
	copy(c.own[:n], c.z[:n])
	for j, proposal := range c.proposal {
		warpStep(c.z[:n], c.own, proposal, c.random[j/2][j%2*2], row)
	}
}

// propose draws new proposals for the first n tokens.
func (c *warpColumns) propose(n int, places []uint32, mix warpMix, topics int, alias warpAlias) {
	for j, proposal := range c.proposal {
		random := &c.random[j/2]
		warpDraw(proposal[:n], random[j%2*2], random[j%2*2+1], places, mix, uint32(topics), alias)
	}
}
