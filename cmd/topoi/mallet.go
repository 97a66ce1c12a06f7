package main

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/topoi-lda/topoi/cmd/topoi/internal/cli"
	"github.com/topoi-lda/topoi/internal/human"
	"github.com/topoi-lda/topoi/mallet"
)

// groupMallet holds all commands of topoi mallet.
const groupMallet = "mallet"

// addMallet adds the family of commands that stand in for MALLET's.
func addMallet(a *cli.App) {
	c := &cobra.Command{
		Use:   "mallet COMMAND",
		Short: "Run MALLET's commands",
		Long: `Run the topic commands of MALLET with its options, defaults and output files, for
programs and scripts that call MALLET. Put a link named mallet to this program where
they look for it. Instance lists become corpora of topoi; models, inferencers and
evaluators become models of topoi, which all other commands read too. docs/mallet.md
lists the differences.`,
		Example: `  topoi mallet import-file --input docs.txt --keep-sequence --output docs.mallet
  topoi mallet train-topics --input docs.mallet --num-topics 50 --output-topic-keys keys.txt --output-doc-topics docs.tsv
  topoi mallet infer-topics --inferencer docs.model --input new.mallet --output-doc-topics new.tsv`,
	}
	c.AddGroup(&cobra.Group{ID: groupMallet, Title: "Commands:"})
	a.Add(cli.GroupTrain, c, func(args []string) error { return unknownMallet(c, args) }, func(context.Context, []string) error { return c.Help() })
	for _, m := range malletCommands {
		addMalletCommand(a, c, m.name, m.short, m.long, m.example, m.make())
	}
}

// malletCommands are the commands of MALLET that there are.
var malletCommands = []struct {
	name, short, long, example string
	make                       func() mallet.Command
}{
	{
		"import-file", "Make a corpus from a file with one document per line",
		`Make a corpus from a file with one document per line: its name, its label, its text.
Words are what --token-regex matches, in small letters unless --preserve-case is
given. All words are kept, except stop words if you ask to remove them.`,
		`  topoi mallet import-file --input docs.txt --keep-sequence --remove-stopwords --output docs.mallet`,
		func() mallet.Command { return &mallet.ImportFile{} },
	},
	{
		"import-dir", "Make a corpus from directories with one document per file",
		`Make a corpus from directories with one document per file. The name of a document is
the address of its file, its label the name of the directory.`,
		`  topoi mallet import-dir --input texts --keep-sequence --output texts.mallet`,
		func() mallet.Command { return &mallet.ImportDir{} },
	},
	{
		"import-svmlight", "Make a corpus from SVMlight files",
		`Make a corpus of files in SVMlight's format, one for each: lines of a target and
of pairs feature:count. Features are words.`,
		`  topoi mallet import-svmlight --input train.svm --output train.mallet`,
		func() mallet.Command { return &mallet.ImportSVMLight{} },
	},
	{
		"train-topics", "Train a topic model",
		`Train a topic model for a given number of sweeps, and write it and its reports. α and
β stay fixed unless --optimize-interval says how often to estimate them. The
likelihood is printed every ten sweeps. Existing files and models are replaced.`,
		`  topoi mallet train-topics --input docs.mallet --num-topics 50 --optimize-interval 10 --output-model docs.model --output-doc-topics topics.tsv`,
		func() mallet.Command { return &mallet.TrainTopics{} },
	},
	{
		"infer-topics", "Find the topics of new documents",
		`Find the topics of documents that the model was not trained on. Import them with
--use-pipe-from, so that they are treated as the training documents were.`,
		`  topoi mallet infer-topics --inferencer docs.model --input new.mallet --output-doc-topics new.tsv`,
		func() mallet.Command { return &mallet.InferTopics{} },
	},
	{
		"evaluate-topics", "Estimate the probability of new documents",
		`Estimate the probability of documents that the model was not trained on, by the
left-to-right algorithm, as a natural logarithm.`,
		`  topoi mallet evaluate-topics --evaluator docs.model --input new.mallet --output-doc-probs probabilities.txt`,
		func() mallet.Command { return &mallet.EvaluateTopics{} },
	},
	{
		"info", "Print words of a corpus and how often they occur",
		`Print what a corpus holds: labels, words, or words with the number of their
occurrences and of the documents that have them.`,
		`  topoi mallet info --input docs.mallet --print-feature-counts`,
		func() mallet.Command { return &mallet.Info{} },
	},
	{
		"prune", "Drop rare and frequent words of a corpus",
		`Drop words of a corpus: rare ones by --prune-count, --prune-document-freq and
--max-idf, frequent ones by --min-idf.`,
		`  topoi mallet prune --input docs.mallet --prune-count 5 --output pruned.mallet`,
		func() mallet.Command { return &mallet.Change{} },
	},
	{
		"split", "Split a corpus at random",
		`Split the documents of a corpus at random, to train on some and test with
others.`,
		`  topoi mallet split --input docs.mallet --training-portion 0.9 --training-file train.mallet --testing-file test.mallet`,
		func() mallet.Command { return &mallet.Change{} },
	},
}

