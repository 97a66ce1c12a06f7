package compare

import "math"

// assign returns for each of n rows one of m ≥ n columns, no two the same, such that the sum of
// the costs is least. It is the Hungarian method (Kuhn 1955) by shortest augmenting paths
// (Jonker and Volgenant 1987): O(n² m) at most, far less where most rows have a column of
// their own that is cheapest. Of equal sums it takes the one that low numbers find first.
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

// assignment is the state of the method. Rows and columns are counted from 1; column 0 stands
// for the row that has no column yet.
type assignment struct {
	cost          func(i, j int) float64
	rows, columns []float64 // the dual variables
	of            []int     // the row of a column, 0 for none
	before        []int     // the column before on the path
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

// extend puts column `at` on the tree and returns the nearest column outside.
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
