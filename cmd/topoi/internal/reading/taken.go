package reading

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/topoi-lda/topoi/cmd/topoi/internal/cli"
	"github.com/topoi-lda/topoi/corpus"
	"github.com/topoi-lda/topoi/corpus/source"
	"github.com/topoi-lda/topoi/internal/human"
	"github.com/topoi-lda/topoi/internal/join"
	"github.com/topoi-lda/topoi/internal/lists"
	"github.com/topoi-lda/topoi/internal/progress"
)

// describeTaken describes how the input was understood, every line with a line end
// before it: columns, header, sheet, encoding, and how to have it otherwise.
func describeTaken(t *source.Taken) string {
	var b strings.Builder
	say := func(format string, args ...any) { fmt.Fprintf(&b, "\n"+format, args...) }
	if used := usedColumns(t); used != "" {
		say("%s", used)
	}
	for _, c := range t.Columns {
		if c.Rival == "text" {
			say("%q may also be text: use --text-field %s to read it instead; several --text-field are joined", c.Name,
				cli.ShellWord(c.Name))
		}
	}
	if left := leftOut(t); left != "" {
		say("%s", left)
	}
	switch {
	case t.Header == "no" && t.HeaderGuessed:
		say("no header: the first row is a document (--header yes if it is a header)")
	case t.Header == "yes" && t.HeaderGuessed && len(t.Columns) == 1:
		say("the first row, %q, is the header (--header no if it is a document)", t.Columns[0].Name)
	}
	if len(t.LeftFiles) > 0 {
		say("ignored files: %s. To read others than *.txt: --pattern '*.EXT'", t.Left())
	}
	if t.LeftInputs > 0 {
		say("--where left %s unread", human.Of(t.LeftInputs, "file"))
	}
	if t.LeftRows > 0 {
		say("--where left out %s; %s unread", human.Of(t.LeftRows, "row"), human.Of(t.LeftGroups, "row group"))
	}
	if len(t.OtherSheets) > 0 {
		say("sheet %q; --sheet takes another: %s", t.Sheet, strings.Join(lists.Of(t.OtherSheets, strconv.Quote), ", "))
	}
	if len(t.Encodings) > 0 {
		how := ""
		if t.EncodingGuessed {
			how = " (recognised; --encoding overrides)"
		}
		say("encoding %s%s", strings.Join(t.Encodings, ", "), how)
	}
	return b.String()
}

// usedColumns lists what comes from which column.
func usedColumns(t *source.Taken) string {
	var parts []string
	guessed := false
	for _, use := range []string{"text", "tokens", "counts", "id", "label", "time", "title"} {
		var names []string
		for _, c := range t.Columns {
			if c.Use == use {
				names = append(names, columnName(t, c))
				guessed = guessed || c.Guessed
			}
		}
		if len(names) > 0 {
			parts = append(parts, use+" from "+strings.Join(names, " and "))
		}
	}
	s := strings.Join(parts, ", ")
	if guessed {
		s += " (guessed; --text-field, --id-field, … override)"
	}
	return s
}

// leftOut lists the columns that only go along with the documents, and how to use one.
func leftOut(t *source.Taken) string {
	const most = 12
	var names, how []string
	count := 0
	for _, c := range t.Columns {
		if c.Use != "" {
			continue
		}
		if count++; count > most {
			continue
		}
		names = append(names, columnName(t, c))
		if c.Rival != "text" && len(how) < 3 {
			how = append(how, fmt.Sprintf("--%s-field %s", cmp.Or(c.Rival, "label"), cli.ShellWord(c.Name)))
		}
	}
	if count == 0 {
		return ""
	}
	if count > most {
		names = append(names, fmt.Sprintf("and %d more", count-most))
	}
	return fmt.Sprintf("other columns, kept for groups and effects: %s. To use one: %s", strings.Join(names, ", "),
		strings.Join(how, ", "))
}

func columnName(t *source.Taken, c source.Column) string {
	if t.Header == "no" {
		return "column " + c.Name
	}
	return fmt.Sprintf("%q", c.Name)
}

// takenEvent is the JSON event about columns and the like.
type takenEvent struct {
	Columns   []columnEvent `json:"columns,omitempty"`
	Header    string        `json:"header,omitempty"`
	Sheet     string        `json:"sheet,omitempty"`
	Encodings []string      `json:"encodings,omitempty"`
}

type columnEvent struct {
	Name    string `json:"name"`
	Use     string `json:"use"` // empty when the column is left out
	Guessed bool   `json:"guessed"`
	Rival   string `json:"could_be,omitempty"`
	Kind    string `json:"kind,omitempty"`
}

func newTakenEvent(t *source.Taken) takenEvent {
	e := takenEvent{Header: t.Header, Sheet: t.Sheet, Encodings: t.Encodings}
	for _, c := range t.Columns {
		e.Columns = append(e.Columns, columnEvent(c))
	}
	return e
}

// Import writes a corpus file with the columns of --metadata, whole or not at all.
func (in *Flags) Import(ctx context.Context, inputs []string, out string, r progress.Reporter,
	quiet bool,
) (*corpus.Report, error) {
	in.Options.Progress = Progress(r)
	if in.metadata == "" {
		return corpus.Import(ctx, inputs, out, in.Options)
	}
	c, report, err := corpus.Load(ctx, inputs, in.Options)
	if err != nil {
		return nil, err
	}
	defer c.Close()
	joined, err := in.join(ctx, c, r, quiet)
	if err != nil {
		return nil, err
	}
	return report, joined.Save(out)
}

// join adds the columns of --metadata to documents and tells what did not match.
func (in *Flags) join(ctx context.Context, c *corpus.Corpus, r progress.Reporter, quiet bool) (*corpus.Corpus, error) {
	if in.metadata == "" {
		return c, nil
	}
	report, err := join.Columns(ctx, c, []string{in.metadata}, corpus.JoinOptions{})
	if err != nil {
		return nil, errors.Join(fmt.Errorf("--metadata %s: %w", in.metadata, err), c.Close())
	}
	if !quiet {
		r.Say(human.Line(in.metadata) + ": " + strings.ReplaceAll(strings.TrimSpace(DescribeJoin(report)), "\n", "; "))
	}
	joined, err := c.WithColumns(report.Columns)
	if err != nil {
		return nil, err
	}
	return joined.WithLabelAndTime(report.Columns), nil
}

// DescribeJoin tells what was added and what did not match.
func DescribeJoin(r *corpus.JoinReport) string {
	var names []string
	for _, c := range r.Columns {
		names = append(names, fmt.Sprintf("%s (%s)", human.Line(c.Name), c.Kind))
	}
	s := fmt.Sprintf("added %s to %s of %s: %s\n", human.Of(len(names), "column"), human.Count(r.Matched),
		human.Of(r.Documents, "document"), strings.Join(names, ", "))
	if r.DocsLeft > 0 {
		s += fmt.Sprintf("without a row: %s, such as %s\n", human.Of(r.DocsLeft, "document"),
			human.Line(strings.Join(r.Docs, ", ")))
	}
	if r.RowsLeft > 0 {
		s += fmt.Sprintf("without a document: %s, such as %s\n", human.Of(r.RowsLeft, "row"),
			human.Line(strings.Join(r.Rows, ", ")))
	}
	return s
}
