package look

import (
	"context"
	"fmt"

	"github.com/spf13/pflag"

	"github.com/topoi-lda/topoi"
	"github.com/topoi-lda/topoi/cmd/topoi/internal/cli"
	"github.com/topoi-lda/topoi/cmd/topoi/internal/reading"
	"github.com/topoi-lda/topoi/corpus"
	"github.com/topoi-lda/topoi/internal/human"
)

// AddJoin adds topoi join.
func AddJoin(a *cli.App) {
	var o corpus.JoinOptions
	var quiet bool
	c := cli.Describe("join")
	cli.Section(c, "Table", func(fs *pflag.FlagSet) {
		fs.StringVar(&o.On, "on", "",
			"`column` of the table that holds the ids or file names of documents (default: id, file, filename, path or name)")
		fs.StringSliceVar(&o.Columns, "columns", nil, "`names` of the columns to add (default: all)")
		fs.StringVar(&o.Source.Delimiter, "delimiter", "",
			"`character` between fields of CSV (default: found in the file)")
		fs.StringVar(&o.Source.Sheet, "sheet", "", "`name` of the sheet of a workbook (default: the first)")
		fs.BoolVar(&quiet, "quiet", false, "show errors only")
	})
	check := func(args []string) error {
		return human.FaultIf(len(args) != 2,
			"the model or the table is missing: try topoi join speeches.model speakers.csv --on id")
	}
	a.Add(c, check, cli.Stoppable(func(ctx context.Context, args []string) error {
		report, err := topoi.Join(ctx, args[0], args[1:], o)
		if err != nil || quiet {
			return err
		}
		_, err = fmt.Fprint(a.Stdout, reading.DescribeJoin(report))
		return err
	}))
}
