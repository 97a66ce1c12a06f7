package bench

import (
	"strings"
	"testing"
	"time"
)

func TestWriteTable(t *testing.T) {
	points := func(scores ...float64) (list []Point) {
		for i, s := range scores {
			list = append(list, Point{Iteration: 10 * (i + 1), Training: time.Duration(i+1) * time.Second, Heldout: s})
		}
		return list
	}
	rows := []Row{
		{Tokens: 1000, Topics: 5, Sampler: "warp", Ready: time.Second, Whole: 4 * time.Second, TokensPerSecond: 2e9, Points: points(-9.5, -9.231, -9.234)},
		{Tokens: 1000, Topics: 5, Sampler: "batch", Ready: time.Second, TokensPerSecond: 1e9, Points: points(-9.4, -9.2, -9.105)},
		{Tokens: 1000, Topics: 9, Sampler: "warp", Asked: "auto", Ready: time.Second, TokensPerSecond: 2e9, Points: points(-9)},
		{Tokens: 1000, Topics: 10, Sampler: "batch", Ready: time.Second, TokensPerSecond: 2e9},
	}
	var out strings.Builder
	WriteTable(&out, rows)
	want := `  tokens   K     sampler  tokens/s  start, s  sweeps  training, s  whole, s  held-out  all reach  after, s   best  after, s
   1,000   5        warp    2.00 G      1.00      30            3         4   -9.2340      -9.24         2  -9.11         –
   1,000   5       batch    1.00 G      1.00      30            3         0   -9.1050      -9.24         2  -9.11         3
   1,000   9  auto: warp    2.00 G      1.00      10            1         0   -9.0000      -9.00         1  -9.00         1
   1,000  10       batch    2.00 G      1.00       –            –         –         –          –         –      –         –
`
	if out.String() != want {
		t.Errorf("got\n%s\nwant\n%s", out.String(), want)
	}
}
