// Package svg draws charts of lines and dots as SVG: axes with round ticks or with names, intervals, a legend,
// several panels side by side. The same charts give the same bytes on every machine.
package svg

import (
	"bytes"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"
	"unicode/utf8"
)

// Chart is one panel.
type Chart struct {
	Title  string
	X, Y   Axis
	Series []Series // drawn in this order, colours by position
}

// Axis is one axis of a chart. Its range is that of the data.
type Axis struct {
	Label string
	Share bool     // of shares: from 0, in per cent
	Log   bool     // logarithmic; points that are not positive are left out
	Names []string // of the values 0, 1, 2, … instead of numbers; on the x axis some are left out
}

// Series is one line.
type Series struct {
	Name   string
	X, Y   []float64 // points in drawing order, of equal number; a NaN or infinite one interrupts the line
	Dashed bool
	Dots   bool // dots without a line

	// Low and High are the ends of an interval for each point, along the y axis, or along the x
	// axis if the y axis has names; NaN for none. Lines get a band, dots get a bar.
	Low, High []float64
}

// Add adds a point with its interval.
func (s *Series) Add(x, y, low, high float64) {
	s.X, s.Y, s.Low, s.High = append(s.X, x), append(s.Y, y), append(s.Low, low), append(s.High, high)
}

// Sizes in pixels.
const (
	panelWidth   = 460
	plotHeight   = 260
	marginLeft   = 72
	marginRight  = 16
	marginTop    = 36
	axisHeight   = 48 // ticks and label below the plot
	legendLine   = 18
	panelsPerRow = 3
	nameLine     = 15 // for a name on the y axis
	nameWidth    = 7  // of a character
	longestName  = 28 // characters
	longestKey   = 52 // of a legend
	longestTitle = 50
)

// palette is that of Okabe and Ito, readable with any colour vision, and grey.
var palette = []string{
	"#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#000000", "#8a8a00",
	"#999999",
}

// Write draws the charts, at most three to a row.
func Write(w io.Writer, charts ...Chart) error { return Figure{Charts: charts}.Write(w) }

// Figure is charts with what belongs to all of them.
type Figure struct {
	Charts []Chart
	Legend bool   // one for all charts, whose series have the same names
	Note   string // below them
}

// Write draws the figure.
func (f Figure) Write(w io.Writer) error {
	columns := max(1, min(len(f.Charts), panelsPerRow))
	rows := (len(f.Charts) + columns - 1) / columns
	plot := highestPlot(f.Charts)
	height := marginTop + plot + axisHeight + 12
	if !f.Legend {
		height += legendLine * longestLegend(f.Charts)
	}
	var b bytes.Buffer
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" font-family="sans-serif" font-size="12">`+"\n",
		columns*panelWidth, rows*height+f.footHeight(columns))
	fmt.Fprintf(&b, `<rect width="100%%" height="100%%" fill="#ffffff"/>`+"\n")
	for i, c := range f.Charts {
		p := newPanel(&b, c, plot)
		fmt.Fprintf(&b, `<g transform="translate(%d %d)">`+"\n", i%columns*panelWidth, i/columns*height)
		p.draw(!f.Legend)
		b.WriteString("</g>\n")
	}
	f.drawFoot(&b, columns, rows*height)
	b.WriteString("</svg>\n")
	_, err := w.Write(b.Bytes())
	return err
}

// shared returns the series of the one legend.
func (f Figure) shared() []Series {
	if !f.Legend || len(f.Charts) == 0 {
		return nil
	}
	return named(f.Charts[0].Series)
}

func (f Figure) footHeight(columns int) int {
	height := legendLine * ((len(f.shared()) + columns - 1) / columns)
	if f.Note != "" {
		height += legendLine
	}
	if height > 0 {
		height += 12
	}
	return height
}

