package demo

// Pair says which theme a topic has found.
type Pair struct {
	Theme  int  // index of the theme, or -1 when the topic is about none
	Shared int  // how many of the topic's top words belong to the theme
	Again  bool // another topic shares more words with the theme
}

// Match pairs topics, given by their top words, with themes. It returns one
// pair per topic. Again and again the topic and the theme that share most
// words become a pair; of equals the lower numbers go first. Topics left over
// are said to find the theme of at least half of their words once more.
func Match(topWords [][]string, themes []Theme) []Pair {
	pairs := make([]Pair, len(topWords))
	for k := range pairs {
		pairs[k].Theme = -1
	}
	shared := sharedWords(topWords, themes)
	taken := make([]bool, len(themes))
	for range min(len(topWords), len(themes)) {
		best := Pair{Theme: -1}
		topic := 0
		for k, row := range shared {
			for t, n := range row {
				if pairs[k].Theme < 0 && !taken[t] && n > best.Shared {
					best, topic = Pair{Theme: t, Shared: n}, k
				}
			}
		}
		if best.Theme < 0 {
			break
		}
		pairs[topic] = best
		taken[best.Theme] = true
	}
	for k, row := range shared {
		for t, n := range row {
			if p := &pairs[k]; (p.Theme < 0 || p.Again) && 2*n >= len(topWords[k]) && n > p.Shared {
				*p = Pair{Theme: t, Shared: n, Again: true}
			}
		}
	}
	return pairs
}

// sharedWords counts for each topic and theme the top words they share.
func sharedWords(topWords [][]string, themes []Theme) [][]int {
	members := make([]map[string]bool, len(themes))
	for t, theme := range themes {
		members[t] = make(map[string]bool, len(theme.Words))
		for _, w := range theme.Words {
			members[t][w] = true
		}
	}
	shared := make([][]int, len(topWords))
	for k, words := range topWords {
		shared[k] = make([]int, len(themes))
		for t := range themes {
			for _, w := range words {
				if members[t][w] {
					shared[k][t]++
				}
			}
		}
	}
	return shared
}
