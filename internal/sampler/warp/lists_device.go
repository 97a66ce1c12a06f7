package warp

import (
	"context"
	"slices"
	"sort"

	"github.com/topoi-lda/topoi/internal/alloc"
	"github.com/topoi-lda/topoi/internal/cuda/kernels/layout"
	"github.com/topoi-lda/topoi/internal/device"
	"github.com/topoi-lda/topoi/internal/parallel"
	"github.com/topoi-lda/topoi/internal/sampler"
	"github.com/topoi-lda/topoi/internal/sampler/warp/grouping"
)

// tokensOf returns the number of tokens of a word.
func (s *warp[T]) tokensOf(w int) uint32 { return uint32(s.before[w+1] - s.before[w]) }

// firstTokens returns the position of each word's first token when tokens are sorted by word.
func (s *warpIndex[T]) firstTokens() []uint32 {
	first := make([]uint32, s.p.V+1)
	for w, n := range s.before {
		first[w] = uint32(n)
	}
	return first
}

// positions returns a list with a position for every token, which the device keeps. list computes a part of it.
func (s *warpIndex[T]) positions(feed *device.Feed, name string,
	list func(first, last int, positions []uint32),
) *device.Buffer[uint32] {
	n := s.p.N()
	return device.Keep(s.arena, s.key.For(name), n, func(b *device.Buffer[uint32]) error {
		return device.Pour(feed, b, device.EvenPieces[uint32](n), func(first, last int, piece []uint32) {
			parallel.Runs(s.p.Threads, last-first, func(from, to int) { list(first+from, first+to, piece[from:to]) })
		})
	})
}

// positionsByWord lists the grid positions of tokens first … last-1 in the order of words.
func (s *warpIndex[T]) positionsByWord(first, last int, positions []uint32) {
	w := sort.Search(s.p.V, func(w int) bool { return s.before[w+1] > first })
	at := s.before[w]
	for _, seg := range s.segments[s.first[w]:] {
		begin := uint32(s.blocks[seg.Block].Begin) + seg.Begin
		for i := max(at, first); i < min(at+int(seg.N), last); i++ {
			positions[i-first] = begin + uint32(i-at)
		}
		if at += int(seg.N); at >= last {
			return
		}
	}
}

// positionsByDoc lists the grid positions of tokens first … last-1 in corpus order.
func (s *warpIndex[T]) positionsByDoc(first, last int, positions []uint32) {
	b := sort.Search(len(s.blocks), func(b int) bool { return s.blocks[b].End > first })
	for ; first < last; b++ {
		block := s.blocks[b]
		end := min(block.End, last)
		if block.Tokens() > warpBlockTokens {
			for i := range end - first {
				positions[i] = uint32(first + i)
			}
		} else {
			for i, place := range s.places[first:end] {
				positions[i] = uint32(block.Begin) + uint32(place)
			}
		}
		positions, first = positions[end-first:], end
	}
}

// blockStarts returns the list that Blocks of warp.h reads, for a whole corpus.
func (s *warp[T]) blockStarts() []uint32 {
	return s.startsOf(sampler.Span{LastBlock: len(s.blocks), End: s.p.N()})
}

// dealWords cuts hot words into parts (row, first token, one after the last) and lists the other words that occur.
func (s *warpIndex[T]) dealWords(first []uint32) (hot, parts, words []uint32) {
	for w := range s.p.V {
		begin, end := first[w], first[w+1]
		switch n := int(end - begin); {
		case n > s.hotLimit() || n > 0 && s.pseudo(w) != nil:
			parts = grouping.AppendParts(parts, uint32(len(hot)), begin, end, s.limits.part)
			hot = append(hot, uint32(w))
		case n > 0:
			words = append(words, uint32(w))
		}
	}
	return hot, parts, words
}

// dealDocs divides documents into short ones, whose tokens fit shared memory, and long ones. Short documents,
// unless they are in groups, are described by Head of warp_docs.cu.
func (s *warpIndex[T]) dealDocs() (short []layout.WarpDocsHead, long []uint32) {
	most := s.mostShort()
	for b, block := range s.blocks {
		for d := block.FirstDoc; d < block.LastDoc; d++ {
			switch n := int(s.p.Offsets[d+1] - s.p.Offsets[d]); {
			case n > most:
				long = append(long, uint32(d))
			case n > 0 && s.docGroups.rows == 0:
				short = append(short, layout.WarpDocsHead{
					From: uint32(s.p.Offsets[d]), N: uint32(n), Block: uint32(b),
					Begin: uint32(block.Begin),
				})
				s.shortRoom = max(s.shortRoom, n)
			}
		}
	}
	s.shortRoom = (s.shortRoom + 1) &^ 1 // aligns what follows a column of 16-bit numbers to 32 bits
	return short, long
}

// placeHeads copies the descriptions of groups to the device, unless it has kept them.
func (g *warpGroups) placeHeads(a *device.Arena, key func(what string) any, all *grouping.List) {
	g.groups = device.KeepList(a, key("groups"), func() []uint32 { return layout.Numbers(all.Groups) })
	g.shares = device.KeepList(a, key("shares"), func() []uint32 { return all.Shares })
	g.n = len(all.Groups)
}

// placeDocs copies groups of documents to the device, where a kernel lists their tokens.
func (s *warpIndex[T]) placeDocs(all *grouping.List, firsts []uint32) {
	g := &s.docGroups
	g.placeHeads(s.arena, s.docGroupsKey, all)
	g.list = device.Keep(s.arena, s.docGroupsKey("list"), int(all.Tokens), func(b *device.Buffer[uint32]) error {
		return s.listing(func(a *device.Arena) error {
			shape := s.listShape(g.n, 4*(32+4*grouping.Threads))
			from := device.Upload(a, firsts)
			return launchSome(s.device, "warp_lists", "warp_lists_docs", shape,
				[]any{b, s.byDoc, g.groups, uint32(g.n), g.shares, from})
		})
	})
}

