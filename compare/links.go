package compare

import (
	"cmp"
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
	rows [][]entry // of each topic of a, by topic of b
}

func newSimilarities(a, b int) *similarities {
	return &similarities{a, b, make([][]entry, a)}
}

// hungarian matches topics such that the sum of similarities is greatest, given all pairs.
func (t *similarities) hungarian() []Pair {
	var pairs []Pair
	if t.a <= t.b {
		for a, b := range assign(t.a, t.b, func(a, b int) float64 { return -t.rows[a][b].similarity }) {
			pairs = append(pairs, Pair{A: a, B: b, Similarity: t.rows[a][b].similarity})
		}
		return pairs
	}
	for b, a := range assign(t.b, t.a, func(b, a int) float64 { return -t.rows[a][b].similarity }) {
		pairs = append(pairs, Pair{A: a, B: b, Similarity: t.rows[a][b].similarity})
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

// pairs returns all that were compared, by topics.
func (t *similarities) pairs() []Pair {
	var all []Pair
	for a, row := range t.rows {
		for _, e := range row {
			all = append(all, Pair{A: a, B: e.b, Similarity: e.similarity})
		}
	}
	return all
}

// best returns the most similar topic of each side, the first of equal ones, −1 where there is
// none that reaches the threshold.
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

// link finds the links and says what became of every topic.
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

// fate returns what became of a topic with some links, one of which leads to a topic with
// some.
func fate(links, others int, many, part Fate) Fate {
	switch {
	case links > 1:
		return many
	case others > 1:
		return part
	}
	return Kept
}
