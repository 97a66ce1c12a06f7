package mallet

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/topoi-lda/topoi"
	"github.com/topoi-lda/topoi/corpus"
	"github.com/topoi-lda/topoi/corpus/source"
	"github.com/topoi-lda/topoi/corpus/text"
	"github.com/topoi-lda/topoi/train"
)

// Each output has its own format, and the options that are about it.
func TestReports(t *testing.T) {
	all := []string{
		"--output-topic-keys keys", "--diagnostics-file diagnostics", "--xml-topic-report report", "--output-state state",
		"--output-doc-topics docs", "--output-topic-docs tops",
		"--topic-word-weights-file weights", "--word-topic-counts-file counts",
	}
	want := []string{
		"keys mallet-topic-keys 7 0 none", "diagnostics mallet-diagnostics 7 0 none", "report mallet-topic-report 7 0 none",
		"state mallet-state 0 0 gzip", "docs mallet-doc-topics 0 0 none", "tops mallet-topic-docs 0 4 none",
		"weights mallet-topic-word-weights 0 0 none", "counts mallet-word-topic-counts 0 0 none",
	}
	for i := range len(all) + 1 {
		args, wanted := strings.Join(all, " "), want
		if i < len(all) {
			args, wanted = all[i], want[i:i+1]
		}
		c := &TrainTopics{}
		if err := checked(t, c, "--input a --num-top-words 7 --num-top-docs 4 "+args); err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, r := range c.reports() {
			got = append(got, fmt.Sprintln(r.path, r.format, r.options.Words, r.options.Top, r.options.Compress))
			got[len(got)-1] = strings.TrimSpace(got[len(got)-1])
		}
		if !slices.Equal(got, wanted) {
			t.Errorf("%s: %q, want %q", args, got, wanted)
		}
	}
	for args, want := range map[string]string{
		"--num-top-words 0":             "--num-top-words is 0: it must be above 0",
		"--num-top-docs 0":              "--num-top-docs is 0: it must be above 0",
		"--doc-topics-threshold 1.01":   "--doc-topics-threshold is 1.01: it must be between 0 and 1",
		"--doc-topics-threshold -0.1":   "--doc-topics-threshold is -0.1: it must be between 0 and 1",
		"--doc-topics-threshold NaN":    "--doc-topics-threshold is NaN: it must be between 0 and 1",
		"--doc-topics-threshold 1":      "",
		"--input-model m":               "",
		"--input-model m --no-inferenc": "",
	} {
		err := checked(t, &TrainTopics{}, "--input a "+strings.Replace(args, "inferenc", "inference", 1))
		if (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", args, err, want)
		}
	}
}

