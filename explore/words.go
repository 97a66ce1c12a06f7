package explore

import (
	"cmp"
	"math"
	"slices"

	"github.com/topoi-lda/topoi/analysis/rank"
	"github.com/topoi-lda/topoi/internal/lists"
	"github.com/topoi-lda/topoi/internal/webpage"
	"github.com/topoi-lda/topoi/topic"
)

// pageOrders are the orders whose first words a page has, if it cannot have all words.
var pageOrders = []rank.Order{
	{Measure: "probability"},
	{Measure: "relevance", Weight: 0.6},
	{Measure: "frex", Weight: 0.5},
	{Measure: "relevance", Weight: 0.3},
	{Measure: "lift"},
}

// rankWords chooses the words of every topic.
func (b *builder) rankWords() error {
	k := b.model.NumTopics()
	sizes := make([]int, k)
	for w := range b.model.NumWords() {
		for _, e := range b.model.Row(w) {
			sizes[e.Topic]++
		}
	}
	most := limit(sizes, wordBudget)
	b.info.WordsComplete = slices.Max(sizes) <= most
	exclusivity := make([]float64, k)
	b.top = make([][]int, k)
	chosen := make([][]rank.Word, k)
	err := rank.New(b.model).All(b.ctx, b.threads(), func(t *rank.Topic) {
		exclusivity[t.Topic], chosen[t.Topic] = t.Exclusivity, choose(t, most)
		b.top[t.Topic] = lists.Of(t.Top(rank.Order{}, topWords), func(w rank.Word) int { return w.Word })
	})
	if err != nil {
		return err
	}
	b.pack.F64("exclusivity", exclusivity)
	b.takeColumns(chosen)
	return nil
}

// choose returns at most n words of a topic by id: those that come first in one of the orders, taken in turns.
func choose(t *rank.Topic, n int) []rank.Word {
	if len(t.Words) <= n {
		return t.Words
	}
	taken := make(map[int]bool, n)
	orders := make([][]rank.Word, len(pageOrders))
	for i, o := range pageOrders {
		orders[i] = t.Top(o, n)
	}
	for r := 0; r < n && len(taken) < n; r++ {
		for _, list := range orders {
			if len(taken) < n {
				taken[list[r].Word] = true
			}
		}
	}
	chosen := make([]rank.Word, 0, n)
	for _, w := range t.Words {
		if taken[w.Word] {
			chosen = append(chosen, w)
		}
	}
	return chosen
}

func (b *builder) takeColumns(lists [][]rank.Word) {
	for _, list := range lists {
		b.list.sizes = append(b.list.sizes, len(list))
		for _, w := range list {
			b.words.has[w.Word] = true
			b.list.words = append(b.list.words, uint32(w.Word))
			b.list.counts = append(b.list.counts, w.Count)
			b.list.frex = append(b.list.frex, uint16(math.Round(65535*w.FREX(0.5))))
		}
	}
}

// packWords adds the words that the page needs, and the topics of each.
func (b *builder) packWords() error {
	ids := b.words.number()
	texts, totals := make([]string, len(ids)), make([]uint64, len(ids))
	for i, w := range ids {
		texts[i] = shorten(b.model.Words().At(w))
		for _, e := range b.model.Row(w) {
			totals[i] += uint64(e.Count)
		}
	}
	b.pack.Text("wordText", texts)
	webpage.Varint(b.pack, "wordIDs", differences(ids))
	webpage.Varint(b.pack, "wordTotals", totals)
	for i, w := range ids {
		if totals[i] = 0; b.info.Pseudo > 0 {
			totals[i] = b.model.PseudoCounts().WordTokens(w)
		}
	}
	webpage.Varint(b.pack, "wordPseudo", totals)
	b.packDrift()

	webpage.Varint(b.pack, "columnSizes", b.list.sizes)
	webpage.Varint(b.pack, "columnWords", b.placesOf(b.list.sizes, b.list.words))
	webpage.Varint(b.pack, "columnCounts", b.list.counts)
	b.pack.U16("columnFrex", b.list.frex)
	webpage.Varint(b.pack, "bagWords", b.placesOf(b.bagSizes, b.bag))
	if !b.info.WordsComplete {
		b.packRows(ids)
	}
	return nil
}

// placesOf returns the places in the page of the words of lists, rising in each, as differences.
func (b *builder) placesOf(sizes []int, words []uint32) []uint32 {
	list := make([]uint32, 0, len(words))
	for _, n := range sizes {
		last := uint32(0)
		for _, w := range words[:n] {
			list = append(list, b.words.place[w]-last)
			last = b.words.place[w]
		}
		words = words[n:]
	}
	return list
}

// packRows adds the largest n_wk of words that the columns do not have.
func (b *builder) packRows(ids []int) {
	rest := b.unlisted()
	sizes := make([]int, len(ids))
	for i := range ids {
		sizes[i] = len(rest[i])
	}
	most := limit(sizes, rowBudget)
	var topics, counts []uint32
	for i, row := range rest {
		slices.SortStableFunc(row, func(x, y topic.Count) int { return cmp.Compare(y.Count, x.Count) })
		sizes[i] = min(most, len(row))
		for _, e := range row[:sizes[i]] {
			topics, counts = append(topics, e.Topic), append(counts, e.Count)
		}
	}
	webpage.Varint(b.pack, "rowSizes", sizes)
	webpage.Varint(b.pack, "rowTopics", topics)
	webpage.Varint(b.pack, "rowCounts", counts)
}

// rowMost is the number of topics that are looked at for a word that columns do not have.
const rowMost = 100

// unlisted returns for every word of the page its largest n_wk that no column has, by topic.
func (b *builder) unlisted() [][]topic.Count {
	listed := make([][]uint32, b.model.NumWords()) // topics whose column has the word
	i := 0
	for k, n := range b.list.sizes {
		for range n {
			listed[b.list.words[i]] = append(listed[b.list.words[i]], uint32(k))
			i++
		}
	}
	var rest [][]topic.Count
	for w, has := range b.words.has {
		if !has {
			continue
		}
		var row []topic.Count
		for _, e := range b.model.Row(w) {
			if _, found := slices.BinarySearch(listed[w], e.Topic); !found {
				row = append(row, e)
			}
		}
		if len(row) > rowMost {
			slices.SortStableFunc(row, func(x, y topic.Count) int { return cmp.Compare(y.Count, x.Count) })
			row = slices.Clone(row[:rowMost])
		}
		rest = append(rest, row)
	}
	return rest
}
