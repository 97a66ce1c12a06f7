package guiding

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/pflag"

	"github.com/topoi-lda/topoi/cmd/topoi/internal/cli"
	"github.com/topoi-lda/topoi/cmd/topoi/internal/reading"
	"github.com/topoi-lda/topoi/seeds"
)

// AddSeeds adds topoi seeds and its commands.
func AddSeeds(a *cli.App) {
	family := cli.Describe("seeds")
	a.AddFamily(cli.GroupTrain, family)
	var in reading.Flags
	n := 5
	c := cli.Describe("seeds suggest")
	cli.Section(c, "Seed words", func(fs *pflag.FlagSet) { fs.IntVar(&n, "words", 5, "`number` of words for each label") })
	in.AddReading(c)
	in.AddText(c)
	check := func(args []string) error {
		return errors.Join(cli.NeedInputs(args, "the input", "topoi seeds suggest articles.csv"), in.Check(), cli.RefuseZero(c, "words"))
	}
	a.AddTo(family, "", c, check, func(ctx context.Context, args []string) error {
		r := a.Reporter(false, true)
		defer r.Close()
		docs, err := in.Open(ctx, args, r, true)
		if err != nil {
			return err
		}
		defer docs.Close()
		topics := seeds.Suggest(docs, n)
		if len(topics) == 0 {
			return errors.New("the documents have no labels to suggest words for: name their column with --label-field")
		}
		for _, t := range topics {
			var words []string
			for _, w := range t.Words {
				words = append(words, w.Pattern)
			}
			fmt.Fprintf(a.Stdout, "%s: %s\n", strings.ReplaceAll(t.Name, ":", " "), strings.Join(words, ", "))
		}
		return nil
	})
}
