package warp

import (
	"context"
	"math"
	"slices"
	"sync"

	"github.com/topoi-lda/topoi/internal/cuda/kernels/layout"
	"github.com/topoi-lda/topoi/internal/device"
	"github.com/topoi-lda/topoi/internal/parallel"
	"github.com/topoi-lda/topoi/internal/sampler"
	"github.com/topoi-lda/topoi/internal/sampler/draw32"
)

// warpGroups is the work of warp_doc_groups.cu or warp_word_groups.cu: groups of
// consecutive documents, or words, whose tokens one block of threads holds.
type warpGroups struct {
	rows int // rows for which a block of threads has shared memory, 0 if groups are not used

	list     *device.Buffer[uint32] // the tokens of all groups
	memberOf *device.Buffer[uint8]  // words: each token's word in its group
	spots    *device.Buffer[uint32] // words: each token's block of the grid and place there
	groups   *device.Buffer[uint32] // Group of warp_groups.h
	shares   *device.Buffer[uint32] // Share of warp_groups.h
	n        int                    // groups
}

const (
	warpGroupThreads = layout.WarpGroupsThreads
	warpGroupTokens  = layout.WarpGroupsPer * warpGroupThreads // the most of a group
	warpGroupTopics  = layout.WarpGroupsIsPlace                // the most, because a bit tells topics from places
	warpMembers      = layout.WarpGroupsMembers                // the most members of a group
)

// warpGroup is Group of warp_groups.h.
type warpGroup = layout.WarpGroupsGroup

// warpGroupList collects groups, and what warpGroups has of their tokens.
type warpGroupList struct {
	groups []warpGroup
	shares []uint32 // Shares of warp_groups.h
	tokens uint32   // in all groups

	list, spots []uint32
	memberOf    []uint8
}

// Begin starts a group.
func (g *warpGroupList) Begin(block, begin uint32) {
	g.groups = append(g.groups, warpGroup{From: g.tokens, First: uint32(len(g.shares)), Block: block, Begin: begin})
}

// group is the last one.
func (g *warpGroupList) group() *warpGroup { return &g.groups[len(g.groups)-1] }

// fits says whether the last group has room for a member of n tokens.
func (g *warpGroupList) fits(n, members int) bool {
	return len(g.groups) > 0 && int(g.group().N)+n <= warpGroupTokens && int(g.group().Members) < members
}

// Add adds a member of n tokens to the last group.
func (g *warpGroupList) Add(n uint32) {
	last := g.group()
	g.shares = append(g.shares, last.N|n<<16)
	last.N += n
	last.Members++
	g.tokens += n
}

// warpDocBytes is the shared memory of warp_doc_groups.cu.
func warpDocBytes(k, rows int) int {
	return 4*(2*((k+3)&^3)+3*warpMembers+4+rows*((k+7)/8*4)) + 2*warpGroupTokens
}

// warpWordBytes is the shared memory of warp_word_groups.cu.
func warpWordBytes(k, rows int) int {
	return 4*((k+3)&^3+3*warpMembers+4+warpGroupThreads/draw32.Lanes+(rows*k+3)&^3) + 2*warpGroupTokens
}

// warpRows is for how many rows, of most that are wanted, there is shared memory.
func warpRows(k, most, shared int, bytes func(k, rows int) int) int {
	rows := 0
	for rows < min(most, warpMembers) && bytes(k, rows+1) <= shared {
		rows++
	}
	return rows
}

// planGroups says how large groups are.
func (s *warpOn[T]) planGroups() {
	if s.m > 2 || s.p.K > warpGroupTopics {
		return
	}
	if s.p.K <= s.limits.dense {
		s.docGroups.rows = warpRows(s.p.K, s.limits.docRows, s.limits.shared, warpDocBytes)
	}
	if s.spotsFit() {
		s.wordGroups.rows = warpRows(s.p.K, s.limits.wordRows, s.limits.shared, warpWordBytes)
	}
}

// hotLimit is the most tokens of a word that is not hot.
func (s *warpOn[T]) hotLimit() int {
	if s.wordGroups.rows > 0 {
		return min(s.limits.hot, warpGroupTokens)
	}
	return s.limits.hot
}