// notMallet are MALLET's commands that there are not.
var notMallet = []string{"train-classifier", "classify-dir", "classify-file", "classify-svmlight", "hlda", "bulk-load", "run"}

// unknownMallet is the fault of a command that is not there.
func unknownMallet(c *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	if slices.Contains(notMallet, args[0]) {
		return fmt.Errorf("topoi has no %s: it has only those commands of MALLET that are about topics", args[0])
	}
	names := make([]string, len(malletCommands))
	for i, m := range malletCommands {
		names[i] = m.name
	}
	return fmt.Errorf("unknown command %q%s", args[0], human.Hint(args[0], names))
}

func addMalletCommand(a *cli.App, family *cobra.Command, name, short, long, example string, m mallet.Command) {
	c := &cobra.Command{Use: name + " [options]", Short: short, Long: long, Example: example}
	refused := pflag.NewFlagSet(name, pflag.ContinueOnError)
	refused.SortFlags = false
	cli.Section(c, "Options", func(fs *pflag.FlagSet) { m.Flags(fs, refused) })
	cli.Section(c, "Not honoured", func(fs *pflag.FlagSet) { fs.AddFlagSet(refused) })
	check := func(args []string) error {
		faults := []error{m.Check(c.Flags())}
		for _, arg := range args {
			faults = append(faults, fmt.Errorf("%q is not the value of any option", arg))
		}
		return errors.Join(faults...)
	}
	run := func(ctx context.Context, _ []string) error {
		r := a.Reporter(false, false)
		defer r.Close()
		return m.Run(ctx, c.Flags(), mallet.Env{Stdout: a.Stdout, Report: r, Program: cli.ProgramVersion()})
	}
	a.AddTo(family, groupMallet, c, check, cli.Stoppable(run))
}

// malletArguments rewrites a command line of topoi mallet so that flags can be parsed.
func malletArguments(a *cli.App, args []string) ([]string, error) {
	if len(args) < 2 || args[0] != "mallet" {
		return args, nil
	}
	if slices.Contains(notMallet, args[1]) {
		return args[:2], nil // whatever its options are
	}
	c, _, err := a.Root.Find(args[:2])
	if err != nil || c.Name() != args[1] {
		return args, nil
	}
	rest, err := mallet.Arguments(c.Flags(), args[2:])
	return append(args[:2:2], rest...), err
}

// calledArguments returns the arguments of the program: called mallet, it is topoi mallet.
func calledArguments(args []string) []string {
	name := filepath.Base(args[0])
	if strings.TrimSuffix(strings.ToLower(name), ".exe") == "mallet" {
		return append([]string{"mallet"}, args[1:]...)
	}
	return args[1:]
}
