package svg

import (
	"encoding/xml"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/topoi-lda/topoi/internal/portable"
)

// scale maps a range of data to a range of pixels.
type scale struct {
	log      bool
	any      bool    // something was included
	fromZero bool    // nothing is below 0, and no room is left there
	lo, hi   float64 // range of the data; logarithms to base 10 if log
	from, to float64 // pixels
}

// shows reports whether x can be shown at all.
func (s *scale) shows(x float64) bool {
	return !math.IsNaN(x) && !math.IsInf(x, 0) && (!s.log || x > 0)
}

func (s *scale) value(x float64) float64 {
	if s.log {
		return portable.Log10(x)
	}
	return x
}

// include widens the range to x.
func (s *scale) include(x float64) {
	x = s.value(x)
	if !s.any {
		s.any, s.lo, s.hi = true, x, x
	}
	s.lo, s.hi = min(s.lo, x), max(s.hi, x)
}

// settle fixes the pixels and leaves a little room around the data.
func (s *scale) settle(from, to float64) {
	if !s.any {
		s.lo, s.hi = 0, 1
	}
	room := 0.03 * (s.hi - s.lo)
	if room <= 1e-12*max(math.Abs(s.lo), math.Abs(s.hi)) { // by no more than rounding, which no ticks could tell apart
		room = max(0.5, math.Abs(s.lo)/10)
	}
	if !s.fromZero {
		s.lo -= room
	}
	s.hi += room
	s.from, s.to = from, to
}

// at returns the pixel of x.
func (s *scale) at(x float64) float64 {
	return s.from + float64((s.value(x)-s.lo)/(s.hi-s.lo)*(s.to-s.from))
}

// ticks returns about six round values inside the range: multiples of 1, 2 or 5
// times a power of ten; powers of ten on a logarithmic scale of two decades or more.
func (s *scale) ticks() []float64 {
	if s.log {
		return s.logTicks()
	}
	step := math.Pow10(int(math.Floor(portable.Log10((s.hi - s.lo) / 4))))
	for _, m := range []float64{1, 2, 5, 10} {
		if (s.hi-s.lo)/(m*step) <= 7 {
			step *= m
			break
		}
	}
	var ticks []float64
	for i := math.Ceil(s.lo / step); i*step <= s.hi; i++ {
		ticks = append(ticks, round(i*step, step))
	}
	return ticks
}

func (s *scale) logTicks() []float64 {
	digits := []float64{1}
	if s.hi-s.lo < 2 {
		digits = []float64{1, 2, 5}
	}
	var ticks []float64
	for e := math.Floor(s.lo); e <= s.hi; e++ {
		for _, d := range digits {
			if t := float64(d * math.Pow10(int(e))); portable.Log10(t) >= s.lo && portable.Log10(t) <= s.hi {
				ticks = append(ticks, t)
			}
		}
	}
	return ticks
}

// round removes the dirt that binary fractions leave on multiples of step.
func round(x, step float64) float64 {
	unit := math.Pow10(int(math.Floor(portable.Log10(step))))
	return math.Round(x/unit) * unit
}

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

// has reports whether point i has an interval that can be shown.
func (p *panel) has(s Series, i int) bool {
	value := p.values()
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
			slices.Reverse(below)
			above = append(above, below...)
			fmt.Fprintf(p.b, `<polygon points="%s" fill="%s" fill-opacity="0.15"/>`+"\n", strings.Join(above, " "),
				colour)
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
			fmt.Fprintf(p.b, `<circle cx="%.1f" cy="%.1f" r="3" fill="%s"/>`+"\n", p.x.at(s.X[i]), p.y.at(s.Y[i]),
				colour)
		}
	}
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