// drawFoot draws the one legend and the note below all charts.
func (f Figure) drawFoot(b *bytes.Buffer, columns, y int) {
	series := f.shared()
	for i, s := range series {
		drawKey(b, s, i, marginLeft+i%columns*panelWidth, y+legendLine*(i/columns)+8)
	}
	if f.Note != "" {
		y += legendLine * ((len(series) + columns - 1) / columns)
		fmt.Fprintf(b, `<text x="%d" y="%d" fill="#555555">%s</text>`+"\n", marginLeft, y+12, escape(f.Note))
	}
}

// drawKey draws an entry of a legend.
func drawKey(b *bytes.Buffer, s Series, i, x, y int) {
	fmt.Fprintf(b, `<line x1="%d" y1="%d" x2="%d" y2="%d" stroke="%s" stroke-width="2"%s/>`, x, y, x+28, y,
		palette[i%len(palette)], dash(s))
	fmt.Fprintf(b, `<text x="%d" y="%d">%s</text>`+"\n", x+36, y+4, escape(shortTo(s.Name, longestKey)))
}

func longestLegend(charts []Chart) int {
	n := 0
	for _, c := range charts {
		n = max(n, len(named(c.Series)))
	}
	return n
}

// named returns the series that the legend shows.
func named(all []Series) []Series {
	return slices.DeleteFunc(slices.Clone(all), func(s Series) bool { return s.Name == "" })
}

// highestPlot returns a height that has room for all names.
func highestPlot(charts []Chart) int {
	height := plotHeight
	for _, c := range charts {
		height = max(height, nameLine*len(c.Y.Names))
	}
	return height
}

// leftMargin has room for the names of the y axis.
func leftMargin(c Chart) int {
	margin := marginLeft
	for _, name := range c.Y.Names {
		margin = max(margin, 24+nameWidth*utf8.RuneCountInString(short(name)))
	}
	return margin
}

// short cuts a name.
func short(name string) string { return shortTo(name, longestName) }

// shortTo cuts a name to at most n characters.
func shortTo(name string, n int) string {
	if runes := []rune(name); len(runes) > n {
		return string(runes[:n-1]) + "…"
	}
	return name
}

// panel draws one chart.
type panel struct {
	b            *bytes.Buffer
	chart        Chart
	x, y         scale
	left, bottom int // of the plot
}

func newPanel(b *bytes.Buffer, c Chart, plot int) panel {
	p := panel{b: b, chart: c, x: scale{log: c.X.Log}, y: scale{log: c.Y.Log}, left: leftMargin(c), bottom: marginTop +
		plot}
	for _, s := range c.Series {
		for i := range s.X {
			if p.x.shows(s.X[i]) && p.y.shows(s.Y[i]) {
				p.x.include(s.X[i])
				p.y.include(s.Y[i])
				if p.has(s, i) {
					p.values().include(s.Low[i])
					p.values().include(s.High[i])
				}
			}
		}
	}
	for _, a := range []struct {
		axis  Axis
		scale *scale
	}{{c.X, &p.x}, {c.Y, &p.y}} {
		if a.axis.Share {
			a.scale.include(0)
			a.scale.fromZero = a.scale.lo == 0
		}
	}
	for i := range c.Y.Names { // all of them, from above
		p.y.include(float64(i))
	}
	p.x.settle(float64(p.left), panelWidth-marginRight)
	p.y.settle(float64(p.bottom), marginTop)
	if c.Y.Names != nil {
		p.y.from, p.y.to = marginTop, float64(p.bottom)
	}
	return p
}

// values returns the axis along which intervals lie.
func (p *panel) values() *scale {
	if p.chart.Y.Names != nil {
		return &p.x
	}
	return &p.y
}

// draw draws the chart, and its legend if it has one of its own.
func (p panel) draw(legend bool) {
	fmt.Fprintf(p.b, `<text x="%d" y="20" font-size="14" font-weight="bold">%s</text>`+"\n", min(p.left, marginLeft),
		escape(shortTo(p.chart.Title, longestTitle)))
	p.drawAxes()
	line := 0 // of the legend
	for i, s := range p.chart.Series {
		colour := palette[i%len(palette)]
		p.drawInterval(s, colour)
		if s.Dots {
			p.drawDots(s, colour)
		} else {
			p.drawLine(s, colour)
		}
		if s.Name != "" && legend {
			drawKey(p.b, s, i, p.left, p.bottom+axisHeight+legendLine*line+8)
			line++
		}
	}
}

