package mallet

import (
	"bufio"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"os"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/pflag"

	"github.com/topoi-lda/topoi"
	"github.com/topoi-lda/topoi/corpus"
	"github.com/topoi-lda/topoi/internal/human"
	"github.com/topoi-lda/topoi/internal/lists"
	"github.com/topoi-lda/topoi/train"
)

// TrainTopics is train-topics.
type TrainTopics struct {
	outputs
	input, inputModel, inputState string
	noInference                   bool
	modelInterval, stateInterval  int
	maximizations                 int
	showInterval                  int
	seed                          int64
	options                       topoi.Options
}

var trainRefusals = refusals{
	{"use-ngrams", "bool", nil, "topoi has no model of n-grams; import-dir --gram-sizes makes words of them"},
	{"use-pam", "bool", nil, "topoi has no model of hierarchies"},
}

func (c *TrainTopics) Flags(fs, refused *pflag.FlagSet) {
	fs.StringVar(&c.input, "input", "", "`file` of an import (required)")
	fs.StringVar(&c.inputModel, "input-model", "",
		"`directory` of --output-model to train further; with --no-inference, to write reports of")
	fs.StringVar(&c.inputState, "input-state", "",
		"`file` of --output-state to begin with, for the documents of --input")
	fs.BoolVar(&c.noInference, "no-inference", false, "do not train, write reports of --input-model or --input-state")
	fs.IntVar(&c.modelInterval, "output-model-interval", 0,
		"`number` of sweeps between saved models, named --output-model with a dot and the sweep; 0: none")
	fs.IntVar(&c.stateInterval, "output-state-interval", 0,
		"`number` of sweeps between saved states, named --output-state with a dot and the sweep; 0: none")
	fs.IntVar(&c.maximizations, "num-icm-iterations", 0,
		"sweeps after training that give each token its most probable topic")
	fs.IntVar(&c.options.Topics, "num-topics", 10, "`number` of topics")
	fs.IntVar(&c.options.Iterations, "num-iterations", 1000, "`number` of sweeps")
	fs.IntVar(&c.options.Threads, "num-threads", 0,
		"`number` of threads; does not change the result (default: all cores)")
	fs.Int64Var(&c.seed, "random-seed", 0, "random seed; 0 is a seed like any other, not the clock")
	fs.Float64Var(&c.options.AlphaSum, "alpha", 5, "sum of α over all topics at the start")
	fs.Float64Var(&c.options.Beta, "beta", 0.01, "β at the start")
	fs.IntVar(&c.options.OptimizeInterval, "optimize-interval", 0,
		"`number` of sweeps between estimations of α and β; 0: keep them fixed")
	fs.IntVar(&c.options.BurnIn, "optimize-burn-in", 200, "sweeps before the first estimation")
	fs.BoolVar(&c.options.SymmetricAlpha, "use-symmetric-alpha", false,
		"keep α equal for all topics when it is estimated")
	fs.IntVar(&c.showInterval, "show-topics-interval", 50,
		"show the topics at the end unless it is 0 or they are written to a file")
	c.outputs.flags(fs)
	for _, name := range []string{"gamma", "delta", "delta1", "delta2", "pam-num-supertopics", "pam-num-subtopics"} {
		fs.String(name, "", "has no effect: it belongs to --use-ngrams or --use-pam")
	}
	trainRefusals.define(fs, refused)
}

func (c *TrainTopics) Check(fs *pflag.FlagSet) error {
	faults := []error{trainRefusals.check(fs), c.outputs.check()}
	if c.inputModel == "" {
		faults = append(faults, needed(fs, "input"))
	} else if c.inputState != "" {
		faults = append(faults, errors.New("--input-model and --input-state cannot be combined: choose one"))
	}
	if c.options.Iterations == 0 {
		c.noInference = true
	}
	faults = append(faults, human.FaultIf(c.noInference && c.inputModel == "" && c.inputState == "",
		"--no-inference needs a model: add --input-model DIRECTORY, or --input-state FILE"))
	if c.noInference {
		c.options.Iterations = 1 // which nobody does
	}
	return errors.Join(append(faults, c.settle())...)
}