// Before a training all outputs are looked at: none may have the name of another one, of a directory or of the input,
// and the directories they go to must be there.
func TestImpossibleOutputs(t *testing.T) {
	imported(t)
	if err := os.Mkdir("dir", 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.Link("docs.mallet", "link.mallet"); err != nil {
		t.Skip(err)
	}
	const replaces = " would replace docs.mallet, which is read: choose another name"
	for args, want := range map[string]string{
		"--output-topic-keys x --output-doc-topics y":      "",
		"--output-topic-keys docs.txt":                     "", // a file like any other
		"--output-topic-keys - --output-doc-topics -":      "",
		"--output-model m --inferencer-filename m":         "",
		"--output-topic-keys x --output-doc-topics x":      "two outputs are called x: choose another name for one",
		"--output-model x --output-state x":                "two outputs are called x: choose another name for one",
		"--output-topic-keys dir":                          "cannot write dir: it is a directory; choose another name",
		"--output-topic-keys none/x":                       "none/x",
		"--output-topic-keys link.mallet":                  "link.mallet" + replaces,
		"--output-model link.mallet":                       "link.mallet" + replaces,
		"--xml-topic-phrase-report dir":                    "cannot write dir: it is a directory; choose another name",
		"--xml-topic-phrase-report none/x":                 "none/x",
		"--xml-topic-phrase-report link.mallet":            "link.mallet" + replaces,
		"--output-model none/x --output-topic-keys none/y": "none/y",
		"--output-topic-keys none/x --output-model none/m": "none/m",
	} {
		c := &TrainTopics{}
		if err := checked(t, c, "--input docs.mallet "+args); err != nil {
			t.Fatal(err)
		}
		err := c.possible(c.input, opened(t, c.input), c.options)
		if (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", args, err, want)
		}
		if want == "" {
			continue
		}
		if again := run(t, &TrainTopics{}, append(strings.Fields(args), "--input", "docs.mallet")...); again == nil ||
			again.Error() != err.Error() {
			t.Errorf("%s: a run says %v", args, again)
		}
	}
	if err := run(t, &TrainTopics{}, "--input", "docs.txt"); err == nil ||
		!strings.HasPrefix(err.Error(), "--input docs.txt: this is not a corpus") {
		t.Error(err)
	}
	for _, c := range []struct {
		command Command
		args    string
	}{
		{&ImportFile{}, "--input docs.mallet --output link.mallet"},
		{&ImportSVMLight{}, "--input docs.txt docs.mallet --output x link.mallet"},
	} {
		if err := checked(t, c.command, c.args); err == nil || err.Error() != "link.mallet"+replaces {
			t.Errorf("%T: %v", c.command, err)
		}
	}
	if err := checked(t, &ImportSVMLight{}, "--input a b --output c"); err == nil ||
		!strings.Contains(err.Error(), "--input names 2 files and --output 1") {
		t.Error(err)
	}
}

// The notes name what the options do otherwise than in MALLET, and topics are shown at the end where no file has them.
func TestWhatTrainingSays(t *testing.T) {
	imported(t)
	const (
		clock = "0 is a seed like any other, not the clock"
		saved = "note: nothing is saved during training"
		cores = "note: all cores are used"
		shown = "note: topics are shown at the end, not during training"
		first = "\n0\t1.6667\t"
		last  = "\n2\t1.6667\t"
	)
	for args, want := range map[string][]string{
		"": {clock, cores, first, last},
		"--random-seed 3 --num-threads 1 --show-topics-interval 0":            {},
		"--show-topics-interval 9":                                            {clock, cores, shown, first, last},
		"--output-topic-keys keys":                                            {clock, cores},
		"--show-topics-interval 0 --output-model-interval 2":                  {clock, cores, saved},
		"--show-topics-interval 0 --output-state-interval 2":                  {clock, cores, saved},
		"--show-topics-interval 0 --output-state-interval 2 --output-state s": {clock, cores},
		"--show-topics-interval 0 --output-model-interval 2 --output-model m": {clock, cores},
	} {
		_, says := told(t, &TrainTopics{},
			append(strings.Fields(args), "--input", "docs.mallet", "--num-topics", "3", "--num-iterations", "3")...)
		for _, s := range []string{clock, saved, cores, shown, first, last} {
			if strings.Contains(says, s) != slices.Contains(want, s) {
				t.Errorf("%s: %q is said: %v\n%s", args, s, strings.Contains(says, s), says)
			}
		}
	}
	m, err := train.Run(t.Context(), opened(t, "docs.mallet"), topoi.Options{Topics: 2, Iterations: 2, AlphaSum: 5})
	if err != nil {
		t.Fatal(err)
	}
	var want []string
	for s := range m.Summary([]int{1}, 2) {
		want = append(want, s.Words[0].Term, s.Words[1].Term)
	}
	if err := m.Save("given", topoi.SaveOptions{}); err != nil {
		t.Fatal(err)
	}
	if _, says := told(t, &TrainTopics{}, "--input-model", "given", "--no-inference", "--num-top-words",
		"2"); !strings.Contains(says, "\n1\t2.5\t"+strings.Join(want, " ")+"\n") ||
		strings.Contains(says, "note: ") {
		t.Errorf("%s\nwant %q", says, want)
	}
}

// Imports say what is wrong with their input and options.
func TestFaultsOfImports(t *testing.T) {
	t.Chdir(t.TempDir())
	write(t, "docs.txt", "a x cat dog\nb y soup\n")
	if err := os.MkdirAll("dir/sub", 0o777); err != nil {
		t.Fatal(err)
	}
	write(t, filepath.Join("dir", "a"), "cat dog")
	const groups = "--line-regex has the groups "
	for _, c := range []struct {
		command    Command
		args, want string
	}{
		{&ImportFile{}, "--input docs.txt --data 0", "--data is 0: " + groups + "1 to 3"},
		{&ImportFile{}, "--input docs.txt --name -1", "--name is -1: " + groups + "0 to 3"},
		{&ImportFile{}, "--input docs.txt --label 4", "--label is 4: " + groups + "0 to 3"},
		{&ImportFile{}, "--input docs.txt --line-regex (", "--line-regex: error parsing regexp"},
		{&ImportFile{}, `--input docs.txt --line-regex \p{InGreek}`, "--line-regex: "},
		{&ImportFile{}, `--input docs.txt --token-regex \p{InGreek}`, "--token-regex: "},
		{&ImportFile{}, "--input docs.txt --line-regex ^(a)(.)(.*)$", "docs.txt:2: the line does not match --line-regex"},
		{&ImportFile{}, "--input none.txt", "none.txt"},
		{&ImportFile{}, "", "--input is missing: add --input FILE"},
		{&ImportFile{}, "--input docs.txt --output -", "--output - is not supported"},
		{&ImportFile{}, "--input docs.txt --extra-stopwords x", "--extra-stopwords has no effect by itself"},
		{&ImportFile{}, "--input docs.txt --stoplist-file none", "stop words: "},
		{&ImportFile{}, "--input docs.txt --remove-stopwords --extra-stopwords none", "stop words: "},
		{
			&ImportFile{}, "--input docs.txt --use-pipe-from docs.txt",
			"--use-pipe-from docs.txt: this is not a corpus of topoi",
		},
		{&ImportFile{}, "--input docs.txt --label-as-features", "--label-as-features is not supported"},
		{&ImportFile{}, "--input docs.txt --encoding ebcdicx", "ebcdicx"},
		{&ImportDir{}, "--input dir --output -", "--output - is not supported"},
		{&ImportDir{}, "--input none", "none"},
		{&ImportDir{}, "--input dir none", "none"},
		{&ImportDir{}, "", "--input is missing: add --input DIRECTORIES"},
		{&ImportDir{}, "--input dir --gram-sizes 1,x", "--gram-sizes is 1,x: it must list lengths of 1 or more"},
		{&ImportDir{}, "--input dir --gram-sizes 0", "--gram-sizes is 0: it must list lengths of 1 or more"},
		{&ImportDir{}, "--input dir --binary-features", "--binary-features is not supported"},
		{&ImportDir{}, `--input dir --token-regex \p{InGreek}`, "--token-regex: "},
		{&ImportSVMLight{}, "--input none.svm --output x", "none.svm"},
		{&ImportSVMLight{}, "--input docs.txt --output x", "docs.txt"},
		{&ImportSVMLight{}, "--input docs.txt", "--output is missing"},
		{&ImportSVMLight{}, "--input docs.txt --output x --print-output", "--print-output is not supported"},
		{&Change{}, "--input docs.txt --output x", "--input docs.txt: this is not a corpus of topoi"},
		{&Change{}, "--input none --training-portion 1", "none"},
	} {
		if err := run(t, c.command, strings.Fields(c.args)...); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%T %s: %v, want %s", c.command, c.args, err, c.want)
		}
	}
}

