package svg

import (
	"bytes"
	"encoding/xml"
	"errors"
	"flag"
	"io"
	"math"
	"os"
	"slices"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "write the golden files anew")

func example() []Chart {
	return []Chart{
		{
			Title: "Perplexity & time <1>",
			X:     Axis{Label: "iteration"}, Y: Axis{Label: "perplexity"},
			Series: []Series{
				{Name: "P = 1", X: []float64{0, 10, 20, 30}, Y: []float64{2400, 1800, 1650, 1630}},
				{Name: "a gap", X: []float64{0, 10, 20, 30}, Y: []float64{2500, math.NaN(), 1700, 1640}, Dashed: true},
			},
		},
		{
			Title: "Cost", X: Axis{Label: "K", Log: true}, Y: Axis{Label: "ns", Log: true},
			Series: []Series{{Name: "light", X: []float64{100, 1000, 1e5, 0}, Y: []float64{80, 90, 120, 5}}},
		},
	}
}

func TestGolden(t *testing.T) {
	var b bytes.Buffer
	if err := Write(&b, example()...); err != nil {
		t.Fatal(err)
	}
	const path = "testdata/example.svg"
	if *update {
		if err := os.WriteFile(path, b.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(b.Bytes(), want) {
		t.Errorf("the chart is not %s; see the difference, then run with -update", path)
	}
}

func TestIsWellFormed(t *testing.T) {
	for name, charts := range map[string][]Chart{
		"example":  example(),
		"none":     nil,
		"empty":    {{Title: "nothing"}},
		"constant": {{Series: []Series{{X: []float64{5, 5}, Y: []float64{-7, -7}}}}},
		"one dot":  {{Series: []Series{{X: []float64{5}, Y: []float64{0}}}}},
		"infinite": {{Series: []Series{{X: []float64{1, 2}, Y: []float64{math.Inf(1), math.Inf(-1)}}}}},
	} {
		var b bytes.Buffer
		if err := Write(&b, charts...); err != nil {
			t.Fatal(err)
		}
		if text := b.String(); strings.Contains(text, "NaN") || strings.Contains(text, "Inf") {
			t.Errorf("%s: a number that is none", name)
		}
		for d := xml.NewDecoder(&b); ; {
			if _, err := d.Token(); errors.Is(err, io.EOF) {
				break
			} else if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
		}
	}
}

func TestTicks(t *testing.T) {
	for _, c := range []struct {
		scale scale
		want  []float64
	}{
		{scale{lo: 0, hi: 1}, []float64{0, 0.2, 0.4, 0.6, 0.8, 1}},
		{scale{lo: -7.93, hi: -7.21}, []float64{-7.8, -7.6, -7.4}},
		{scale{lo: 1600, hi: 2500}, []float64{1600, 1800, 2000, 2200, 2400}},
		{scale{log: true, lo: 1.9, hi: 5.1}, []float64{100, 1000, 10000, 100000}},
		{scale{log: true, lo: 0, hi: 1}, []float64{1, 2, 5, 10}},
	} {
		if got := c.scale.ticks(); !slices.EqualFunc(got, c.want, func(a, b float64) bool { return math.Abs(a-b) < 1e-9*math.Abs(b)+1e-12 }) {
			t.Errorf("ticks of %+v: %v, want %v", c.scale, got, c.want)
		}
	}
}

// Values that differ by rounding alone are drawn like equal ones: in the middle, with few ticks. Ticks as far apart as such
// values would never end, because a number next to them is the same number.
func TestFlatRange(t *testing.T) {
	for _, x := range []float64{0.25, -7, 1e6, 1e-9, 0, 1e300} {
		for _, factor := range []float64{1, 1 + 0x1p-52, 1 + 1e-13} {
			var s scale
			s.include(x)
			s.include(x * factor)
			s.settle(0, 100)
			if got := s.at(x); math.Abs(got-50) > 1e-9 {
				t.Errorf("%v and %v: at %v", x, x*factor, got)
			}
			if got := s.ticks(); len(got) < 2 || len(got) > 8 {
				t.Errorf("%v and %v: ticks %v", x, x*factor, got)
			}
		}
	}
	var s scale
	s.include(1)
	s.include(1 + 1e-9) // these differ
	s.settle(0, 106)
	if from, to := s.at(1), s.at(1+1e-9); math.Abs(from-3) > 1e-3 || math.Abs(to-103) > 1e-3 || len(s.ticks()) > 8 {
		t.Errorf("from %v to %v, ticks %v", from, to, s.ticks())
	}
}

func TestNumbers(t *testing.T) {
	for x, want := range map[float64]string{0: "0", -7.4: "-7.4", 12000: "12,000", 100000: "100,000", 1e6: "1e6", 0.0001: "0.0001", 0.25: "0.25"} {
		if got := number(x); got != want {
			t.Errorf("%v is written %q, want %q", x, got, want)
		}
	}
}

func TestNumber(t *testing.T) {
	for x, want := range map[float64]string{0: "0", 0.25: "0.25", -7.5: "-7.5", 12000: "12,000", 5e7: "5e7"} {
		if got := number(x); got != want {
			t.Errorf("%v is written %q, want %q", x, got, want)
		}
	}
	if got := number(math.Copysign(0, -1)); got != "0" {
		t.Errorf("minus zero is written %q", got)
	}
}

// Names stand in the order of their values, from above on the y axis, and are cut and escaped;
// intervals widen the axes.
func TestNamesAndIntervals(t *testing.T) {
	nan := math.NaN()
	dots := Chart{
		Y:      Axis{Names: []string{"<first>", strings.Repeat("second ", 20), "third\x00\x1b"}},
		Series: []Series{{Dots: true, X: []float64{1, 2, nan}, Y: []float64{0, 1, 2}, Low: []float64{-4, nan, nan}, High: []float64{5, nan, nan}}},
	}
	line := Chart{
		X:      Axis{Names: []string{"1990", "1991", "1992", "1993", "1994", "1995", "1996", "1997"}},
		Series: []Series{{Name: "a", X: []float64{0, 1, 2, 3}, Y: []float64{1, 2, nan, 3}, Low: []float64{0, 1, nan, 2}, High: []float64{2, 3, nan, 4}}},
	}
	var b bytes.Buffer
	if err := Write(&b, dots, line); err != nil {
		t.Fatal(err)
	}
	text := b.String()
	for _, want := range []string{"&lt;first&gt;", "second second…</text>", "third\uFFFD\uFFFD", ">1990<", ">1992<", "<polygon", `stroke-opacity="0.5"`} {
		if !strings.Contains(text, want) {
			t.Errorf("no %s in %s", want, text)
		}
	}
	for _, bad := range []string{"<first>", "\x00", "NaN", ">1991<"} {
		if strings.Contains(text, bad) {
			t.Errorf("%q in %s", bad, text)
		}
	}
	p := newPanel(&b, dots, plotHeight)
	if p.y.at(0) >= p.y.at(1) || p.x.lo > -4 || p.x.hi < 5 || p.left <= marginLeft {
		t.Errorf("%+v", p)
	}
}
