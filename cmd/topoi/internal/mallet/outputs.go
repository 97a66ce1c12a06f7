package mallet

import (
	"cmp"
	"context"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/pflag"

	"github.com/topoi-lda/topoi"
	"github.com/topoi-lda/topoi/corpus"
	"github.com/topoi-lda/topoi/corpus/text"
	"github.com/topoi-lda/topoi/export"
	"github.com/topoi-lda/topoi/internal/human"
	"github.com/topoi-lda/topoi/internal/machine"
	"github.com/topoi-lda/topoi/internal/wholefile"
	"github.com/topoi-lda/topoi/train"
)

// outputs are the files that train-topics writes. Files that are there are replaced.
type outputs struct {
	model, inferencer, evaluator string // all three are models of topoi

	state, topicKeys, docTopics   string
	wordWeights, wordCounts       string
	diagnostics, report, topicDoc string
	phrases                       string

	topWords  int
	threshold float64
	most      int // topics of a document; negative: all
	topDocs   int
}

func (o *outputs) flags(fs *pflag.FlagSet) {
	fs.StringVar(&o.model, "output-model", "", "`directory` to save the model in: a model of topoi")
	fs.StringVar(&o.inferencer, "inferencer-filename", "", "`directory` for infer-topics: a model of topoi")
	fs.StringVar(&o.evaluator, "evaluator-filename", "", "`directory` for evaluate-topics: a model of topoi")
	fs.StringVar(&o.state, "output-state", "", "`file` for the topic of every token, packed with gzip")
	fs.StringVar(&o.topicKeys, "output-topic-keys", "", "`file` for the top words of every topic")
	fs.IntVar(&o.topWords, "num-top-words", 20, "`number` of top words")
	fs.StringVar(&o.docTopics, "output-doc-topics", "", "`file` for the topics of every document")
	fs.Float64Var(&o.threshold, "doc-topics-threshold", 0,
		"list topics with at least this `share`, by falling share; 0: all, in a column each")
	fs.IntVar(&o.most, "doc-topics-max", -1,
		"list at most this `number` of topics, where there is a threshold; -1: all")
	fs.StringVar(&o.topicDoc, "output-topic-docs", "", "`file` for the documents with the largest share of every topic")
	fs.IntVar(&o.topDocs, "num-top-docs", 100, "`number` of these documents")
	fs.StringVar(&o.wordWeights, "topic-word-weights-file", "", "`file` for the weight of every word in every topic")
	fs.StringVar(&o.wordCounts, "word-topic-counts-file", "", "`file` for the topics of every word")
	fs.StringVar(&o.diagnostics, "diagnostics-file", "", "`file` for measures of the topics, as XML")
	fs.StringVar(&o.report, "xml-topic-report", "", "`file` for the topics as XML")
	fs.StringVar(&o.phrases, "xml-topic-phrase-report", "",
		"`file` for the topics with their phrases as XML; the import needs --keep-sequence")
}

func (o *outputs) check() error {
	return errors.Join(
		aboveZero("num-top-words", o.topWords), checkThreshold(o.threshold), aboveZero("num-top-docs", o.topDocs))
}

func checkThreshold(share float64) error {
	return human.FaultIf(!(share >= 0 && share <= 1), "--doc-topics-threshold is %v: it must be between 0 and 1", share)
}

// report is a file in one of the formats of package export.
type report struct {
	path, format string
	options      export.Options
}

// reports lists what is to be written, but for models.
func (o *outputs) reports() []report {
	format, options := docTopicsFormat(o.threshold, o.most, "mallet-doc-topics", "mallet-doc-topics-threshold")
	words := export.Options{Words: o.topWords, Compress: "none"}
	plain := export.Options{Compress: "none"}
	all := []report{
		{o.topicKeys, "mallet-topic-keys", words},
		{o.diagnostics, "mallet-diagnostics", words},
		{o.report, "mallet-topic-report", words},
		{o.state, "mallet-state", export.Options{Compress: "gzip"}},
		{o.docTopics, format, options},
		{o.topicDoc, "mallet-topic-docs", export.Options{Top: o.topDocs, Compress: "none"}},
		{o.wordWeights, "mallet-topic-word-weights", plain},
		{o.wordCounts, "mallet-word-topic-counts", plain},
	}
	return slices.DeleteFunc(all, func(r report) bool { return r.path == "" })
}

