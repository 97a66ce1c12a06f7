package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/topoi-lda/topoi/corpus"
	"github.com/topoi-lda/topoi/corpus/source"
	"github.com/topoi-lda/topoi/internal/human"
	"github.com/topoi-lda/topoi/progress"
)

func addImport(a *app) {
	c := &cobra.Command{
		Use:   "import INPUT... -o FILE [flags]",
		Short: "Turn text or any corpus format into a corpus file",
		Long: `Read documents and write them to one corpus file, from which training starts at
once. An input is a file, a directory of text files, a pattern such as
'papers/*.txt', or - for standard input; .gz and .zst are read as they are. The
format is guessed from name and content, and said; --format overrides the guess.
So are columns and encoding: text is taken from the column named text, content,
body, abstract and so on, and may be UTF-8, UTF-16, Windows-1252 or another common
encoding. Ids, labels, times and titles of documents are carried to every output.

Formats:
` + formatList(),
		Example: `  topoi import articles.csv -o articles.topoi
  topoi import survey.xlsx --sheet Answers --text-field Q3 --text-field Q4 -o survey.topoi
  topoi import docword.kos.txt.gz --vocab vocab.kos.txt -o kos.topoi
  topoi import papers/ -o papers.topoi --language de --stem --min-df 5 --max-df 0.5
  zcat dump.jsonl.gz | topoi import - --format jsonl --text-field body -o dump.topoi`,
	}
	var (
		in            inputFlags
		output        string
		quiet, asJSON bool
		overwrite     bool
	)
	section(c, "Output", func(fs *pflag.FlagSet) {
		fs.StringVarP(&output, "output", "o", "", "corpus `file` to write (needed)")
		fs.BoolVar(&overwrite, "overwrite", false, "replace the file if it exists")
		fs.IntVar(&in.options.Threads, "threads", 0, "`number` of threads; never changes the result (default: all cores)")
		fs.BoolVar(&asJSON, "json", false, "write events and report as JSON lines on standard output")
		fs.BoolVar(&quiet, "quiet", false, "show errors only")
	})
	in.readingFlags(c)
	in.textFlags(c)
	check := func(args []string) error {
		return errors.Join(
			needInputs(args, "the input", "topoi import articles.csv -o articles.topoi"),
			needOutput(output, "FILE"),
			in.check(),
			refuseExisting(output, overwrite),
		)
	}
	run := func(ctx context.Context, args []string) error {
		r := a.reporter(asJSON, quiet)
		defer r.Close()
		ctx, stop := interruptible(ctx, func() {})
		defer stop()
		if len(args) == 1 && corpus.IsCorpus(args[0]) {
			if err := in.refuseFlags(args[0]); err != nil {
				return err
			}
		}
		in.options.Progress = importProgress(r)
		report, err := corpus.Import(ctx, args, output, in.options)
		if err != nil {
			return withFlags(err)
		}
		if quiet {
			return nil
		}
		tellImport(report, output, r)
		if asJSON {
			return nil
		}
		r.Say("saved " + output)
		return nextSteps(a.stdout, [][2]string{
			{"topoi train " + shellWord(output) + " -k 50 -o MODEL", "find 50 topics"},
			{"topoi info " + shellWord(output), "what the file holds"},
		})
	}
	a.add(groupData, c, check, run)
}

// withFlags adds to an import that kept no words which flags decide about that.
func withFlags(err error) error {
	switch {
	case errors.Is(err, corpus.ErrNoWords):
		return fmt.Errorf("%w (--format, --text-field, --language, --min-length)", err)
	case errors.Is(err, corpus.ErrNoWordLeft):
		return fmt.Errorf("%w (--min-df, --max-df, --min-cf)", err)
	}
	return err
}

// formatList describes the input formats, one a line.
func formatList() string {
	var b strings.Builder
	for _, f := range source.Formats() {
		fmt.Fprintf(&b, "  %-14s %s\n", f.Name, f.Description)
	}
	return b.String()
}

// refuseExisting is the fault of an output that would replace something.
func refuseExisting(path string, overwrite bool) error {
	if info, err := os.Stat(path); err == nil && info.Mode().IsRegular() && !overwrite {
		return fmt.Errorf("%s exists already: choose another name, or add --overwrite to replace it", path)
	}
	return nil
}

// describeImport says in a few lines what was read.
func describeImport(r *corpus.Report) string {
	s := fmt.Sprintf("%s: %s, %s, %s", howRead(r), human.Of(r.Docs, "document"), human.Of(r.Words, "word"), human.Of(r.Tokens, "token"))
	return s + describeTaken(&r.Input) + describeText(r) + remarks([]remark{
		{r.Phrases, "found " + human.Of(r.Phrases, "phrase")},
		{r.EmptyDocs, human.Of(r.EmptyDocs, "document") + " without words"},
		{r.RepeatedIDs, human.Of(r.RepeatedIDs, "document") + " with the id of an earlier one"},
	})
}

// describeNew is describeImport of documents for a model, whose vocabulary is
// given.
func describeNew(r *corpus.Report) string {
	s := fmt.Sprintf("%s: %s, %s that the model knows", howRead(r), human.Of(r.Docs, "document"), human.Of(r.Tokens, "token"))
	return s + describeTaken(&r.Input) + remarks([]remark{
		{r.UnknownTokens, fmt.Sprintf("left out %s (%s) that the model has never seen", human.Of(r.UnknownWords, "word"), human.Of(r.UnknownTokens, "token"))},
		{r.EmptyDocs, human.Of(r.EmptyDocs, "document") + " without words that the model knows"},
	})
}

// howRead names the format of the input.
func howRead(r *corpus.Report) string {
	switch {
	case r.Format == "":
		return "made"
	case r.Format == "topoi":
		return "a corpus file"
	case r.Guessed:
		return "read as " + r.Format + " (guessed; --format overrides)"
	}
	return "read as " + r.Format
}

// remark is worth a line of its own if its number is not 0.
type remark struct {
	n    int64
	text string
}

func remarks(list []remark) string {
	s := ""
	for _, r := range list {
		if r.n > 0 {
			s += "\n" + r.text
		}
	}
	return s
}

// tellImport shows the report of an import into the corpus file output, or
// into a temporary one.
func tellImport(report *corpus.Report, output string, r progress.Reporter) {
	if j, ok := r.(*progress.JSON); ok {
		j.Write(importedEvent(report, output))
		return
	}
	r.Say(describeImport(report))
}

// importedEvent is the report of an import as a JSON event.
func importedEvent(r *corpus.Report, output string) any {
	return struct {
		Event         string `json:"event"`
		Output        string `json:"output,omitempty"`
		Format        string `json:"format"`
		Guessed       bool   `json:"guessed"`
		Docs          int64  `json:"docs"`
		Words         int64  `json:"words"`
		Tokens        int64  `json:"tokens"`
		EmptyDocs     int64  `json:"empty_docs"`
		DroppedWords  int64  `json:"dropped_words"`
		DroppedTokens int64  `json:"dropped_tokens"`
		UnknownWords  int64  `json:"unknown_words"`
		UnknownTokens int64  `json:"unknown_tokens"`
		Phrases       int64  `json:"phrases"`
		textEvent
		WallSeconds float64 `json:"wall_seconds"`
		takenEvent
	}{
		"imported", output, r.Format, r.Guessed, r.Docs, r.Words, r.Tokens, r.EmptyDocs,
		r.DroppedWords, r.DroppedTokens, r.UnknownWords, r.UnknownTokens, r.Phrases, newTextEvent(r), r.Seconds, newTakenEvent(&r.Input),
	}
}
