package look

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"strings"
	"text/tabwriter"

	"github.com/spf13/pflag"

	"github.com/topoi-lda/topoi"
	"github.com/topoi-lda/topoi/analysis/effects"
	"github.com/topoi-lda/topoi/cmd/topoi/internal/cli"
	"github.com/topoi-lda/topoi/internal/human"
	"github.com/topoi-lda/topoi/internal/rows"
)

// effecter is one run of topoi effects.
type effecter struct {
	tables
	options   effects.Options
	base      map[string]string
	where     string
	contrasts []string
	topics    []string
	at        []string
	by        string
	methods   bool
}

var errNoFormula = errors.New(`the model or the formula is missing: try topoi effects speeches.model "~ party + s(date)"`)

// AddEffects adds topoi effects.
func AddEffects(a *cli.App) {
	p := &effecter{tables: tables{App: a, formats: rows.Formats()}}
	c := cli.Describe("effects")
	cli.Section(c, "Regression", func(fs *pflag.FlagSet) {
		fs.StringToStringVar(&p.base, "base", nil,
			"`column=value` that other values are compared with (default: the first)")
		fs.Lookup("base").DefValue = ""
		fs.StringVar(&p.options.Cluster, "cluster", "",
			"`column` whose values group documents that are not independent, such as speaker; document: each by itself, for groups that scatter unequally")
		cli.Where(fs, &p.where)
		fs.StringSliceVar(&p.topics, "topics", nil,
			"`topics` to look at, by number or name; 3+17 takes their sum as one topic (default: all)")
		fs.Float64Var(&p.options.Interval, "interval", 0.95, "`share` of an interval")
		fs.IntVar(&p.options.Draws, "draws", 0,
			"`number` of draws of the shares, for the method of composition (default: none)")
		fs.Uint64Var(&p.options.Seed, "seed", 0, "random seed; the same `number` gives the same draws")
		fs.IntVar(&p.options.Threads, "threads", 0,
			"`number` of threads; does not change the result (default: all cores)")
	})
	cli.Section(c, "Output", func(fs *pflag.FlagSet) {
		fs.StringArrayVar(&p.contrasts, "contrast", nil, "show the difference between two values, `column=value:value`")
		fs.StringVar(&p.by, "by", "",
			"`column` to draw or list expected shares by, or two such as year,party (default for drawings: the formula's first)")
		fs.StringArrayVar(&p.at, "at", nil, "show the shares expected at values of columns, such as party=SF,year=2010")
		fs.BoolVar(&p.methods, "methods", false, "print a description of the method for a paper")
		p.flags(fs)
	})
	cli.Complete(c, "format", p.known)
	check := func(args []string) error {
		if len(args) != 1 && len(args) != 2 {
			return errNoFormula
		}
		p.options.Formula, p.options.Base = strings.Join(args[1:], ""), p.base
		return p.check(c)
	}
	a.Add(c, check, cli.OnModel(&p.where, p.run))
}

func (p *effecter) run(ctx context.Context, m *topoi.Model, args []string) error {
	if of := m.Manifest().Covariates; len(args) == 1 && of != nil {
		p.options.Formula = of.Coding.Formula
	} else if len(args) == 1 {
		return errNoFormula
	}
	docs, err := m.Docs()
	if err != nil {
		return err
	}
	p.options.Columns = docs.Columns()
	if err := p.choose(m); err != nil {
		return err
	}
	r := p.Reporter(false, p.quiet)
	defer r.Close()
	p.options.Progress = cli.Phase(r, "reading documents")
	result, err := effects.Compute(ctx, m, p.options)
	if err != nil {
		return err
	}
	if left := result.Missing; left > 0 && !p.quiet {
		r.Say(fmt.Sprintf("ignored %s without a value in some column of the formula", human.Of(left, "document")))
	}
	if result.FewClusters() && !p.quiet {
		r.Say(fmt.Sprintf("only %s by %s: errors are corrected for that, but read p-values near a limit with caution",
			human.Of(result.Clusters, "cluster"), result.Cluster))
	}
	write := tableWriter(result.Write)
	switch {
	case p.format == "text":
		write = p.textOf(m, result)
	case p.format == "svg" && p.by != "":
		write = func(w io.Writer, _ string, name func(int) string) error { return result.Draw(w, p.by, name) }
	}
	return p.write(r, m.Label, write)
}

// choose finds the topics that were named.
func (p *effecter) choose(m *topoi.Model) error {
	lists, err := cli.TopicsOf(m, p.topics, true)
	for _, list := range lists {
		if len(list) == 1 {
			p.options.Topics = append(p.options.Topics, list[0])
		} else {
			p.options.Sums = append(p.options.Sums, list)
		}
	}
	return err
}

