package eval

import "slices"

// folder estimates θ of one document after the other. It belongs to one goroutine.
type folder struct {
	rows  *rows
	theta []float64   // K: the result
	words []wordCount // the document's distinct words

	// Only for leaveOut, whose words are first those that are folded in and then the others:
	own       []float32   // all tokens of these words in the document
	others    []wordCount // scratch: the others
	othersOwn []float32   // scratch: their tokens

	// Vectors of K values padded with zeros to a multiple of lanes.
	current []float32 // θ, up to a factor
	next    []float32 // Σ_u g_u φ_uk, see step
	alpha   []float32

	sparse bool // which form the rows are in
	folded int  // rows whose words are folded in; they come first

	// Dense form: φ of the document's words, one padded row after the other.
	phi    []float32
	counts []float32 // occurrences of each row's word

	// Sparse form: the rows without the background, which is kept once.
	background []float32 // padded
	inverse    []float32 // padded: 1/(n_k + Vβ)
	entries    []sparseEntry
	ends       []int // end of each word's entries
}

// sparseEntry is the part of φ_wk above the background.
type sparseEntry struct {
	topic uint32
	phi   float32 // n_wk/(n_k + Vβ)
}

func newFolder(r *rows) *folder {
	padded := (r.k + lanes - 1) / lanes * lanes
	f := &folder{
		rows:       r,
		theta:      make([]float64, r.k),
		current:    make([]float32, padded),
		next:       make([]float32, padded),
		alpha:      make([]float32, padded),
		background: make([]float32, padded),
		inverse:    make([]float32, padded),
	}
	for k := range r.k {
		f.alpha[k] = float32(r.alpha[k])
		f.background[k] = float32(r.background[k])
		f.inverse[k] = float32(r.inverse[k])
	}
	return f
}

// sparseAdvantage is how many elements of a dense row take the time of one entry of a sparse row. It decides between
// two ways to the same sums that differ in rounding, so it must not depend on the machine.
const sparseAdvantage = 8

// fold returns θ of a document with the given distinct words after some steps; it is valid until the next call.
func (f *folder) fold(words []wordCount, steps int) []float64 {
	f.run(f.load(words), steps)
	sum := 0.0
	for k := range f.theta {
		f.theta[k] = float64(f.current[k])
		sum += f.theta[k]
	}
	for k := range f.theta {
		f.theta[k] /= sum
	}
	return f.theta
}

// load gathers the rows of the words, dense or sparse, whichever is faster, and returns the EM step for that form.
func (f *folder) load(words []wordCount) (step func()) {
	nonzero := 0
	f.folded = 0
	for _, w := range words {
		nonzero += len(f.rows.row(w.id))
		if w.count > 0 {
			f.folded++
		}
	}
	f.sparse = (nonzero+f.rows.k)*sparseAdvantage < len(words)*len(f.current)
	if f.sparse {
		f.loadSparse(words)
		return f.sparseStep
	}
	f.loadDense(words)
	return f.denseStep
}

// run does some steps of EM from the uniform θ.
func (f *folder) run(step func(), steps int) {
	for k := range f.rows.k {
		f.current[k] = 1
	}
	for range steps {
		step()
		reestimate(f.current, f.next, f.alpha)
	}
}

// loadDense gathers φ of the words.
func (f *folder) loadDense(words []wordCount) {
	f.phi, f.counts = slices.Grow(f.phi[:0], len(words)*len(f.background)), f.counts[:0]
	for _, w := range words {
		f.counts = append(f.counts, w.count)
		f.phi = append(f.phi, f.background...)
		row := f.phi[len(f.phi)-len(f.background):]
		for _, e := range f.rows.row(w.id) {
			row[e.Topic] += float32(float32(e.Count) * f.inverse[e.Topic])
		}
	}
}

// denseStep computes next_k = Σ_u φ_uk count_u / Σ_j θ_j φ_uj over the words u that are folded in.
func (f *folder) denseStep() {
	clear(f.next)
	responsibilities(f.next, f.current, f.phi, f.counts[:f.folded])
}

// loadSparse gathers the rows of the words.
func (f *folder) loadSparse(words []wordCount) {
	f.entries, f.ends, f.counts = f.entries[:0], f.ends[:0], f.counts[:0]
	for _, w := range words {
		for _, e := range f.rows.row(w.id) {
			f.entries = append(f.entries, sparseEntry{e.Topic, float32(e.Count) * f.inverse[e.Topic]})
		}
		f.ends = append(f.ends, len(f.entries))
		f.counts = append(f.counts, w.count)
	}
}

// sparseStep is denseStep with the background taken out of the sums: φ_uk = b_k + s_uk gives next_k = b_k Σ_u g_u +
// Σ_u g_u s_uk, where g_u = count_u/(Σ_j θ_j b_j + Σ_j θ_j s_uj).
func (f *folder) sparseStep() {
	clear(f.next)
	common := dot(f.current, f.background)
	total := float32(0)
	for u := range f.folded {
		row := f.sparseRow(u)
		g := f.counts[u] / f.above(common, row)
		total += g
		for _, e := range row {
			f.next[e.topic] += float32(g * e.phi)
		}
	}
	for k, b := range f.background {
		f.next[k] += float32(total * b)
	}
}

// sparseRow returns the entries of word u.
func (f *folder) sparseRow(u int) []sparseEntry {
	begin := 0
	if u > 0 {
		begin = f.ends[u-1]
	}
	return f.entries[begin:f.ends[u]]
}

// above returns common + Σ_k θ_k s_uk over the entries of a word.
func (f *folder) above(common float32, row []sparseEntry) float32 {
	sum := common
	for _, e := range row {
		sum += float32(f.current[e.topic] * e.phi)
	}
	return sum
}

// foldSteps is the number of EM steps that estimate θ of a document, briefSteps that of BriefCompletion.
const foldSteps, briefSteps = 60, 20

// wordCount is a word of a document with its number of occurrences.
type wordCount struct {
	id    uint32
	count float32
}

// countEveryOther appends the distinct words at the places 0, 2, 4, … of sorted tokens.
func countEveryOther(dst []wordCount, tokens []uint32) []wordCount {
	for i := 0; i < len(tokens); i += 2 {
		if n := len(dst); n > 0 && dst[n-1].id == tokens[i] {
			dst[n-1].count++
		} else {
			dst = append(dst, wordCount{tokens[i], 1})
		}
	}
	return dst
}
