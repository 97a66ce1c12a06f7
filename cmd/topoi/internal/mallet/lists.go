package mallet

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"

	"github.com/spf13/pflag"

	"github.com/topoi-lda/topoi/corpus"
	"github.com/topoi-lda/topoi/internal/human"
	"github.com/topoi-lda/topoi/internal/lists"
	"github.com/topoi-lda/topoi/internal/portable"
)

// Info is info: it prints what is in a corpus.
type Info struct {
	input                           string
	labels, features, featureCounts bool
}

var infoRefusals = refusals{
	{"print-infogain", "string", []string{"0"}, "it is about classes, which topic models do not have"},
	{"print-instances", "bool", nil, "topoi export writes documents and their words"},
	{"print-matrix", "string", nil, "topoi export writes documents and their words"},
}

func (c *Info) Flags(fs, refused *pflag.FlagSet) {
	fs.StringVar(&c.input, "input", "", "`file` of an import (required)")
	fs.BoolVar(&c.labels, "print-labels", false, "print the labels of documents, one per line")
	fs.BoolVar(&c.features, "print-features", false, "print the words, one per line")
	fs.BoolVar(&c.featureCounts, "print-feature-counts", false,
		"print words, their occurrences and the number of documents that have them")
	infoRefusals.define(fs, refused)
}

func (c *Info) Check(fs *pflag.FlagSet) error {
	return errors.Join(needed(fs, "input"), infoRefusals.check(fs))
}

func (c *Info) Run(_ context.Context, _ *pflag.FlagSet, env Env) error {
	docs, err := openCorpus("--input", c.input)
	if err != nil {
		return err
	}
	defer docs.Close()
	out := bufio.NewWriter(env.Stdout)
	if c.labels {
		for _, label := range labelsOf(docs) {
			fmt.Fprintln(out, label)
		}
		fmt.Fprintln(out)
	}
	if c.featureCounts {
		tokens, inDocs := countWords(docs)
		for w := range docs.NumWords() {
			fmt.Fprintf(out, "%s\t%d\t%d\n", docs.Word(w), tokens[w], inDocs[w])
		}
	}
	if c.features {
		for w := range docs.NumWords() {
			fmt.Fprintln(out, docs.Word(w))
		}
	}
	return out.Flush()
}

// labelsOf returns the labels of documents, in the order in which they come first.
func labelsOf(docs *corpus.Corpus) (list []string) {
	seen := map[string]bool{}
	for d := range docs.NumDocs() {
		if label := docs.Label(d); !seen[label] {
			seen[label], list = true, append(list, label)
		}
	}
	return list
}

// countWords counts the occurrences of every word and the documents that have it.
func countWords(docs *corpus.Corpus) (tokens, inDocs []int) {
	tokens, inDocs = make([]int, docs.NumWords()), make([]int, docs.NumWords())
	for d := range docs.NumDocs() {
		words := docs.Doc(d) // rising
		for i, w := range words {
			tokens[w]++
			if i == 0 || words[i-1] != w {
				inDocs[w]++
			}
		}
	}
	return tokens, inDocs
}

// Change is prune and split, which are one command of MALLET: it drops words of a corpus, or deals its documents out
// to two or three.
type Change struct {
	input, output             string
	training, testing, third  string
	trainPortion, thirdShare  float64
	minCount, minDocs         int
	minIDF, maxIDF            float64
	seed                      int64
	splits, prunes, sequences bool
}

var changeRefusals = refusals{
	{"prune-infogain", "string", []string{"0"}, "it is about classes, which topic models do not have"},
	{"hide-targets", "bool", nil, "labels do not take part in training"},
	{"reveal-targets", "bool", nil, "labels are never hidden"},
}

func (c *Change) Flags(fs, refused *pflag.FlagSet) {
	fs.StringVar(&c.input, "input", "", "`file` of an import (required)")
	fs.StringVar(&c.output, "output", "", "`file` for the corpus without the words that are dropped")
	fs.IntVar(&c.minCount, "prune-count", 0, "drop words with fewer than this `number` of occurrences")
	fs.IntVar(&c.minDocs, "prune-document-freq", 0, "drop words of fewer than this `number` of documents")
	fs.Float64Var(&c.minIDF, "min-idf", 0,
		"drop frequent words: those whose inverse document frequency, a natural logarithm, is below this `number`")
	fs.Float64Var(&c.maxIDF, "max-idf", math.Inf(1),
		"drop rare words: those whose inverse document frequency is above this `number`")
	fs.Float64Var(&c.trainPortion, "training-portion", 1,
		"`share` of the documents, drawn at random, that --training-file gets")
	fs.Float64Var(&c.thirdShare, "validation-portion", 0,
		"`share` of the documents that --validation-file gets; --testing-file gets the rest")
	fs.StringVar(&c.training, "training-file", "training.vectors", "`file` for documents to train on")
	fs.StringVar(&c.testing, "testing-file", "test.vectors", "`file` for documents to test with")
	fs.StringVar(&c.third, "validation-file", "validation.vectors", "`file` for documents to validate with")
	fs.Int64Var(&c.seed, "random-seed", 0, "random seed; 0 is a seed like any other, not the clock")
	fs.BoolVar(&c.sequences, "vector-to-sequence", false, "has no effect: any corpus can be trained on")
	changeRefusals.define(fs, refused)
}

