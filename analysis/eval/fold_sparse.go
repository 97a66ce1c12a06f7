package eval

import (
	"github.com/topoi-lda/topoi/corpus"
	"github.com/topoi-lda/topoi/internal/counts"
	"github.com/topoi-lda/topoi/internal/portable"
)

// sparseFolder is folder for very many topics. It holds only the topics of one document's words.
type sparseFolder struct {
	*moments
	silent silent
	slotOf []uint32 // K: 1 + the slot of a topic of the document; zero between documents
	topics []uint32 // the topic of each slot

	// Per slot:
	a, b, inv []float64 // α_k, b_k, 1/(n_k + Vβ)
	x         []float64 // the topic's weight: θ_k up to a factor
	y         []float64 // x_k/(n_k + Vβ), of which a word takes n_wk times
	next      []float64 // Σ_u g_u s_uk

	folded, scored []wordCount
	entries        []slotCount // the rows of folded and then those of scored
	ends           []int       // per word: the end of its entries
}

// slotCount is an element of a word's row.
type slotCount struct {
	slot  uint32
	count float32 // n_wk, or what is left of it
}

func newSparseFolder(m *moments) *sparseFolder {
	return &sparseFolder{moments: m, slotOf: make([]uint32, len(m.alpha))}
}

func (f *sparseFolder) complete(doc []uint32, steps int) float64 {
	f.load(doc)
	for range steps {
		f.step()
	}
	return f.score()
}

// score returns Σ log p over the tokens 1, 3, 5, … of the loaded document, and unloads it.
func (f *sparseFolder) score() float64 {
	total, background := f.silent.sum(0), f.common()
	for _, x := range f.x {
		total += x
	}
	score := 0.0
	for i, w := range f.scored {
		p := background + f.above(len(f.folded)+i)
		score += float64(float64(w.count) * portable.Log(p/total))
	}
	f.unload()
	return score
}

// common returns Σ_k x_k b_k over all topics.
func (f *sparseFolder) common() float64 {
	common := f.silent.sum(1)
	for i, x := range f.x {
		common += float64(x * f.b[i])
	}
	return common
}

// load gathers the rows of a document's words and gives their topics slots.
func (f *sparseFolder) load(doc []uint32) {
	f.folded = countEveryOther(f.folded[:0], doc)
	f.scored = countEveryOther(f.scored[:0], doc[1:])
	f.entries, f.ends, f.topics = f.entries[:0], f.ends[:0], f.topics[:0]
	f.a, f.b, f.inv = f.a[:0], f.b[:0], f.inv[:0]
	f.x, f.y, f.next = f.x[:0], f.y[:0], f.next[:0]
	f.silent.powerSums = f.all
	for _, list := range [][]wordCount{f.folded, f.scored} {
		for _, w := range list {
			for _, e := range f.rows.Row(int(w.id)) {
				f.entries = append(f.entries, slotCount{f.slot(e.Topic), float32(e.Count)})
			}
			f.ends = append(f.ends, len(f.entries))
		}
	}
	f.silent.begin(f.beta * f.largest)
}

// slot returns the slot of a topic. It takes the topic out of the silent ones if it is new.
func (f *sparseFolder) slot(k uint32) uint32 {
	if i := f.slotOf[k]; i > 0 {
		return i - 1
	}
	f.topics = append(f.topics, k)
	f.slotOf[k] = uint32(len(f.topics))
	inv := f.inverse[k]
	f.silent.add(-1, f.alpha[k], inv/f.largest)
	f.a, f.b, f.inv = append(f.a, f.alpha[k]), append(f.b, f.beta*inv), append(f.inv, inv)
	f.x, f.y, f.next = append(f.x, 1), append(f.y, inv), append(f.next, 0)
	return uint32(len(f.topics) - 1)
}

func (f *sparseFolder) unload() {
	for _, k := range f.topics {
		f.slotOf[k] = 0
	}
}

// row returns the entries of word i.
func (f *sparseFolder) row(i int) []slotCount {
	begin := 0
	if i > 0 {
		begin = f.ends[i-1]
	}
	return f.entries[begin:f.ends[i]]
}

