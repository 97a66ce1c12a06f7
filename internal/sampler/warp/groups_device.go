package warp

import (
	"math"

	"github.com/topoi-lda/topoi/internal/device"
	"github.com/topoi-lda/topoi/internal/sampler"
	"github.com/topoi-lda/topoi/internal/sampler/warp/grouping"
	"github.com/topoi-lda/topoi/internal/sampler/warp/walk"
)

// warpGroups is the input of warp_doc_groups.cu or warp_word_groups.cu: groups of consecutive documents, or
// words, whose tokens one block of threads holds.
type warpGroups struct {
	rows int // rows in the shared memory of a block of threads; 0 if groups are not used

	list     *device.Buffer[uint32] // the tokens of all groups
	memberOf *device.Buffer[uint8]  // words: each token's word in its group
	spots    *device.Buffer[uint32] // words: each token's block of the grid and place there
	groups   *device.Buffer[uint32] // Group of warp_groups.h
	shares   *device.Buffer[uint32] // Share of warp_groups.h
	n        int                    // groups
}

// planGroups sets how many rows a group may have.
func (s *warpOn[T]) planGroups() {
	if s.m > 2 || s.p.K > grouping.Topics {
		return
	}
	if s.p.K <= s.limits.dense {
		s.docGroups.rows = grouping.Rows(s.p.K, s.limits.docRows, s.limits.shared, grouping.DocBytes)
	}
	if walk.SpotsFit(s.blocks) {
		s.wordGroups.rows = grouping.Rows(s.p.K, s.limits.wordRows, s.limits.shared, grouping.WordBytes)
	}
}

// hotLimit returns the most tokens of a word that is not hot.
func (s *warpOn[T]) hotLimit() int {
	if s.wordGroups.rows > 0 {
		return min(s.limits.hot, grouping.Tokens)
	}
	return s.limits.hot
}

// makeGroups divides documents and words into groups.
func (s *warpOn[T]) makeGroups(feed *device.Feed, words []uint32) {
	if s.docGroups.rows > 0 {
		s.placeDocs(s.groupDocs(s.mostShort()))
	}
	if s.wordGroups.rows > 0 {
		s.placeWords(feed, words, s.groupWords(words))
	}
}

// keys returns the keys of the data that the device keeps for other runs over the corpus: lists that are as
// long as it. Those of groups depend on the size of groups.
func (s *warpOn[T]) keys() []any {
	keys := []any{s.key.For("byDoc"), s.key.For("byWord")}
	for _, what := range []string{"list", "memberOf", "spots", "groups", "shares"} {
		keys = append(keys, s.docGroupsKey(what), s.wordGroupsKey(what))
	}
	return keys
}

// docGroupsKey and wordGroupsKey return the keys of the groups' data.
func (s *warpOn[T]) docGroupsKey(what string) any {
	return s.key.For("docs "+what, s.docGroups.rows, s.mostShort())
}

func (s *warpOn[T]) wordGroupsKey(what string) any {
	return s.key.For("words "+what, s.wordGroups.rows, s.hotLimit(), s.p.Pseudo.Number())
}

// groupDocs divides documents of up to most tokens into groups. firsts has the first token of each member.
func (s *warpOn[T]) groupDocs(most int) (all *grouping.List, firsts []uint32) {
	all = new(grouping.List)
	for b, block := range s.blocks {
		fresh := true
		for d := block.FirstDoc; d < block.LastDoc; d++ {
			n := int(s.p.Offsets[d+1] - s.p.Offsets[d])
			if n == 0 || n > most {
				continue
			}
			if fresh || !all.Fits(n, s.docGroups.rows) {
				all.Begin(uint32(b), uint32(block.Begin))
				fresh = false
			}
			all.Add(uint32(n))
			firsts = append(firsts, uint32(s.p.Offsets[d]))
		}
	}
	return all, firsts
}

// groupWords divides words that are not hot into groups.
func (s *warpOn[T]) groupWords(words []uint32) *grouping.List {
	all := new(grouping.List)
	for _, w := range words {
		n := s.tokensOf(int(w))
		if !all.Fits(int(n), s.wordGroups.rows) {
			all.Begin(0, 0)
		}
		all.Add(n)
	}
	return all
}

// walkWordGroups launches the word phase of groups.
func (s *warpOn[T]) walkWordGroups(iteration int, priors *sampler.Priors) error {
	g := &s.wordGroups
	if err := s.queue.Zero(); err != nil {
		return err
	}
	shape := device.Shape{Threads: grouping.Threads, Shared: grouping.WordBytes(s.p.K, g.rows), Blocks: min(g.n, s.device.Processors())}
	return launchSome(s.device, "warp_word_groups", "warp_word_groups"+s.name(true), shape, []any{
		s.state, g.list, g.memberOf, g.spots, g.groups, uint32(g.n), g.shares, uint32(g.rows), s.queue, s.invOn,
		math.Float32bits(float32(priors.Beta)), math.Float64bits(float64(s.p.K) * priors.Beta), warpScalars(s.p, iteration, sampler.ForWarpWord),
	})
}

// walkDocGroups launches the doc phase of groups.
func (s *warpOn[T]) walkDocGroups(walk bool, rest []any) error {
	g := &s.docGroups
	shape := device.Shape{Threads: grouping.Threads, Shared: grouping.DocBytes(s.p.K, g.rows), Blocks: min(g.n, s.device.Processors())}
	plain := ""
	if walk && s.alpha.Symmetric {
		plain = "_plain"
	}
	return launchSome(s.device, "warp_doc_groups", "warp_doc_groups"+s.name(true)+plain, shape, []any{
		s.state, g.list, g.groups, uint32(g.n), g.shares, uint32(g.rows), s.queue, rest,
	})
}
