package warp

import (
	"github.com/topoi-lda/topoi/internal/device"
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

// warpIndex holds the lists by which warp's kernels find tokens, words and documents.
type warpIndex[T walk.Topic] struct {
	*warp[T]
	device *device.Device
	arena  *device.Arena
	limits warpLimits

	byDoc      *device.Buffer[uint32] // N: grid positions in corpus order
	byWord     *device.Buffer[uint32] // N: grid positions, word after word
	firstToken []uint32               // V+1: where each word begins in byWord
	starts     *device.Buffer[uint32] // first positions of blocks, and a table to find a position's block
	shortRoom  int                    // tokens of the longest short document
	docGroups  warpGroups             // short documents, where one block of threads can hold several of their rows
	wordGroups warpGroups             // words that are not hot, likewise
}

// planGroups sets how many rows a group may have.
func (s *warpIndex[T]) planGroups() {
	if s.m > 2 || s.p.K > grouping.Topics {
		return
	}
	if s.p.K <= s.limits.dense {
		s.docGroups.rows = grouping.Rows(s.p.K, s.limits.docRows, s.limits.shared, grouping.DocBytes)
	}
	rows := grouping.Rows(s.p.K, s.limits.wordRows, s.limits.shared, grouping.WordBytes)
	if walk.SpotsFit(s.blocks) && rows >= s.limits.leastRows {
		s.wordGroups.rows = rows
	}
}

// hotLimit returns the most tokens of a word that is not hot.
func (s *warpIndex[T]) hotLimit() int {
	if s.wordGroups.rows > 0 {
		return min(s.limits.hot, grouping.Tokens)
	}
	return min(s.limits.hot, sortedMost(s.limits.shared))
}

// mostShort returns the most tokens of a short document.
func (s *warpIndex[T]) mostShort() int { return min(warpShortMost, s.limits.short/(s.m+1)) }

// keys returns the keys of the data that the device keeps for other runs over the corpus: lists that are as
// long as it. Those of groups depend on the size of groups.
func (s *warpIndex[T]) keys() []any {
	keys := []any{s.key.For("byDoc"), s.key.For("byWord")}
	for _, what := range []string{"list", "memberOf", "spots", "groups", "shares"} {
		keys = append(keys, s.docGroupsKey(what), s.wordGroupsKey(what))
	}
	return keys
}

// docGroupsKey and wordGroupsKey return the keys of the groups' data.
func (s *warpIndex[T]) docGroupsKey(what string) any {
	return s.key.For("docs "+what, s.docGroups.rows, s.mostShort())
}

func (s *warpIndex[T]) wordGroupsKey(what string) any {
	return s.key.For("words "+what, s.wordGroups.rows, s.hotLimit(), s.p.Pseudo.Number())
}

// groupDocs divides documents of up to most tokens into groups. firsts has the first token of each member.
func (s *warpIndex[T]) groupDocs(most int) (all *grouping.List, firsts []uint32) {
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
func (s *warpIndex[T]) groupWords(words []uint32) *grouping.List {
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
