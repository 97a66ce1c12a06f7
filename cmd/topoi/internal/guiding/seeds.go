package guiding

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/topoi-lda/topoi/cmd/topoi/internal/cli"
	"github.com/topoi-lda/topoi/cmd/topoi/internal/reading"
	"github.com/topoi-lda/topoi/seeds"
)

// AddSeeds adds topoi seeds and its commands.
func AddSeeds(a *cli.App) {
	family := &cobra.Command{
		Use:   "seeds COMMAND",
		Short: "Suggest seed words for guided topics",
		Long:  "Suggest seed words. 'topoi train --seeds' uses them to guide topics.", Example: "  topoi seeds suggest articles.csv > topics.txt",
	}
	a.AddFamily(cli.GroupTrain, family)
	var in reading.Flags
	n := 5
	c := &cobra.Command{
		Use:   "suggest INPUT... [flags]",
		Short: "Suggest seed words for each label of a corpus",
		Long: `Suggest seed words for each label of a labelled corpus: words that are frequent in
its documents and rare under other labels (tf-idf). The output is a file for
'topoi train --seeds'. Read it first, and correct it.`,
		Example: `  topoi seeds suggest articles.csv > topics.txt
  topoi train articles.csv -k 50 --seeds topics.txt -o news.model`,
	}
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
