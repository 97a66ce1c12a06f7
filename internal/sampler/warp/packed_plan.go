package warp

import (
	"github.com/topoi-lda/topoi/internal/cuda/kernels/layout"
	"github.com/topoi-lda/topoi/internal/sampler"
	"github.com/topoi-lda/topoi/internal/sampler/warp/grouping"
)

// warpPackedPlan says which data of a corpus are on a device. It never changes a result.
type warpPackedPlan struct {
	words, docs []*warpPackedLoad
	stays       []bool // by load, words before docs: it stays on the device
	largest     int    // numbers in the largest load, at least 1
	hot         warpPackedHotPlan
	long        struct{ byDoc, ends, list []uint32 }
}

// warpPackedHotPlan holds the hot words and the lists of their tokens.
type warpPackedHotPlan struct {
	words []uint32
	spans [][2]uint32 // by word: first token in the lists, and one after the last
	lists warpPackedLoad
	parts []uint32 // as in warpOn
}

const warpPackedLoads = 16 // loads a phase if not all stay on the device

// plan chooses loads that stay on the device, as many as fit, evenly spread among those that pass through. It
// returns nil if room is less than need bytes.
func (s *warpPacker) plan(room int64) (plan *warpPackedPlan, need int64) {
	words, hot := s.dealWords()
	docs, long := s.dealDocs()
	plan = &warpPackedPlan{largest: 1}
	s.planHot(plan, hot)
	plan.long.byDoc, plan.long.ends, plan.long.list = s.longLists(long)
	need = s.fixedBytes(plan)
	left := room - need
	if left < 0 {
		return nil, need
	}
	loads := warpPackedLoads
	if s.listBytes(words, docs) <= left {
		loads = 1
	}
	plan.words, plan.docs = cutPacked(words, loads, s.wordLoad), cutPacked(docs, loads, s.docLoad)
	all := plan.loads()
	for _, load := range all {
		plan.largest = max(plan.largest, len(load.numbers))
	}
	if loads == 1 {
		plan.stays = sampler.Evenly(len(all), len(all))
		return plan, need
	}
	largest := 4 * int64(plan.largest)
	need += warpSlots * largest
	if left -= warpSlots * largest; left < 0 {
		return nil, need
	}
	plan.stays = sampler.Evenly(int(min(int64(len(all)), left/largest)), len(all))
	return plan, need
}

func (p *warpPackedPlan) loads() []*warpPackedLoad {
	return append(append([]*warpPackedLoad(nil), p.words...), p.docs...)
}

// cutPacked divides groups into at most the given number of loads, of equally many groups.
func cutPacked(groups []warpPackedGroup, loads int, load func(groups []warpPackedGroup) *warpPackedLoad) []*warpPackedLoad {
	var list []*warpPackedLoad
	each := max(1, (len(groups)+loads-1)/loads)
	for first := 0; first < len(groups); first += each {
		list = append(list, load(groups[first:min(first+each, len(groups))]))
	}
	return list
}

// planHot lists the tokens of hot words.
func (s *warpPacker) planHot(plan *warpPackedPlan, hot []uint32) {
	sets, from := make([][]uint32, len(hot)), 0
	plan.hot.words = hot
	for i, w := range hot {
		sets[i] = hot[i : i+1]
		span := [2]uint32{uint32(from), uint32(from) + s.tokensOf(int(w))}
		plan.hot.spans = append(plan.hot.spans, span)
		plan.hot.parts = grouping.AppendParts(plan.hot.parts, uint32(i), span[0], span[1], s.limits.part)
		from = grouping.RunRoom(int(span[1]))
	}
	plan.hot.lists = *newWarpPackedLoad(0, nil, nil, s.runsOf(sets).Lists()...)
}

// fixedBytes returns the memory of everything except the lists of groups.
func (s *warpPacker) fixedBytes(plan *warpPackedPlan) int64 {
	k, n, state := int64(s.p.K), int64(s.p.N()), int64(warpPackedNumbers(s.p))
	lists := len(plan.hot.lists.numbers) + len(plan.hot.parts) + len(plan.long.byDoc) + len(plan.long.ends) + len(plan.long.list) + len(s.blockStarts())
	return 4*state + 2*min(n, warpPackedCopy) + 4*(int64(lists)+5*k+1+int64(len(plan.hot.words))*(k+1)) + sampler.HistogramBytes(s.p) + sampler.PseudoBytes(s.p.Pseudo)
}

// listBytes returns an upper bound of the memory of all lists if words and documents have one load each.
func (s *warpPacker) listBytes(words, docs []warpPackedGroup) int64 {
	segment, numbers := 4, 0
	if s.wide {
		segment = 5
	}
	bytes := 0
	for _, g := range words {
		of := grouping.RunRoom(g.tokens) / grouping.RunTokens
		numbers += layout.Size[grouping.Group]() + g.members + 2*of
		bytes += segment * of
		for _, w := range g.words {
			bytes += segment * (s.first[w+1] - s.first[w])
		}
	}
	for _, g := range docs {
		numbers += layout.Size[grouping.Group]() + g.members
		bytes += 2 * (g.tokens + 1)
	}
	return int64(4*numbers + (bytes+3)&^3)
}
