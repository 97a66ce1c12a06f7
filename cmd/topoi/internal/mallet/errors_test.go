package mallet

import (
	"context"
	"errors"
	"os"
	"strings"
	"testing"

	"github.com/topoi-lda/topoi/internal/progress"
)

// cancelledRun runs a command in a context that is cancelled.
func cancelledRun(t *testing.T, c Command, args string) error {
	t.Helper()
	fs := flagsOf(c)
	if err := errors.Join(fs.Parse(strings.Fields(args)), c.Check(fs)); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	return c.Run(ctx, fs, Env{Stdout: os.Stdout, Report: progress.NewQuiet(os.Stderr)})
}

// What is cancelled ends with that as its error, and leaves no file.
func TestCancelledCommands(t *testing.T) {
	trained(t)
	for _, c := range []struct {
		command Command
		args    string
	}{
		{&TrainTopics{}, "--input docs.mallet --num-iterations 5 --output-model x"},
		{&TrainTopics{}, "--input docs.mallet --num-iterations 5 --output-model x --output-model-interval 2"},
		{&TrainTopics{}, "--input-model m.model --no-inference --num-icm-iterations 3 --output-model x"},
		{&TrainTopics{}, "--input-model m.model --no-inference --output-state x"},
		{&InferTopics{}, "--inferencer m.model --input new.mallet --output-doc-topics x"},
		{&EvaluateTopics{}, "--evaluator m.model --input new.mallet --output-prob x --output-doc-probs x"},
		{&ImportFile{}, "--input new.txt --output x"},
		{&Change{}, "--input docs.mallet --prune-count 2 --output x"},
	} {
		if err := cancelledRun(t, c.command, c.args); !errors.Is(err, context.Canceled) {
			t.Errorf("%T %s: %v", c.command, c.args, err)
		}
		if _, err := os.Stat("x"); err == nil {
			t.Errorf("%T %s: the output is there", c.command, c.args)
		}
	}
}

// A file that cannot be written is an error also where nobody looked before.
func TestOutputsThatFail(t *testing.T) {
	m := trained(t)
	env := Env{Stdout: os.Stdout, Report: progress.NewQuiet(os.Stderr)}
	docs := opened(t, "docs.mallet")
	for name, err := range map[string]error{
		"keys":    (&outputs{topicKeys: "none/x", topWords: 3}).write(t.Context(), m, env),
		"model":   (&outputs{evaluator: "none/x"}).write(t.Context(), m, env),
		"finish":  (&TrainTopics{outputs: outputs{topicKeys: "none/x", topWords: 3}}).finish(t.Context(), m, env),
		"phrases": writePhrases("none/x", m, docs, 3),
		"numbers": writeNumbers("none/x", []float64{1}),
		"state on the way": (&TrainTopics{outputs: outputs{state: "none/x"}, stateInterval: 2}).
			saveOnTheWay(t.Context(), m, 4),
		"model on the way": (&TrainTopics{outputs: outputs{model: "none/x"}, modelInterval: 2}).
			saveOnTheWay(t.Context(), m, 4),
		"split": run(t, &Change{}, "--input", "docs.mallet", "--training-portion", "0.5", "--training-file", "none/x"),
		"prune": run(t, &Change{}, "--input", "docs.mallet", "--prune-count", "2", "--output", "none/x"),
	} {
		if err == nil || !strings.Contains(err.Error(), "none") {
			t.Errorf("%s: %v", name, err)
		}
	}
	if err := (&TrainTopics{outputs: outputs{state: "none/x"}, stateInterval: 2}).saveOnTheWay(t.Context(), m,
		5); err != nil {
		t.Errorf("a state that is not due: %v", err)
	}
}

// Faults of training that only its inputs show.
func TestFaultsOfTraining(t *testing.T) {
	trained(t)
	told(t, &ImportFile{}, "--input", "new.txt", "--output", "other.mallet")
	told(t, &TrainTopics{}, "--input", "docs.mallet", "--num-topics", "2", "--num-iterations", "2", "--output-state",
		"s.gz")
	for args, want := range map[string]string{
		"--input other.mallet --input-state s.gz":    errOtherDocuments.Error(),
		"--input docs.mallet --input-state docs.txt": "--input-state docs.txt: this is not a state",
		"--input docs.mallet --input-state none.gz":  "--input-state: ",
		"--input none.mallet --num-topics 2":         "none.mallet",
		"--input-model none.model":                   "none.model",
		"--input-model m.model --input-state s.gz":   "--input-model and --input-state cannot be combined: choose one",
		"--input docs.mallet --num-iterations -1":    "--num-iterations must be above 0",
		"--input docs.mallet --no-inference":         "--no-inference needs a model",
		"--input docs.mallet --config none":          "--config: ",
		"--input docs.mallet --alpha -Inf":           "--alpha must be above 0",
	} {
		err := run(t, &TrainTopics{}, append(strings.Fields(args), "--show-topics-interval", "0")...)
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %s", args, err, want)
		}
	}
}

// Options of a file may name another one, which must be there, and have lines that can be read.
func TestConfigOfConfig(t *testing.T) {
	t.Chdir(t.TempDir())
	write(t, "inner", "name 2\n! a note\n  label:1  \n")
	write(t, "outer", "config = inner\ndata = 3\n")
	got, err := Arguments(flagsOf(&ImportFile{}), []string{"--config", "outer"})
	if err != nil || strings.Join(got, " ") != "--name 2 --label 1 --data 3" {
		t.Errorf("%q, %v", got, err)
	}
	write(t, "outer", "config = none\n")
	if _, err := Arguments(flagsOf(&ImportFile{}), []string{"--config", "outer"}); !errors.Is(err, os.ErrNotExist) {
		t.Error(err)
	}
	write(t, "long", "name = "+strings.Repeat("1", 70_000)+"\n")
	if _, err := Arguments(flagsOf(&ImportFile{}), []string{"--config", "long"}); err == nil ||
		!strings.HasPrefix(err.Error(), "--config: ") {
		t.Error(err)
	}
}