func (c *Change) Check(fs *pflag.FlagSet) error {
	c.splits = fs.Changed("training-portion") || fs.Changed("validation-portion")
	c.prunes = fs.Changed("prune-count") || fs.Changed("prune-document-freq") || fs.Changed("min-idf") ||
		fs.Changed("max-idf")
	faults := []error{
		needed(fs, "input"), changeRefusals.check(fs),
		human.FaultIf(math.IsNaN(c.minIDF), "--min-idf must be a number"),
		human.FaultIf(!(c.maxIDF >= 0), "--max-idf is %v: it must be at least 0, as all inverse frequencies are",
			c.maxIDF),
	}
	rest := 1 - c.trainPortion - c.thirdShare
	switch {
	case c.splits && c.prunes:
		faults = append(faults, errors.New("--training-portion and --prune-count cannot be combined, as in MALLET: "+
			"prune first, then split the result"))
	case c.splits && !(c.trainPortion >= 0 && c.thirdShare >= 0 && rest > -1e-9):
		faults = append(faults, errors.New("--training-portion and --validation-portion must be at least 0 and at most 1 "+
			"together"))
	case !c.splits && c.output == "":
		if c.output = c.training; !fs.Changed("training-file") {
			faults = append(faults, errors.New("--output is missing: add --output FILE"))
		}
	}
	for _, output := range []string{c.output, c.training, c.testing, c.third} {
		faults = append(faults, keepInput(c.input, output))
	}
	return errors.Join(faults...)
}

func (c *Change) Run(ctx context.Context, _ *pflag.FlagSet, env Env) error {
	docs, err := openCorpus("--input", c.input)
	if err != nil {
		return err
	}
	defer docs.Close()
	if c.splits {
		return c.split(ctx, docs, env)
	}
	d := float64(docs.NumDocs())
	least, most := c.minDocs, 1.0 // a share of all documents, or above 1 a number of them
	if !math.IsInf(c.maxIDF, 1) {
		least = int(math.Floor(d * portable.Exp(-c.maxIDF)))
	}
	if c.minIDF > 0 {
		if most = math.Ceil(d * portable.Exp(-c.minIDF)); most == 1 {
			most = 1.5 / d
		}
	}
	o := corpus.ImportOptions{MinCF: max(1, c.minCount), MinDF: max(1, least), MaxDF: most, Duplicates: "keep"}
	report, err := corpus.Import(ctx, []string{c.input}, c.output, o)
	if err != nil {
		return err
	}
	env.Report.Say(fmt.Sprintf("%s: %s left of %s", c.output, human.Of(report.Words, "word"),
		human.Count(docs.NumWords())))
	return nil
}

// split deals documents out in a random order, so that every list has its share of them, rounded. It stops between two
// files when ctx ends.
func (c *Change) split(ctx context.Context, docs *corpus.Corpus, env Env) error {
	n := docs.NumDocs()
	order := rand.New(rand.NewPCG(uint64(c.seed), 0)).Perm(n)
	first := int(math.Round(c.trainPortion * float64(n)))
	last := n - int(math.Round(c.thirdShare*float64(n)))
	for _, list := range []struct {
		path    string
		numbers []int
	}{{c.training, order[:first]}, {c.testing, order[first:max(first, last)]}, {c.third, order[max(first, last):]}} {
		if len(list.numbers) == 0 {
			continue
		}
		if err := ctx.Err(); err != nil {
			return err
		}
		inList := lists.Of(list.numbers, func(d int) uint32 { return uint32(d) })
		if err := docs.Select(inList).Save(list.path); err != nil {
			return err
		}
		env.Report.Say(fmt.Sprintf("%s: %s", list.path, human.Of(len(inList), "document")))
	}
	return nil
}
