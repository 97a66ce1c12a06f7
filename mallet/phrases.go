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
	"github.com/topoi-lda/topoi/corpus/source"
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
	ids    map[string]uint32
}

// countPhrases reads the texts of a corpus again.
func countPhrases(m *topoi.Model, docs *corpus.Corpus, where origin) (*phrases, error) {
	o, ok, err := docs.TextOptions()
	if err != nil || !ok {
		return nil, fmt.Errorf("--xml-topic-phrase-report needs a corpus that was made from text: %w", err)
	}
	cut, err := text.New(o)
	if err != nil {
		return nil, err
	}
	src, err := where.open()
	if err != nil {
		return nil, err
	}
	defer src.Close()
	p := &phrases{docs: docs, model: m, counts: make([]map[string]int, m.NumTopics()), ids: map[string]uint32{}}
	for w := range docs.NumWords() {
		p.ids[docs.Word(w)] = uint32(w)
	}
	for k := range p.counts {
		p.counts[k] = map[string]int{}
	}
	var doc source.Document
	var tokens [][]byte
	for d := 0; ; d++ {
		if err := src.Next(&doc); err == io.EOF && d == docs.NumDocs() {
			return p, nil
		} else if err != nil && err != io.EOF {
			return nil, err
		} else if err == io.EOF || d == docs.NumDocs() {
			return nil, fmt.Errorf("%w: it has not %d documents", errOtherText, docs.NumDocs())
		}
		tokens = cut.Tokens(tokens[:0], doc.Text)
		if err := p.add(d, tokens); err != nil {
			return nil, err
		}
	}
}

// errOtherText says that texts are not those of a corpus.
var errOtherText = fmt.Errorf("the text has changed since it was imported: import it again")

// add counts the phrases of a document.
func (p *phrases) add(d int, tokens [][]byte) error {
	topics := map[uint32][]uint32{} // by word
	for i, w := range p.docs.Doc(d) {
		topics[w] = append(topics[w], p.model.Topic(int(p.docs.Offsets()[d])+i))
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
		w, known := p.ids[string(token)]
		if !known || len(topics[w]) == 0 {
			return fmt.Errorf("%w: document %d has the word %q more often", errOtherText, d, token)
		}
		k := topics[w][0]
		topics[w] = topics[w][1:]
		if len(run) > 0 && k != last {
			end()
		}
		run, last = append(run, string(token)), k
	}
	end()
	return nil
}

// write writes MALLET's report: words and phrases of every topic, and titles made of them.
func (p *phrases) write(path string, words int) error {
	return wholefile.Write(path, func(w io.Writer) error {
		if _, err := io.WriteString(w, "<?xml version='1.0' ?>\n<topics>\n"); err != nil {
			return err
		}
		for k, top := range p.model.EachTopWords(nil, words) {
			if err := p.writeTopic(w, k, words, top); err != nil {
				return err
			}
		}
		_, err := io.WriteString(w, "</topics>\n")
		return err
	})
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

func (p *phrases) writeTopic(w io.Writer, k, most int, top []topoi.WordWeight) error {
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
	_, err := fmt.Fprintf(w, "  <topic id=\"%d\" alpha=\"%g\" totalTokens=\"%d\" titles=\"%s\">\n%s  </topic>\n",
		k, p.model.Alpha()[k], total, escaped(title(candidates)), body.String())
	return err
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