// settle makes topoi's options of MALLET's, where 0 has a meaning of its own.
func (c *TrainTopics) settle() error {
	o := &c.options
	o.Draws = 1 // as MALLET does: its files hold the counts of one state
	o.Seed = uint64(c.seed)
	o.Tolerance = -1     // all sweeps are done
	o.EvaluateEvery = 10 // and their likelihood is told as often as MALLET does
	err := errors.Join(
		human.FaultIf(o.Topics < 1, "--num-topics must be above 0"),
		human.FaultIf(o.Iterations < 1, "--num-iterations must be above 0"),
		human.FaultIf(!(o.AlphaSum > 0), "--alpha must be above 0"),
		human.FaultIf(!(o.Beta > 0), "--beta must be above 0"),
	)
	if err != nil {
		return err
	}
	if o.OptimizeInterval == 0 {
		o.OptimizeInterval = -1
	}
	if o.BurnIn == 0 {
		o.BurnIn = -1
	}
	return train.Validate(*o)
}

func (c *TrainTopics) Run(ctx context.Context, fs *pflag.FlagSet, env Env) error {
	docs, given, err := c.begin(fs)
	if err != nil {
		return err
	}
	if given != nil {
		defer given.Close()
	} else {
		defer docs.Close()
	}
	if err := c.outputs.possible(c.input, docs, c.options); err != nil {
		return err
	}
	if c.phrases != "" && !docs.HasTexts() {
		return errors.New("--xml-topic-phrase-report needs the order of words, which the corpus does not have: " +
			"import the text again with --keep-sequence, and another --token-regex than \\S+")
	}
	m := given
	if !c.noInference {
		c.tellDifferences(fs, env)
		m, err = c.train(ctx, docs, env)
	} else if m == nil { // of the state
		m, err = c.modelOf(ctx, docs, c.options.Start, env)
	}
	if err == nil && c.maximizations > 0 {
		m, err = c.maximize(ctx, docs, m, env)
	}
	if err != nil {
		return err
	}
	if m != given {
		defer m.Close()
	}
	if c.phrases != "" {
		if err := writePhrases(c.phrases, m, docs, c.topWords); err != nil {
			return err
		}
	}
	return c.finish(ctx, m, env)
}

// tellDifferences prints what is not as in MALLET.
func (c *TrainTopics) tellDifferences(fs *pflag.FlagSet, env Env) {
	seed := "the same seed gives the same run, for any number of threads, but not the run of MALLET"
	if c.seed == 0 {
		seed += ", and 0 is a seed like any other, not the clock"
	}
	env.note("%s", seed)
	if c.modelInterval > 0 && c.model == "" || c.stateInterval > 0 && c.state == "" {
		env.note("nothing is saved during training: --output-model-interval needs --output-model, " +
			"--output-state-interval needs --output-state")
	}
	if !fs.Changed("num-threads") {
		env.note("all cores are used; --num-threads takes fewer")
	}
	if fs.Changed("show-topics-interval") && c.showInterval != 0 {
		env.note("topics are shown at the end, not during training")
	}
}

// inWords tells a time as MALLET does: 1 hours 2 minutes 3 seconds.
func inWords(d time.Duration) string {
	seconds := int64(d.Round(time.Second) / time.Second)
	var b strings.Builder
	for _, u := range []struct {
		name string
		size int64
	}{{"days", 86400}, {"hours", 3600}, {"minutes", 60}} {
		if n := seconds / u.size; n > 0 {
			fmt.Fprintf(&b, "%d %s ", n, u.name)
			seconds %= u.size
		}
	}
	fmt.Fprintf(&b, "%d seconds", seconds)
	return b.String()
}

// finish writes everything, and shows the topics where no file has them.
func (c *TrainTopics) finish(ctx context.Context, m *topoi.Model, env Env) error {
	if err := c.outputs.write(ctx, m, env); err != nil {
		return err
	}
	if c.showInterval == 0 || c.topicKeys != "" {
		return nil
	}
	for t := range m.Summary(nil, c.topWords) {
		terms := lists.Of(t.Words, func(w topoi.WordWeight) string { return w.Term })
		env.Report.Say(fmt.Sprintf("%d\t%.5g\t%s", t.Topic, t.Alpha, strings.Join(terms, " ")))
	}
	return nil
}

