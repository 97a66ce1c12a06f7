package warp

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"slices"
	"testing"

	"github.com/topoi-lda/topoi/internal/counts"
	"github.com/topoi-lda/topoi/internal/grid"
	"github.com/topoi-lda/topoi/internal/rng"
	"github.com/topoi-lda/topoi/internal/sampler"
	"github.com/topoi-lda/topoi/internal/sampler/samplertest"
	"github.com/topoi-lda/topoi/internal/sampler/warp/walk"
)

// warpByDefinition does what warp's comment says, one token after the other with
// all counts in tables, and returns z in corpus order after each iteration.
func warpByDefinition(p *sampler.Problem, iterations int, priors *sampler.Priors) [][]uint32 {
	d := newWarpDefinition(p, priors)
	d.Propose(0)
	var states [][]uint32
	for i := range iterations {
		d.iterate(uint32(i + 1))
		z := make([]uint32, p.N())
		for token, at := range d.at {
			z[token] = d.z[at]
		}
		states = append(states, z)
	}
	return states
}

// warpDefinition is a slow warp. Tokens are in grid order.
type warpDefinition struct {
	p        *sampler.Problem
	m        int
	priors   *sampler.Priors
	alias    walk.Alias
	at       []int // corpus order: the token's place in grid order
	z        []uint32
	proposal [][]uint32 // token × M
	word     []uint32   // word of each token
	doc      []int      // document
	counter  [][2]uint32
}

func newWarpDefinition(p *sampler.Problem, priors *sampler.Priors) *warpDefinition {
	d := &warpDefinition{
		p: p, m: cmp.Or(p.Tuning.MHSteps, 2), priors: priors, at: make([]int, p.N()),
		z: make([]uint32, p.N()), word: make([]uint32, p.N()),
	}
	sum := 0.0
	for _, a := range priors.Alpha {
		sum += a
	}
	if slices.Min(priors.Alpha) != slices.Max(priors.Alpha) {
		d.alias = walk.NewAlias(priors.Alpha, sum)
	}
	g := grid.New(p.Offsets, p.Words, p.V, grid.Limits{Tokens: 1 << 16, Docs: 1 << 16})
	next := slices.Clone(p.Offsets)
	for b, block := range g.Blocks {
		for _, seg := range g.Segments[block.FirstSeg:block.LastSeg] {
			for i := seg.Begin; i < seg.End; i++ {
				token := block.Begin + int(i)
				doc := block.FirstDoc + int(g.Docs[token])
				d.word[token] = seg.Word
				d.doc = append(d.doc, doc)
				d.counter = append(d.counter, [2]uint32{i, uint32(b)})
				d.at[next[doc]] = token
				next[doc]++
			}
		}
	}
	z := make([]uint32, p.N())
	sampler.RandomTopics(p, 0, z)
	for token, at := range d.at {
		d.z[at] = z[token]
		d.proposal = append(d.proposal, make([]uint32, d.m))
	}
	return d
}

// random returns x and y of a proposal.
func (d *warpDefinition) random(token, j int, iteration uint32, purpose rng.Purpose) (x, y uint32) {
	c := d.counter[token]
	words := rng.NewKey(d.p.Seed).Block(c[0], iteration, uint32(purpose)+256*uint32(j/2), c[1])
	return words[2*(j%2)], words[2*(j%2)+1]
}

func (d *warpDefinition) iterate(iteration uint32) {
	nk := make([]int, d.p.K)
	for _, k := range d.z {
		nk[k]++
	}
	for k, n := range d.p.Pseudo.Totals() {
		nk[k] += int(n)
	}
	inv := func(k uint32) float32 {
		return float32(1 / (float64(nk[k]) + float64(float64(d.p.V)*d.priors.Beta)))
	}
	rows := d.rows(func(token int) int { return int(d.word[token]) }, d.p.V)
	d.p.Pseudo.Cells(func(w int, e counts.Entry) { rows[w][e.Topic] += int(e.Count) })
	d.Walk(rows, func(token int) int { return int(d.word[token]) }, func(uint32) float32 { return float32(d.priors.Beta) }, inv, iteration, sampler.ForWarpWord)
	sorted := make([][]uint32, d.p.V)
	for w, row := range rows {
		sorted[w] = placesOf(row)
	}
	for token, proposals := range d.proposal {
		for j := range proposals {
			x, y := d.random(token, j, iteration, sampler.ForWarpWord)
			proposals[j] = d.Draw(x, y, sorted[d.word[token]], float64(d.p.K)*d.priors.Beta, walk.Alias{})
		}
	}
	rows = d.rows(func(token int) int { return d.doc[token] }, d.p.D())
	d.Walk(rows, func(token int) int { return d.doc[token] }, func(k uint32) float32 { return float32(d.priors.Alpha[k]) }, inv, iteration, sampler.ForWarpDoc)
	d.Propose(iteration)
}