// above returns Σ_k x_k n_wk/(n_k + Vβ) of word i.
func (f *sparseFolder) above(i int) float64 {
	sum := 0.0
	for _, e := range f.row(i) {
		sum += float64(f.y[e.slot] * float64(e.count))
	}
	return sum
}

// step does one step of EM.
func (f *sparseFolder) step() {
	common := f.common()
	clear(f.next)
	total := 0.0
	for i, w := range f.folded {
		g := float64(w.count) / (common + f.above(i))
		total += g
		for _, e := range f.row(i) {
			f.next[e.slot] += float64(g * float64(e.count))
		}
	}
	for i, x := range f.x {
		f.x[i] = f.a[i] + float64(x*(float64(f.next[i]*f.inv[i])+float64(total*f.b[i])))
		f.y[i] = f.x[i] * f.inv[i]
	}
	f.silent.step(total)
}

// moments let EM run over the topics of a document's words only, whatever K. A topic that none of the words has
// ("silent") has φ = b_k for all of them, with b_k = β/(n_k + Vβ), and step t of EM changes its weight from x_k to
//
//	x_k ← α_k + x_k b_k G_t,     G_t = Σ_u count_u / Σ_j θ_j φ_uj
//
// So after t steps from x_k = 1 it is a polynomial in r_k = b_k/max b,
//
//	x_k = α_k Σ_{m<t} c_m r_k^m + c_t r_k^t
//
// whose coefficients are the same for all silent topics, and what EM and the score need of them, sums of x_k and of
// x_k b_k, follows from the sums
//
//	A_m = Σ_k α_k r_k^m,     R_m = Σ_k r_k^m
//
// over silent topics: those over all topics, computed once, less those over the document's.
type moments struct {
	alpha   []float64 // K: α_k
	inverse []float64 // K: 1/(n_k + Vβ)
	beta    float64
	largest float64 // the largest 1/(n_k + Vβ)
	rows    counts.InPlace
	all     powerSums
}

// powerSums are A_m and R_m for all m that EM needs.
type powerSums struct{ a, r [foldSteps + 2]float64 }

// add adds a topic, or takes it away with sign -1.
func (p *powerSums) add(sign, alpha, r float64) {
	power := sign
	for m := range p.a {
		p.a[m] += float64(alpha * power)
		p.r[m] += power
		power *= r
	}
}

// newMoments computes what scoring docs needs from the model.
func newMoments(m Model, docs *corpus.Corpus, threads int) *moments {
	s := &moments{alpha: m.Alpha(), beta: m.Beta(), inverse: make([]float64, m.NumTopics())}
	vbeta := float64(float64(m.NumWords()) * m.Beta())
	for k, n := range m.TopicTotals() {
		s.inverse[k] = 1 / (float64(n) + vbeta)
		s.largest = max(s.largest, s.inverse[k])
	}
	for k, a := range s.alpha {
		s.all.add(1, a, s.inverse[k]/s.largest)
	}
	s.rows = inPlace(m, occurring(m, docs), threads)
	return s
}

// silent follows the silent topics of one document through EM.
type silent struct {
	powerSums                        // over the silent topics
	c         [foldSteps + 1]float64 // coefficients
	t         int                    // steps done
	largest   float64                // max b
}

// begin starts a document from x_k = 1.
func (s *silent) begin(largest float64) {
	s.c, s.t, s.largest = [foldSteps + 1]float64{1}, 0, largest
	for m := range s.a { // rounding may have left less than nothing
		s.a[m], s.r[m] = max(0, s.a[m]), max(0, s.r[m])
	}
}

// step takes G of the next step.
func (s *silent) step(g float64) {
	h := g * s.largest
	s.t++
	for m := s.t; m > 0; m-- {
		s.c[m] = h * s.c[m-1]
	}
	s.c[0] = 1
}

// sum returns Σ x_k b_k^e over silent topics for e = 0 or 1.
func (s *silent) sum(e int) float64 {
	sum := float64(s.c[s.t] * s.r[s.t+e])
	for m := range s.t {
		sum += float64(s.c[m] * s.a[m+e])
	}
	if e == 1 {
		sum *= s.largest
	}
	return sum
}
