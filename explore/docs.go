package explore

import (
	"cmp"
	"slices"
	"strings"
	"unicode"

	"github.com/clipperhouse/uax29/v2/words"
	"github.com/topoi-lda/topoi/corpus/text"
	"github.com/topoi-lda/topoi/internal/doctopics"
	"github.com/topoi-lda/topoi/internal/lists"
	"github.com/topoi-lda/topoi/internal/parallel"
	"github.com/topoi-lda/topoi/internal/webpage"
	"github.com/topoi-lda/topoi/topic"
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
		if has {
			b.pack.Text(name, lists.Of(b.chosen, func(d int) string { return shorten(of(d)) }))
		}
	}
	add("docIDs", b.docs.HasIDs(), b.docs.ID)
	add("docTitles", b.docs.HasTitles(), b.docs.Title)
	add("docTimes", b.docs.HasTimes(), b.docs.Time)
	b.groups.packPlaces(b.pack, b.chosen)
}

// eachDoc calls f with the place i in the page and the number d of every document of the
// page, in any order, from many goroutines, of which worker is the number.
func (b *builder) eachDoc(f func(worker, i, d int)) error {
	return parallel.Do(b.ctx, b.threads(), len(b.chosen), func(worker, i int) { f(worker, i, b.chosen[i]) })
}

