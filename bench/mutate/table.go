package main

import (
	"fmt"
	"io"
	"text/tabwriter"
)

// result is a mutant and what became of it.
type result struct {
	*mutant
	fate fate
}

// table counts the outcomes of all mutants.
type table struct {
	rows []row
}

// row is a package's line.
type row struct {
	name    string
	results []result
}

func (t *table) add(name string, results []result) { t.rows = append(t.rows, row{name, results}) }

// counts are how many mutants had each fate; those that were judged not to matter are counted apart.
type counts struct {
	all, broken, own, imported, judged, survived int
}

// count adds the results of a package.
func (c *counts) count(results []result, judged map[string]verdict) {
	for _, r := range results {
		c.all++
		switch {
		case r.fate == broken:
			c.broken++
		case r.fate == own:
			c.own++
		case r.fate == imported:
			c.imported++
		case judged[r.key()] != "":
			c.judged++
		default:
			c.survived++
		}
	}
}

// line formats counts.
func (c counts) line(name string) string {
	own, all := "–", "–"
	if matter := c.own + c.imported + c.survived; matter > 0 {
		own = fmt.Sprintf("%.0f %%", 100*float64(c.own)/float64(matter))
		all = fmt.Sprintf("%.0f %%", 100*float64(c.own+c.imported)/float64(matter))
	}
	return fmt.Sprintf("%s\t%d\t%d\t%d\t%d\t%d\t%d\t%s\t%s\t", name, c.all, c.broken, c.judged, c.own, c.imported,
		c.survived, own, all)
}

// write writes the table and the survivors, which -again reads.
func (t *table) write(w io.Writer, judged map[string]verdict) error {
	tw := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(tw, "package\tmutants\tdo not compile\tdo not matter\town tests\timporters\tsurvived\town tests\tall\t")
	var total counts
	for _, r := range t.rows {
		var c counts
		c.count(r.results, judged)
		total.count(r.results, judged)
		fmt.Fprintln(tw, c.line(r.name))
	}
	fmt.Fprintln(tw, total.line("all"))
	if err := tw.Flush(); err != nil {
		return err
	}
	fmt.Fprintln(w)
	for _, r := range t.rows {
		for _, m := range r.results {
			if m.fate == survived && judged[m.key()] == "" {
				fmt.Fprintf(w, "%s\t%s\t%s\n", m.fate, m.key(), m.place())
			}
		}
	}
	return nil
}
