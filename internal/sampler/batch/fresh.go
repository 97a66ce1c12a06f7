package batch

import (
	"context"
	"errors"
	"fmt"
	"sort"
	"strings"

	"github.com/topoi-lda/topoi/internal/human"
	"github.com/topoi-lda/topoi/internal/parallel"
	"github.com/topoi-lda/topoi/internal/rng"
	"github.com/topoi-lda/topoi/internal/sampler"
	"github.com/topoi-lda/topoi/internal/sampler/state"
)

// fresh is batch with any Freshness: the partially collapsed samplers that Moon et al. (2018, §3) compare, for study.
// A sweep goes through mini-batches of documents; inside one, each of n_dk, n_wk and n_k is either changed at once or
// when the mini-batch ends. With DNT_dk = (n_dk + α_k)/(n_k + Vβ), computed once for a document and mended for the
// one or two topics that a token changes,
//
//	p(z = k) ∝ DNT_dk · (n_wk + β)
//
// has no division in the loop over topics. The token's own count is taken out of n_dk and n_wk, fresh or not, and of
// n_k where it is fresh, unless Tuning.OwnCount says otherwise.
//
// What may run at the same time follows from what is fresh, and so do the tasks of a mini-batch: column panels of
// words where n_wk is fresh and n_dk is not (§4), chunks of documents where n_wk is not, one task where both are. A
// fresh n_k is fresh inside a task; tasks see each other's changes of it when the mini-batch ends, where a GPU's
// atomic additions show them in whatever order they happen. Costs O(K) per token and per document of each panel.
type fresh struct {
	state.Dense
	freshness Freshness
	ownIn     bool  // the token's own count stays in
	panels    []int // word ranges of about equal numbers of tokens: panels[i] … panels[i+1]-1

	old     []uint32        // N: topics before the mini-batch
	inverse []float64       // K: 1/(n_k + Vβ) before the mini-batch
	vbeta   float64         // Vβ
	priors  *sampler.Priors // of the sweep in progress
	scratch []freshScratch  // one per worker
}

// freshScratch is the memory of one worker.
type freshScratch struct {
	ndk     []int32   // K: the current document's counts
	nk      []int32   // K: n_k as the current task sees it
	inverse []float64 // K: 1/(n_k + Vβ) as the current task sees it
	dnt     []float64 // K
	weights []float64 // K
	alpha   []float64 // K: of the current document
	room    []float64 // K: for alpha
}

// freshTask is a part of a mini-batch: documents × words.
type freshTask struct {
	firstDoc, endDoc   int
	firstWord, endWord uint32
}

// columnPanels is the number of panels of words.
const columnPanels = 16

func newFresh(p *sampler.Problem, f Freshness) *fresh {
	s := &fresh{
		Dense:     state.NewDense(p),
		freshness: f,
		ownIn:     p.Tuning.OwnCount == "in",
		panels:    sampler.EqualRanges(p.Words, p.V, columnPanels),
		old:       make([]uint32, p.N()),
		inverse:   make([]float64, p.K),
		scratch:   make([]freshScratch, max(1, p.Threads)),
	}
	for i := range s.scratch {
		s.scratch[i] = freshScratch{
			ndk: make([]int32, p.K), nk: make([]int32, p.K), inverse: make([]float64, p.K),
			dnt: make([]float64, p.K), weights: make([]float64, p.K), room: make([]float64, p.K),
		}
	}
	return s
}

// Sweep implements Sampler. When ctx ends inside a mini-batch the state is left half-way and must not be used.
func (s *fresh) Sweep(ctx context.Context, iteration int, priors *sampler.Priors) error {
	random := sampler.Draws{Key: rng.NewKey(s.P.Seed), Iteration: uint32(iteration), Purpose: sampler.ForDraw}
	s.priors, s.vbeta = priors, float64(s.P.V)*priors.Beta
	n := s.P.Batches(iteration, priors)
	for b := range n {
		first, end := s.P.D()*b/n, s.P.D()*(b+1)/n
		lo, hi := s.P.Offsets[first], s.P.Offsets[end]
		copy(s.old[lo:hi], s.Z[lo:hi])
		for k, n := range s.Nk {
			s.inverse[k] = 1 / (float64(n) + s.vbeta)
		}
		tasks := s.tasks(first, end)
		err := parallel.Do(ctx, s.P.Threads, len(tasks), func(worker, task int) {
			s.sample(&s.scratch[worker], tasks[task], random)
		})
		if err != nil {
			return err
		}
		s.merge(lo, hi)
	}
	return nil
}

// tasks cuts a mini-batch into what may run at the same time.
func (s *fresh) tasks(first, end int) []freshTask {
	var tasks []freshTask
	switch {
	case !s.freshness.Word:
		for d := first; d < end; d += state.DocChunk {
			tasks = append(tasks, freshTask{d, min(d+state.DocChunk, end), 0, uint32(s.P.V)})
		}
	case !s.freshness.Doc:
		for i := range len(s.panels) - 1 {
			tasks = append(tasks, freshTask{first, end, uint32(s.panels[i]), uint32(s.panels[i+1])})
		}
	default:
		tasks = append(tasks, freshTask{first, end, 0, uint32(s.P.V)})
	}
	return tasks
}

