package batch

import (
	"math"

	"github.com/topoi-lda/topoi/internal/alloc"
	"github.com/topoi-lda/topoi/internal/grid"
)

// An entry of a document's list: the topic in the lowest 16 bits, n_dk above. 0 is none.
const (
	topicOf = 1<<16 - 1
	oneOf   = 1 << 16 // one token
)

// docLists holds the topics of a block's documents as lists of (topic, n_dk): those that occur, in the order
// in which they first occur in grid order. So lists follow from z alone.
type docLists struct {
	entries []uint32 // lists one after the other, each with room for all it may get and zeros to the next multiple of 16
	wide    []uint64 // the same for documents too long for 16 bits, and then entries is not used; portable Go only
	first   []uint32 // documents: where their lists begin
	length  []uint32 // documents: topics
	sums    []int64  // documents: Σ n_dk Q_k

	kept   []uint64 // memory of wide while it is nil
	topics []uint16 // scratch: topics of the block's tokens, document by document
	next   []uint32 // scratch: documents
	place  []uint32 // scratch: K, the place of a topic in the document's list plus 1; 0 between documents
}

// fill makes the lists of a block from the documents and topics of its tokens in grid order.
// offsets are those of the documents and their end, whole is Q_k.
func (l *docLists) fill(b grid.Block, offsets []uint64, docs, z []uint16, whole []int64) {
	l.lay(offsets)
	l.topics = alloc.Resize(l.topics, b.Tokens())
	topics, next := l.topics, l.next
	for d := range next {
		next[d] = uint32(offsets[d] - offsets[0])
	}
	z = z[:len(docs)]
	for i, d := range docs {
		topics[next[d]] = z[i]
		next[d]++
	}
	for d := range l.first {
		list := topics[offsets[d]-offsets[0] : offsets[d+1]-offsets[0]]
		if l.wide != nil {
			l.length[d], l.sums[d] = listTopics(l.wide[l.first[d]:], list, l.place, whole)
		} else {
			l.length[d], l.sums[d] = listTopics(l.entries[l.first[d]:], list, l.place, whole)
		}
	}
}

// entry returns topic and n_dk of an entry.
func (l *docLists) entry(d int, i uint32) (k, n uint32) {
	if at := l.first[d] + i; l.wide == nil {
		return l.entries[at] & topicOf, l.entries[at] >> 16
	} else {
		return uint32(l.wide[at] & topicOf), uint32(l.wide[at] >> 16)
	}
}

// lay makes room for the lists of documents with these offsets.
func (l *docLists) lay(offsets []uint64) {
	n, k := len(offsets)-1, len(l.place)
	l.first, l.length = alloc.Resize(l.first, n), alloc.Resize(l.length, n)
	l.sums, l.next = alloc.Resize(l.sums, n), alloc.Resize(l.next, n)
	cells, wide := 0, false
	for d := range n {
		tokens := int(offsets[d+1] - offsets[d])
		l.first[d] = uint32(cells)
		cells += (min(k, tokens+1) + matchRun - 1) &^ (matchRun - 1)
		wide = wide || tokens > math.MaxUint16
	}
	if l.wide = nil; wide {
		l.kept = alloc.Resize(l.kept, cells)
		clear(l.kept)
		l.wide = l.kept
		return
	}
	l.entries = alloc.Resize(l.entries, cells)
	clear(l.entries)
}

// listTopics writes the topics of a document's tokens as a list, which was zeros, and returns its length and Σ n_dk Q_k.
func listTopics[E uint32 | uint64](list []E, topics []uint16, place []uint32, whole []int64) (length uint32, sum int64) {
	for _, k := range topics {
		at := place[k]
		if at == 0 {
			list[length] = E(k)
			length++
			at = length
			place[k] = at
		}
		list[at-1] += oneOf
		sum += whole[k]
	}
	for _, e := range list[:length] {
		place[e&topicOf] = 0
	}
	return length, sum
}
