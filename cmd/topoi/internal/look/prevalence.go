package look

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"text/tabwriter"

	"github.com/spf13/pflag"

	"github.com/topoi-lda/topoi"
	"github.com/topoi-lda/topoi/analysis/prevalence"
	"github.com/topoi-lda/topoi/cmd/topoi/internal/cli"
	"github.com/topoi-lda/topoi/internal/dates"
	"github.com/topoi-lda/topoi/internal/human"
	"github.com/topoi-lda/topoi/internal/rows"
)

// prevailer is one run of topoi prevalence.
type prevailer struct {
	tables
	options                    prevalence.Options
	by, where, bins, dateOrder string
	groups                     []string
	topics                     []string
	interval                   float64
}

// AddPrevalence adds topoi prevalence.
func AddPrevalence(a *cli.App) {
	p := &prevailer{tables: tables{App: a, formats: rows.Formats()}}
	c := cli.Describe("prevalence")
	cli.Section(c, "Groups and periods", func(fs *pflag.FlagSet) {
		fs.StringVar(&p.by, "by", "label",
			"`columns` to group by, such as party,year; label and time are those of the import")
		fs.StringVar(&p.bins, "bins", "",
			"`length` of periods: day, week, month, quarter, year or decade, or a number of equal periods (default: chosen to fit)")
		fs.StringVar(&p.dateOrder, "date-order", "",
			"`order` of dates such as 3/5/2024: mdy or dmy (default: found from the other dates)")
		cli.Where(fs, &p.where)
		fs.StringSliceVar(&p.groups, "groups", nil, "`labels` to look at; two are compared (default: all)")
		fs.StringSliceVar(&p.topics, "topics", nil, "`topics` to look at, by number or name (default: all)")
	})
	cli.Section(c, "Intervals", func(fs *pflag.FlagSet) {
		fs.Float64Var(&p.interval, "interval", 0.95, "`share` of the samples inside an interval; 0 for no intervals")
		fs.IntVar(&p.options.Replicates, "replicates", 1000, "samples drawn")
		fs.Uint64Var(&p.options.Seed, "seed", 0, "random seed; the same `number` gives the same result")
		fs.IntVar(&p.options.Threads, "threads", 0,
			"`number` of threads; does not change the result (default: all cores)")
	})
	cli.Section(c, "Output", p.flags)
	cli.Complete(c, "by", cli.Fixed("label", "time", "label,time"))
	cli.Complete(c, "bins", dates.BinNames)
	cli.Complete(c, "date-order", cli.Fixed("mdy", "dmy"))
	cli.Complete(c, "format", p.known)
	check := func(args []string) error {
		p.settle()
		return errors.Join(
			cli.OneModel(args, "topoi prevalence news.model --by label"), p.options.Validate(), p.check(c),
			cli.RefuseZero(c, "replicates"), cli.RefuseNegative(c, "interval"),
		)
	}
	a.Add(c, check, cli.OnModel(&p.where, p.run))
}

// settle fills the options from the flags.
func (p *prevailer) settle() {
	o := &p.options
	o.By, o.Bins, o.DateOrder = strings.ReplaceAll(p.by, " ", ""), p.bins,
		p.dateOrder
	o.Labels, o.Interval = p.groups, p.interval
	o.Difference = len(p.groups) == 2
	if p.interval == 0 {
		o.Interval = -1
	}
}

