package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode/utf8"

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
its prior weight α, the label that 'topoi label' gave it, if any, and the words
that occur in it most. Numbers are those of all other outputs and never change.`,
		Example: `  topoi topics news.model
  topoi topics news.model --words 20 --sort id
  topoi topics news.model --limit 100
  topoi topics news.model --json | jq '.[0].words[].term'`,
	}
	var (
		words  int
		limit  int
		asJSON bool
		order  string
	)
	section(c, "Output", func(fs *pflag.FlagSet) {
		fs.IntVar(&words, "words", 10, "words per topic")
		fs.IntVar(&limit, "limit", 0, "show the first `number` of topics only (default: all)")
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
		if limit < 0 {
			faults = append(faults, fmt.Errorf("--limit is %d: it must not be negative", limit))
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
		topics := m.LargestTopics(0)
		if order == "id" {
			slices.Sort(topics)
		}
		if limit > 0 {
			topics = topics[:min(limit, len(topics))]
		}
		w := bufio.NewWriter(a.stdout)
		write := topicTable
		if asJSON {
			write = topicList
		}
		if err := write(w, m, topics, words); err != nil {
			return err
		}
		return w.Flush()
	}
	a.add(groupLook, c, check, run)
}

// manyTopics is the number of topics from which shares need more digits.
const manyTopics = 1000

// topicTable writes one line for each of the given topics with its top words.
func topicTable(w io.Writer, m *topoi.Model, topics []int, words int) error {
	digits := 1
	if m.NumTopics() >= manyTopics {
		digits = 5
	}
	label, err := labelColumn(m, topics)
	if err != nil {
		return err
	}
	if _, err := fmt.Fprintf(w, "%5s  %*s  %8s  %s%s\n", "topic", digits+5, "share", "α", label("label"), "top words"); err != nil {
		return err
	}
	for t := range m.EachSummary(topics, words) {
		_, err := fmt.Fprintf(w, "%5d  %*.*f %%  %8.4f  %s%s\n", t.Topic, digits+3, digits, 100*t.Share, t.Alpha, label(t.Label), termList(t.Words))
		if err != nil {
			return err
		}
	}
	return nil
}

// labelColumn returns what pads a label to the width of the column, which is there
// if one of the topics has a label.
func labelColumn(m *topoi.Model, topics []int) (func(string) string, error) {
	labels, err := m.Labels()
	width := 0
	for _, k := range topics {
		width = max(width, utf8.RuneCountInString(labels.Name(k)))
	}
	if width == 0 {
		return func(string) string { return "" }, err
	}
	width = max(width, len("label"))
	return func(s string) string { return fmt.Sprintf("%-*s  ", width, s) }, err
}

// topicList writes the topics as a JSON list, one after the other, with the bytes
// that writeJSON would give the whole list.
func topicList(w io.Writer, m *topoi.Model, topics []int, words int) error {
	if _, err := m.Labels(); err != nil {
		return err
	}
	var b bytes.Buffer
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("  ", "  ")
	before := "[\n  "
	for t := range m.EachSummary(topics, words) {
		b.Reset()
		if err := encoder.Encode(t); err != nil {
			return err
		}
		if _, err := fmt.Fprintf(w, "%s%s", before, bytes.TrimSuffix(b.Bytes(), []byte("\n"))); err != nil {
			return err
		}
		before = ",\n  "
	}
	_, err := io.WriteString(w, "\n]\n")
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
