package reading

import (
	"errors"
	"fmt"
	"strings"

	"github.com/topoi-lda/topoi/corpus"
	"github.com/topoi-lda/topoi/internal/human"
	"github.com/topoi-lda/topoi/internal/progress"
)

// WithFlags adds to an import that kept no words which flags decide about that.
func WithFlags(err error) error {
	switch {
	case errors.Is(err, corpus.ErrNoWords):
		return fmt.Errorf("%w (--format, --text-field, --language, --min-length)", err)
	case errors.Is(err, corpus.ErrNoWordLeft):
		return fmt.Errorf("%w (--min-df, --max-df, --min-cf)", err)
	}
	return err
}

// describeImport describes the input in a few lines.
func describeImport(r *corpus.Report) string {
	s := fmt.Sprintf("%s: %s, %s, %s", howRead(r), human.Of(r.Docs, "document"), human.Of(r.Words, "word"),
		human.Of(r.Tokens, "token"))
	return s + describeTaken(&r.Input) + describeText(r) + describeCopies(r) + remarks([]remark{
		{r.Phrases, "found " + human.Of(r.Phrases, "phrase")},
		{r.EmptyDocs, human.Of(r.EmptyDocs, "document") + " without words"},
		{r.RepeatedIDs, human.Of(r.RepeatedIDs, "document") + " with the id of an earlier one"},
		{r.Wholes, "they are pieces of " + human.Of(r.Wholes, "document")},
		{longAndFew(r), "the documents are few and long: --pieces 300 gives sharper topics, and whole documents are still shown"},
	})
}

// describeCopies tells of copies in one sentence, with the option that decides about them.
func describeCopies(r *corpus.Report) string {
	c := &r.Copies
	if c.Groups == 0 {
		return ""
	}
	copies := human.Of(c.Exact+c.Near, "document") + " are copies of earlier ones"
	if c.Exact+c.Near == 1 {
		copies = "1 document is a copy of an earlier one"
	}
	var kinds []string
	for _, k := range []remark{
		{c.Exact, human.Count(c.Exact) + " exact"},
		{c.Near, human.Count(c.Near) + " nearly"},
		{c.Largest - 1, fmt.Sprintf("%s of %q", human.Count(c.Largest-1), c.Example)},
	} {
		if k.n > 0 {
			kinds = append(kinds, k.text)
		}
	}
	copies = human.Line(copies + " (" + strings.Join(kinds, ", ") + ")")
	if c.Dropped {
		return "\n" + copies + ": they are left out"
	}
	return "\n" + copies + ": they are kept, and a hold-out never parts them (--duplicates drop leaves them out)"
}

// longAndFew is 1 if topics would be better of pieces: a document of a thousand words has many topics at once, and
// some hundreds of documents do not tell them apart.
func longAndFew(r *corpus.Report) int64 {
	if r.Wholes == 0 && r.Text.Detected && r.Docs >= 10 && r.Docs < 5000 && r.Tokens > 600*r.Docs {
		return 1
	}
	return 0
}

// describeNew is describeImport of documents for a model, whose vocabulary is given.
func describeNew(r *corpus.Report) string {
	s := fmt.Sprintf("%s: %s, %s that the model knows", howRead(r), human.Of(r.Docs, "document"),
		human.Of(r.Tokens, "token"))
	return s + describeTaken(&r.Input) + remarks([]remark{
		{r.UnknownTokens, fmt.Sprintf("ignored %s (%s) that the model does not know", human.Of(r.UnknownWords, "word"),
			human.Of(r.UnknownTokens, "token"))},
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

// Tell shows the report of an import into the corpus file output, or into a temporary one.
func Tell(report *corpus.Report, output string, r progress.Reporter) {
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
		ExactCopies   int64  `json:"exact_copies"`
		NearCopies    int64  `json:"near_copies"`
		textEvent
		WallSeconds float64 `json:"wall_seconds"`
		takenEvent
	}{
		"imported", output, r.Format, r.Guessed, r.Docs, r.Words, r.Tokens, r.EmptyDocs,
		r.DroppedWords, r.DroppedTokens, r.UnknownWords, r.UnknownTokens, r.Phrases,
		r.Copies.Exact, r.Copies.Near, newTextEvent(r), r.Seconds,
		newTakenEvent(&r.Input),
	}
}