// docTopicsFormat chooses between MALLET's two layouts: one column per topic, or, with a threshold, topics by falling
// share.
func docTopicsFormat(threshold float64, most int, dense, listed string) (string, export.Options) {
	if threshold == 0 {
		return dense, export.Options{Compress: "none"}
	}
	return listed, export.Options{MinTheta: threshold, Top: max(0, most), Compress: "none"}
}

// models lists the directories that hold the model, each once.
func (o *outputs) models() []string {
	var list []string
	for _, path := range []string{o.model, o.inferencer, o.evaluator} {
		if path != "" && !slices.Contains(list, path) {
			list = append(list, path)
		}
	}
	return list
}

// possible returns why outputs could not be written, before hours of training: beside an input that is read, which
// may be "". docs may be nil.
func (o *outputs) possible(input string, docs *corpus.Corpus, options topoi.Options) error {
	var faults []error
	paths := o.models()
	for _, path := range paths {
		faults = append(faults, train.CheckOutput(path, docs, options, topoi.SaveOptions{Overwrite: true}))
	}
	for _, r := range o.reports() {
		twice := slices.Contains(paths, r.path) && r.path != "-"
		paths = append(paths, r.path)
		faults = append(faults, human.FaultIf(twice, "two outputs are called %s: choose another name for one", r.path),
			possibleFile(r.path))
	}
	if o.phrases != "" {
		paths = append(paths, o.phrases)
		faults = append(faults, possibleFile(o.phrases))
	}
	for _, path := range paths {
		faults = append(faults, keepInput(input, path))
	}
	return errors.Join(faults...)
}

// keepInput refuses an output that is the input.
func keepInput(input, output string) error {
	a, errA := os.Stat(input)
	b, errB := os.Stat(output)
	return human.FaultIf(errA == nil && errB == nil && os.SameFile(a, b),
		"%s would replace %s, which is read: choose another name", output, input)
}

// possibleFile returns why a file could not be written.
func possibleFile(path string) error {
	if info, err := os.Stat(path); err == nil && info.IsDir() {
		return fmt.Errorf("cannot write %s: it is a directory; choose another name", path)
	}
	if err := machine.Writable(filepath.Dir(path)); err != nil && path != "-" {
		return wholefile.Explain(path, err)
	}
	return nil
}

// write writes everything that was asked for.
func (o *outputs) write(ctx context.Context, m *topoi.Model, env Env) error {
	for _, r := range o.reports() {
		r.options.Progress = env.phase("writing " + filepath.Base(r.path))
		if err := export.Write(ctx, m, r.format, r.path, r.options); err != nil {
			return err
		}
	}
	for _, path := range o.models() {
		if err := m.Save(path, topoi.SaveOptions{Overwrite: true}); err != nil {
			return err
		}
	}
	return nil
}

// phrases counts phrases by topic: the longest runs of two and more neighbouring words of one topic. Where a word
// stands several times in a document, its topics are dealt out in the order of the model, which is no order of the
// text.
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
		for t := range m.Summary(nil, words) {
			p.writeTopic(w, t.Topic, words, t.Words)
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

// titleWords and titlePhrases say what a title may be made of, as in MALLET: the first words, and phrases that occur
// often enough to be relied on, which count a hundred times as much.
const (
	titleWords   = 20
	titlePhrases = 20
	titles       = 10
)

func (p *phrases) writeTopic(w io.Writer, k, most int, top []topoi.WordWeight) {
	manifest := p.model.Manifest()
	total := manifest.PerDraw(p.model.TopicTotals()[k])
	var body strings.Builder
	var candidates []titled
	for i, word := range manifest.MeanCounts(top) {
		fmt.Fprintf(&body, "    <word weight=\"%g\" count=\"%d\">%s</word>\n", float64(word.Count)/float64(total),
			word.Count,
			escaped(word.Term))
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
		fmt.Fprintf(&body, "    <phrase weight=\"%g\" count=\"%d\">%s</phrase>\n", float64(n)/float64(all), n,
			escaped(phrase))
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
