package look

import (
	"fmt"
	"io"
	"strings"
	"text/tabwriter"

	"github.com/topoi-lda/topoi/internal/human"
	"github.com/topoi-lda/topoi/prevalence"
)

// writeShares writes the lines of a topic.
func writeShares(w io.Writer, r *prevalence.Result, slot int) error {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	interval := ""
	if r.Interval > 0 {
		interval = fmt.Sprintf("%g %% interval", 100*r.Interval)
	}
	fmt.Fprintf(t, "  %s\tshare\t%s\ttokens\tdocuments\n", strings.ReplaceAll(string(r.By), ",", ", "), interval)
	blocks := r.Blocks()
	for i := range r.Cells { // the largest groups first
		c := blocks[i*len(blocks)/len(r.Cells)] + i%(len(r.Cells)/len(blocks))
		cell, s := r.Cells[c], r.Shares[c][slot]
		fmt.Fprintf(t, "  %s\t%s\t%s\t%s\t%s\n", cellName(cell.Label, cell.Period), percent(s.Share), between(s.Low, s.High), human.Count(s.Tokens), human.Count(cell.Docs))
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
