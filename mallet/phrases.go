package mallet

import (
	"cmp"
	"encoding/xml"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/topoi-lda/topoi"
	"github.com/topoi-lda/topoi/corpus"
	"github.com/topoi-lda/topoi/corpus/text"
	"github.com/topoi-lda/topoi/internal/wholefile"
)

// phrases counts phrases by topic: the longest runs of two and more neighbouring words of one topic. Where a word
// stands several times in a document, its topics are dealt out in the order of the model, which is no order of
// the text.
type phrases struct {
	docs   *corpus.Corpus
	model  *topoi.Model
	counts []map[string]int // K
}

// writePhrases writes MALLET's report: words and phrases of every topic, and titles made of them.
func writePhrases(path string, m *topoi.Model, docs *corpus.Corpus, words int) error {
	o, _, err := docs.TextOptions()
	if err != nil {
		return err
	}
	cut, err := text.New(o)
	if err != nil {
		return err
	}
	p := &phrases{docs: docs, model: m, counts: make([]map[string]int, m.NumTopics())}
	for k := range p.counts {
		p.counts[k] = map[string]int{}
	}
	for d := range docs.NumDocs() {
		p.add(d, cut.Tokens(nil, []byte(docs.Text(d))))
	}
	return wholefile.Write(path, func(w io.Writer) error {
		fmt.Fprint(w, "<?xml version='1.0' ?>\n<topics>\n") // an error comes back with the last line
		for k, top := range m.EachTopWords(nil, words) {
			p.writeTopic(w, k, words, top)
		}
		_, err := fmt.Fprintln(w, "</topics>")
		return err
	})
}

// add counts the phrases of a document. Words that the corpus dropped part phrases.
func (p *phrases) add(d int, tokens [][]byte) {
	topics := map[string][]uint32{} // by word
	for i, w := range p.docs.Doc(d) {
		word := p.docs.Word(int(w))
		topics[word] = append(topics[word], p.model.Topic(int(p.docs.Offsets()[d])+i))
	}
	var run []string
	last := uint32(0)
	end := func() {
		if len(run) > 1 {
			p.counts[last][strings.Join(run, " ")]++
		}
		run = run[:0]
	}
	for _, token := range tokens {
		left := topics[string(token)]
		if len(left) == 0 || len(run) > 0 && left[0] != last {
			end()
		}
		if len(left) > 0 {
			run, last = append(run, string(token)), left[0]
			topics[string(token)] = left[1:]
		}
	}
	end()
}

// titled is a word or a phrase that a topic may be called by.
type titled struct {
	text   string
	weight int
}

// titleWords and titlePhrases say what a title may be made of, as in MALLET: the first words, and phrases that
// occur often enough to be relied on, which count a hundred times as much.
const (
	titleWords   = 20
	titlePhrases = 20
	titles       = 10
)

func (p *phrases) writeTopic(w io.Writer, k, most int, top []topoi.WordWeight) {
	total := p.model.TopicTotals()[k]
	var body strings.Builder
	var candidates []titled
	for i, word := range top {
		fmt.Fprintf(&body, "    <word weight=\"%g\" count=\"%d\">%s</word>\n", float64(word.Count)/float64(total), word.Count, escaped(word.Term))
		if i < titleWords-1 {
			candidates = append(candidates, titled{word.Term, int(word.Count)})
		}
	}
	list := slices.SortedFunc(maps.Keys(p.counts[k]), func(a, b string) int {
		return cmp.Or(p.counts[k][b]-p.counts[k][a], cmp.Compare(a, b))
	})
	all := 0
	for _, n := range p.counts[k] {
		all += n
	}
	for i, phrase := range list[:min(most, len(list))] {
		n := p.counts[k][phrase]
		fmt.Fprintf(&body, "    <phrase weight=\"%g\" count=\"%d\">%s</phrase>\n", float64(n)/float64(all), n, escaped(phrase))
		if i < titlePhrases && n > titlePhrases {
			candidates = append(candidates, titled{phrase, 100 * n})
		}
	}
	fmt.Fprintf(w, "  <topic id=\"%d\" alpha=\"%g\" totalTokens=\"%d\" titles=\"%s\">\n%s  </topic>\n",
		k, p.model.Alpha()[k], total, escaped(title(candidates)), body.String())
}

// title joins the best candidates, leaving out those that are part of what stands there.
func title(list []titled) string {
	slices.SortStableFunc(list, func(a, b titled) int { return b.weight - a.weight })
	var chosen []string
	for _, t := range list {
		if len(chosen) < titles && !strings.Contains(strings.Join(chosen, ", "), t.text) {
			chosen = append(chosen, t.text)
		}
	}
	return strings.Join(chosen, ", ")
}

// escaped returns text as XML has it.
func escaped(s string) string {
	var b strings.Builder
	_ = xml.EscapeText(&b, []byte(s)) // a builder takes everything
	return b.String()
}