// openModel opens a model that an option names.
func openModel(option, path string) (*topoi.Model, error) {
	m, err := topoi.Open(path)
	if errors.Is(err, topoi.ErrNotModel) {
		return nil, fmt.Errorf("%s %s: this is not a model of topoi; topoi mallet train-topics writes one with "+
			"--output-model or --inferencer-filename", option, path)
	}
	return m, err
}

// readState reads the topics and priors of a state that MALLET or topoi wrote, for the tokens of docs. Words are
// matched by their names within documents, because a corpus keeps no order and numbers words in its own way.
func readState(path string, docs *corpus.Corpus) (*topoi.Start, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("--input-state: %w", err)
	}
	defer f.Close()
	unpacked, err := gzip.NewReader(f)
	if err != nil {
		return nil, fmt.Errorf("--input-state %s: this is not a state that --output-state wrote: %w", path, err)
	}
	start := &topoi.Start{Topics: make([]uint32, 0, docs.NumTokens())}
	s := &stateReader{docs: docs, start: start, topics: map[string][]uint32{}}
	lines := bufio.NewScanner(unpacked)
	lines.Buffer(nil, 1<<26) // priors of many topics stand on one line
	for n := 1; lines.Scan(); n++ {
		if err := s.line(lines.Text()); err != nil {
			return nil, fmt.Errorf("%s:%d: %w", path, n, err)
		}
	}
	if err := errors.Join(lines.Err(), s.end(docs.NumDocs())); err != nil {
		return nil, fmt.Errorf("--input-state %s: %w", path, err)
	}
	return s.start, nil
}

// stateReader gathers the lines of a document and gives them to its tokens.
type stateReader struct {
	docs   *corpus.Corpus
	start  *topoi.Start
	doc    int                 // whose lines are gathered
	topics map[string][]uint32 // by word, in the order of lines
	many   int                 // lines
}

// line takes a line.
func (s *stateReader) line(line string) error {
	if text, ok := strings.CutPrefix(line, "#alpha : "); ok {
		for _, field := range strings.Fields(text) {
			a, err := strconv.ParseFloat(field, 64)
			if err != nil {
				return fmt.Errorf("found %q, expected α of every topic", field)
			}
			s.start.Alpha = append(s.start.Alpha, a)
		}
		return nil
	}
	if text, ok := strings.CutPrefix(line, "#beta : "); ok {
		var err error
		s.start.Beta, err = strconv.ParseFloat(strings.TrimSpace(text), 64)
		return human.FaultIf(err != nil, "found %q, expected β", text)
	}
	if strings.HasPrefix(line, "#") {
		return nil
	}
	f := strings.Split(line, " ")
	if len(f) < 6 {
		return fmt.Errorf("found %q, expected document, source, position, number of the word, word and topic", line)
	}
	doc, err := strconv.Atoi(f[0])
	topic, fault := strconv.ParseUint(f[len(f)-1], 10, 32)
	if err != nil || fault != nil || doc < s.doc || doc >= s.docs.NumDocs() || topic >= uint64(len(s.start.Alpha)) {
		return fmt.Errorf("found document %s and topic %s: documents must be in order and below %d, topics below %d",
			f[0], f[len(f)-1], s.docs.NumDocs(), len(s.start.Alpha))
	}
	if err := s.end(doc); err != nil {
		return err
	}
	word := f[len(f)-2]
	s.topics[word], s.many = append(s.topics[word], uint32(topic)), s.many+1
	return nil
}

// errOtherDocuments means that a state is of other documents.
var errOtherDocuments = errors.New("the state and --input do not match")

// end gives documents up to the given one their topics.
func (s *stateReader) end(next int) error {
	for ; s.doc < next; s.doc++ {
		words := s.docs.Doc(s.doc)
		if len(words) != s.many {
			return fmt.Errorf("%w: document %d has %d tokens in the state and %d in the corpus",
				errOtherDocuments, s.doc, s.many, len(words))
		}
		for _, w := range words {
			word := s.docs.Word(int(w))
			list := s.topics[word]
			if len(list) == 0 {
				return fmt.Errorf("%w: document %d has the word %q less often in the state", errOtherDocuments, s.doc,
					word)
			}
			s.start.Topics = append(s.start.Topics, list[0])
			s.topics[word] = list[1:]
		}
		clear(s.topics)
		s.many = 0
	}
	return nil
}
