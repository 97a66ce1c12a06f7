package svg

import (
	"fmt"
	"strings"
)

// drawInterval draws the intervals of a series: bars for dots, bands for lines.
func (p panel) drawInterval(s Series, colour string) {
	switch {
	case len(s.Low) == 0:
	case s.Dots:
		p.drawBars(s, colour)
	default:
		p.drawBands(s, colour)
	}
}

// has says whether point i has an interval that can be shown.
func (p panel) has(s Series, i int) bool {
	value := &p.y
	if p.chart.Y.Names != nil {
		value = &p.x
	}
	return i < len(s.Low) && p.x.shows(s.X[i]) && p.y.shows(s.Y[i]) && value.shows(s.Low[i]) && value.shows(s.High[i])
}

// drawBars draws a bar from the low to the high end at every point.
func (p panel) drawBars(s Series, colour string) {
	for i := range s.X {
		if !p.has(s, i) {
			continue
		}
		x1, y1, x2, y2 := p.x.at(s.X[i]), p.y.at(s.Low[i]), p.x.at(s.X[i]), p.y.at(s.High[i])
		if p.chart.Y.Names != nil {
			x1, y1, x2, y2 = p.x.at(s.Low[i]), p.y.at(s.Y[i]), p.x.at(s.High[i]), p.y.at(s.Y[i])
		}
		fmt.Fprintf(p.b, `<line x1="%.1f" y1="%.1f" x2="%.1f" y2="%.1f" stroke="%s" stroke-width="1.8" stroke-opacity="0.5"/>`+"\n", x1, y1, x2, y2, colour)
	}
}

// drawBands fills the space between the low and the high ends of points that follow each other.
func (p panel) drawBands(s Series, colour string) {
	var above, below []string
	flush := func() {
		if len(above) > 1 {
			for i := len(below) - 1; i >= 0; i-- {
				above = append(above, below[i])
			}
			fmt.Fprintf(p.b, `<polygon points="%s" fill="%s" fill-opacity="0.15"/>`+"\n", strings.Join(above, " "), colour)
		}
		above, below = nil, nil
	}
	for i := range s.X {
		if !p.has(s, i) {
			flush()
			continue
		}
		above = append(above, fmt.Sprintf("%.1f,%.1f", p.x.at(s.X[i]), p.y.at(s.High[i])))
		below = append(below, fmt.Sprintf("%.1f,%.1f", p.x.at(s.X[i]), p.y.at(s.Low[i])))
	}
	flush()
}

// drawDots draws a dot at every point.
func (p panel) drawDots(s Series, colour string) {
	for i := range s.X {
		if p.x.shows(s.X[i]) && p.y.shows(s.Y[i]) {
			fmt.Fprintf(p.b, `<circle cx="%.1f" cy="%.1f" r="3" fill="%s"/>`+"\n", p.x.at(s.X[i]), p.y.at(s.Y[i]), colour)
		}
	}
}
