package guiding

import (
	"context"
	"encoding/csv"
	"errors"
	"fmt"
	"strconv"

	"github.com/spf13/pflag"

	"github.com/topoi-lda/topoi"
	"github.com/topoi-lda/topoi/analysis/prevalence"
	"github.com/topoi-lda/topoi/cmd/topoi/internal/cli"
	"github.com/topoi-lda/topoi/cmd/topoi/internal/look"
	"github.com/topoi-lda/topoi/guide"
	"github.com/topoi-lda/topoi/internal/dates"
	"github.com/topoi-lda/topoi/internal/human"
)

// AddDrift adds topoi drift.
func AddDrift(a *cli.App) {
	var bins string
	var carry float64
	var topics []string
	var words int
	var asCSV, asJSON bool
	c := cli.Describe("drift")
	cli.Section(c, "Drift", func(fs *pflag.FlagSet) {
		fs.StringVar(&bins, "by", "",
			"`length` of slices: day, week, month, quarter, year or decade (default: the same as --by-time, or chosen to fit)")
		fs.Float64Var(&carry, "carry", -1,
			"`share` of the counts of a slice that the next slice starts with; 0 keeps slices apart (default: the same as --by-time, or 0.8)")
		fs.StringSliceVar(&topics, "topics", nil, "`topics` to show, by number or name (default: all)")
		fs.IntVar(&words, "words", 8, "`number` of words")
		fs.BoolVar(&asCSV, "csv", false, "write a CSV table with one word per line")
		fs.BoolVar(&asJSON, "json", false, "write JSON")
	})
	cli.Complete(c, "by", dates.BinNames)
	check := func(args []string) error {
		return errors.Join(
			cli.OneModel(args, "topoi drift news.model --by year"), prevalence.Options{Bins: bins}.Validate(),
			cli.RefuseZero(c, "words"),
			human.FaultIf(c.Flags().Changed("carry") && !(carry >= 0 && carry <= 1),
				"--carry is %g: it must be from 0 to 1", carry))
	}
	a.Add(c, check, func(_ context.Context, args []string) error {
		m, err := topoi.Open(args[0])
		if err != nil {
			return err
		}
		defer m.Close()
		chosen, err := cli.EachTopic(m, topics)
		if err != nil {
			return err
		}
		list, err := guide.Drift(m, bins, carry, chosen, words)
		switch {
		case err != nil:
			return err
		case asJSON:
			return a.WriteJSON(list)
		case asCSV:
			return driftTable(a, m, list)
		}
		return driftText(a, m, list)
	})
}

// driftText writes topic after topic for people.
func driftText(a *cli.App, m *topoi.Model, list []guide.SliceWords) error {
	var order []int
	of := map[int][]guide.SliceWords{}
	for _, w := range list {
		if of[w.Topic] == nil {
			order = append(order, w.Topic)
		}
		of[w.Topic] = append(of[w.Topic], w)
	}
	for _, k := range order {
		name := m.Label(k)
		if name != "" {
			name = " (" + name + ")"
		}
		fmt.Fprintf(a.Stdout, "topic %d%s\n", k, name)
		for _, w := range of[k] {
			fmt.Fprintf(a.Stdout, "  %-12s %8d tokens  %s\n", w.Period, w.Tokens, look.TermList(w.Top))
		}
	}
	return nil
}

// driftTable writes a line for each word.
func driftTable(a *cli.App, m *topoi.Model, list []guide.SliceWords) error {
	w := csv.NewWriter(a.Stdout)
	rows := [][]string{{"period", "topic", "topic_label", "topic_tokens", "rank", "word", "phi"}}
	for _, x := range list {
		for i, t := range x.Top {
			rows = append(rows, []string{
				x.Period, strconv.Itoa(x.Topic), m.Label(x.Topic), strconv.FormatUint(x.Tokens, 10),
				strconv.Itoa(i + 1), t.Term,
				strconv.FormatFloat(t.Phi, 'g', 6, 64),
			})
		}
	}
	return w.WriteAll(rows)
}
