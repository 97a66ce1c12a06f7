package reading

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/topoi-lda/topoi/corpus"
	"github.com/topoi-lda/topoi/corpus/join"
	"github.com/topoi-lda/topoi/internal/human"
	"github.com/topoi-lda/topoi/progress"
)

// Import writes a corpus file with the columns of --metadata, whole or not at all.
func (in *Flags) Import(ctx context.Context, inputs []string, out string, r progress.Reporter, quiet bool) (*corpus.Report, error) {
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
	report, err := join.Columns(ctx, c, []string{in.metadata}, join.Options{})
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
func DescribeJoin(r *join.Report) string {
	var names []string
	for _, c := range r.Columns {
		names = append(names, fmt.Sprintf("%s (%s)", human.Line(c.Name), c.Kind))
	}
	s := fmt.Sprintf("added %s to %s of %s: %s\n", human.Of(len(names), "column"), human.Count(r.Matched), human.Of(r.Documents, "document"), strings.Join(names, ", "))
	if r.DocsLeft > 0 {
		s += fmt.Sprintf("without a row: %s, such as %s\n", human.Of(r.DocsLeft, "document"), human.Line(strings.Join(r.Docs, ", ")))
	}
	if r.RowsLeft > 0 {
		s += fmt.Sprintf("without a document: %s, such as %s\n", human.Of(r.RowsLeft, "row"), human.Line(strings.Join(r.Rows, ", ")))
	}
	return s
}
