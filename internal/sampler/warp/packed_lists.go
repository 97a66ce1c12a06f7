package warp

import (
	"context"

	"github.com/topoi-lda/topoi/internal/alloc"
	"github.com/topoi-lda/topoi/internal/cuda/kernels/layout"
	"github.com/topoi-lda/topoi/internal/parallel"
	"github.com/topoi-lda/topoi/internal/sampler"
	"github.com/topoi-lda/topoi/internal/sampler/warp/grouping"
)

const warpPackedBlocks = 1 << 11 // with more blocks, a segment and its word's number do not fit 32 bits

// warpPacker makes the lists by which warp_packed*.cu finds tokens.
type warpPacker struct {
	*warp[uint16]
	limits            warpLimits
	docRows, wordRows int  // rows in the shared memory of a block of threads
	hashed            bool // documents have no groups, and rows are hash tables
	wide              bool // Runs of warp_packed.h
}

func newWarpPacker(w *warp[uint16], limits warpLimits) warpPacker {
	s := warpPacker{
		warp: w, limits: limits, hashed: w.p.K > limits.dense, wide: limits.wide || len(w.blocks) > warpPackedBlocks,
		docRows:  grouping.Rows(w.p.K, limits.docRows, limits.shared, grouping.DocBytes),
		wordRows: grouping.Rows(w.p.K, limits.wordRows, limits.shared, grouping.WordBytes),
	}
	if s.hashed {
		s.docRows = 1
	}
	return s
}

// runsOf lists the tokens of sets of words. Each set is in the order of positions and begins with a new run.
func (s *warpPacker) runsOf(sets [][]uint32) *grouping.Runs {
	const each = 64 // sets for a goroutine at a time
	parts := make([]grouping.Runs, (len(sets)+each-1)/each)
	keys, next := make([][]uint64, max(1, s.p.Threads)), make([][]uint32, max(1, s.p.Threads))
	_ = parallel.Do(context.Background(), s.p.Threads, len(parts), func(thread, i int) {
		r := &parts[i]
		r.Wide = s.wide
		next[thread] = alloc.Resize(next[thread], len(s.blocks))
		for _, words := range sets[i*each : min((i+1)*each, len(sets))] {
			keys[thread] = alloc.Resize(keys[thread], s.segmentCount(words))
			s.segmentsOf(keys[thread], words, next[thread])
			for _, key := range keys[thread] {
				r.Add(uint32(key>>32), uint32(key>>16)&0xffff, uint32(key&0xffff))
			}
			r.End()
		}
	})
	all := &grouping.Runs{Wide: s.wide}
	for i := range parts {
		all.Join(&parts[i])
		parts[i] = grouping.Runs{}
	}
	return all
}

// warpPackedGroup is some words, or documents of one block, that a block of threads takes together.
type warpPackedGroup struct {
	words       []uint32
	block       int
	first, last int // documents first … last-1, except empty and long ones
	tokens      int
	members     int
}

// hotLimit returns the most tokens of a word that is not hot.
func (s *warpPacker) hotLimit() int { return min(s.limits.hot, grouping.Tokens) }

// dealWords divides words into groups, except hot ones and those that do not occur.
func (s *warpPacker) dealWords() (groups []warpPackedGroup, hot []uint32) {
	var words []uint32
	for w := range s.p.V {
		n := int(s.tokensOf(w))
		if n > s.hotLimit() || n > 0 && s.pseudo(w) != nil {
			hot = append(hot, uint32(w))
			continue
		}
		if n == 0 {
			continue
		}
		words = append(words, uint32(w))
		last := len(groups) - 1
		if last < 0 || groups[last].tokens+n > grouping.Tokens || groups[last].members == s.wordRows {
			groups = append(groups, warpPackedGroup{first: len(words) - 1})
			last++
		}
		groups[last].tokens += n
		groups[last].members++
	}
	for i := range groups {
		g := &groups[i]
		g.words = words[g.first : g.first+g.members]
	}
	return groups, hot
}

// mostShort returns the most tokens of a document in a group.
func (s *warpPacker) mostShort() int {
	if s.hashed {
		return min(warpShortMost, s.limits.short/(s.m+1))
	}
	return min(grouping.Tokens, s.limits.short)
}

// isShort reports whether a document belongs to a group.
func (s *warpPacker) isShort(d int) bool {
	n := s.p.Offsets[d+1] - s.p.Offsets[d]
	return n > 0 && n <= uint64(s.mostShort())
}

