package topicmap

import (
	"cmp"
	"context"
	"math"
	"runtime"
	"slices"

	"github.com/topoi-lda/topoi/internal/doctopics"
	"github.com/topoi-lda/topoi/internal/lists"
	"github.com/topoi-lda/topoi/internal/parallel"
	"github.com/topoi-lda/topoi/internal/prior"
	"github.com/topoi-lda/topoi/topic"
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
	last := 0 // the only topic where K = 1, which has no merge
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

// Correlations holds the correlations of all pairs of topics over documents.
type Correlations struct {
	topics int
	pairs  []float64 // of i ≤ j: at j(j+1)/2 + i
	docs   int
}

// Correlation is a topic with its correlation to another one.
type Correlation struct {
	Topic       int     `json:"topic"`
	Correlation float64 `json:"correlation"`
}

// Correlate computes Pearson's correlation of θ_dk and θ_dl over all documents that have tokens, where θ_dk
// = (n_dk + α_k)/(N_d + Σα), as the simple method of stm's topicCorr does. Shares of a whole always
// correlate a little negatively: unrelated topics have −1/(K−1) on average. A topic whose share is the same
// everywhere has correlation 0 with all others.
//
// Correlate reads every document once. It costs O(K_d²) for a document of K_d topics and takes 4 K² bytes.
// It refuses more than [PairedTopics] topics.
func Correlate(ctx context.Context, m topic.Documents) (*Correlations, error) {
	k := m.NumTopics()
	if k > PairedTopics {
		return nil, tooManyError{k}
	}
	docs, err := m.Docs()
	if err != nil {
		return nil, err
	}
	s := newMoments(m.Alpha())
	if err := doctopics.Runs(ctx, m, docs, func(_ int, lists [][]topic.Count) { s.add(lists) }); err != nil {
		return nil, err
	}
	return s.correlations(), nil
}

// moments sums products of shares. With s_d = 1/(N_d + Σα), θ_dk = s_d n_dk + s_d α_k has a part that is
// mostly zero and a part that is the same for all documents of a length.
type moments struct {
	alpha    []float64
	alphaSum float64
	docs     int
	first    []float64 // K: Σ_d s_d n_dk
	mixed    []float64 // K: Σ_d s_d² n_dk
	second   []float64 // of i ≤ j: Σ_d s_d² n_di n_dj at j(j+1)/2 + i
	s1, s2   float64   // Σ_d s_d and Σ_d s_d²
}

func newMoments(alpha []float64) *moments {
	k := len(alpha)
	return &moments{
		alpha: alpha, alphaSum: prior.Sum(alpha),
		first: make([]float64, k), mixed: make([]float64, k), second: make([]float64, k*(k+1)/2),
	}
}

// add adds documents, of which those without tokens do not count. Each goroutine adds the rows of some topics, in the
// order of documents, so sums do not depend on their number.
func (m *moments) add(docs [][]topic.Count) {
	scales := make([]float64, len(docs))
	for d, counts := range docs {
		if len(counts) == 0 {
			continue
		}
		tokens := uint64(0)
		for _, e := range counts {
			tokens += uint64(e.Count)
		}
		s := 1 / (float64(tokens) + m.alphaSum)
		scales[d] = s
		m.docs++
		m.s1 += s
		m.s2 += float64(s * s)
	}
	const each = 32 // topics
	tasks := (len(m.alpha) + each - 1) / each
	_ = parallel.Do(context.Background(), runtime.GOMAXPROCS(0), tasks, func(_, i int) {
		first := uint32((tasks - 1 - i) * each) // rows of high numbers are the longest
		for d, counts := range docs {
			n, _ := slices.BinarySearchFunc(counts, first, func(e topic.Count,
				k uint32,
			) int {
				return cmp.Compare(e.Topic, k)
			})
			for ; n < len(counts) && counts[n].Topic < first+each; n++ {
				m.addRow(counts[:n+1], scales[d])
			}
		}
	})
}

// addRow adds the products of the last of some topics with all of them.
func (m *moments) addRow(counts []topic.Count, s float64) {
	e := counts[len(counts)-1]
	x := float64(s * float64(e.Count))
	m.first[e.Topic] += x
	m.mixed[e.Topic] += float64(s * x)
	row := m.second[int(e.Topic)*(int(e.Topic)+1)/2:]
	for _, other := range counts {
		row[other.Topic] += float64(x * (s * float64(other.Count)))
	}
}

// covariance returns D² times the covariance of two topics i ≤ j.
func (m *moments) covariance(i, j int) float64 {
	n := float64(m.docs)
	a, b := m.alpha[i], m.alpha[j]
	products := m.second[j*(j+1)/2+i] + float64(b*m.mixed[i]) + float64(a*m.mixed[j]) + float64(a*b*m.s2)
	return float64(n*products) - float64((m.first[i]+float64(a*m.s1))*(m.first[j]+float64(b*m.s1)))
}

func (m *moments) correlations() *Correlations {
	c := &Correlations{topics: len(m.alpha), pairs: m.second, docs: m.docs}
	deviation := make([]float64, c.topics)
	for k := range deviation {
		square := float64(m.docs) * (m.second[k*(k+1)/2+k] + float64(2*m.alpha[k]*m.mixed[k]) +
			float64(m.alpha[k]*m.alpha[k]*m.s2))
		if v := m.covariance(k, k); v > 1e-12*square { // else it is rounding
			deviation[k] = math.Sqrt(v)
		}
	}
	for j := range c.topics {
		for i := range j + 1 {
			value := 0.0
			switch {
			case i == j:
				value = 1
			case deviation[i] > 0 && deviation[j] > 0:
				value = max(-1, min(1, m.covariance(i, j)/deviation[i]/deviation[j]))
			}
			c.pairs[j*(j+1)/2+i] = value
		}
	}
	return c
}

// NumTopics returns K.
func (c *Correlations) NumTopics() int { return c.topics }

// NumDocs returns the number of documents that have tokens.
func (c *Correlations) NumDocs() int { return c.docs }

// At returns the correlation of two topics, from −1 to 1.
func (c *Correlations) At(a, b int) float64 {
	i, j := min(a, b), max(a, b)
	return c.pairs[j*(j+1)/2+i]
}

// Strongest returns the n topics with the highest correlation with topic k, highest first; ties are in order of number.
func (c *Correlations) Strongest(k, n int) []Correlation {
	first := lists.NewFirst(n, func(a, b Correlation) int { return cmp.Compare(b.Correlation, a.Correlation) })
	for j := range c.topics {
		if j != k {
			first.Add(Correlation{j, c.At(k, j)})
		}
	}
	return first.List()
}
