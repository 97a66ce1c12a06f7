package effects

import (
	"fmt"
	"io"

	"github.com/topoi-lda/topoi/internal/rows"
	"github.com/topoi-lda/topoi/internal/svg"
)

const (
	mostPanels  = 12 // topics that are drawn
	curvePoints = 40 // points of a curve
	mostCurves  = 9  // groups that are drawn
)

// Draw draws how the shares of topics depend on a column: a panel for each of the first topics, the other columns as
// documents have them. If the column interacts with one that has levels, or if two are named with a comma between
// them, there is a curve with its interval for each level.
func (r *Result) Draw(w io.Writer, by string, name func(topic int) string) error {
	e, groups, err := r.axes(by)
	if err != nil {
		return err
	}
	if groups == nil {
		by = r.withGroups(by)
		if e, _, err = r.axes(by); err != nil {
			return err
		}
	}
	points, err := r.Predict(by, curvePoints)
	if err != nil {
		return err
	}
	var charts []svg.Chart
	for slot, k := range r.Topics[:min(mostPanels, len(r.Topics))] {
		c := r.panel(e, points, slot)
		c.Title = fmt.Sprintf("topic %d", k)
		if list := r.Sums[slot]; len(list) > 1 {
			c.Title = "topics " + numbered(list)
		} else if s := rows.Name(name, k); s != nil {
			c.Title += ": " + *s
		}
		charts = append(charts, c)
	}
	return svg.Write(w, charts...)
}

// numbered writes the topics of a sum, such as 3 + 17.
func numbered(list []int) string {
	text := fmt.Sprint(list[0])
	for _, k := range list[1:] {
		text += fmt.Sprintf(" + %d", k)
	}
	return text
}

// panel draws the points of a topic, given by its place: a series for each group.
func (r *Result) panel(e *encoder, points []Point, slot int) (c svg.Chart) {
	if c.X.Label, c.Y.Label = e.column, "expected share"; e.codes != nil {
		c.X.Label, c.Y.Label, c.Y.Names = "expected share", "", e.levels
	}
	for i, p := range points {
		if i == 0 || p.Group != points[i-1].Group {
			if len(c.Series) == mostCurves {
				break
			}
			c.Series = append(c.Series, svg.Series{Name: p.Group, Dots: e.codes != nil})
		}
		s, share := &c.Series[len(c.Series)-1], p.Shares[slot]
		if e.codes != nil {
			s.Add(share.Estimate, p.At, share.Low, share.High)
		} else {
			s.Add(e.raw(p.At), share.Estimate, share.Low, share.High)
		}
	}
	return c
}