// rows counts n_x for every x.
func (d *warpDefinition) rows(of func(token int) int, n int) [][]int {
	rows := samplertest.Table(n, d.p.K)
	for token, k := range d.z {
		rows[of(token)][k]++
	}
	return rows
}

func (d *warpDefinition) Walk(rows [][]int, of func(token int) int, prior, inv func(k uint32) float32, iteration uint32, purpose rng.Purpose) {
	for token, own := range d.z {
		f := func(k uint32) float32 {
			n := rows[of(token)][k]
			if k == own {
				n--
			}
			sum := float32(n) + prior(k)
			return sum * inv(k)
		}
		s := own
		for j, t := range d.proposal[token] {
			x, _ := d.random(token, j, iteration, purpose)
			left := rng.Float32(x) * f(s)
			if left < f(t) {
				s = t
			}
		}
		d.z[token] = s
	}
}

// Propose draws all doc-proposals.
func (d *warpDefinition) Propose(iteration uint32) {
	sum := 0.0
	for _, a := range d.priors.Alpha {
		sum += a
	}
	for doc := range d.p.D() {
		var topics []uint32
		tokens := d.at[d.p.Offsets[doc]:d.p.Offsets[doc+1]]
		for _, at := range tokens {
			topics = append(topics, d.z[at])
		}
		for _, at := range tokens {
			for j := range d.proposal[at] {
				x, y := d.random(at, j, iteration, sampler.ForWarpDoc)
				d.proposal[at][j] = d.Draw(x, y, topics, sum, d.alias)
			}
		}
	}
}

func (d *warpDefinition) Draw(x, y uint32, places []uint32, smooth float64, alias walk.Alias) uint32 {
	n := float64(len(places))
	total := n + smooth
	if y < uint32(min(math.MaxUint32, math.Floor(n/total*(1<<32)))) {
		e := 0
		for math.Ldexp(1, e) <= total {
			e++
		}
		mul := uint64(math.Floor(math.Ldexp(total, 32-e)))
		return places[uint64(y)*mul>>(64-e)]
	}
	v := (y<<8 | x%256) * 0x9E3779B1
	k := uint64(v) * uint64(d.p.K) >> 32
	if alias.Other != nil && uint32(uint64(v)*uint64(d.p.K)) >= alias.Threshold[k] {
		return alias.Other[k]
	}
	return uint32(k)
}

// warp must do what its comment says, on every shape, for any number of
// topics and proposals.
func TestWarpFollowsItsDefinition(t *testing.T) {
	shapes := samplertest.Problems()
	for _, k := range []int{1, 2, 31, 32, 33, 1000, 65535, 65536, 65537} {
		shapes[fmt.Sprintf("K=%d", k)] = samplertest.RandomProblem(uint64(k), 25, 12, k, 60)
	}
	for name, p := range maps.Clone(shapes) {
		shapes[name+", pseudo-counts"] = samplertest.Guide(p, 7)
	}
	for name, p := range shapes {
		for _, m := range []int{1, 2, 3} {
			for _, symmetric := range []bool{true, false} {
				p.Tuning.MHSteps = m
				priors := samplertest.PriorsFor(p.K)
				if symmetric {
					priors.Alpha = slices.Repeat([]float64{0.7}, p.K)
				}
				s := samplertest.Start(t, "warp", p, nil, priors)
				for i, want := range warpByDefinition(p, 3, priors) {
					samplertest.Sweep(t, s, i+1, i+1, priors)
					if !slices.Equal(samplertest.TopicsOf(s, p), want) {
						t.Fatalf("%s, M = %d, symmetric α %v: iteration %d differs", name, m, symmetric, i+1)
					}
				}
			}
		}
	}
}
