package explore

import (
	"slices"
	"strings"
	"unicode"

	"github.com/clipperhouse/uax29/v2/words"

	"github.com/topoi-lda/topoi/corpus/text"

	"github.com/topoi-lda/topoi/internal/webpage"
)

// packSnippets adds the beginnings of texts, and which of their words have which topic.
func (b *builder) packSnippets() error {
	b.info.Texts = b.docs.HasTexts()
	if !b.docs.HasSnippets() && !b.info.Texts {
		return nil
	}
	lengths := make([]int, len(b.chosen))
	for i, d := range b.chosen {
		lengths[i] = len(b.textOf(d))
	}
	most := limit(lengths, textBudget)
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
	var sizes, gaps, widths, topics []int
	for _, list := range found {
		sizes = append(sizes, len(list))
		for _, m := range list {
			gaps, widths, topics = append(gaps, m.gap), append(widths, m.length), append(topics, m.topic)
		}
	}
	b.pack.Text("docSnippets", texts)
	webpage.Varint(b.pack, "markSizes", sizes)
	webpage.Varint(b.pack, "markGaps", gaps)
	webpage.Varint(b.pack, "markLengths", widths)
	webpage.Varint(b.pack, "markTopics", topics)
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