// makeGroups deals documents and words into groups.
func (s *warpOn[T]) makeGroups(words []uint32) {
	if s.docGroups.rows > 0 {
		s.docGroups.place(s.arena, s.docGroupsKey, func() *warpGroupList { return s.groupDocs(s.mostShort()) })
	}
	if s.wordGroups.rows > 0 {
		s.wordGroups.place(s.arena, s.wordGroupsKey, func() *warpGroupList { return s.groupWords(words) })
	}
}

// keys names what the device keeps for other runs over the corpus: lists that are as long as
// it. Those of groups depend on how large these are.
func (s *warpOn[T]) keys() []any {
	keys := []any{s.key.For("byDoc"), s.key.For("byWord")}
	for _, what := range []string{"list", "memberOf", "spots", "groups", "shares"} {
		keys = append(keys, s.docGroupsKey(what), s.wordGroupsKey(what))
	}
	return keys
}

// Names of what is kept of groups.
func (s *warpOn[T]) docGroupsKey(what string) any {
	return s.key.For("docs "+what, s.docGroups.rows, s.mostShort())
}

func (s *warpOn[T]) wordGroupsKey(what string) any {
	return s.key.For("words "+what, s.wordGroups.rows, s.hotLimit())
}

// groupDocs deals documents of up to most tokens into groups.
func (s *warpOn[T]) groupDocs(most int) *warpGroupList {
	g, all := &s.docGroups, new(warpGroupList)
	first := make([]int, len(s.blocks)+1) // groups before each block
	for b, block := range s.blocks {
		first[b] = len(all.groups)
		fresh := true
		for d := block.FirstDoc; d < block.LastDoc; d++ {
			n := int(s.p.Offsets[d+1] - s.p.Offsets[d])
			if n == 0 || n > most {
				continue
			}
			if fresh || !all.fits(n, g.rows) {
				all.Begin(uint32(b), uint32(block.Begin))
				fresh = false
			}
			all.Add(uint32(n))
		}
	}
	first[len(s.blocks)] = len(all.groups)
	all.list = make([]uint32, all.tokens)
	found := make([]warpFound, max(1, s.p.Threads))
	_ = parallel.Do(context.Background(), s.p.Threads, len(s.blocks), func(thread, b int) {
		s.listDocs(b, most, all.groups[first[b]:first[b+1]], all.list, &found[thread])
	})
	return all
}

// warpFound has what is known of every place of a block.
type warpFound struct {
	entry [warpBlockTokens]uint32 // in the list
	group [warpBlockTokens]uint16 // 1 + number of the token's group among those of the block, 0 for none
	ends  []uint32                // for each group where its list ends so far
}

// listDocs lists the tokens of block b, whose groups are given, by place.
func (s *warpOn[T]) listDocs(b, most int, groups []warpGroup, list []uint32, found *warpFound) {
	if len(groups) == 0 {
		return
	}
	clear(found.group[:])
	found.ends = append(found.ends[:0], 0)
	var member, group uint32
	for d := s.blocks[b].FirstDoc; d < s.blocks[b].LastDoc; d++ {
		places := s.places[s.p.Offsets[d]:s.p.Offsets[d+1]]
		if len(places) == 0 || len(places) > most {
			continue
		}
		if group == 0 || member == groups[group-1].Members {
			found.ends = append(found.ends, groups[group].From)
			group, member = group+1, 0
		}
		for i, place := range places {
			found.entry[place] = uint32(place) | uint32(i)<<16 | member<<27
			found.group[place] = uint16(group)
		}
		member++
	}
	for place, group := range found.group {
		if group > 0 {
			list[found.ends[group]] = found.entry[place]
			found.ends[group]++
		}
	}
}

