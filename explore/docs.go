package explore

import (
	"cmp"
	"runtime"
	"slices"

	"github.com/topoi-lda/topoi"
	"github.com/topoi-lda/topoi/internal/doctopics"
	"github.com/topoi-lda/topoi/internal/parallel"
	"github.com/topoi-lda/topoi/internal/webpage"
)

// readDocs adds what the page has of its documents.
func (b *builder) readDocs() error {
	webpage.Varint(b.pack, "docNumbers", differences(b.chosen))
	b.packNames()
	if err := b.packDocTopics(); err != nil {
		return err
	}
	if err := b.packSnippets(); err != nil {
		return err
	}
	return b.packBags()
}

// packNames adds ids, titles, times, groups and periods.
func (b *builder) packNames() {
	add := func(name string, has bool, of func(d int) string) {
		if !has {
			return
		}
		texts := make([]string, len(b.chosen))
		for i, d := range b.chosen {
			texts[i] = shorten(of(d))
		}
		b.pack.Text(name, texts)
	}
	add("docIDs", b.docs.HasIDs(), b.docs.ID)
	add("docTitles", b.docs.HasTitles(), b.docs.Title)
	add("docTimes", b.docs.HasTimes(), b.docs.Time)
	b.groups.packPlaces(b.pack, b.chosen)
}

// threads returns the number of goroutines.
func (b *builder) threads() int { return cmp.Or(b.options.Threads, runtime.GOMAXPROCS(0)) }

// eachDoc calls f with the place i in the page and the number d of every document of the
// page, in any order, from many goroutines, of which worker is the number.
func (b *builder) eachDoc(f func(worker, i, d int)) error {
	return parallel.Do(b.ctx, b.threads(), len(b.chosen), func(worker, i int) { f(worker, i, b.chosen[i]) })
}

// packDocTopics adds lengths and topics of documents.
func (b *builder) packDocTopics() error {
	reader := doctopics.NewReader(b.model, b.docs)
	sizes, lengths := make([]int, len(b.chosen)), make([]int, len(b.chosen))
	for i, d := range b.chosen {
		sizes[i], lengths[i] = len(reader.Read(d)), reader.Tokens()
	}
	most := limit(sizes, topicBudget)
	var topics, counts []uint32
	for i, d := range b.chosen {
		list := largest(slices.Clone(reader.Read(d)), most, func(x, y topoi.TopicCount) int {
			return cmp.Or(cmp.Compare(y.Count, x.Count), cmp.Compare(x.Topic, y.Topic))
		}, func(x, y topoi.TopicCount) int { return cmp.Compare(x.Topic, y.Topic) })
		sizes[i] = len(list)
		last := uint32(0)
		for _, e := range list {
			topics, counts = append(topics, e.Topic-last), append(counts, e.Count)
			last = e.Topic
		}
	}
	webpage.Varint(b.pack, "docLengths", lengths)
	webpage.Varint(b.pack, "docTopicSizes", sizes)
	webpage.Varint(b.pack, "docTopics", topics)
	webpage.Varint(b.pack, "docCounts", counts)
	return b.ctx.Err()
}

// largest returns the n first elements of a list by one order, in another order.
func largest[T any](list []T, n int, by, then func(x, y T) int) []T {
	if len(list) > n {
		slices.SortFunc(list, by)
		list = list[:n]
		slices.SortFunc(list, then)
	}
	return list
}

// use is a word of a document with the topic of some of its tokens.
type use struct {
	word, topic, count uint32
}

// uses returns the words of a document by word, then topic.
func (b *builder) uses(dst []use, d int) []use {
	offsets := b.docs.Offsets()
	z := b.model.AppendTopics(nil, int(offsets[d]), int(offsets[d+1]))
	dst = dst[:0]
	for i, w := range b.docs.Doc(d) {
		dst = append(dst, use{w, z[i], 1})
	}
	slices.SortFunc(dst, byWord)
	n := 0
	for i, u := range dst {
		if i > 0 && dst[n-1].word == u.word && dst[n-1].topic == u.topic {
			dst[n-1].count++
			continue
		}
		dst[n] = u
		n++
	}
	return dst[:n]
}

func byWord(x, y use) int {
	return cmp.Or(cmp.Compare(x.word, y.word), cmp.Compare(x.topic, y.topic))
}

// packBags adds the words of documents. Words get their places later, so the ids wait in b.bag.
func (b *builder) packBags() error {
	sizes := make([]int, len(b.chosen))
	buffers := make([][]use, b.threads())
	err := b.eachDoc(func(worker, i, d int) {
		buffers[worker] = b.uses(buffers[worker], d)
		sizes[i] = len(buffers[worker])
	})
	if err != nil {
		return err
	}
	most := limit(sizes, bagBudget)
	lists := make([][]use, len(b.chosen))
	err = b.eachDoc(func(worker, i, d int) {
		buffers[worker] = b.uses(buffers[worker], d)
		lists[i] = slices.Clone(largest(buffers[worker], most, func(x, y use) int { return cmp.Or(cmp.Compare(y.count, x.count), byWord(x, y)) }, byWord))
	})
	if err != nil {
		return err
	}
	var topics, counts []uint32
	for i, list := range lists {
		sizes[i] = len(list)
		for _, u := range list {
			b.words.has[u.word] = true
			b.bag = append(b.bag, u.word)
			topics, counts = append(topics, u.topic), append(counts, u.count)
		}
	}
	b.bagSizes = sizes
	webpage.Varint(b.pack, "bagSizes", sizes)
	webpage.Varint(b.pack, "bagTopics", topics)
	webpage.Varint(b.pack, "bagCounts", counts)
	return nil
}