// The options of the import that those about words ask for.
func TestTextOptions(t *testing.T) {
	for args, want := range map[string]corpus.ImportOptions{
		"": {
			Snippet: 200,
			Text:    text.Options{TokenRegexp: tokenRegex, Case: "lower"},
		},
		"--keep-sequence": {Snippet: -1, Text: text.Options{TokenRegexp: tokenRegex, Case: "lower"}},
		"--preserve-case --encoding latin1": {
			Snippet: 200, Source: source.Options{Encoding: "latin1"},
			Text: text.Options{TokenRegexp: tokenRegex, Case: "keep"},
		},
		`--token-regex \S+ --keep-sequence`: {Text: text.Options{TokenRegexp: `\S+`, Case: "lower"}},
		"--gram-sizes 2,3": {
			Snippet: 200,
			Text:    text.Options{TokenRegexp: tokenRegex, Case: "lower", Grams: []int{2, 3}},
		},
		"--gram-sizes 1": {
			Snippet: 200,
			Text:    text.Options{TokenRegexp: tokenRegex, Case: "lower"},
		},
	} {
		c := &ImportDir{}
		if err := checked(t, c, "--input a "+args); err != nil {
			t.Fatal(err)
		}
		got, err := c.importOptions()
		if want.Source.Encoding == "" {
			want.Source.Encoding = "auto"
		}
		want.MinDF, want.MaxDF = 1, 1
		want.Text.Languages, want.Text.MinLength, want.Text.MaxLength, want.Text.KeepMarkup = []string{"none"}, 1, 1<<30, true
		if a, b := fmt.Sprintf("%+v", got), fmt.Sprintf("%+v", want); err != nil || a != b {
			t.Errorf("%s: %v\n got %s\nwant %s", args, err, a, b)
		}
	}
	if err := (&textOptions{extra: "x", pipeFrom: "y"}).check(); err != nil {
		t.Error(err)
	}
	if _, err := (&textOptions{tokenRegex: `\S+`, stoplist: "none"}).importOptions(); !errors.Is(err, os.ErrNotExist) {
		t.Error(err)
	}
}