// textOf writes a line for each coefficient, expected share and contrast of the largest topics, and what was done.
func (p *effecter) textOf(m *topoi.Model, r *effects.Result) tableWriter {
	return func(w io.Writer, format string, name func(int) string) error {
		more, err := p.moreLines(r)
		if err != nil {
			return err
		}
		holm := r.Holm()
		err = p.blocks(m, r.Topics, func(w io.Writer, slot int) error {
			t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
			if list := r.Sums[slot]; len(list) > 1 {
				fmt.Fprintf(w, "  the shares of topics %s, added up\n", strings.ReplaceAll(cli.NumbersOf(list), " or ", " + "))
			}
			fmt.Fprintf(t, "  term\teffect\t%g %% interval\tp\tp (Holm)\tn\n", 100*r.Interval)
			for i, e := range r.Effects[slot] {
				line := effectLine{name: r.Names[i], test: true, holm: holm[slot][i], docs: human.Count(r.With[i])}
				switch {
				case i == 0 && len(r.Origins) > 0 && r.Bases[0] != "":
					line.name += " at " + r.Bases[0]
				case r.Bases[i] != "":
					line.name += " against " + r.Bases[i]
				}
				writeEffect(t, r, line, e)
			}
			for _, line := range more {
				writeEffect(t, r, line, line.effects[slot])
			}
			return t.Flush()
		})(w, format, name)
		if r.Crossed() && err == nil {
			_, err = fmt.Fprintln(w, r.MeasuredFrom())
		}
		if n := r.Tests(); err == nil && n > 1 {
			_, err = fmt.Fprintf(w, "%s: without any effect, %.2g of them would have p < 0.05 by chance. p (Holm) is corrected for all of them.\n",
				human.Of(n, "test"), 0.05*float64(n))
		}
		if err == nil && p.methods {
			_, err = fmt.Fprintln(w, r.Methods(m.NumTopics()))
		}
		return err
	}
}

// effectLine is a line besides the coefficients.
type effectLine struct {
	name    string
	effects []effects.Effect // of Result.Topics
	test    bool             // whether a difference from 0 means anything
	holm    float64          // its probability, corrected for the number of tests; 0 for none
	docs    string           // how many have the term's level
}

// moreLines computes the expected shares and contrasts that were asked for.
func (p *effecter) moreLines(r *effects.Result) ([]effectLine, error) {
	var lines []effectLine
	if p.by != "" {
		const few = 7
		points, err := r.Predict(p.by, few)
		if err != nil {
			return nil, err
		}
		for _, point := range points {
			lines = append(lines, effectLine{name: pointName(point), effects: point.Shares})
		}
	}
	for _, text := range p.at {
		values, err := valuesOf(text)
		if err != nil {
			return nil, err
		}
		shares, err := r.PredictAt(values)
		if err != nil {
			return nil, err
		}
		name := "share at " + strings.ReplaceAll(strings.ReplaceAll(text, ",", ", "), "=", " = ")
		lines = append(lines, effectLine{name: name, effects: shares})
	}
	for _, c := range p.contrasts {
		name, values, found := strings.Cut(c, "=")
		value, versus, both := strings.Cut(values, ":")
		if !found || !both {
			return nil, fmt.Errorf("cannot read the contrast %q: write it as column=value:value, such as party=SPD:CDU",
				c)
		}
		difference, err := r.Contrast(name, value, versus)
		if err != nil {
			return nil, err
		}
		lines = append(lines, effectLine{
			name: fmt.Sprintf("%s: %s less %s", name, value, versus), effects: difference, test: true,
		})
	}
	return lines, nil
}

// pointName names a point by its value, and by its group if there is one.
func pointName(point effects.Point) string {
	name := fmt.Sprintf("share at %s = %s", point.Column, point.Value)
	if point.Group != "" {
		name = point.Group + ": " + name
	}
	return name
}

// valuesOf reads values of columns such as party=SF,year=2010.
func valuesOf(text string) (map[string]string, error) {
	values := map[string]string{}
	for part := range strings.SplitSeq(text, ",") {
		name, value, found := strings.Cut(part, "=")
		if name = strings.TrimSpace(name); !found || name == "" {
			return nil, fmt.Errorf("cannot read --at %q: write it as column=value, such as party=SF,year=2010", text)
		}
		values[name] = strings.TrimSpace(value)
	}
	return values, nil
}

// probability writes a probability as papers do.
func probability(p float64) string {
	switch {
	case math.IsNaN(p):
		return ""
	case p < 0.001:
		return "<0.001"
	}
	return fmt.Sprintf("%.3f", p)
}

// writeEffect writes one effect of a line.
func writeEffect(w io.Writer, r *effects.Result, line effectLine, e effects.Effect) {
	chance, corrected, interval := "", "", between(e.Low, e.High)
	if line.test {
		chance = probability(e.P())
	}
	if line.docs != "" {
		corrected = probability(line.holm)
	}
	if e.Alone() {
		interval = "none: rests on one " + human.Line(cmp.Or(r.Cluster, "document"))
	}
	fmt.Fprintf(w, "  %s\t%s\t%s\t%s\t%s\t%s\n", human.Line(line.name), percent(e.Estimate), interval, chance, corrected,
		line.docs)
}
