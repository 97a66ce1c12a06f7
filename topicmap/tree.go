package topicmap

import (
	"cmp"
	"math"
	"slices"
)

// Merge is an inner node of a tree: two clusters become one. A cluster below K is the
// topic of this number, cluster K + i is what merge i made.
type Merge struct {
	A      int     `json:"a"`
	B      int     `json:"b"`
	Height float64 `json:"height"` // mean distance between the topics of both
	Size   int     `json:"size"`   // topics in it
}

// Tree is a dendrogram.
type Tree struct {
	Merges []Merge // K−1, by rising height
	Leaves []int   // K topics in the order in which no branches cross
}

// Tree clusters topics by average linkage (UPGMA): the distance of two clusters is the mean over the pairs of their
// topics, and the two nearest clusters are merged until one is left. Among equally near ones sizes of topics decide,
// never their numbers. In the order of leaves the tighter of two clusters comes first.
//
// It follows chains of nearest neighbours (Murtagh 1983), which costs O(K²), and holds a copy of the distances.
func (d *Distances) Tree() *Tree {
	c := newClusters(d)
	for range len(d.order) - 1 {
		c.mergeNext()
	}
	return c.tree(d.order)
}

// clusters are those that are left, by the place of one of their topics.
type clusters struct {
	Distances           // between clusters
	size      []int     // 0 for one that was merged into another
	height    []float64 // of the last merge
	chain     []int     // each is the nearest of the one before
	merges    []Merge   // A, B are places
}

func newClusters(d *Distances) *clusters {
	k := len(d.order)
	c := &clusters{Distances: Distances{pairs: slices.Clone(d.pairs)}, size: make([]int, k), height: make([]float64, k)}
	for i := range c.size {
		c.size[i] = 1
	}
	return c
}

// mergeNext merges two clusters that are each other's nearest.
func (c *clusters) mergeNext() {
	if len(c.chain) == 0 {
		c.chain = append(c.chain, slices.IndexFunc(c.size, func(n int) bool { return n > 0 }))
	}
	for {
		last := len(c.chain) - 1
		next := c.nearest(c.chain[last])
		if last > 0 && next == c.chain[last-1] {
			break
		}
		c.chain = append(c.chain, next)
	}
	last := len(c.chain) - 1
	c.merge(min(c.chain[last], c.chain[last-1]), max(c.chain[last], c.chain[last-1]))
	c.chain = c.chain[:last-1]
}

// nearest returns the nearest cluster, of equal ones that before it in the chain, which lets
// every chain end, else the first.
func (c *clusters) nearest(i int) int {
	best, least := -1, math.Inf(1)
	if len(c.chain) > 1 {
		best = c.chain[len(c.chain)-2]
		least = c.at(i, best)
	}
	for j, n := range c.size {
		if n > 0 && j != i && c.at(i, j) < least {
			best, least = j, c.at(i, j)
		}
	}
	return best
}

// merge puts cluster j into cluster i < j.
func (c *clusters) merge(i, j int) {
	height := max(c.at(i, j), c.height[i], c.height[j]) // rounding may not lower it
	ni, nj := float64(c.size[i]), float64(c.size[j])
	for l, n := range c.size {
		if n > 0 && l != i && l != j {
			mean := (float64(ni*c.at(l, i)) + float64(nj*c.at(l, j))) / (ni + nj)
			lo, hi := min(l, i), max(l, i)
			c.pairs[hi*(hi-1)/2+lo] = mean
		}
	}
	c.size[i] += c.size[j]
	c.size[j], c.height[i] = 0, height
	c.merges = append(c.merges, Merge{i, j, height, c.size[i]})
}

// tree brings the merges into the order of their heights and names their clusters.
func (c *clusters) tree(order []int) *Tree {
	k := len(order)
	t := &Tree{Merges: c.merges}
	slices.SortStableFunc(t.Merges, func(a, b Merge) int { return cmp.Compare(a.Height, b.Height) })
	name := slices.Clone(order) // of the cluster at a place
	leaves := make([][]int, k+len(t.Merges))
	for _, topic := range order {
		leaves[topic] = []int{topic}
	}
	last := 0 // K = 1 has no merge
	if k > 0 {
		last = order[0]
	}
	for n := range t.Merges {
		m := &t.Merges[n]
		i := m.A
		m.A, m.B = t.tighter(name[m.A], name[m.B])
		last = k + n
		leaves[last] = append(leaves[m.A], leaves[m.B]...)
		name[i] = last
	}
	if k > 0 {
		t.Leaves = leaves[last]
	}
	return t
}

// tighter returns two clusters in the order in which they are drawn; a is that with the larger topic.
func (t *Tree) tighter(a, b int) (first, second int) {
	height := func(c int) float64 {
		if k := len(t.Merges) + 1; c >= k {
			return t.Merges[c-k].Height
		}
		return 0
	}
	if height(b) < height(a) {
		return b, a
	}
	return a, b
}