// groupWords deals words that are not hot into groups.
func (s *warpOn[T]) groupWords(words []uint32) *warpGroupList {
	g, all := &s.wordGroups, new(warpGroupList)
	for _, w := range words {
		n := s.firstToken[w+1] - s.firstToken[w]
		if !all.fits(int(n), g.rows) {
			all.Begin(0, 0)
		}
		all.Add(n)
	}
	all.list, all.spots, all.memberOf = make([]uint32, all.tokens), make([]uint32, all.tokens), make([]uint8, all.tokens)
	keys := make([][]uint64, max(1, s.p.Threads))
	_ = parallel.Do(context.Background(), s.p.Threads, len(all.groups), func(thread, i int) {
		group := all.groups[i]
		keys[thread] = s.segmentsOf(keys[thread][:0], words[group.First:group.First+group.Members])
		s.listWords(keys[thread], all.list[group.From:], all.spots[group.From:], all.memberOf[group.From:])
	})
	return all
}

// segmentsOf appends the segments of some words in the order of their tokens' positions: spot of the first token,
// word, number of tokens.
func (s *warp[T]) segmentsOf(keys []uint64, words []uint32) []uint64 {
	for member, w := range words {
		for _, seg := range s.segments[s.first[w]:s.first[w+1]] {
			keys = append(keys, uint64(seg.Block<<16|seg.Begin)<<32|uint64(member)<<16|uint64(seg.N))
		}
	}
	slices.Sort(keys)
	return keys
}

// listWords lists the tokens of segments.
func (s *warpOn[T]) listWords(segments []uint64, list, spots []uint32, memberOf []uint8) {
	at := 0
	for _, seg := range segments {
		first := uint32(seg >> 32)
		position := uint32(s.blocks[first>>16].Begin) + first&0xffff
		for i := range uint32(seg & 0xffff) {
			list[at], spots[at] = position+i, first+i
			memberOf[at] = uint8(seg >> 16)
			at++
		}
	}
}

// spotsFit says whether a block's number and a place in it fit 16 bits each.
func (s *warp[T]) spotsFit() bool {
	for _, b := range s.blocks {
		if b.Tokens() > 1<<16 {
			return false
		}
	}
	return len(s.blocks) <= 1<<16
}

// place puts groups where kernels find them: those that deal makes, unless they were left there.
func (g *warpGroups) place(a *device.Arena, key func(what string) any, deal func() *warpGroupList) {
	dealt := sync.OnceValue(deal)
	g.list = device.KeepList(a, key("list"), func() []uint32 { return dealt().list })
	g.memberOf = device.KeepList(a, key("memberOf"), func() []uint8 { return dealt().memberOf })
	g.spots = device.KeepList(a, key("spots"), func() []uint32 { return dealt().spots })
	g.groups = device.KeepList(a, key("groups"), func() []uint32 { return layout.Numbers(dealt().groups) })
	g.shares = device.KeepList(a, key("shares"), func() []uint32 { return dealt().shares })
	if a.Err() == nil {
		g.n = g.groups.Len() / layout.Size[warpGroup]()
	}
}

// walkWordGroups launches the word phase of groups.
func (s *warpOn[T]) walkWordGroups(iteration int, priors *sampler.Priors) error {
	g := &s.wordGroups
	if err := s.queue.Zero(); err != nil {
		return err
	}
	shape := device.Shape{Threads: warpGroupThreads, Shared: warpWordBytes(s.p.K, g.rows), Blocks: min(g.n, s.device.Processors())}
	return launchSome(s.device, "warp_word_groups", "warp_word_groups"+s.name(true), shape, []any{
		s.state, g.list, g.memberOf, g.spots, g.groups, uint32(g.n), g.shares, uint32(g.rows), s.queue, s.invOn,
		math.Float32bits(float32(priors.Beta)), math.Float64bits(float64(s.p.K) * priors.Beta), warpScalars(s.p, iteration, sampler.ForWarpWord),
	})
}

// walkDocGroups launches the doc phase of groups.
func (s *warpOn[T]) walkDocGroups(walk bool, rest []any) error {
	g := &s.docGroups
	shape := device.Shape{Threads: warpGroupThreads, Shared: warpDocBytes(s.p.K, g.rows), Blocks: min(g.n, s.device.Processors())}
	plain := ""
	if walk && s.alpha.Symmetric {
		plain = "_plain"
	}
	return launchSome(s.device, "warp_doc_groups", "warp_doc_groups"+s.name(true)+plain, shape, []any{
		s.state, g.list, g.groups, uint32(g.n), g.shares, uint32(g.rows), s.queue, rest,
	})
}