// dealDocs divides documents into groups, except empty and long ones.
func (s *warpPacker) dealDocs() (groups []warpPackedGroup, long []int) {
	for b, block := range s.blocks {
		fresh := true
		for d := block.FirstDoc; d < block.LastDoc; d++ {
			n := int(s.p.Offsets[d+1] - s.p.Offsets[d])
			if !s.isShort(d) {
				if n > 0 {
					long = append(long, d)
				}
				continue
			}
			last := len(groups) - 1
			if fresh || groups[last].tokens+n > grouping.Tokens || groups[last].members == s.docRows {
				groups = append(groups, warpPackedGroup{block: b, first: d})
				last, fresh = last+1, false
			}
			groups[last].last = d + 1
			groups[last].tokens += n
			groups[last].members++
		}
	}
	return groups, long
}

// heads returns the Groups and Shares of warp_groups.h. Every group's tokens begin at a multiple of align.
// each calls add with the number of tokens of every member.
func (s *warpPacker) heads(groups []warpPackedGroup, align int,
	each func(g *warpPackedGroup, add func(n int)),
) (heads []grouping.Group, shares []uint32) {
	from := 0
	for i := range groups {
		g := &groups[i]
		heads = append(heads, grouping.Group{
			From: uint32(from), N: uint32(g.tokens), First: uint32(len(shares)), Members: uint32(g.members),
			Block: uint32(g.block), Begin: uint32(s.blocks[g.block].Begin),
		})
		base := 0
		each(g, func(n int) {
			shares = append(shares, uint32(base)|uint32(n)<<16)
			base += n
		})
		from += (g.tokens + align - 1) / align * align
	}
	return heads, shares
}

// wordLoad returns the lists of groups of words.
func (s *warpPacker) wordLoad(groups []warpPackedGroup) *warpPackedLoad {
	heads, shares := s.heads(groups, grouping.RunTokens, func(g *warpPackedGroup, add func(n int)) {
		for _, w := range g.words {
			add(int(s.tokensOf(int(w))))
		}
	})
	var words []uint32
	sets := make([][]uint32, len(groups))
	for i, g := range groups {
		sets[i] = g.words
		words = append(words, g.words...)
	}
	load := newWarpPackedLoad(len(groups), layout.Numbers(heads), shares, s.runsOf(sets).Lists()...)
	load.words = words
	return load
}

// docLoad returns the lists of groups of documents.
func (s *warpPacker) docLoad(groups []warpPackedGroup) *warpPackedLoad {
	heads, shares := s.heads(groups, 2, func(g *warpPackedGroup, add func(n int)) {
		for d := g.first; d < g.last; d++ {
			if s.isShort(d) {
				add(int(s.p.Offsets[d+1] - s.p.Offsets[d]))
			}
		}
	})
	last := heads[len(heads)-1]
	places := make([]uint32, (last.From+last.N+1)/2)
	_ = parallel.Do(context.Background(), s.p.Threads, len(groups), func(_, i int) {
		g, at := &groups[i], heads[i].From
		for d := g.first; d < g.last; d++ {
			if !s.isShort(d) {
				continue
			}
			for _, place := range s.places[s.p.Offsets[d]:s.p.Offsets[d+1]] {
				places[at/2] |= uint32(place) << (16 * (at % 2))
				at++
			}
		}
	})
	if !s.hashed {
		return newWarpPackedLoad(len(groups), layout.Numbers(heads), shares, places)
	}
	var docs []layout.WarpDocsHead
	room := 0
	for _, g := range heads {
		docs = append(docs, layout.WarpDocsHead{From: g.From, N: g.N, Block: g.Block, Begin: g.Begin})
		room = max(room, int(g.N))
	}
	load := newWarpPackedLoad(len(groups), layout.Numbers(docs), nil, places)
	load.room = (room + 1) &^ 1
	return load
}

// longLists lists the tokens of long documents: positions, where documents begin among them, and numbers 0, 1, 2, …
func (s *warpPacker) longLists(docs []int) (byDoc, ends, list []uint32) {
	ends = []uint32{0}
	block := 0
	for i, d := range docs {
		for s.blocks[block].LastDoc <= d {
			block++
		}
		for _, place := range s.places[s.p.Offsets[d]:s.p.Offsets[d+1]] {
			byDoc = append(byDoc, uint32(s.blocks[block].Begin)+uint32(place))
		}
		ends, list = append(ends, uint32(len(byDoc))), append(list, uint32(i))
	}
	return byDoc, ends, list
}

// warpPackedPlan describes which data of a corpus are on a device. It never changes a result.
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
func cutPacked(groups []warpPackedGroup, loads int,
	load func(groups []warpPackedGroup) *warpPackedLoad,
) []*warpPackedLoad {
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
	lists := len(plan.hot.lists.numbers) + len(plan.hot.parts) + len(plan.long.byDoc) + len(plan.long.ends) +
		len(plan.long.list) + len(s.blockStarts())
	return 4*state + 2*min(n, warpPackedCopy) + 4*(int64(lists)+5*k+1+int64(len(plan.hot.words))*(k+1)) +
		sampler.HistogramBytes(s.p) + sampler.PseudoBytes(s.p.Pseudo)
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
