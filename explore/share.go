package explore

import "slices"

// limit returns the largest c for which Σ min(size, c) is within the budget: lists are
// cut to c elements, so the longest ones lose first. It is at least 1.
func limit(sizes []int, budget int) int {
	sorted := slices.Clone(sizes)
	slices.Sort(sorted)
	for i, size := range sorted {
		if rest := len(sorted) - i; size*rest > budget {
			return max(1, budget/rest)
		}
		budget -= size
	}
	if len(sorted) == 0 {
		return 1
	}
	return max(1, sorted[len(sorted)-1])
}

// What a page holds at most, so that its file stays below 25 MB. The comments give what an
// element takes in the file.
const (
	wordBudget    = 1_000_000 // n_wk: 6 bytes
	rowBudget     = 300_000   // n_wk of words that no topic lists: 4 bytes
	topicBudget   = 400_000   // n_dk: 3 bytes
	bagBudget     = 900_000   // words of documents by topic: 5 bytes
	textBudget    = 9_000_000 // bytes of snippets or texts: 0.6 bytes
	cellBudget    = 250_000   // shares in groups, or in the periods of a calendar: 14 bytes
	crossBudget   = 400_000   // shares in groups × periods: 2 bytes
	columnBudget  = 500_000   // values of columns: 4 bytes
	longestString = 300       // characters of a word, a title, an id, a label
)

// shorten cuts a string to longestString characters.
func shorten(s string) string {
	if len(s) <= longestString {
		return s
	}
	return cutRunes(s, longestString)
}

// cutRunes cuts a string to at most n characters, the last of them "…" if it is cut.
func cutRunes(s string, n int) string {
	last, count := 0, 0 // where character n-1 begins
	for i := range s {
		if count == n {
			return s[:last] + "…"
		}
		if count == n-1 {
			last = i
		}
		count++
	}
	return s
}