func (p panel) drawAxes() {
	const right = panelWidth - marginRight
	for _, t := range ticks(&p.x, p.chart.X, mostXNames) {
		x := p.x.at(t.at)
		fmt.Fprintf(p.b, `<line x1="%.1f" y1="%d" x2="%.1f" y2="%d" stroke="#dddddd"/>`, x, marginTop, x, p.bottom)
		fmt.Fprintf(p.b, `<text x="%.1f" y="%d" text-anchor="middle">%s</text>`+"\n", x, p.bottom+16, t.name)
	}
	for _, t := range ticks(&p.y, p.chart.Y, len(p.chart.Y.Names)) {
		y := p.y.at(t.at)
		fmt.Fprintf(p.b, `<line x1="%d" y1="%.1f" x2="%d" y2="%.1f" stroke="#dddddd"/>`, p.left, y, right, y)
		fmt.Fprintf(p.b, `<text x="%d" y="%.1f" text-anchor="end">%s</text>`+"\n", p.left-6, y+4, t.name)
	}
	fmt.Fprintf(p.b, `<rect x="%d" y="%d" width="%d" height="%d" fill="none" stroke="#333333"/>`+"\n", p.left,
		marginTop, right-p.left, p.bottom-marginTop)
	fmt.Fprintf(p.b, `<text x="%d" y="%d" text-anchor="middle">%s</text>`+"\n", (p.left+right)/2, p.bottom+34,
		escape(p.chart.X.Label))
	fmt.Fprintf(p.b, `<text transform="translate(14 %d) rotate(-90)" text-anchor="middle">%s</text>`+"\n",
		(marginTop+p.bottom)/2, escape(p.chart.Y.Label))
}

// mostXNames is the number of names for which the x axis has room.
const mostXNames = 6

// tick is a value of an axis with what is written at it, escaped.
type tick struct {
	at   float64
	name string
}

// ticks returns round numbers, or at most the given number of names, evenly spaced.
func ticks(s *scale, a Axis, most int) []tick {
	var list []tick
	if a.Names == nil {
		for _, t := range s.ticks() {
			name := number(t)
			if a.Share {
				name = number(math.Round(1e8*t)/1e6) + " %"
			}
			list = append(list, tick{t, name})
		}
		return list
	}
	step := (len(a.Names) + most - 1) / max(most, 1)
	for i := 0; i < len(a.Names); i += max(step, 1) {
		if x := float64(i); x >= s.lo && x <= s.hi {
			list = append(list, tick{x, escape(short(a.Names[i]))})
		}
	}
	return list
}

// drawLine draws a series, interrupted where a point cannot be shown. A part of a single point becomes a dot.
func (p panel) drawLine(s Series, colour string) {
	var points []string
	flush := func() {
		switch {
		case len(points) == 1:
			xy := strings.Split(points[0], ",")
			fmt.Fprintf(p.b, `<circle cx="%s" cy="%s" r="3" fill="%s"/>`+"\n", xy[0], xy[1], colour)
		case len(points) > 1:
			fmt.Fprintf(p.b, `<polyline points="%s" fill="none" stroke="%s" stroke-width="1.8" stroke-linejoin="round"%s/>`+"\n",
				strings.Join(points, " "), colour, dash(s))
		}
		points = points[:0]
	}
	for i := range s.X {
		if !p.x.shows(s.X[i]) || !p.y.shows(s.Y[i]) {
			flush()
			continue
		}
		points = append(points, fmt.Sprintf("%.1f,%.1f", p.x.at(s.X[i]), p.y.at(s.Y[i])))
	}
	flush()
}

func dash(s Series) string {
	if s.Dashed {
		return ` stroke-dasharray="6 4"`
	}
	return ""
}
