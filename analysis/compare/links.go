package compare

import (
	"cmp"
	"math"
	"slices"
)

// entry is a topic of b with its similarity.
type entry struct {
	b          int
	similarity float64
}

// similarities holds the pairs that were compared.
type similarities struct {
	a, b int       // numbers of topics
	rows [][]entry // for each topic of a, by topic of b
}

// hungarian matches topics such that the sum of similarities is greatest. It needs all pairs.
func (t *similarities) hungarian() []Pair {
	rows, columns := t.a, t.b
	pair := func(i, j int) Pair { return Pair{A: i, B: j, Similarity: t.rows[i][j].similarity} }
	if t.a > t.b {
		rows, columns = t.b, t.a
		pair = func(i, j int) Pair { return Pair{A: j, B: i, Similarity: t.rows[j][i].similarity} }
	}
	var pairs []Pair
	for i, j := range assign(rows, columns, func(i, j int) float64 { return -pair(i, j).Similarity }) {
		pairs = append(pairs, pair(i, j))
	}
	slices.SortFunc(pairs, byTopics)
	return pairs
}

// greedy matches the most similar topics first.
func (t *similarities) greedy() []Pair {
	all := t.pairs()
	slices.SortStableFunc(all, func(x, y Pair) int { return cmp.Compare(y.Similarity, x.Similarity) })
	takenA, takenB := make([]bool, t.a), make([]bool, t.b)
	var pairs []Pair
	for _, p := range all {
		if !takenA[p.A] && !takenB[p.B] {
			takenA[p.A], takenB[p.B] = true, true
			pairs = append(pairs, p)
		}
	}
	slices.SortFunc(pairs, byTopics)
	return pairs
}

func byTopics(x, y Pair) int { return cmp.Or(cmp.Compare(x.A, y.A), cmp.Compare(x.B, y.B)) }

// pairs returns all pairs that were compared, in order of topics.
func (t *similarities) pairs() []Pair {
	var all []Pair
	for a, row := range t.rows {
		for _, e := range row {
			all = append(all, Pair{A: a, B: e.b, Similarity: e.similarity})
		}
	}
	return all
}

// best returns the most similar topic for each topic of both sides, the first of equal ones, or −1 if none
// reaches the threshold.
func (t *similarities) best(threshold float64) (ofA, ofB []int) {
	ofA, ofB = slices.Repeat([]int{-1}, t.a), slices.Repeat([]int{-1}, t.b)
	mostB := make([]float64, t.b)
	for a, row := range t.rows {
		most := 0.0
		for _, e := range row {
			if e.similarity < threshold {
				continue
			}
			if ofA[a] < 0 || e.similarity > most {
				ofA[a], most = e.b, e.similarity
			}
			if ofB[e.b] < 0 || e.similarity > mostB[e.b] {
				ofB[e.b], mostB[e.b] = a, e.similarity
			}
		}
	}
	return ofA, ofB
}

// link finds the links and the fate of every topic.
func (r *Result) link(t *similarities, j *job) {
	ofA, ofB := t.best(r.Threshold)
	matched := slices.Repeat([]int{-1}, t.a)
	for _, m := range r.Matches {
		matched[m.A] = m.B
	}
	countA, countB := make([]int, t.a), make([]int, t.b)
	for a, row := range t.rows {
		for _, e := range row {
			if e.similarity >= r.Threshold && (ofA[a] == e.b || ofB[e.b] == a || matched[a] == e.b) {
				r.Links = append(r.Links, Pair{a, e.b, e.similarity, j.shared(a, e.b)})
				countA[a]++
				countB[e.b]++
			}
		}
	}
	r.A, r.B = slices.Repeat([]Fate{Lost}, t.a), slices.Repeat([]Fate{New}, t.b)
	for _, l := range r.Links {
		r.A[l.A] = fate(countA[l.A], countB[l.B], Split, Merged)
		r.B[l.B] = fate(countB[l.B], countA[l.A], Merged, Split)
	}
}

// fate returns the fate of a topic with the given number of links; others is the number of links of a topic
// that it is linked to.
func fate(links, others int, many, part Fate) Fate {
	switch {
	case links > 1:
		return many
	case others > 1:
		return part
	}
	return Kept
}

// assign returns for each of n rows one of m ≥ n columns, no two the same, such that the sum of the costs
// is least. It uses the Hungarian method (Kuhn 1955) with shortest augmenting paths (Jonker and Volgenant
// 1987). It costs O(n² m) at most, and far less if most rows have a cheapest column of their own. Among
// equal sums it takes the one that low numbers find first.
func assign(n, m int, cost func(i, j int) float64) []int {
	a := assignment{
		cost: cost,
		rows: make([]float64, n+1), columns: make([]float64, m+1),
		of: make([]int, m+1), before: make([]int, m+1),
		least: make([]float64, m+1), seen: make([]bool, m+1),
	}
	for i := 1; i <= n; i++ {
		a.augment(i)
	}
	result := make([]int, n)
	for j := 1; j <= m; j++ {
		if a.of[j] > 0 {
			result[a.of[j]-1] = j - 1
		}
	}
	return result
}

// assignment is the state of the method. Rows and columns are counted from 1. Column 0 stands for the row
// that has no column yet.
type assignment struct {
	cost          func(i, j int) float64
	rows, columns []float64 // the dual variables
	of            []int     // the row of a column, or 0
	before        []int     // the previous column on the path
	least         []float64 // the least reduced cost of a column found so far
	seen          []bool    // columns on the tree of paths
}

// augment gives row i a column along the cheapest path to a free one.
func (a *assignment) augment(i int) {
	a.of[0] = i
	for j := range a.least {
		a.least[j], a.seen[j] = math.Inf(1), false
	}
	at := 0
	for a.of[at] != 0 {
		at = a.extend(at)
	}
	for at != 0 {
		previous := a.before[at]
		a.of[at] = a.of[previous]
		at = previous
	}
}

// extend adds column `at` to the tree and returns the nearest column outside.
func (a *assignment) extend(at int) int {
	a.seen[at] = true
	row, next, step := a.of[at], 0, math.Inf(1)
	for j := 1; j < len(a.of); j++ {
		if a.seen[j] {
			continue
		}
		if c := a.cost(row-1, j-1) - a.rows[row] - a.columns[j]; c < a.least[j] {
			a.least[j], a.before[j] = c, at
		}
		if a.least[j] < step {
			step, next = a.least[j], j
		}
	}
	for j := range a.of {
		if a.seen[j] {
			a.rows[a.of[j]] += step
			a.columns[j] -= step
		} else {
			a.least[j] -= step
		}
	}
	return next
}
