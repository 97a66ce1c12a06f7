package look

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"text/tabwriter"

	"github.com/spf13/pflag"

	"github.com/topoi-lda/topoi"
	"github.com/topoi-lda/topoi/analysis/compare"
	"github.com/topoi-lda/topoi/cmd/topoi/internal/cli"
	"github.com/topoi-lda/topoi/internal/human"
	"github.com/topoi-lda/topoi/internal/lists"
	"github.com/topoi-lda/topoi/topic"
)

// stabilizer finds the topics that several models share, for topoi compare with more than two of them.
type stabilizer struct {
	*cli.App
	options   compare.Options
	by, where string
	shown     int
	asJSON    bool
}

// AddStability adds topoi stability, the old name of topoi compare --stability.
func AddStability(a *cli.App) {
	s := &stabilizer{App: a}
	c := cli.Describe("stability")
	cli.Section(c, "Matching", func(fs *pflag.FlagSet) {
		fs.StringVar(&s.by, "by", "words", "`similarity`: words or jensen-shannon")
		fs.IntVar(&s.options.Words, "words", 20, "`number` of top words per topic, for --by words")
		fs.Float64Var(&s.options.Threshold, "threshold", 0,
			"smallest `similarity` of two topics that count as the same (default: 0.2; 0.4 by jensen-shannon)")
		fs.IntVar(&s.options.Threads, "threads", 0,
			"`number` of threads; does not change the result (default: all cores)")
	})
	cli.Section(c, "Output", func(fs *pflag.FlagSet) {
		fs.IntVar(&s.shown, "show", 8, "`number` of words to show per topic")
		fs.BoolVar(&s.asJSON, "json", false, "write JSON")
	})
	cli.Complete(c, "by", cli.Fixed("jensen-shannon", "words"))
	check := func(args []string) error {
		s.options.Measure = s.by
		return errors.Join(s.options.Validate(), cli.RefuseZero(c, "words", "threshold"),
			cli.RefuseNegative(c, "show"), twoModels(args))
	}
	a.Add(c, check, cli.Stoppable(s.run))
}

func (s *stabilizer) run(ctx context.Context, args []string) error {
	models, closeAll, err := openNamed(ctx, args, s.where)
	defer closeAll()
	if err != nil {
		return err
	}
	matched := lists.Of(models, func(m *topoi.Model) topic.Model { return m })
	r, err := compare.Runs(ctx, matched, s.options)
	if err != nil {
		return err
	}
	d := s.describe(r, args, models)
	if s.asJSON {
		return s.WriteJSON(d)
	}
	return d.write(s.Stdout)
}

// stableRun is a model as JSON has it.
type stableRun struct {
	Model     string    `json:"model"`
	Topics    int       `json:"topics"`
	Mean      float64   `json:"mean_agreement"` // with the other models
	Agreement []float64 `json:"agreement"`      // with every model
	Typical   bool      `json:"typical"`
}

// stableFamily is a family of topics, likewise.
type stableFamily struct {
	Runs       int            `json:"runs"`       // models that have it
	Similarity float64        `json:"similarity"` // mean of its founder to the others
	Model      string         `json:"model"`      // of the founder
	Topic      int            `json:"topic"`
	Label      string         `json:"topic_label,omitempty"`
	Words      []string       `json:"words"`
	Members    []stableMember `json:"members"`
}

type stableMember struct {
	Model      string  `json:"model"`
	Topic      int     `json:"topic"`
	Similarity float64 `json:"similarity"`
	number     int     // of the model in the tables, from 1
}

// stable is the form of JSON.
type stable struct {
	Measure   string         `json:"measure"`
	Threshold float64        `json:"threshold"`
	TopWords  int            `json:"top_words"`
	Mean      float64        `json:"mean_agreement"`
	Typical   string         `json:"typical"`
	Runs      []stableRun    `json:"models"`
	Families  []stableFamily `json:"families"`
}

func (s *stabilizer) describe(r *compare.Stability, names []string, models []*topoi.Model) *stable {
	d := &stable{Measure: r.Measure, Threshold: r.Threshold, TopWords: r.Words, Mean: r.Mean, Typical: names[r.Typical]}
	words := make([][][]string, len(models))
	for i, m := range models {
		d.Runs = append(d.Runs, stableRun{names[i], m.NumTopics(), r.Runs[i], r.Agreement[i], i == r.Typical})
		for t := range m.Summary(nil, s.shown) {
			words[i] = append(words[i], terms(t.Words))
		}
	}
	for _, f := range r.Families {
		family := stableFamily{
			Runs: f.Runs, Similarity: f.Similarity, Model: names[f.Run], Topic: f.Topic,
			Label: models[f.Run].Label(f.Topic), Words: words[f.Run][f.Topic],
		}
		for i, m := range f.Members {
			if m.Topic >= 0 {
				family.Members = append(family.Members, stableMember{names[i], m.Topic, m.Similarity, i + 1})
			}
		}
		d.Families = append(d.Families, family)
	}
	return d
}

// write writes the agreements and the families as tables.
func (d *stable) write(w io.Writer) error {
	fmt.Fprintf(w, "%s agree by %.3f on average; the most typical one is %s.\n\n", human.Of(len(d.Runs), "model"),
		d.Mean, human.Line(d.Typical))
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprint(t, "\tmodel\ttopics\tmean")
	for i := range d.Runs {
		fmt.Fprintf(t, "\t%d", i+1)
	}
	fmt.Fprintln(t)
	for i, r := range d.Runs {
		fmt.Fprintf(t, "%d\t%s\t%d\t%.3f", i+1, human.Line(r.Model), r.Topics, r.Mean)
		for _, a := range r.Agreement {
			fmt.Fprintf(t, "\t%.3f", a)
		}
		fmt.Fprintln(t)
	}
	if err := t.Flush(); err != nil {
		return err
	}
	in := make([]int, len(d.Runs)+1) // families by the number of models that have them
	for _, f := range d.Families {
		in[f.Runs]++
	}
	fmt.Fprintln(w)
	for n := len(d.Runs); n > 0; n-- {
		if in[n] > 0 {
			fmt.Fprintf(w, "%s in %s.\n", human.Of(in[n], "topic"), human.Of(n, "model"))
		}
	}
	fmt.Fprintln(w)
	fmt.Fprintln(t, "models\tsimilarity\ttopics\twords")
	for _, f := range d.Families {
		members := lists.Of(f.Members, func(m stableMember) string { return fmt.Sprintf("%d:%d", m.number, m.Topic) })
		similarity := "–"
		if f.Runs > 1 {
			similarity = fmt.Sprintf("%.3f", f.Similarity)
		}
		fmt.Fprintf(t, "%d\t%s\t%s\t%s\n", f.Runs, similarity, strings.Join(members, " "),
			comparedTopic{Label: f.Label, Words: f.Words}.line())
	}
	return t.Flush()
}