// placeWords copies groups of words to the device, where a kernel lists their tokens.
func (s *warpIndex[T]) placeWords(feed *device.Feed, words []uint32, all *grouping.List) {
	g, a, n, made := &s.wordGroups, s.arena, int(all.Tokens), true
	g.placeHeads(a, s.wordGroupsKey, all)
	g.list = device.Keep(a, s.wordGroupsKey("list"), n, func(*device.Buffer[uint32]) error { made = false; return nil })
	g.memberOf = device.Keep(a, s.wordGroupsKey("memberOf"), n,
		func(*device.Buffer[uint8]) error { made = false; return nil })
	g.spots = device.Keep(a, s.wordGroupsKey("spots"), n,
		func(*device.Buffer[uint32]) error { made = false; return nil })
	if made || a.Err() != nil {
		return
	}
	a.Note(s.listing(func(a *device.Arena) error {
		counts, firsts := s.segmentCounts(words, all.Groups)
		from, segments := device.Upload(a, firsts), device.Alloc[uint64](a, int(firsts[g.n]))
		if err := a.Err(); err != nil {
			return err
		}
		return device.FirstError(
			device.Pour(feed, segments, device.Pieces[uint64](counts), func(first, last int, piece []uint64) {
				s.segmentsOfGroups(words, all.Groups, firsts, first, last, piece)
			}),
			launchSome(s.device, "warp_lists", "warp_lists_words", s.listShape(g.n, 4*32),
				[]any{g.list, g.spots, g.memberOf, segments, from, g.groups, uint32(g.n), s.starts}))
	}))
}

// listing calls list, which makes lists on the device, with an arena for its temporary data.
func (s *warpIndex[T]) listing(list func(a *device.Arena) error) error {
	a := s.device.NewArena()
	return device.FirstError(list(a), a.Err(), a.Close())
}

// listShape returns the shape of a launch that makes the lists of groups.
func (s *warpIndex[T]) listShape(groups, shared int) device.Shape {
	return device.Shape{Blocks: min(groups, 8*s.device.Processors()), Threads: grouping.Threads, Shared: shared}
}

// segmentCounts returns the number of segments of each group of words, and of all groups before it.
func (s *warpIndex[T]) segmentCounts(words []uint32, groups []grouping.Group) (counts []int, firsts []uint32) {
	counts, firsts = make([]int, len(groups)), make([]uint32, len(groups)+1)
	for i, g := range groups {
		counts[i] = s.segmentCount(words[g.First : g.First+g.Members])
		firsts[i+1] = firsts[i] + uint32(counts[i])
	}
	return counts, firsts
}

// segmentCount returns the number of segments of some words.
func (s *warp[T]) segmentCount(words []uint32) (n int) {
	for _, w := range words {
		n += s.first[w+1] - s.first[w]
	}
	return n
}

// segmentsOfGroups lists segments first … last-1 of all groups. Both are borders between groups.
func (s *warpIndex[T]) segmentsOfGroups(words []uint32, groups []grouping.Group, firsts []uint32, first, last int,
	list []uint64,
) {
	begin, _ := slices.BinarySearch(firsts, uint32(first))
	end, _ := slices.BinarySearch(firsts, uint32(last))
	const each = 8 // groups for a goroutine at a time
	next := make([][]uint32, max(1, s.p.Threads))
	_ = parallel.Do(context.Background(), s.p.Threads, (end-begin+each-1)/each, func(thread, i int) {
		next[thread] = alloc.Resize(next[thread], len(s.blocks))
		for g := begin + i*each; g < min(begin+(i+1)*each, end); g++ {
			members := words[groups[g].First : groups[g].First+groups[g].Members]
			s.segmentsOf(list[int(firsts[g])-first:int(firsts[g+1])-first], members, next[thread])
		}
	})
}

// segmentsOf lists the segments of some words, which must be increasing, in the order of their tokens'
// positions: spot of the first token, word, number of tokens. A block has its words in this order too, so
// that segments need only be sorted by block. next is scratch memory, a number a block.
func (s *warp[T]) segmentsOf(list []uint64, words []uint32, next []uint32) {
	if len(list) < len(next)/8 {
		at := 0
		s.eachSegmentOf(words, func(_, key uint64) { list[at] = key; at++ })
		slices.Sort(list)
		return
	}
	clear(next)
	s.eachSegmentOf(words, func(block, _ uint64) { next[block]++ })
	sum := uint32(0)
	for b, n := range next {
		next[b], sum = sum, sum+n
	}
	s.eachSegmentOf(words, func(block, key uint64) {
		list[next[block]] = key
		next[block]++
	})
}

// eachSegmentOf calls f with the block of every segment of some words, and with the segment's entry in a list.
func (s *warp[T]) eachSegmentOf(words []uint32, f func(block, key uint64)) {
	for member, w := range words {
		for _, seg := range s.segments[s.first[w]:s.first[w+1]] {
			f(uint64(seg.Block), uint64(seg.Block<<16|seg.Begin)<<32|uint64(member)<<16|uint64(seg.N))
		}
	}
}

// makeGroups divides documents and words into groups.
func (s *warpIndex[T]) makeGroups(feed *device.Feed, words []uint32) {
	if s.docGroups.rows > 0 {
		s.placeDocs(s.groupDocs(s.mostShort()))
	}
	if s.wordGroups.rows > 0 {
		s.placeWords(feed, words, s.groupWords(words))
	}
}
