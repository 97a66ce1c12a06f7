// Code generated from the kernels' sources by go generate; DO NOT EDIT.

package layout

// BatchDrawThreads is the threads of a block of the kernels that DRAW makes in batch.cu.
const BatchDrawThreads = 128

// BatchDraws are those kernels.
var BatchDraws = []Kernel{
	{Topics: 32, Blocks: 12, Counts: true},
	{Topics: 64, Blocks: 12, Counts: true},
	{Topics: 128, Blocks: 12, Counts: true},
	{Topics: 192, Blocks: 8, Counts: true},
	{Topics: 256, Blocks: 8, Counts: true},
	{Topics: 384, Blocks: 8, Counts: true},
	{Topics: 512, Blocks: 6, Counts: false},
	{Topics: 768, Blocks: 4, Counts: false},
	{Topics: 1024, Blocks: 4, Counts: false},
	{Topics: 0, Blocks: 8, Counts: false},
}

// CvbFew is kFew of cvb.h: topics, at most, of pairs that have a half-warp.
const CvbFew = 128

// CvbMany is kMany of cvb.h: topics beyond which a tile has fewer threads, because each needs more registers.
const CvbMany = 512

// CvbThreads is kThreads of cvb.h: threads of a tile at most.
const CvbThreads = 512

// CvbThreadsMany is kThreadsMany of cvb.h: threads of a tile at most, beyond kMany topics.
const CvbThreadsMany = 256

// CvbChunk is kChunk of cvb.h: topics of a chunk.
const CvbChunk = 64

// CvbStep is the structure of this name in cvb.h. Step is a pair, in the order in which a device updates them.
type CvbStep struct {
	Doc, Word uint32 // rows
	Count     uint32 // tokens
	Pair      uint32 // its place in the layout, where its responsibilities are
}

// StatisticsNear is kNear of statistics.h: cells of a histogram over all topics that lie in shared memory.
const StatisticsNear = 4096

// WarpDocsTotals is kTotals of warp_docs.h: the most topics that blocks count for themselves, where all would wait for each other.
const WarpDocsTotals = 4096

// WarpDocsHead is the structure of this name in warp_docs.h. Head is what a block of threads needs to know of a document.
type WarpDocsHead struct {
	From, N      uint32 // its tokens are entries from … from+n-1 of a list
	Block, Begin uint32 // its block of the grid, and the first position there
}

// WarpGroupsThreads is kThreads of warp_groups.h: of a block of threads.
const WarpGroupsThreads = 1024

// WarpGroupsPer is kPer of warp_groups.h: tokens of a thread.
const WarpGroupsPer = 8

// WarpGroupsMembers is kMembers of warp_groups.h: the most members of a group.
const WarpGroupsMembers = 32

// WarpGroupsIsPlace is kIsPlace of warp_groups.h: tells a token's number from a topic, in 16 bits.
const WarpGroupsIsPlace = 0x8000

// WarpGroupsGroup is the structure of this name in warp_groups.h. Group is consecutive members with all their tokens.
type WarpGroupsGroup struct {
	From, N        uint32 // its tokens are entries from … from+n-1 of a list
	First, Members uint32 // its members' Shares begin at first
	Block, Begin   uint32 // documents: their block of the grid, and the first position there
	Unused         [2]uint32
}

// WarpStreamDense is kDense of warp_stream.cu: marks the number of a row of sums among places in lists.
const WarpStreamDense = 0x80000000

// WarpStreamGuide is kGuide of warp_stream.cu: places in the guide to a row.
const WarpStreamGuide = 256

// WarpSortedGroupWords is kGroupWords of warp_sorted.h: the most words of a group; they follow each other, and some may have no tokens.
const WarpSortedGroupWords = 1024

// WarpWordsGuide is kGuide of warp_words.h: places in a guide: one for each thread of the block.
const WarpWordsGuide = 256

// WarpWordsCarries is kCarries of warp_words.h: numbers of shared memory of runningSums, one for each warp.
const WarpWordsCarries = 32
