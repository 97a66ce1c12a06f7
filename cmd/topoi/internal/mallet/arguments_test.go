package mallet

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/pflag"
)

// flagsOf returns the options of a command, those that are refused among them.
func flagsOf(c Command) *pflag.FlagSet {
	fs, refused := pflag.NewFlagSet("", pflag.ContinueOnError), pflag.NewFlagSet("", pflag.ContinueOnError)
	c.Flags(fs, refused)
	fs.AddFlagSet(refused)
	return fs
}

func TestArguments(t *testing.T) {
	config := filepath.Join(t.TempDir(), "options")
	if err := os.WriteFile(config, []byte("# words\nremove-stopwords = TRUE\n\nname: 2\ntoken-regex \\S+\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		command    Command
		args, want string
	}{
		{&ImportFile{}, "--keep-sequence --input a", "--keep-sequence --input a"},
		{&ImportFile{}, "--keep-sequence TRUE --preserve-case false --input a", "--keep-sequence=TRUE --preserve-case=false --input a"},
		{&ImportFile{}, "--keep-sequence 1 --preserve-case 0", "--keep-sequence=1 --preserve-case=0"},
		{&ImportFile{}, "--keep-sequence maybe", "--keep-sequence maybe"}, // which is not the value of any option
		{&ImportFile{}, "--input=a --keep-sequence=FALSE", "--input=a --keep-sequence=FALSE"},
		{&ImportFile{}, "--input --output b", "--input --output b"}, // the first lacks its value
		{&ImportFile{}, "--config " + config + " --input a", `--remove-stopwords=TRUE --name 2 --token-regex \S+ --input a`},
		{&ImportDir{}, "--input a b c --output d", "--input=a --input=b --input=c --output d"},
		{&ImportSVMLight{}, "--input a b --output c d", "--input=a --input=b --output=c --output=d"},
		{&TrainTopics{}, "--doc-topics-max -1 --random-seed -5", "--doc-topics-max -1 --random-seed -5"},
		{&TrainTopics{}, "--no-inference --unknown TRUE", "--no-inference --unknown TRUE"},
	} {
		got, err := Arguments(flagsOf(c.command), strings.Fields(c.args))
		if err != nil || strings.Join(got, " ") != c.want {
			t.Errorf("%s: %q, %v; want %q", c.args, got, err, c.want)
		}
	}
}

func TestBrokenConfig(t *testing.T) {
	path := filepath.Join(t.TempDir(), "options")
	if err := os.WriteFile(path, []byte("name = 2\n= 3\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	_, err := Arguments(flagsOf(&ImportFile{}), []string{"--config", path})
	if want := path + `:2: found "= 3", expected an option and its value, such as num-topics = 50`; err == nil || err.Error() != want {
		t.Errorf("%v, want %s", err, want)
	}
}

// The options and defaults of MALLET 2.0.8. Three differ on purpose: encoding is found out, all cores are
// used, and options without effect have no default worth keeping.
func TestDefaults(t *testing.T) {
	text := "encoding=auto extra-stopwords= keep-sequence=false keep-sequence-bigrams=false output=text.vectors preserve-case=false " +
		`print-output=false remove-stopwords=false stoplist-file= token-regex=\p{L}[\p{L}\p{P}]+\p{L} use-pipe-from= config= prefix-code=`
	for _, c := range []struct {
		command Command
		want    string
	}{
		{&ImportFile{}, text + ` input= line-regex=^(\S*)[\s,]*(\S*)[\s,]*(.*)$ name=1 label=2 data=3 label-as-features=false replacement-files= deletion-files= stop-pattern-file=`},
		{&ImportDir{}, text + " input=[] skip-header=false skip-html=false binary-features=false gram-sizes=1 save-text-in-source=false string-pipe= token-pipe= fv-pipe="},
		{&ImportSVMLight{}, "input=[] output=[] use-pipe-from= print-output=false encoding=auto config= prefix-code="},
		{&TrainTopics{}, "input= input-model= input-state= output-model= output-state= output-model-interval=0 output-state-interval=0 inferencer-filename= evaluator-filename= " +
			"output-topic-keys= num-top-words=20 show-topics-interval=50 topic-word-weights-file= word-topic-counts-file= diagnostics-file= xml-topic-report= xml-topic-phrase-report= " +
			"output-topic-docs= num-top-docs=100 output-doc-topics= doc-topics-threshold=0 doc-topics-max=-1 num-topics=10 num-threads=0 num-iterations=1000 gamma= delta= delta1= delta2= pam-num-supertopics= pam-num-subtopics= num-icm-iterations=0 use-ngrams=false use-pam=false " +
			"no-inference=false random-seed=0 optimize-interval=0 optimize-burn-in=200 use-symmetric-alpha=false alpha=5 beta=0.01 config= prefix-code="},
		{&Info{}, "input= print-infogain= print-instances=false print-labels=false print-features=false print-feature-counts=false print-matrix= config= prefix-code="},
		{&Change{}, "input= output= training-file=training.vectors testing-file=test.vectors validation-file=validation.vectors training-portion=1 validation-portion=0 random-seed=0 " +
			"prune-infogain= prune-count=0 prune-document-freq=0 min-idf=0 max-idf=+Inf vector-to-sequence=false hide-targets=false reveal-targets=false config= prefix-code="},
		{&InferTopics{}, "inferencer= input= output-doc-topics= doc-topics-threshold=0 doc-topics-max=-1 num-iterations=100 sample-interval=10 burn-in=10 random-seed=0 config= prefix-code="},
		{&EvaluateTopics{}, "evaluator= input= output-doc-probs= output-prob=- num-particles=10 use-resampling=false num-iterations=0 sample-interval=0 burn-in=0 random-seed=0 config= prefix-code="},
	} {
		var got []string
		flagsOf(c.command).VisitAll(func(f *pflag.Flag) { got = append(got, f.Name+"="+f.DefValue) })
		want := strings.Fields(c.want)
		slices.Sort(got)
		slices.Sort(want)
		if !slices.Equal(got, want) {
			t.Errorf("%T:\n got %s\nwant %s", c.command, got, want)
		}
	}
}