func (p *prevailer) run(ctx context.Context, m *topoi.Model, _ []string) error {
	_, err := m.Labels()
	if err == nil {
		p.options.Topics, err = cli.EachTopic(m, p.topics)
	}
	if err != nil {
		return err
	}
	r := p.Reporter(false, p.quiet)
	defer r.Close()
	p.options.Progress = cli.Phase(r, "resampling documents")
	result, err := prevalence.Compute(ctx, m, p.options)
	if err != nil {
		return withFields(err)
	}
	if !p.quiet {
		for _, line := range notCounted(result) {
			r.Say(line)
		}
	}
	write := tableWriter(result.Write)
	if p.format == "text" {
		write = p.blocks(m, result.Topics, func(w io.Writer, slot int) error { return writeShares(w, result, p.heading(), slot) })
	}
	name := m.Label
	if p.format == "svg" { // a picture without names is titled by words
		name = titles(m, result.Topics)
		if note := result.ChartNote(); note != "" && !p.quiet {
			r.Say(note + " Choose others with --topics and --groups.")
		}
	}
	return p.write(r, name, write)
}

// titles returns what topics are called: the names given to them, or else their first words.
func titles(m *topoi.Model, topics []int) func(int) string {
	words := map[int]string{}
	for t := range m.Summary(topics, 4) {
		words[t.Topic] = TermList(t.Words)
	}
	return func(k int) string { return cmp.Or(m.Label(k), words[k]) }
}

// withFields adds how documents get what they lack.
func withFields(err error) error {
	switch {
	case errors.Is(err, prevalence.ErrNoLabels):
		return fmt.Errorf("%w: import them with --label-field, or group by time", err)
	case errors.Is(err, prevalence.ErrNoTimes):
		return fmt.Errorf("%w: import them with --time-field, or group by label", err)
	case strings.HasSuffix(err.Error(), "whether the day or the month comes first"):
		return fmt.Errorf("%w (--date-order)", err)
	}
	return err
}

// notCounted returns which documents do not count, a line for each reason.
func notCounted(r *prevalence.Result) []string {
	var lines []string
	add := func(n int, why string) {
		if n > 0 {
			lines = append(lines, fmt.Sprintf("ignored %s %s", human.Of(n, "document"), why))
		}
	}
	l := r.LeftOut
	add(l.NoLabel, "without a label")
	add(l.NoTime, "without a time")
	add(l.Unread, fmt.Sprintf("whose time cannot be read, such as %q", l.Example))
	add(l.Coarse, fmt.Sprintf("whose time is not exact to the %s", r.Bins))
	return lines
}

// heading names what documents are grouped by, as the user did.
func (p *prevailer) heading() string {
	parts := strings.Split(p.by, ",")
	for i, name := range parts {
		parts[i] = human.Line(strings.TrimSpace(name))
	}
	return strings.Join(parts, ", ")
}

// writeShares writes the lines of a topic.
func writeShares(w io.Writer, r *prevalence.Result, heading string, slot int) error {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	interval := ""
	if r.Interval > 0 {
		interval = fmt.Sprintf("%g %% interval", 100*r.Interval)
	}
	fmt.Fprintf(t, "  %s\tshare\t%s\ttokens\tdocuments\n", heading, interval)
	blocks := r.Blocks()
	for i := range r.Cells { // the largest groups first
		c := blocks[i*len(blocks)/len(r.Cells)] + i%(len(r.Cells)/len(blocks))
		cell, s := r.Cells[c], r.Shares[c][slot]
		fmt.Fprintf(t, "  %s\t%s\t%s\t%s\t%s\n", cellName(cell.Label, cell.Period), percent(s.Share),
			between(s.Low, s.High), human.Count(s.Tokens), human.Count(cell.Docs))
	}
	for p, d := range r.Differences {
		c := d.Changes[slot]
		what := human.Line(r.Cells[p].Label) + " less " + human.Line(r.Cells[len(r.Differences)+p].Label)
		if d.Period != nil {
			what += ", " + d.Period.Name
		}
		fmt.Fprintf(t, "  %s\t%s\t%s\t\t\n", what, percent(c.Difference), between(c.Low, c.High))
	}
	return t.Flush()
}

func cellName(label string, p *prevalence.Period) string {
	switch {
	case p == nil:
		return human.Line(label)
	case label == "":
		return p.Name
	}
	return human.Line(label) + ", " + p.Name
}
