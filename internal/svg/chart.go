// Package svg draws line charts as SVG: axes with round ticks, a legend, several
// panels side by side. The same charts give the same bytes on every machine.
package svg

import (
	"bytes"
	"encoding/xml"
	"fmt"
	"io"
	"math"
	"strings"
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
	Log   bool // logarithmic; points that are not positive are left out
}

// Series is one line.
type Series struct {
	Name   string
	X, Y   []float64 // points in drawing order, of equal number; a NaN or infinite one interrupts the line
	Dashed bool
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
)

// palette is that of Okabe and Ito, readable with any colour vision, and grey.
var palette = []string{"#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#000000", "#8a8a00", "#999999"}

// Write draws the charts, at most three to a row.
func Write(w io.Writer, charts ...Chart) error {
	columns := max(1, min(len(charts), panelsPerRow))
	rows := (len(charts) + columns - 1) / columns
	height := marginTop + plotHeight + axisHeight + legendLine*longestLegend(charts) + 12

	var b bytes.Buffer
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" font-family="sans-serif" font-size="12">`+"\n",
		columns*panelWidth, rows*height)
	fmt.Fprintf(&b, `<rect width="100%%" height="100%%" fill="#ffffff"/>`+"\n")
	for i, c := range charts {
		p := newPanel(&b, c)
		fmt.Fprintf(&b, `<g transform="translate(%d %d)">`+"\n", i%columns*panelWidth, i/columns*height)
		p.draw()
		b.WriteString("</g>\n")
	}
	b.WriteString("</svg>\n")
	_, err := w.Write(b.Bytes())
	return err
}

func longestLegend(charts []Chart) int {
	n := 0
	for _, c := range charts {
		n = max(n, len(c.Series))
	}
	return n
}

// panel draws one chart.
type panel struct {
	b     *bytes.Buffer
	chart Chart
	x, y  scale
}

func newPanel(b *bytes.Buffer, c Chart) panel {
	p := panel{b: b, chart: c, x: scale{log: c.X.Log}, y: scale{log: c.Y.Log}}
	for _, s := range c.Series {
		for i := range s.X {
			if p.x.shows(s.X[i]) && p.y.shows(s.Y[i]) {
				p.x.include(s.X[i])
				p.y.include(s.Y[i])
			}
		}
	}
	p.x.settle(marginLeft, panelWidth-marginRight)
	p.y.settle(marginTop+plotHeight, marginTop)
	return p
}

func (p panel) draw() {
	fmt.Fprintf(p.b, `<text x="%d" y="20" font-size="14" font-weight="bold">%s</text>`+"\n", marginLeft, escape(p.chart.Title))
	p.drawAxes()
	for i, s := range p.chart.Series {
		colour := palette[i%len(palette)]
		p.drawLine(s, colour)
		y := marginTop + plotHeight + axisHeight + legendLine*i + 8
		fmt.Fprintf(p.b, `<line x1="%d" y1="%d" x2="%d" y2="%d" stroke="%s" stroke-width="2"%s/>`, marginLeft, y, marginLeft+28, y, colour, dash(s))
		fmt.Fprintf(p.b, `<text x="%d" y="%d">%s</text>`+"\n", marginLeft+36, y+4, escape(s.Name))
	}
}

func (p panel) drawAxes() {
	const bottom, right = marginTop + plotHeight, panelWidth - marginRight
	for _, t := range p.x.ticks() {
		x := p.x.at(t)
		fmt.Fprintf(p.b, `<line x1="%.1f" y1="%d" x2="%.1f" y2="%d" stroke="#dddddd"/>`, x, marginTop, x, bottom)
		fmt.Fprintf(p.b, `<text x="%.1f" y="%d" text-anchor="middle">%s</text>`+"\n", x, bottom+16, number(t))
	}
	for _, t := range p.y.ticks() {
		y := p.y.at(t)
		fmt.Fprintf(p.b, `<line x1="%d" y1="%.1f" x2="%d" y2="%.1f" stroke="#dddddd"/>`, marginLeft, y, right, y)
		fmt.Fprintf(p.b, `<text x="%d" y="%.1f" text-anchor="end">%s</text>`+"\n", marginLeft-6, y+4, number(t))
	}
	fmt.Fprintf(p.b, `<rect x="%d" y="%d" width="%d" height="%d" fill="none" stroke="#333333"/>`+"\n", marginLeft, marginTop, right-marginLeft, plotHeight)
	fmt.Fprintf(p.b, `<text x="%d" y="%d" text-anchor="middle">%s</text>`+"\n", (marginLeft+right)/2, bottom+34, escape(p.chart.X.Label))
	fmt.Fprintf(p.b, `<text transform="translate(14 %d) rotate(-90)" text-anchor="middle">%s</text>`+"\n", marginTop+plotHeight/2, escape(p.chart.Y.Label))
}

// drawLine draws a series, interrupted where a point cannot be shown. A part of
// a single point becomes a dot.
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

func escape(s string) string {
	var b strings.Builder
	_ = xml.EscapeText(&b, []byte(s)) // a strings.Builder takes everything
	return b.String()
}

// number writes a tick: short, with thousands separated.
func number(x float64) string {
	if x == 0 { // of either sign
		return "0"
	}
	if a := math.Abs(x); a >= 1e6 || a > 0 && a < 1e-3 {
		return strings.Replace(fmt.Sprintf("%.2g", x), "e+0", "e", 1)
	}
	s := fmt.Sprintf("%.10g", x)
	if math.Abs(x) >= 10000 && !strings.Contains(s, ".") {
		s = s[:len(s)-3] + "," + s[len(s)-3:]
	}
	return s
}