// merge brings the counts that were not fresh up to date with the tokens lo … hi-1.
func (s *fresh) merge(lo, hi uint64) {
	for i := lo; i < hi; i++ {
		from, to := s.old[i], s.Z[i]
		if from == to {
			continue
		}
		s.Nk[from]--
		s.Nk[to]++
		if !s.freshness.Word {
			row := int(s.P.Words[i]) * s.P.K
			s.Nwk[row+int(from)]--
			s.Nwk[row+int(to)]++
		}
	}
}

// sample resamples the tokens of a task.
func (s *fresh) sample(t *freshScratch, task freshTask, random sampler.Draws) {
	copy(t.nk, s.Nk)
	copy(t.inverse, s.inverse)
	for d := task.firstDoc; d < task.endDoc; d++ {
		lo, hi := s.P.Offsets[d], s.P.Offsets[d+1]
		words := s.P.Words[lo:hi]
		first := sort.Search(len(words), func(i int) bool { return words[i] >= task.firstWord })
		end := sort.Search(len(words), func(i int) bool { return words[i] >= task.endWord })
		if first == end {
			continue
		}
		t.alpha = s.P.AlphaOf(t.room, d, s.priors)
		doc := s.old[lo:hi] // other panels may be changing z
		for _, k := range doc {
			t.ndk[k]++
		}
		for k, n := range t.ndk {
			t.dnt[k] = (float64(n) + t.alpha[k]) * t.inverse[k]
		}
		for i := lo + uint64(first); i < lo+uint64(end); i++ {
			s.Z[i] = s.Draw(t, int(s.P.Words[i]), s.Z[i], rng.Float64(random.Pair(i)))
		}
		clear(t.ndk)
	}
}

// Draw takes a token of word w out of topic old, draws its new topic, and puts it there where counts are fresh.
func (s *fresh) Draw(t *freshScratch, w int, old uint32, u float64) uint32 {
	row := s.Nwk[w*s.P.K : (w+1)*s.P.K]
	if !s.ownIn {
		s.take(t, row, old)
	}

	for k, n := range row {
		t.weights[k] = t.dnt[k] * (float64(n) + s.priors.Beta)
	}
	if !s.ownIn && !s.freshness.Word { // the token itself is still in its row
		t.weights[old] = t.dnt[old] * (float64(row[old]-1) + s.priors.Beta)
	}
	sum := 0.0
	for k, x := range t.weights {
		sum += x
		t.weights[k] = sum
	}
	target := u * sum
	k := uint32(0)
	for int(k) < len(row)-1 && t.weights[k] <= target {
		k++
	}

	if s.ownIn {
		s.take(t, row, old)
	}
	s.change(t, row, k, 1)
	if s.freshness.Doc {
		t.ndk[k]++
	} else {
		t.ndk[old]++ // the document's other tokens see it where it was
	}
	s.mend(t, old)
	s.mend(t, k)
	return k
}

// take removes a token from topic k.
func (s *fresh) take(t *freshScratch, row []int32, k uint32) {
	s.change(t, row, k, -1)
	t.ndk[k]--
	s.mend(t, k)
}

// change adds delta (+1 or -1) tokens to topic k of the word's row and of n_k, as far as they are fresh.
func (s *fresh) change(t *freshScratch, row []int32, k uint32, delta int32) {
	if s.freshness.Word {
		row[k] += delta
	}
	if s.freshness.Topic {
		t.nk[k] += delta
		t.inverse[k] = 1 / (float64(t.nk[k]) + s.vbeta)
	}
}

// mend computes DNT of topic k anew.
func (s *fresh) mend(t *freshScratch, k uint32) {
	t.dnt[k] = (float64(t.ndk[k]) + t.alpha[k]) * t.inverse[k]
}

// Freshness describes for each of the three counts whether a change is visible at once (true) or at the end of the
// mini-batch: the eight variants of Moon et al. (2018, §3 and Fig. 1).
type Freshness struct {
	Doc, Word, Topic bool
}

// String writes f as ParseFreshness reads it.
func (f Freshness) String() string {
	when := map[bool]string{false: "delayed", true: "immediate"}
	return fmt.Sprintf("doc=%s,word=%s,topic=%s", when[f.Doc], when[f.Word], when[f.Topic])
}

// batchFreshness is that of batch itself: documents see their own changes at
// once and all others' at the end of the mini-batch.
var batchFreshness = Freshness{Doc: true}

// ParseFreshness reads "doc=immediate,word=delayed,topic=delayed". Counts that are left out are as batch has them.
func ParseFreshness(s string) (Freshness, error) {
	f := batchFreshness
	if s == "" {
		return f, nil
	}
	var faults []error
	for _, part := range strings.Split(s, ",") {
		name, value, _ := strings.Cut(part, "=")
		field, ok := map[string]*bool{"doc": &f.Doc, "word": &f.Word, "topic": &f.Topic}[name]
		switch {
		case !ok:
			faults = append(faults, fmt.Errorf("unknown count %q in Tuning.Fresh%s", name,
				human.Hint(name, []string{"doc", "word", "topic"})))
		case value != "immediate" && value != "delayed":
			faults = append(faults, fmt.Errorf("Tuning.Fresh says of %s %q: it must be immediate or delayed", name,
				value))
		default:
			*field = value == "immediate"
		}
	}
	return f, errors.Join(faults...)
}