// packDocTopics adds lengths and topics of documents.
func (b *builder) packDocTopics() error {
	readers := make([]*doctopics.Reader, b.threads())
	for i := range readers {
		readers[i] = doctopics.NewReader(b.model, b.docs)
	}
	found, lengths := make([][]topic.Count, len(b.chosen)), make([]int, len(b.chosen))
	err := b.eachDoc(func(worker, i, d int) {
		found[i], lengths[i] = slices.Clone(readers[worker].Read(d)), readers[worker].Tokens()
	})
	if err != nil {
		return err
	}
	sizes := lists.Of(found, func(list []topic.Count) int { return len(list) })
	most := limit(sizes, topicBudget)
	err = b.eachDoc(func(_, i, _ int) {
		found[i] = largest(found[i], most, func(x, y topic.Count) int {
			return cmp.Or(cmp.Compare(y.Count, x.Count), cmp.Compare(x.Topic, y.Topic))
		}, func(x, y topic.Count) int { return cmp.Compare(x.Topic, y.Topic) })
	})
	var topics, counts []uint32
	for i, list := range found {
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
	return err
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

func byWord(x, y use) int { return cmp.Or(cmp.Compare(x.word, y.word), cmp.Compare(x.topic, y.topic)) }

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
	bags := make([][]use, len(b.chosen))
	err = b.eachDoc(func(worker, i, d int) {
		buffers[worker] = b.uses(buffers[worker], d)
		bags[i] = slices.Clone(largest(buffers[worker], most,
			func(x, y use) int { return cmp.Or(cmp.Compare(y.count, x.count), byWord(x, y)) }, byWord))
	})
	if err != nil {
		return err
	}
	all := slices.Concat(bags...)
	for _, u := range all {
		b.words.has[u.word] = true
	}
	b.bagSizes = lists.Of(bags, func(list []use) int { return len(list) })
	b.bag = lists.Of(all, func(u use) uint32 { return u.word })
	webpage.Varint(b.pack, "bagSizes", b.bagSizes)
	webpage.Varint(b.pack, "bagTopics", lists.Of(all, func(u use) uint32 { return u.topic }))
	webpage.Varint(b.pack, "bagCounts", lists.Of(all, func(u use) uint32 { return u.count }))
	return nil
}

// packSnippets adds the beginnings of texts, and which of their words have which topic.
func (b *builder) packSnippets() error {
	b.info.Texts = b.docs.HasTexts()
	if !b.docs.HasSnippets() && !b.info.Texts {
		return nil
	}
	most := limit(lists.Of(b.chosen, func(d int) int { return len(b.textOf(d)) }), textBudget)
	finders, err := b.newFinders()
	if err != nil {
		return err
	}
	texts, found := make([]string, len(b.chosen)), make([][]mark, len(b.chosen))
	err = b.eachDoc(func(worker, i, d int) {
		texts[i] = strings.ToValidUTF8(cutRunes(b.textOf(d), most), "\uFFFD")
		found[i] = finders[worker].find(texts[i], b.mainTopics(d))
	})
	if err != nil {
		return err
	}
	b.pack.Text("docSnippets", texts)
	webpage.Varint(b.pack, "markSizes", lists.Of(found, func(list []mark) int { return len(list) }))
	all := slices.Concat(found...)
	webpage.Varint(b.pack, "markGaps", lists.Of(all, func(m mark) int { return m.gap }))
	webpage.Varint(b.pack, "markLengths", lists.Of(all, func(m mark) int { return m.length }))
	webpage.Varint(b.pack, "markTopics", lists.Of(all, func(m mark) int { return m.topic }))
	return nil
}

// textOf returns what the page shows of a document's text: all of it, or its beginning.
func (b *builder) textOf(d int) string {
	if b.info.Texts {
		return strings.TrimSpace(b.docs.Text(d))
	}
	return b.docs.Snippet(d)
}

// mark is a word in a text: its place and length in UTF-16 units behind the mark before it, and its topic.
type mark struct{ gap, length, topic int }

// mainTopics returns for the words of a document the topic that most of their tokens there have.
func (b *builder) mainTopics(d int) map[uint32]uint32 {
	topics := map[uint32]uint32{}
	best := map[uint32]uint32{}
	for _, u := range b.uses(nil, d) {
		if u.count > best[u.word] {
			best[u.word], topics[u.word] = u.count, u.topic
		}
	}
	return topics
}

// finder finds the words of the vocabulary in texts, treating each word of a text as the training text was treated.
type finder struct {
	pipeline *text.Pipeline // nil: the corpus came as tokens
	ids      map[string]uint32
	known    map[string]uint32 // 1 + the id of words met before, 0 for none
}

// newFinders returns a finder for each goroutine.
func (b *builder) newFinders() ([]*finder, error) {
	ids := make(map[string]uint32, b.model.NumWords())
	for w := range b.model.NumWords() {
		ids[b.model.Words().At(w)] = uint32(w)
	}
	options, ok, err := b.docs.TextOptions()
	if err != nil {
		return nil, err
	}
	options.Phrases = nil // pairs of words, and words come alone here
	list := make([]*finder, b.threads())
	for i := range list {
		list[i] = &finder{ids: ids, known: map[string]uint32{}}
		if !ok {
			continue
		}
		if list[i].pipeline, err = text.New(options); err != nil {
			return nil, err
		}
	}
	return list, nil
}

// find returns the words of a text that a document has, with their topics.
func (f *finder) find(s string, topics map[uint32]uint32) []mark {
	var marks []mark
	behind := 0 // units since the last mark
	for _, segment := range f.segments(s) {
		length := webpage.UTF16Len(segment)
		if w, ok := f.word(segment); ok {
			if k, has := topics[w]; has {
				marks = append(marks, mark{behind, length, int(k)})
				behind = 0
				continue
			}
		}
		behind += length
	}
	return marks
}

// segments cuts a text into words and what is between them.
func (f *finder) segments(s string) []string {
	var list []string
	if f.pipeline != nil {
		for iter := words.FromString(s); iter.Next(); {
			list = append(list, iter.Value())
		}
		return list
	}
	for s != "" {
		n := strings.IndexFunc(s, unicode.IsSpace)
		if n == 0 {
			n = strings.IndexFunc(s, func(r rune) bool { return !unicode.IsSpace(r) })
		}
		if n < 0 {
			n = len(s)
		}
		list, s = append(list, s[:n]), s[n:]
	}
	return list
}

// word returns the id of the word that a segment becomes.
func (f *finder) word(segment string) (uint32, bool) {
	if known, met := f.known[segment]; met {
		return known - 1, known > 0
	}
	place := uint32(0)
	tokens := []string{segment}
	if f.pipeline != nil {
		tokens = tokens[:0]
		for _, t := range f.pipeline.Tokens(nil, []byte(segment)) {
			tokens = append(tokens, string(t))
		}
	}
	if i := slices.IndexFunc(tokens, func(t string) bool { _, ok := f.ids[t]; return ok }); i >= 0 {
		place = f.ids[tokens[i]] + 1
	}
	f.known[strings.Clone(segment)] = place
	return place - 1, place > 0
}
