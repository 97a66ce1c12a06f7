package eval

import "github.com/topoi-lda/topoi/internal/portable"

// leaveOutSteps is the number of EM steps of each of leaveOut's two estimates of θ. Scores settle to the third digit
// after ten.
const leaveOutSteps = 20

// The variant "leave-out" scores documents that the model was trained on. Their own tokens are in the counts, which
// would make words that only they have look certain, so each document's share is taken out first: with θ folded in from
// the full counts, word w's c_w tokens in the document are expected to be in
//
//	m_wk = min(n_wk, c_w θ_k φ_wk / Σ_j θ_j φ_wj)
//
// and its row becomes φ_wk = (n_wk - m_wk + β)/(n_k + Vβ). From these rows θ is folded in anew from the tokens 0, 2,
// 4, … and the tokens 1, 3, 5, … are scored.

func (f *folder) leaveOut(doc []uint32) float64 {
	words, own := f.everyWord(doc)
	step := f.load(words)
	f.run(step, leaveOutSteps)
	f.takeOut(own)
	f.run(step, leaveOutSteps)
	return f.scoreOdd(own)
}

// everyWord returns the distinct words of a document with their numbers of tokens at the places 0, 2, 4, …, which may
// be none, and at all places. Words that have some there come first: the others are not folded in.
func (f *folder) everyWord(doc []uint32) (words []wordCount, own []float32) {
	f.words, f.own, f.others, f.othersOwn = f.words[:0], f.own[:0], f.others[:0], f.othersOwn[:0]
	for begin, end := 0, 0; begin < len(doc); begin = end {
		for end = begin + 1; end < len(doc) && doc[end] == doc[begin]; end++ {
		}
		n := end - begin
		if folded := (n + 1 - begin%2) / 2; folded > 0 {
			f.words, f.own = append(f.words, wordCount{doc[begin], float32(folded)}), append(f.own, float32(n))
		} else {
			f.others, f.othersOwn = append(f.others, wordCount{id: doc[begin]}), append(f.othersOwn, float32(n))
		}
	}
	f.words, f.own = append(f.words, f.others...), append(f.own, f.othersOwn...)
	return f.words, f.own
}

// takeOut takes the expected own counts out of the loaded rows.
func (f *folder) takeOut(own []float32) {
	if f.sparse {
		f.takeOutSparse(own)
		return
	}
	k := len(f.current)
	for u, c := range own {
		row := f.phi[u*k : u*k+k]
		reduce(row, f.current, f.background, f.inverse, c/dot(f.current, row))
	}
}

func (f *folder) takeOutSparse(own []float32) {
	common := dot(f.current, f.background)
	for u, c := range own {
		row := f.sparseRow(u)
		g := c / f.above(common, row)
		for i, e := range row {
			k := e.topic
			expected := float32(float32(g*f.current[k]) * (e.phi + f.background[k]))
			row[i].phi = max(0, e.phi-float32(expected*f.inverse[k]))
		}
	}
}

// scoreOdd returns Σ log p over the tokens that were not folded in, in the order of the words' ids.
func (f *folder) scoreOdd(own []float32) float64 {
	total := 0.0
	for _, x := range f.current {
		total += float64(x)
	}
	common := dot(f.current, f.background)
	score, folded, other := 0.0, 0, f.folded
	for range own {
		u := folded
		if folded == f.folded || other < len(own) && f.words[other].id < f.words[folded].id {
			u = other
			other++
		} else {
			folded++
		}
		if odd := own[u] - f.counts[u]; odd > 0 {
			score += float64(float64(odd) * portable.Log(float64(f.probability(u, common))/total))
		}
	}
	return score
}

// probability returns Σ_k θ_k φ_uk of word u up to θ's factor, given Σ_k θ_k b_k.
func (f *folder) probability(u int, common float32) float32 {
	if f.sparse {
		return f.above(common, f.sparseRow(u))
	}
	k := len(f.current)
	return dot(f.current, f.phi[u*k:u*k+k])
}

func (f *sparseFolder) leaveOut(doc []uint32) float64 {
	f.load(doc)
	for range leaveOutSteps {
		f.step()
	}
	f.takeOut()
	f.restart()
	for range leaveOutSteps {
		f.step()
	}
	return f.score()
}

// takeOut takes the expected own counts out of the loaded rows.
func (f *sparseFolder) takeOut() {
	common := f.common()
	j := 0 // both lists are in the order of word ids
	for i, w := range f.folded {
		for j < len(f.scored) && f.scored[j].id < w.id {
			f.takeOutOf(len(f.folded)+j, f.scored[j].count, common)
			j++
		}
		own := w.count
		if j < len(f.scored) && f.scored[j].id == w.id {
			own += f.scored[j].count
			f.takeOutOf(len(f.folded)+j, own, common)
			j++
		}
		f.takeOutOf(i, own, common)
	}
	for ; j < len(f.scored); j++ {
		f.takeOutOf(len(f.folded)+j, f.scored[j].count, common)
	}
}

// takeOutOf takes own tokens out of the row of word i.
func (f *sparseFolder) takeOutOf(i int, own float32, common float64) {
	g := float64(own) / (common + f.above(i))
	row := f.row(i)
	for n, e := range row {
		expected := float64(g * float64(f.x[e.slot]*float64(f.b[e.slot]+float64(float64(e.count)*f.inv[e.slot]))))
		row[n].count = max(0, e.count-float32(expected))
	}
}

// restart goes back to the uniform θ.
func (f *sparseFolder) restart() {
	for i := range f.x {
		f.x[i], f.y[i] = 1, f.inv[i]
	}
	f.silent.begin(f.silent.largest)
}
