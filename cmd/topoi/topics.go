package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/topoi-lda/topoi"
	"github.com/topoi-lda/topoi/internal/nearest"
)

func addTopics(a *app) {
	c := &cobra.Command{
		Use:   "topics MODEL [flags]",
		Short: "Show the topics of a model",
		Long: `Show every topic of a model: its number, the share of all tokens that it explains,
its prior weight α, and the words that occur in it most. Numbers are those of
all other outputs and never change.`,
		Example: `  topoi topics news.model
  topoi topics news.model --words 20 --sort id
  topoi topics news.model --json | jq '.[0].words[].term'`,
	}
	var (
		words  int
		asJSON bool
		order  string
	)
	section(c, "Output", func(fs *pflag.FlagSet) {
		fs.IntVar(&words, "words", 10, "words per topic")
		fs.StringVar(&order, "sort", "share", "order of the topics: `share|id`")
		fs.BoolVar(&asJSON, "json", false, "write JSON")
	})
	orders := []string{"share", "id"}
	complete(c, "sort", fixed(orders...))
	check := func(args []string) error {
		var faults []error
		faults = append(faults, oneModel(args, "topoi topics news.model"))
		if words < 1 {
			faults = append(faults, fmt.Errorf("--words is %d: it must be at least 1", words))
		}
		if !slices.Contains(orders, order) {
			faults = append(faults, fmt.Errorf("unknown order %q%s", order, nearest.Hint(order, orders)))
		}
		return errors.Join(faults...)
	}
	run := func(_ context.Context, args []string) error {
		m, err := topoi.Open(args[0])
		if err != nil {
			return err
		}
		defer m.Close()
		topics := m.Summary(words)
		if order == "share" {
			sortByShare(topics)
		}
		if asJSON {
			return a.writeJSON(topics)
		}
		return topicTable(a.stdout, topics)
	}
	a.add(groupLook, c, check, run)
}

// sortByShare puts large topics first, equal ones by number.
func sortByShare(topics []topoi.TopicSummary) {
	slices.SortStableFunc(topics, func(x, y topoi.TopicSummary) int { return cmp.Compare(y.Tokens, x.Tokens) })
}

// topicTable writes one line per topic.
func topicTable(w io.Writer, topics []topoi.TopicSummary) error {
	_, err := fmt.Fprintf(w, "%5s  %6s  %8s  %s\n", "topic", "share", "α", "top words")
	for _, t := range topics {
		if err == nil {
			_, err = fmt.Fprintf(w, "%5d  %4.1f %%  %8.4f  %s\n", t.Topic, 100*t.Share, t.Alpha, termList(t.Words))
		}
	}
	return err
}

func termList(words []topoi.WordWeight) string {
	terms := make([]string, len(words))
	for i, w := range words {
		terms[i] = w.Term
	}
	return strings.Join(terms, " ")
}

// oneModel is the fault of a command that was not given exactly one model.
func oneModel(args []string, example string) error {
	switch len(args) {
	case 0:
		return fmt.Errorf("the model is missing: try %s", example)
	case 1:
		return nil
	}
	return fmt.Errorf("one model at a time: got %q and %q", args[0], args[1])
}
